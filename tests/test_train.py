"""Training end to end: the reference's command line, checkpoints, exact resume, what a run leaves behind."""
import json
import re
import resource
import signal
import subprocess
import time
import zipfile

import pytest
from conftest import PROGRAM, nowhere, ok, refused

SMALL = ["--preset", "streets-64", "--img-size", 32, "--ngf", 4, "--ndf", 4, "--nz", 8, "--batch-size", 8,
         "--log-frequency", 4, "--threads", 1, "--workers", 1]


@pytest.fixture(scope="module")
def pack(streets, tmp_path_factory):
    """64 photographs of 32 pixels."""
    file = tmp_path_factory.mktemp("pack") / "streets.nwp"
    ok("pack", streets, "-o", file, "--height", 32, "--limit", 64)
    return file


def small(pack, root, name, *more):
    return ["train", *SMALL, "--dataroot", pack, "--root", root, "--name", name, *more]


def tensors(file):
    """Every storage of a checkpoint, byte for byte."""
    with zipfile.ZipFile(file) as archive:
        return {name: archive.read(name) for name in archive.namelist() if "/data/" in name}


def stats(run):
    return [json.loads(line) for line in (run / "stats.jsonl").read_text().splitlines()]


@pytest.fixture(scope="module")
def straight(pack, tmp_path_factory):
    """Four epochs without a stop."""
    root = tmp_path_factory.mktemp("straight")
    ok(*small(pack, root, "run", "--n-epoch", 4))
    return root / "run"


def test_a_run_leaves_everything_behind(straight):
    for name in ["config.json", "log.txt", "stats.jsonl", "checkpoint_4.pt", "slim_checkpoint_4.pt", "figures/train_loss.png",
                 "figures/compare.png", "figures/novel_samples.png", "figures/real.png", "figures/machine.png", "videos/progress.gif",
                 "videos/progress.html"]:
        assert (straight / name).stat().st_size > 0, name
    assert len(list((straight / "events").glob("events.out.tfevents.*"))) == 1
    assert len(list((straight / "figures" / "fixed_noise").glob("*.png"))) == 4
    assert not list(straight.glob("*.tmp"))
    lines = stats(straight)
    points = [line for line in lines if "step" in line]
    assert [line["images"] for line in points] == [8, 40, 72, 104, 136, 168, 200, 232]
    assert set(points[0]["seconds"]) == {"waiting", "device", "checkpoint", "other", "reading", "decoding", "resizing"}
    assert [line["epoch_done"] for line in lines if "epoch_done" in line] == [1, 2, 3, 4]
    log = (straight / "log.txt").read_text()
    assert re.search(r"^\d\d:\d\d:\d\d \[4/4\]\[5/8\] Loss_D: [\d.]+ Loss_G: [\d.]+ D\(x\): [\d.]+ D\(G\(z\)\): [\d.]+ / [\d.]+$", log, re.M)


@pytest.mark.parametrize("stops", [[1], [2, 3]])
def test_resumed_between_epochs_is_exact(pack, straight, tmp_path, stops):
    for epoch in stops:
        ok(*small(pack, tmp_path, "run", "--n-epoch", 4, *(["--resume"] if epoch != stops[0] else []), "--n-epoch", epoch,
                  "--lr-final", 1))
    # The rate's decay depends on the last epoch, so this pair of runs has none.
    whole = tmp_path / "whole"
    ok(*small(pack, whole, "run", "--n-epoch", 4, "--lr-final", 1))
    ok("train", "--root", tmp_path, "--name", "run", "--n-epoch", 4, "--resume")
    assert tensors(tmp_path / "run" / "checkpoint_4.pt") == tensors(whole / "run" / "checkpoint_4.pt")
    assert [line.get("images") for line in stats(tmp_path / "run")] == [line.get("images") for line in stats(whole / "run")]


