"""Grey pictures, `--nc 1`: from photographs in colour to every form in which a generator is used."""
import io
import json

import numpy
import onnxruntime
import pytest
import torch
from conftest import ok, refused
from networks import in_main, initialise
from PIL import Image
from safetensors.torch import load_file
from server import serving
from test_evaluate import log_likelihood, parts_of, write_sequences
from torch import nn

NZ, SIZE = 8, 32
SETTINGS = ["--preset", "streets-64", "--nc", 1, "--img-size", SIZE, "--ngf", 4, "--ndf", 4, "--nz", NZ, "--batch-size", 8,
            "--log-frequency", 4, "--threads", 1, "--workers", 1, "--keep-best", "swd", "--features", "none"]


@pytest.fixture(scope="module")
def run(streets, tmp_path_factory):
    root = tmp_path_factory.mktemp("runs")
    ok("train", *SETTINGS, "--dataroot", streets, "--root", root, "--name", "run", "--n-epoch", 1)
    ok("train", "--root", root, "--name", "run", "--resume", "--n-epoch", 2)
    return root / "run"


@pytest.fixture(scope="module")
def made(run):
    """Pictures of three latent vectors, by PyTorch."""
    state = torch.load(run / "slim_checkpoint_2.pt", weights_only=True)["G_state_dict"]
    network = generator(1)
    network.load_state_dict(state)
    z = torch.randn(3, NZ, 1, 1, generator=torch.Generator().manual_seed(2))
    with torch.no_grad():
        return z, network.eval().main(z).numpy()


