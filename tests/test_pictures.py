"""Pictures from seeds: sample, morph, figures, import. A seed is one picture, whatever else is asked for."""
import hashlib
import os

import numpy
import pytest
import torch
from conftest import ok, refused
from generators import save_checkpoint
from PIL import Image


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory):
    file = tmp_path_factory.mktemp("checkpoint") / "checkpoint_3.pt"
    save_checkpoint(file)
    return file


def pixels(file):
    with Image.open(file) as picture:
        return numpy.asarray(picture.convert("RGB"))


def frames(file):
    with Image.open(file) as animation:
        for number in range(animation.n_frames):
            animation.seek(number)
            yield numpy.asarray(animation.convert("RGB")), animation.info["duration"]


def test_a_seed_is_one_picture_whatever_the_company_and_the_threads(checkpoint, tmp_path):
    ok("sample", checkpoint, "--seeds", "0-39", "--each", tmp_path / "many", "--threads", 2)
    ok("sample", checkpoint, "--seeds", "7", "--each", tmp_path / "one", "--threads", 1)
    ok("sample", checkpoint, "--seeds", "33,7,2", "--each", tmp_path / "some", "-o", tmp_path / "grid.png", "--columns", 3)
    alone = pixels(tmp_path / "one" / "7.png")
    assert (pixels(tmp_path / "many" / "7.png") == alone).all() and (pixels(tmp_path / "some" / "7.png") == alone).all()
    grid = pixels(tmp_path / "grid.png")
    assert (grid[2:66, 68:132] == alone).all()
    assert len({hashlib.sha256(file.read_bytes()).digest() for file in (tmp_path / "many").iterdir()}) == 40


def test_the_pictures_are_pytorchs(tmp_path):
    """The vector of a seed is ours; its picture is what PyTorch's own network makes of it."""
    network = save_checkpoint(tmp_path / "a.pt", nz=2)
    ok("sample", tmp_path / "a.pt", "--seeds", "0", "--each", tmp_path)
    z = torch.tensor([0.457327455, 1.77989256]).view(1, 2, 1, 1)  # pinned in latent/latent_test.cpp
    expected = ((network.main(z)[0] + 1) * 127.5).round().permute(1, 2, 0).detach().numpy()
    assert numpy.abs(pixels(tmp_path / "0.png") - expected).max() <= 1


@pytest.mark.parametrize("size", [32, 128, 512])
def test_every_size(size, tmp_path):
    save_checkpoint(tmp_path / "a.pt", nz=4, ngf=1, size=size)
    ok("sample", tmp_path / "a.pt", "--seeds", "0-1", "-o", tmp_path / "grid.webp", "--padding", 0)
    assert pixels(tmp_path / "grid.webp").shape == (size, 2 * size, 3)


def test_truncation_goes_towards_the_middle(checkpoint, tmp_path):
    for share in ("1", "0.5", "0"):
        ok("sample", checkpoint, "--seeds", "0-7", "--each", tmp_path / share, "--truncation", share)
    spread = [numpy.stack([pixels(tmp_path / share / f"{seed}.png") for seed in range(8)]).astype(float).std(axis=0).mean()
              for share in ("1", "0.5", "0")]
    assert spread[0] > spread[1] > spread[2] == 0


def test_a_morph_passes_through_its_seeds(checkpoint, tmp_path):
    ok("sample", checkpoint, "--seeds", "3,7,12", "--each", tmp_path)
    ok("morph", checkpoint, "--seeds", "3,7,12", "-o", tmp_path / "morph.gif")
    shown = list(frames(tmp_path / "morph.gif"))
    assert len(shown) == 48 and {duration for _, duration in shown} == {120}
    for place, seed in enumerate((3, 7, 12)):
        difference = numpy.abs(shown[16 * place][0].astype(int) - pixels(tmp_path / f"{seed}.png"))
        assert difference.mean() < 12  # of 255: what a palette of 256 colours costs pictures as colourful as these
    with Image.open(tmp_path / "morph.gif") as gif:
        assert gif.info["loop"] == 0
    ok("morph", checkpoint, "--seeds", "3,7", "-o", tmp_path / "morph.webp", "--frames", 4, "--frame-ms", 50)
    shown = list(frames(tmp_path / "morph.webp"))
    assert len(shown) == 8 and {duration for _, duration in shown} == {50}