def test_a_run_of_an_earlier_version_resumes_exactly(pack, straight, tmp_path):
    ok(*small(pack, tmp_path, "run", "--n-epoch", 4, "--max-minutes", 1e-6))
    file = tmp_path / "run" / "config.json"
    config = json.loads(file.read_text())
    for key in ("architecture", "loss", "d_batch_norm", "d_joint", "max_minutes"):
        del config[key]
    config |= {"recipe": "streets", "max_per_drive": config.pop("max_per_sequence_epoch")}
    file.write_text(json.dumps(config))
    ok("train", "--root", tmp_path, "--name", "run", "--resume")
    assert tensors(tmp_path / "run" / "checkpoint_4.pt") == tensors(straight / "checkpoint_4.pt")
    assert json.loads(file.read_text())["loss"] == "relativistic"


def test_a_recipe_is_a_loss_and_a_discriminator(pack, tmp_path):
    ok(*small(pack, tmp_path, "run", "--n-epoch", 1, "--recipe", "classic", "--d-group", 0, "--r1-gamma", 0, "--loss", "hinge"))
    config = json.loads((tmp_path / "run" / "config.json").read_text())
    assert (config["loss"], config["d_batch_norm"], config["d_joint"]) == ("hinge", True, False)
    line = refused(2, *small(pack, tmp_path, "other", "--recipe", "modern"))
    assert "classic or streets" in line


def test_the_references_s_epoch_resumes(pack, straight, tmp_path):
    ok(*small(pack, tmp_path, "run", "--n-epoch", 4))
    for epoch in (3, 4):
        (tmp_path / "run" / f"checkpoint_{epoch}.pt").unlink()
    ok(*small(pack, tmp_path, "run", "--n-epoch", 4, "--s_epoch", 2))
    assert tensors(tmp_path / "run" / "checkpoint_4.pt") == tensors(straight / "checkpoint_4.pt")