def generator(channels):
    layers, width = [nn.ConvTranspose2d(NZ, 16, 4, 1, 0, bias=False)], 16
    while width > 4:
        layers += [nn.BatchNorm2d(width), nn.ReLU(True), nn.ConvTranspose2d(width, width // 2, 4, 2, 1, bias=False)]
        width //= 2
    layers += [nn.BatchNorm2d(width), nn.ReLU(True), nn.ConvTranspose2d(width, channels, 4, 2, 1, bias=False), nn.Tanh()]
    return in_main(layers)


def grey(picture):
    pixels = numpy.asarray(picture.convert("RGB")).astype(int)
    assert (pixels[..., 0] == pixels[..., 1]).all() and (pixels[..., 1] == pixels[..., 2]).all()
    return pixels[..., 0]


def test_it_trains_and_resumes(run):
    checkpoint = torch.load(run / "checkpoint_2.pt", weights_only=True)
    assert [pictures.shape for pictures in checkpoint["img_list"]] == [(64, 1, SIZE, SIZE)] * 2
    assert checkpoint["D_state_dict"]["main.0.weight"].shape == (4, 1, 4, 4)
    assert json.loads((run / "best.json").read_text())["metric"] == "swd"
    for name in ("real.png", "novel_samples.png", "fixed_noise/epoch_00002.png"):
        assert grey(Image.open(run / "figures" / name)).std() > 5, name
    assert Image.open(run / "videos" / "progress.gif").n_frames == 2


def test_it_sees_the_luminance(streets, run):
    """The photographs in real.png are those of a run in colour, as PIL converts them."""
    colour = run.parent / "colour"
    settings = [3 if word == 1 and SETTINGS[i - 1] == "--nc" else word for i, word in enumerate(SETTINGS)]
    ok("train", *settings, "--dataroot", streets, "--root", run.parent, "--name", "colour", "--n-epoch", 1, "--max-minutes", 1e-6)
    expected = numpy.asarray(Image.open(colour / "figures" / "real.png").convert("L")).astype(int)
    assert abs(grey(Image.open(run / "figures" / "real.png")) - expected).max() <= 1


def test_it_samples_and_morphs(run, tmp_path):
    ok("sample", run, "--seeds", "0-8", "-o", tmp_path / "sheet.png", "--each", tmp_path / "each")
    assert grey(Image.open(tmp_path / "sheet.png")).shape[0] > 3 * SIZE
    assert grey(Image.open(tmp_path / "each" / "5.png")).shape == (SIZE, SIZE)
    ok("morph", run, "--frames", 4, "-o", tmp_path / "morph.gif")
    animation = Image.open(tmp_path / "morph.gif")
    assert animation.n_frames == 12
    ok("figures", run)


def test_it_is_exported(run, made, tmp_path):
    z, expected = made
    for form in ("ts", "onnx", "safetensors"):
        ok("export", run, "-o", tmp_path / f"model.{form}")
    assert numpy.abs(torch.jit.load(tmp_path / "model.ts")(z).numpy() - expected).max() < 1e-4
    session = onnxruntime.InferenceSession(tmp_path / "model.onnx")
    assert session.get_outputs()[0].shape[1:] == [1, SIZE, SIZE]
    assert numpy.abs(session.run(None, {"z": z.numpy()})[0] - expected).max() < 1e-4
    assert load_file(tmp_path / "model.safetensors")["main.9.weight"].shape == (4, 1, 4, 4)


def test_it_is_judged_by_grey_photographs(streets, run, tmp_path):
    """Photographs in colour count as what PIL makes of them, and a pixel of the Parzen window is one number."""
    folders = {mode: tmp_path / mode / "streets" for mode in ("RGB", "L")}
    photographs = sorted(streets.rglob("*.jpg"))[:120]
    for mode, folder in folders.items():
        images = folder / "city" / "database" / "images"
        images.mkdir(parents=True)
        for number, file in enumerate(photographs):
            Image.open(file).convert("RGB").resize((SIZE, SIZE)).convert(mode).save(images / f"{1000 + number}.png")
        write_sequences(images, [1000 + number for number in range(len(photographs))], 4)
    samples = 100
    scores = {mode: json.loads(ok("evaluate", run, "--dataroot", folder, "--samples", samples, "-o", tmp_path / f"report {mode}",
                                  "--crop", "centre", "--flip", "no", "--json")) for mode, folder in folders.items()}
    for part in ("parzen", "sliced_wasserstein", "collapse"):
        assert scores["RGB"][part] == scores["L"][part]
    ok("sample", run, "--seeds", f"0-{samples - 1}", "--each", tmp_path / "samples")
    centres = [tmp_path / "samples" / f"{seed}.png" for seed in range(samples)]
    test = parts_of(folders["L"])["test"]
    assert len(test) == scores["L"]["data"]["test"]
    points, centres = (numpy.stack([grey(Image.open(file)).ravel() / 255 for file in files]) for files in (test, centres))
    parzen = scores["RGB"]["parzen"]
    assert parzen["test"]["mean"] == pytest.approx(log_likelihood(points, centres, parzen["sigma"]).mean(), rel=1e-6)


def test_it_is_served(run):
    with serving(run, TRAIN_CFG__N_CHANNELS="1") as server:
        answer = server.get("/gan_imgs")
        assert answer.status == 200
        assert grey(Image.open(io.BytesIO(answer.body))).size > 16 * SIZE * SIZE


def test_a_checkpoint_of_the_reference_is_imported(tmp_path):
    torch.manual_seed(3)
    network = generator(1).apply(initialise)
    torch.save({"epoch": 4, "G_state_dict": network.state_dict(), "noise": torch.randn(64, NZ, 1, 1)}, tmp_path / "checkpoint_4.pt")
    ok("import", tmp_path / "checkpoint_4.pt", "-o", tmp_path / "run")
    assert json.loads((tmp_path / "run" / "config.json").read_text())["nc"] == 1
    grey(Image.open(tmp_path / "run" / "figures" / "fixed_noise" / "epoch_00004.png"))


def test_other_numbers_of_channels_are_refused(streets, tmp_path):
    line = refused(2, "train", "--dataroot", streets, "--root", tmp_path, "--name", "run", "--nc", 2)
    assert "3 channels (colour) or 1 (grey)" in line
    torch.save({"epoch": 4, "G_state_dict": generator(4).apply(initialise).state_dict()}, tmp_path / "four.pt")
    assert "3 channels (colour) or 1 (grey)" in refused(3, "sample", tmp_path / "four.pt", "-o", tmp_path / "x.png")