@pytest.mark.parametrize("arguments, code, words", [
    (("--seeds", "1,x", "-o", "a.png"), 2, "whole numbers"),
    (("--seeds", "-1", "-o", "a.png"), 2, "whole numbers"),
    (("--seeds", "18446744073709551616", "-o", "a.png"), 2, "whole numbers"),
    (("--seeds", "5-2", "-o", "a.png"), 2, "whole numbers"),
    (("--seeds", "0-99999999999", "-o", "a.png"), 2, "at most"),
    (("--seeds", "0-5000", "-o", "a.png"), 2, "--each"),
    (("-o", "a.bmp"), 2, ".png, .jpg or .webp"),
    (("--each", "folder", "--format", "tiff"), 2, ".png, .jpg or .webp"),
    ((), 2, "-o FILE"),
    (("--truncation", "1.5", "-o", "a.png"), 2, "truncation"),
    (("--epoch", "3", "-o", "a.png"), 2, "one checkpoint"),
])
def test_what_sample_refuses(checkpoint, tmp_path, arguments, code, words):
    assert words in refused(code, "sample", checkpoint, *arguments, cwd=tmp_path)
    assert not list(tmp_path.iterdir())


def test_checkpoints_that_do_not_serve(checkpoint, tmp_path):
    for name, content in (("truncated.pt", checkpoint.read_bytes()[:5000]), ("text.pt", b"not a checkpoint"), ("empty.pt", b"")):
        (tmp_path / name).write_bytes(content)
        refused(3, "sample", tmp_path / name, "-o", tmp_path / "a.png")
    torch.save({"G_state_dict": {"other.weight": torch.zeros(3, 3)}}, tmp_path / "other.pt")
    assert "not the weights of a generator" in refused(3, "sample", tmp_path / "other.pt", "-o", tmp_path / "a.png")
    assert "does not exist" in refused(3, "sample", tmp_path / "absent.pt", "-o", tmp_path / "a.png")
    assert "no checkpoint" in refused(3, "morph", tmp_path / "..", "-o", tmp_path / "a.gif")
    assert ".gif or .webp" in refused(2, "morph", checkpoint, "-o", tmp_path / "a.mp4")
    assert "at least two" in refused(2, "morph", checkpoint, "--seeds", 4, "-o", tmp_path / "a.gif")
    assert not (tmp_path / "a.png").exists() and not (tmp_path / "a.gif").exists()


def test_an_output_folder_is_made_and_one_that_cannot_be_is_named(checkpoint, tmp_path):
    ok("sample", checkpoint, "-o", tmp_path / "new" / "folder" / "grid.jpg")
    assert pixels(tmp_path / "new" / "folder" / "grid.jpg").shape == (4 * 66 + 2, 4 * 66 + 2, 3)
    (tmp_path / "file").write_text("")
    assert "file" in refused(1, "sample", checkpoint, "-o", tmp_path / "file" / "grid.png")


def test_import_makes_a_run_that_goes_on(streets, tmp_path):
    save_checkpoint(tmp_path / "checkpoint_16.pt", size=32, epoch=16, full=True)
    told = ok("import", tmp_path / "checkpoint_16.pt", "-o", tmp_path / "runs" / "original")
    assert "epoch 16" in told
    run = tmp_path / "runs" / "original"
    ok("sample", run, "--seeds", "0-3", "--each", tmp_path / "run")
    ok("sample", tmp_path / "checkpoint_16.pt", "--seeds", "0-3", "--each", tmp_path / "file")
    for seed in range(4):
        assert (tmp_path / "run" / f"{seed}.png").read_bytes() == (tmp_path / "file" / f"{seed}.png").read_bytes()
    assert "novel_samples.png" in ok("figures", run)
    ok("train", "--root", tmp_path / "runs", "--name", "original", "--resume", "--dataroot", streets, "--n-epoch", 17,
       "--batch-size", 32)
    assert (run / "checkpoint_17.pt").exists()
    assert "already" in refused(2, "import", tmp_path / "checkpoint_16.pt", "-o", run)
    refused(3, "import", tmp_path / "absent.pt", "-o", tmp_path / "runs" / "other")
    assert not (tmp_path / "runs" / "other").exists()


def test_without_a_run_the_model_that_comes_with_the_program_is_shown(tmp_path):
    assert "streets-64.pt" in ok("sample", "--seeds", "0-3", "-o", tmp_path / "sheet.png")
    assert Image.open(tmp_path / "sheet.png").size[0] > 2 * 64
    ok("morph", "--seeds", "1,2", "-o", tmp_path / "morph.webp")
    line = refused(3, "sample", "-o", tmp_path / "sheet.png", env={**os.environ, "NOWHERE_MODEL": str(tmp_path / "absent.pt")})
    assert "absent.pt" in line