def start(*arguments):
    return subprocess.Popen([PROGRAM, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for_line(process, pattern):
    for line in process.stdout:
        if re.search(pattern, line):
            return
    raise AssertionError(f"no line like {pattern}: {process.stderr.read()}")


@pytest.mark.parametrize("which, code", [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_saves_within_an_epoch_and_the_rest_is_exact(pack, straight, tmp_path, which, code):
    # One batch is a log line, so the signal comes after the first of the second epoch and before the run ends.
    process = start(*small(pack, tmp_path, "run", "--n-epoch", 4, "--log-frequency", 1))
    wait_for_line(process, r"\[2/4\]\[1/8\]")
    process.send_signal(which)
    _, errors = process.communicate(timeout=60)
    assert process.returncode in (code, 0), errors
    if process.returncode == code:
        assert "everything is saved" in errors
    ok("train", "--root", tmp_path, "--name", "run", "--resume", "--log-frequency", 4)
    saved, expected = (file / "checkpoint_4.pt" for file in (tmp_path / "run", straight))
    # How often losses are logged is saved too, but as numbers beside the tensors.
    assert tensors(saved) == tensors(expected)
    assert not list((tmp_path / "run").glob("checkpoint_*_batch_*.pt"))


def test_killed_at_random_it_always_goes_on(pack, straight, tmp_path):
    run = tmp_path / "run"
    arguments = small(pack, tmp_path, "run", "--n-epoch", 4, "--save-minutes", 0.0001)
    kills = 0
    for round_ in range(150):
        if (run / "checkpoint_4.pt").exists() and kills >= 20:
            break
        if (run / "checkpoint_4.pt").exists():
            for file in run.glob("checkpoint_[34]*.pt"):
                file.unlink()
        process = start(*arguments, *(["--resume"] if run.exists() else []))
        time.sleep(0.25 + 0.07 * (round_ * 7 % 11))
        if process.poll() is None:
            kills += 1
        process.kill()
        _, errors = process.communicate()
        assert "is tried" not in errors and "damaged" not in errors, errors
    assert kills >= 20
    ok(*arguments, "--resume")
    assert tensors(run / "checkpoint_4.pt") == tensors(straight / "checkpoint_4.pt")
    images = [line["images"] for line in stats(run) if "step" in line]
    assert images == sorted(set(images))


def test_a_damaged_newest_checkpoint_is_passed_over(pack, straight, tmp_path):
    ok(*small(pack, tmp_path, "run", "--n-epoch", 4))
    newest = tmp_path / "run" / "checkpoint_4.pt"
    newest.write_bytes(newest.read_bytes()[:1000])
    done = nowhere(*small(pack, tmp_path, "run", "--n-epoch", 4, "--resume"))
    assert done.returncode == 0 and "is tried" in done.stderr
    assert tensors(newest) == tensors(straight / "checkpoint_4.pt")


def test_a_second_run_needs_to_say_what_it_wants(pack, straight, tmp_path):
    arguments = small(pack, tmp_path, "run", "--n-epoch", 1)
    ok(*arguments)
    assert "--resume goes on" in refused(2, *arguments)
    ok(*arguments, "--overwrite")
    (tmp_path / "run" / "mine.txt").write_text("kept")
    ok(*arguments, "--overwrite")
    assert (tmp_path / "run" / "mine.txt").exists()


def test_two_processes_do_not_share_a_run(pack, tmp_path):
    process = start(*small(pack, tmp_path, "run", "--n-epoch", 1000, "--log-frequency", 1))
    try:
        wait_for_line(process, r"\[1/1000\]\[2/8\]")
        line = refused(2, *small(pack, tmp_path, "run", "--resume"))
        assert f"process {process.pid} on " in line
    finally:
        process.kill()
        process.communicate()
    ok(*small(pack, tmp_path, "run", "--n-epoch", 1, "--overwrite"))  # the dead one is not in the way


def test_keep_last_and_best(pack, tmp_path):
    ok(*small(pack, tmp_path, "run", "--n-epoch", 5, "--keep-last", 2, "--keep-best", "diversity"))
    run = tmp_path / "run"
    best = json.loads((run / "best.json").read_text())
    kept = {int(file.stem.split("_")[1]) for file in run.glob("checkpoint_*.pt")}
    assert kept == {4, 5, best["epoch"]}
    points = [line for line in stats(run) if line.get("batch") == 5]  # the last before each save
    assert best["score"] == max(line["diversity"] for line in points)
    assert len(list(run.glob("slim_checkpoint_*.pt"))) == 5


def test_the_published_commands_run(pack, tmp_path):
    checkpoint = f'{{"name": "msls-dcgan-128", "root": "{tmp_path}/", "log_frequency": 50, "save_frequency": 1,}}'
    train = ('{"nc": 3, "nz": 8, "ngf": 4, "ndf": 4, "lr": 0.0002, "beta1": 0.5, "beta2": 0.999, "batch_size": 16, '
             '"img_size": 32, "weight_decay": 0.05}')
    done = nowhere("run_dcgan", "-c", checkpoint, "-t", train, "--s_epoch", 0, "--n_epoch", 1, "--dataroot", pack,
                   "--logging", "True", "--profile", "False")  # tests/test_s3_runs.py adds --s3_bucket
    assert done.returncode == 0, done.stderr
    run = tmp_path / "msls-dcgan-128"
    config = json.loads((run / "config.json").read_text())
    assert config["weight_decay"] == 0.05 and config["loss"] == "bce" and config["d_batch_norm"] is True and config["logging"] is True
    ok("train", "-c", checkpoint, "-t", train, "-se", 1, "-ne", 2, "-d", pack, "-log", "False", "-prof", "False")
    assert (run / "checkpoint_2.pt").exists()
    ok("run_gaudi_dcgan", "--dataroot", pack, "--seed", 215, "--name", "old", "--s_epoch", 0, "--n_epoch", 1, "--root", tmp_path,
       "--img_size", 32, "--batch_size", 16, "--ngf", 4, "--ndf", 4)
    assert json.loads((tmp_path / "old" / "config.json").read_text())["seed"] == 215


def test_flags_over_json_over_file_over_preset(pack, tmp_path):
    (tmp_path / "file.json").write_text('{"lr": 0.5, "nz": 7, "ngf": 5}')
    text = ok("train", "--preset", "streets-64", "--config", tmp_path / "file.json", "-t", '{"nz": 9}', "--ngf", 6, "--dry-run",
              "--dataroot", pack, "--root", tmp_path, "--batch-size", 16)
    for setting in ("lr 0.5", "nz 9", "ngf 6", "loss relativistic", "img_size 64"):
        assert re.search(rf"\b{setting}\b", text), setting
    for word in ("parameters", "memory", "checkpoint", "time"):
        assert word in text
    assert not (tmp_path / "streets-64").exists()


@pytest.mark.parametrize(
    "code, arguments, words",
    [
        (2, ["-t", '{"lr": 1e-3, "batchsize": 3}'], ["unknown key 'batchsize'", "batch_size"]),
        (2, ["-t", '{"lr" 1e-3}'], ["line 1, column 7"]),
        (2, ["--lr", "0"], ["--lr 0"]),
        (2, ["--lr", "-1"], ["--lr -1"]),
        (2, ["--img-size", "48"], ["48", "power of two"]),
        (2, ["--preset", "street-64"], ["streets-64"]),
        (2, ["--device", "cuda"], ["--device cuda"]),
        (2, ["--device", "hpu"], ["Habana"]),
        (2, ["--precision", "fp16"], ["fp16"]),
        (2, ["--config", "/nonexistent.json"], ["/nonexistent.json"]),
        (2, ["--resume", "--overwrite"], ["exclude"]),
        (2, ["--s-epoch", "1", "--overwrite"], ["exclude"]),
        (3, ["--batch-size", "68"], ["64 photographs cannot fill a batch of 68"]),
        (3, ["--city", "atlantis"], ["atlantis"]),
        (3, ["--s-epoch", "7"], ["checkpoint_7.pt"]),
    ],
)
def test_bad_input_is_one_line_and_leaves_nothing(pack, tmp_path, code, arguments, words):
    line = refused(code, *small(pack, tmp_path, "run"), *arguments)
    for word in words:
        assert word in line
    assert not (tmp_path / "run").exists()


def test_what_is_special_about_a_run_stands_at_its_start(pack, tmp_path):
    text = ok(*small(pack, tmp_path, "run", "--n-epoch", 1, "--seed", 5))
    line = re.search(r"^settings +(.*(?:\n {13}.*)*)", text, re.M)[1]
    assert line.startswith("preset streets-64, but ") and "seed 5" in line and "ngf 4" in line
    assert "loss" not in line and "flip" not in line  # as the preset has them
    text = ok("train", "--root", tmp_path, "--name", "run", "--resume", "--n-epoch", 2)
    assert re.search(r"^settings +as the run had them, but n_epoch 2$", text, re.M)


def test_a_mistyped_name_does_not_begin_a_new_run(straight):
    line = refused(2, "train", "--root", straight.parent, "--name", "rum", "--resume", "--dataroot", "x")
    assert "rum" in line and "did you mean --name run?" in line
    assert not (straight.parent / "rum").exists()


def test_more_bad_input(pack, straight, tmp_path):
    (tmp_path / "empty").mkdir()
    assert "no photograph" in refused(3, *small(tmp_path / "empty", tmp_path, "run"))
    assert "--dataroot" in refused(2, "train", *SMALL)
    line = refused(3, "train", "--root", straight.parent, "--name", "run", "--resume", "--ngf", 8, "--n-epoch", 5)
    assert "main.0.weight" in line and "8x16x4x4" in line and "8x32x4x4" in line
    (tmp_path / "file").write_text("")
    assert "file" in refused(2, *small(pack, tmp_path / "file", "run"))
    taken = subprocess.Popen(["python3", "-m", "http.server", "0", "--bind", "127.0.0.1"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={"PYTHONUNBUFFERED": "1"})
    try:
        port = re.search(r"port (\d+)", taken.stdout.readline())[1]
        assert "--metrics-port" in refused(2, *small(pack, tmp_path, "run"), "--metrics-port", port)
    finally:
        taken.kill()
        taken.communicate()
    assert not (tmp_path / "run").exists()


def test_a_full_disk_costs_the_checkpoint_and_nothing_else(pack, tmp_path):
    def small_files():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))

    ok(*small(pack, tmp_path, "run", "--n-epoch", 1))
    run = tmp_path / "run"
    before = (run / "checkpoint_1.pt").read_bytes()
    assert len(before) > 40_000
    done = nowhere(*small(pack, tmp_path, "run", "--n-epoch", 3, "--resume", "--logging", "no"), preexec_fn=small_files)
    assert done.returncode == 1, done.stderr
    assert "--resume goes on from" in done.stderr and "checkpoint_1.pt" in done.stderr.splitlines()[-1]
    assert done.stderr.count("was not saved: cannot write") == 2
    assert "[3/3][5/8]" in done.stdout
    assert (run / "checkpoint_1.pt").read_bytes() == before
    assert not (run / "checkpoint_3.pt").exists() and not list(run.glob("*.tmp"))


@pytest.mark.parametrize("flags", [["--precision", "bf16"], ["--recipe", "classic", "--d-group", 0, "--instance-noise", 0.05, "--label-smoothing", 0.1,
                                                             "--clip-gradients", 1], ["--img-size", 128, "--n-epoch", 1], ["--keep-best", "swd"]])
def test_every_way_to_train_trains_and_is_exact(pack, tmp_path, flags):
    for name in ("a", "b"):
        ok(*small(pack, tmp_path, name, "--n-epoch", 2, *flags))
    assert tensors(tmp_path / "a" / "checkpoint_1.pt") == tensors(tmp_path / "b" / "checkpoint_1.pt")
    assert (tmp_path / "a" / "best.json").exists() == ("swd" in flags)


def test_the_time_is_kept_and_what_was_done_is_saved(pack, tmp_path):
    done = nowhere(*small(pack, tmp_path, "run", "--n-epoch", 100_000, "--max-minutes", 0.02))
    assert done.returncode == 0 and "time is up" in done.stdout
    assert list((tmp_path / "run").glob("checkpoint_*.pt"))
    assert "computing" in done.stdout or "saving" in done.stdout or "waiting" in done.stdout


def test_going_back_to_an_epoch_forgets_the_later_ones(pack, straight, tmp_path):
    ok(*small(pack, tmp_path, "run", "--n-epoch", 4))
    assert "main.0.weight" in refused(3, *small(pack, tmp_path, "run", "--s_epoch", 1, "--ngf", 8))
    assert (tmp_path / "run" / "checkpoint_4.pt").exists()  # nothing goes before the checkpoint is known to fit
    process = start(*small(pack, tmp_path, "run", "--n-epoch", 4, "--s_epoch", 1, "--log-frequency", 1))
    wait_for_line(process, r"\[2/4\]\[2/8\]")
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    newest = sorted(path.name for path in (tmp_path / "run").glob("checkpoint_*.pt"))
    assert newest[0] == "checkpoint_1.pt" and (process.returncode == 0 or "checkpoint_4.pt" not in newest)
    ok("train", "--root", tmp_path, "--name", "run", "--resume", "--log-frequency", 4)
    assert tensors(tmp_path / "run" / "checkpoint_4.pt") == tensors(straight / "checkpoint_4.pt")


def test_a_run_that_was_moved_goes_on_where_it_is(pack, straight, tmp_path):
    ok(*small(pack, tmp_path / "old", "run", "--n-epoch", 2))
    (tmp_path / "new").mkdir()
    (tmp_path / "old" / "run").rename(tmp_path / "new" / "run")
    ok("train", "--preset", "naive-64", "--root", tmp_path / "new", "--name", "run", "--resume", "--n-epoch", 3)
    assert (tmp_path / "new" / "run" / "checkpoint_3.pt").exists() and not (tmp_path / "old" / "run").exists()


def test_a_closed_pipe_does_not_end_the_run(pack, tmp_path):
    process = start(*small(pack, tmp_path, "run", "--n-epoch", 4))
    process.stdout.close()
    process.wait(timeout=120)
    assert (tmp_path / "run" / "checkpoint_4.pt").exists()
