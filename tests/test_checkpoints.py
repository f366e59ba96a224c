"""Checkpoints in both directions between this program and real PyTorch, and what happens when they are damaged, incomplete or
of other data."""
import json
import re
import shutil

import numpy
import pytest
import torch
from conftest import nowhere, ok, refused
from networks import discriminator, generator, initialise
from PIL import Image
from torch.optim import AdamW

NZ, NGF, NDF, SIZE = 8, 4, 4, 32
FLAGS = ["--nz", NZ, "--ngf", NGF, "--ndf", NDF, "--img-size", SIZE, "--batch-size", 16]


@pytest.fixture(scope="module")
def pack(streets, tmp_path_factory):
    file = tmp_path_factory.mktemp("pack") / "streets.nwp"
    ok("pack", streets, "-o", file, "--height", 32, "--limit", 64)
    return file


@pytest.fixture(scope="module")
def run(pack, tmp_path_factory):
    root = tmp_path_factory.mktemp("runs")
    ok("train", *FLAGS, "--ema-kimg", 1, "--dataroot", pack, "--root", root, "--name", "run", "--n-epoch", 2)
    return root / "run"


def test_python_reads_ours(run):
    checkpoint = torch.load(run / "checkpoint_2.pt", weights_only=True)
    assert {"epoch", "D_state_dict", "G_state_dict", "D_optim", "G_optim", "losses", "img_list", "noise"} <= set(checkpoint)
    assert {"G_ema_state_dict", "loader", "random", "G_scaler", "D_scaler", "config", "format"} <= set(checkpoint)
    assert checkpoint["epoch"] == 2 and json.loads(checkpoint["config"])["nz"] == NZ
    assert checkpoint["noise"].shape == (64, NZ, 1, 1)
    assert len(checkpoint["losses"]["_G"]) == len(checkpoint["losses"]["_D"]) > 0
    g, d = generator(NZ, NGF, SIZE), discriminator(NDF, SIZE)
    g.load_state_dict(checkpoint["G_state_dict"])
    d.load_state_dict(checkpoint["D_state_dict"])
    for network, state in ((g, checkpoint["G_optim"]), (d, checkpoint["D_optim"])):
        adam = AdamW(network.parameters())
        adam.load_state_dict(state)
        assert adam.param_groups[0]["betas"] == (0.5, 0.999)
        assert all(entry["step"] == 8 for entry in adam.state_dict()["state"].values())


