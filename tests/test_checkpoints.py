"""Checkpoints in both directions between this program and real PyTorch."""
import json

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
    assert checkpoint["noise"].shape == (64, NZ, 1, 1) and checkpoint["img_list"][0].shape[0] == 3
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