def test_slim_ones_make_the_pictures_that_were_shown(run):
    slim = torch.load(run / "slim_checkpoint_2.pt", weights_only=True)
    g = generator(NZ, NGF, SIZE)
    g.load_state_dict(slim["G_state_dict"])
    g.eval()
    noise = torch.load(run / "checkpoint_2.pt", weights_only=True)["noise"]
    with torch.no_grad():
        pictures = g.main(noise).add(1).mul(127.5).round().numpy().transpose(0, 2, 3, 1)
    shown = numpy.asarray(Image.open(run / "figures" / "fixed_noise" / "epoch_00002.png")).astype(float)
    for i, picture in enumerate(pictures):
        top, left = (2 + (SIZE + 2) * place for place in (i // 8, i % 8))
        assert abs(shown[top : top + SIZE, left : left + SIZE] - picture).max() <= 1


def original(tmp_path, change=lambda state: state, prefix=""):
    """A run directory with checkpoint_1.pt as the reference's program wrote it."""
    torch.manual_seed(5)
    g, d = generator(NZ, NGF, SIZE), discriminator(NDF, SIZE)
    adams = []
    for network in (g, d):
        network.apply(initialise)
        adams.append(AdamW(network.parameters(), 1e-9, (0.5, 0.999), weight_decay=0))
        sum(parameter.sum() for parameter in network.parameters()).backward()
        adams[-1].step()

    def state(network):
        named = network.state_dict()  # an OrderedDict with _metadata
        for key in list(named):
            named[prefix + key] = change(named.pop(key))
        return named

    folder = tmp_path / "run"
    folder.mkdir()
    torch.save({"epoch": 1, "D_state_dict": state(d), "G_state_dict": state(g), "D_optim": adams[1].state_dict(),
                "G_optim": adams[0].state_dict(), "losses": {"_G": [1.5], "_D": [torch.tensor(0.5)]}, "img_list": [torch.rand(3, 8, 8)],
                "noise": torch.randn(64, NZ, 1, 1)}, folder / "checkpoint_1.pt")
    return g, d


@pytest.mark.parametrize("prefix, change", [("", lambda t: t), ("module.", lambda t: t), ("", lambda t: t.half() if t.is_floating_point() else t)])
def test_ours_reads_pythons(pack, tmp_path, prefix, change):
    g, d = original(tmp_path, change, prefix)
    # So slow a rate that one epoch changes next to nothing.
    ok("train", *FLAGS, "--dataroot", pack, "--root", tmp_path, "--name", "run", "--s_epoch", 1, "--n_epoch", 2, "--lr", 1e-9, "--weight-decay", 0)
    after = torch.load(tmp_path / "run" / "checkpoint_2.pt", weights_only=True)
    for network, key in ((g, "G_state_dict"), (d, "D_state_dict")):
        for name, parameter in network.named_parameters():
            assert torch.allclose(after[key][name], change(parameter.detach()).float(), atol=1e-6), name
    assert after["losses"]["_G"][0] == 1.5 and after["losses"]["_D"][0] == 0.5
    assert all(entry["step"] == 5 for entry in after["G_optim"]["state"].values())


def test_what_does_not_fit_is_named(pack, tmp_path):
    original(tmp_path)
    arguments = ["train", *FLAGS, "--dataroot", pack, "--root", tmp_path, "--name", "run", "--s_epoch", 1, "--n_epoch", 2]
    line = refused(3, *arguments, "--ndf", 8)
    assert "D_state_dict" in line and "main.0.weight" in line and "4x3x4x4" in line and "8x3x4x4" in line
    torch.save({"epoch": 1, "G_state_dict": 1}, tmp_path / "run" / "checkpoint_1.pt")  # what the reference's slim files hold
    assert "holds an int where weights are expected" in refused(3, *arguments)
    torch.save({"epoch": torch.nn.Linear(1, 1)}, tmp_path / "run" / "checkpoint_1.pt")
    assert "torch.nn.modules.linear.Linear" in refused(3, *arguments)
    assert nowhere(*arguments).returncode == 3


def resume(folder, *more, **options):
    """Goes on with the run in a folder."""
    return nowhere("train", "--root", folder.parent, "--name", folder.name, "--resume", *more, **options)


def resumed(folder, *more):
    done = resume(folder, *more)
    assert done.returncode == 0, done.stderr
    return done


@pytest.fixture
def copy(run, tmp_path):
    """The run of two epochs, to be changed."""
    shutil.copytree(run, tmp_path / "run")
    return tmp_path / "run"


def load(folder, epoch):
    return torch.load(folder / f"checkpoint_{epoch}.pt", weights_only=True)


# ---- the pictures of the fixed noise, as the reference's notebook wants them

def shown(checkpoint):
    """What torchvision's make_grid(img_list[-1][:64], normalize=True) works on."""
    pictures = checkpoint["img_list"][-1][:64]
    assert pictures.dtype == torch.float32 and pictures.shape == (64, 3, SIZE, SIZE)
    low, high = float(pictures.min()), float(pictures.max())
    return pictures.clone().clamp_(min=low, max=high).sub_(low).div_(max(high - low, 1e-5))


def test_the_pictures_of_every_save_are_kept(run, copy):
    checkpoint = load(run, 2)
    assert len(checkpoint["img_list"]) == 2
    assert all(-1 <= float(pictures.min()) < float(pictures.max()) <= 1 for pictures in checkpoint["img_list"])
    assert not torch.equal(*checkpoint["img_list"])
    g = generator(NZ, NGF, SIZE)
    g.load_state_dict(torch.load(run / "slim_checkpoint_2.pt", weights_only=True)["G_state_dict"])
    g.eval()
    with torch.no_grad():
        assert torch.allclose(g.main(checkpoint["noise"]), checkpoint["img_list"][-1], atol=1e-5)
    assert shown(checkpoint).max() == 1
    # Carried on within an epoch and after it.
    resumed(copy, "--n-epoch", 4, "--max-minutes", 1e-6)
    within = torch.load(copy / "checkpoint_2_batch_1.pt", weights_only=True)["img_list"]
    assert len(within) == 2 and all(map(torch.equal, within, checkpoint["img_list"]))
    resumed(copy, "--n-epoch", 4, "--max-minutes", 0)
    last = load(copy, 4)
    assert len(last["img_list"]) == 4 and all(map(torch.equal, last["img_list"], checkpoint["img_list"]))
    assert shown(last).max() == 1


def test_lists_of_grids_give_way_to_pictures(copy):
    """Earlier versions kept one grid in bytes, early ones of the reference one in floats."""
    checkpoint = load(copy, 2)
    for grid in (torch.zeros(3, 100, 100, dtype=torch.uint8), torch.zeros(3, 100, 100)):
        torch.save(checkpoint | {"img_list": [grid]}, copy / "checkpoint_2.pt")
        resumed(copy, "--n-epoch", 3)
        assert len(load(copy, 3)["img_list"]) == 1
        shown(load(copy, 3))
        (copy / "checkpoint_3.pt").unlink()


def test_the_plan_counts_them(pack, run, tmp_path):
    plan = ok("train", *FLAGS, "--ema-kimg", 1, "--dataroot", pack, "--root", tmp_path, "--name", "plan", "--n-epoch", 2, "--dry-run")
    amount, unit = re.search(r"checkpoint +([\d.]+) (\w+) on the disk", plan).groups()
    planned = float(amount) * {"kB": 1e3, "MB": 1e6}[unit]
    assert 0.9 < planned / (run / "checkpoint_2.pt").stat().st_size < 1.1


# ---- the losses

def test_a_million_log_points_are_thinned(copy):
    checkpoint = load(copy, 2)
    points = 1_200_000
    checkpoint["losses"] = {"_G": [i / points for i in range(points)], "_D": [-i / points for i in range(points)]}
    torch.save(checkpoint, copy / "checkpoint_2.pt")
    done = resumed(copy, "--n-epoch", 3, "--log-frequency", 1)
    assert "cannot read" not in done.stderr and "going on from" in done.stdout
    losses = load(copy, 3)["losses"]
    for name, sign in (("_G", 1), ("_D", -1)):
        assert type(losses[name]) is list and 50_000 <= len(losses[name]) <= 100_000
        assert all(type(loss) is float for loss in losses[name])
        curve = numpy.array(losses[name][: points // 16])
        assert numpy.allclose(curve, sign * numpy.arange(len(curve)) * 16 / points)


# ---- damage

def test_what_is_saved_after_a_damaged_checkpoint_stays(pack, tmp_path):
    run = tmp_path / "run"
    ok("train", *FLAGS, "--dataroot", pack, "--root", tmp_path, "--name", "run", "--n-epoch", 5)
    (run / "checkpoint_4.pt").unlink()
    damaged = (run / "checkpoint_5.pt").read_bytes()[:3000]
    (run / "checkpoint_5.pt").write_bytes(damaged)
    for batches in (1, 2):  # stopped again and again, it still gets on
        done = resumed(run, "--n-epoch", 7, "--max-minutes", 1e-6)
        assert (run / f"checkpoint_3_batch_{batches}.pt").exists(), done.stderr
    assert "checkpoint_3_batch_1.pt" in done.stdout
    assert (run / "checkpoint_5.pt.damaged").read_bytes() == damaged
    resumed(run, "--n-epoch", 5, "--max-minutes", 0)
    assert (run / "checkpoint_5.pt").exists() and (run / "checkpoint_5.pt.damaged").exists()
    assert not list(run.glob("checkpoint_*_batch_*"))


def test_a_damaged_checkpoint_is_announced(copy):
    (copy / "checkpoint_2.pt").write_bytes(b"PK\3\4")
    done = resumed(copy, "--n-epoch", 2)
    assert "is kept as checkpoint_2.pt.damaged, and the one before it is tried" in done.stderr


def test_a_missing_slim_checkpoint_is_written(run, copy):
    (copy / "slim_checkpoint_2.pt").unlink()
    (copy / "figures" / "fixed_noise" / "epoch_00002.png").unlink()
    resumed(copy, "--n-epoch", 3)
    ours, theirs = (torch.load(folder / "slim_checkpoint_2.pt", weights_only=True) for folder in (copy, run))
    assert ours["epoch"] == 2 and ours["images"] == theirs["images"]
    assert all(torch.equal(tensor, theirs["G_state_dict"][name]) for name, tensor in ours["G_state_dict"].items())
    picture = "figures/fixed_noise/epoch_00002.png"
    assert numpy.array_equal(*(numpy.asarray(Image.open(folder / picture)) for folder in (copy, run)))


def test_an_epoch_without_a_log_point_has_no_score(pack, tmp_path):
    run = tmp_path / "run"
    # Four batches an epoch: only the first epoch and the thirteenth have a log point.
    ok("train", *FLAGS, "--dataroot", pack, "--root", tmp_path, "--name", "run", "--n-epoch", 1, "--keep-best", "g_loss", "--log-frequency", 50)
    best = json.loads((run / "best.json").read_text())
    assert best["epoch"] == 1 and best["score"] < 0
    resumed(run, "--n-epoch", 3)
    assert json.loads((run / "best.json").read_text()) == best


# ---- other data

@pytest.fixture
def stopped(pack, tmp_path):
    """A run within its second epoch."""
    ok("train", *FLAGS, "--dataroot", pack, "--root", tmp_path, "--name", "run", "--n-epoch", 1)
    resumed(tmp_path / "run", "--n-epoch", 3, "--max-minutes", 1e-6)
    assert (tmp_path / "run" / "checkpoint_1_batch_1.pt").exists()
    return tmp_path / "run"


@pytest.fixture(scope="module")
def other_pack(tmp_path_factory):
    folder = tmp_path_factory.mktemp("others")
    ok("synth", folder / "streets", "--images", 160, "--cities", 3, "--seed", 8)
    ok("pack", folder / "streets", "-o", folder / "others.nwp", "--height", 32, "--limit", 64)
    return folder / "others.nwp"


@pytest.mark.parametrize("change, words", [
    (["--seed", 5], "the seed was 0 and is 5"), (["--max-per-sequence-epoch", 1000], "--max-per-sequence-epoch was 0 and is 1000"),
    (["--batch-size", 8], "the batch size was 16 and is 8"), (["--dataroot"], "the photographs are others"),
    (["--limit", 60], "the number of photographs was 64 and is 60")])
def test_within_an_epoch_only_the_same_batches_go_on(stopped, other_pack, tmp_path, change, words):
    change = [*change, other_pack] if change == ["--dataroot"] else change
    line = refused(2, "train", "--root", tmp_path, "--name", "run", "--resume", "--max-minutes", 0, *change)
    assert words in line and "lies within an epoch" in line and "--s-epoch" in line
    # Between epochs it is a warning.
    (stopped / "checkpoint_1_batch_1.pt").unlink()
    done = resumed(stopped, "--n-epoch", 2, "--max-minutes", 0, *change)
    assert words in done.stderr and "with other batches than before" in done.stderr


def test_a_checkpoint_that_says_nothing_of_its_data_goes_on(stopped):
    file = stopped / "checkpoint_1_batch_1.pt"
    checkpoint = torch.load(file, weights_only=True)
    assert re.fullmatch("[0-9a-f]{32}", checkpoint["loader"]["data_digest"])
    for key in ("data_digest", "max_per_sequence_epoch"):
        del checkpoint["loader"][key]
    torch.save(checkpoint, file)
    done = resumed(stopped, "--max-minutes", 0)
    assert "checkpoint_1_batch_1.pt" in done.stdout and done.stderr == ""


# ---- files that ask for more memory than there is

def endless(*shape):
    """Any number of elements in four bytes."""
    return torch.zeros(1).expand(shape) if shape else torch.zeros(())


def test_weights_that_repeat_themselves_are_refused(tmp_path):
    with torch.device("meta"):  # terabytes, if they were there
        shapes = {name: tensor.shape for name, tensor in generator(4096, 4096, 512).state_dict().items()}
    file = tmp_path / "huge.pt"
    torch.save({"epoch": 1, "G_state_dict": {name: endless(*shape) for name, shape in shapes.items()}}, file)
    assert file.stat().st_size < 50_000
    for command in (["import", file, "-o", tmp_path / "run"], ["sample", file, "-o", tmp_path / "x.png"],
                    ["export", file, "-o", tmp_path / "x.onnx"], ["serve", file, "--port", 0]):
        line = refused(3, *command)
        assert "main.0.weight is 4096x262144x4x4, but the file holds fewer numbers and repeats them" in line


def test_what_stands_beside_the_weights_does_not_repeat_itself_either(copy):
    checkpoint = load(copy, 2)
    torch.save(checkpoint | {"noise": endless(2**30, NZ, 1, 1), "img_list": [endless(2**30, 3, SIZE, SIZE)],
                             "G_scaler": {"scale": endless(2**40), "growth_tracker": endless(2**40)}}, copy / "checkpoint_2.pt")
    resumed(copy, "--n-epoch", 3)
    assert load(copy, 3)["noise"].shape == (64, NZ, 1, 1)
    ok("import", copy / "checkpoint_2.pt", "-o", copy.parent / "imported")
    (copy / "checkpoint_3.pt").unlink()
    moments = checkpoint["G_optim"]["state"][0]
    moments["exp_avg"] = endless(*moments["exp_avg"].shape)
    torch.save(checkpoint, copy / "checkpoint_2.pt")
    assert "G_optim, parameter 0, exp_avg" in refused(3, "train", "--root", copy.parent, "--name", "run", "--resume", "--n-epoch", 3)


# ---- settings

def test_numbers_in_the_settings_do_not_drift(pack, tmp_path):
    rate, decay = "0.00012345678901234567", "0.049999999999999996"
    ok("train", *FLAGS, "--dataroot", pack, "--root", tmp_path, "--name", "run", "--n-epoch", 1, "--lr", rate, "--weight-decay", decay,
       "--ema-kimg", "1.7320508075688772")
    before = (tmp_path / "run" / "config.json").read_text()
    for _ in range(3):
        resumed(tmp_path / "run")
    assert (tmp_path / "run" / "config.json").read_text() == before
    config = json.loads(before)
    assert (config["lr"], config["weight_decay"], config["ema_kimg"]) == (float(rate), float(decay), 1.7320508075688772)


def test_an_imported_checkpoint_keeps_its_settings(pack, tmp_path):
    ok("train", "--preset", "streets-64", "--img-size", 32, "--ngf", 4, "--ndf", 4, "--nz", NZ, "--batch-size", 16, "--dataroot", pack,
       "--root", tmp_path, "--name", "run", "--n-epoch", 1, "--lr", 0.0012)
    ok("import", tmp_path / "run" / "checkpoint_1.pt", "-o", tmp_path / "imported")
    ours, theirs = (json.loads((tmp_path / name / "config.json").read_text()) for name in ("run", "imported"))
    assert theirs == ours | {"name": "imported", "root": str(tmp_path)}
    resumed(tmp_path / "imported", "--n-epoch", 2)


def test_a_seed_that_is_given_twice(run, tmp_path):
    ok("sample", run, "--seeds", ",".join(["3", "4"] * 40), "--each", tmp_path / "each")
    assert sorted(file.name for file in (tmp_path / "each").iterdir()) == ["3.png", "4.png"]
