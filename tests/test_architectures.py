"""A second architecture, residual blocks with nearest upsampling, from training to every exported form. Nothing but its
own file and the table of architectures knows of it."""
import json

import numpy
import onnxruntime
import pytest
import torch
from conftest import TOP, ok, refused
from PIL import Image
from safetensors.torch import load_file
from test_train import tensors
from torch.nn import functional

NZ, SIZE = 8, 32
SETTINGS = ["--preset", "streets-64", "--architecture", "residual", "--img-size", SIZE, "--ngf", 4, "--ndf", 4, "--nz", NZ,
            "--batch-size", 8, "--log-frequency", 4, "--threads", 1, "--workers", 1, "--lr-final", 1]


@pytest.fixture(scope="module")
def pack(streets, tmp_path_factory):
    file = tmp_path_factory.mktemp("pack") / "streets.nwp"
    ok("pack", streets, "-o", file, "--height", SIZE, "--limit", 64)
    return file


@pytest.fixture(scope="module")
def run(pack, tmp_path_factory):
    root = tmp_path_factory.mktemp("runs")
    ok("train", *SETTINGS, "--dataroot", pack, "--root", root, "--name", "run", "--n-epoch", 2)
    return root / "run"


def low_pass(x):
    """[1,2,1] down and across, edges repeated: what the streets presets put before tanh."""
    kernel = torch.tensor([1.0, 2.0, 1.0]) / 4
    kernel = (kernel[:, None] * kernel).expand(x.shape[1], 1, 3, 3)
    return functional.conv2d(functional.pad(x, [1, 1, 1, 1], mode="replicate"), kernel, groups=x.shape[1])


def by_hand(state, z):
    """The generator spelled out in PyTorch, from the names in its state dict."""
    def norm(name, x):
        return functional.batch_norm(x, state[f"{name}.running_mean"], state[f"{name}.running_var"], state[f"{name}.weight"],
                                     state[f"{name}.bias"])
    x = functional.conv_transpose2d(z.view(-1, NZ, 1, 1), state["first.conv.weight"])
    x = norm("first.norm", x).relu()
    for block in range(3):
        name = f"blocks.{block}"
        large = functional.interpolate(x, scale_factor=2, mode="nearest")
        y = functional.conv2d(large, state[f"{name}.conv1.weight"], padding=1)
        y = functional.conv2d(norm(f"{name}.norm1", y).relu(), state[f"{name}.conv2.weight"], padding=1)
        x = (norm(f"{name}.norm2", y) + functional.conv2d(large, state[f"{name}.shortcut.weight"])).relu()
    x = functional.conv2d(x, state["last.conv.weight"], padding=1)
    return low_pass(x).tanh()


@pytest.fixture(scope="module")
def state(run):
    return torch.load(run / "slim_checkpoint_2.pt", weights_only=True)["G_state_dict"]


@pytest.fixture(scope="module")
def z():
    return torch.randn(5, NZ, generator=torch.Generator().manual_seed(4))


@pytest.fixture(scope="module")
def expected(state, z):
    pictures = by_hand(state, z).numpy()
    assert pictures.std() > 0.01
    return pictures


def test_the_name_is_in_the_config_and_in_every_checkpoint(run):
    assert json.loads((run / "config.json").read_text())["architecture"] == "residual"
    for file in ("checkpoint_2.pt", "slim_checkpoint_2.pt"):
        checkpoint = torch.load(run / file, weights_only=True)
        assert checkpoint["architecture"] == "residual" == json.loads(checkpoint["config"])["architecture"]


def test_resuming_is_exact(pack, run, tmp_path):
    ok("train", *SETTINGS, "--dataroot", pack, "--root", tmp_path, "--name", "run", "--n-epoch", 1)
    ok("train", "--root", tmp_path, "--name", "run", "--n-epoch", 2, "--resume")
    assert tensors(tmp_path / "run" / "checkpoint_2.pt") == tensors(run / "checkpoint_2.pt")


def test_the_fixed_noise_is_drawn_as_pytorch_draws_it(run, state):
    noise = torch.load(run / "checkpoint_2.pt", weights_only=True)["noise"]
    pictures = by_hand(state, noise).add(1).mul(127.5).round().numpy().transpose(0, 2, 3, 1)
    shown = numpy.asarray(Image.open(run / "figures" / "fixed_noise" / "epoch_00002.png")).astype(float)
    for i, picture in enumerate(pictures):
        top, left = (2 + (SIZE + 2) * place for place in (i // 8, i % 8))
        assert abs(shown[top:top + SIZE, left:left + SIZE] - picture).max() <= 1


def test_a_seed_is_one_picture_in_any_company(run, tmp_path):
    ok("sample", run, "--seeds", "0-20", "--each", tmp_path / "many")
    ok("sample", run, "--seeds", "7", "--each", tmp_path / "one")
    assert (tmp_path / "many" / "7.png").read_bytes() == (tmp_path / "one" / "7.png").read_bytes()


def test_every_exported_form_makes_the_same_pictures(run, state, z, expected, tmp_path):
    for form in ("ts", "onnx", "safetensors"):
        ok("export", run, "-o", tmp_path / f"model.{form}")
    module = torch.jit.load(tmp_path / "model.ts")
    assert abs(module(z).detach().numpy() - expected).max() < 1e-4
    assert all(torch.equal(module.state_dict()[name], tensor) for name, tensor in state.items())
    session = onnxruntime.InferenceSession(tmp_path / "model.onnx", providers=["CPUExecutionProvider"])
    assert session.get_modelmeta().custom_metadata_map["architecture"] == "residual"
    assert abs(session.run(["pictures"], {"z": z.numpy()})[0] - expected).max() < 1e-4
    saved = load_file(tmp_path / "model.safetensors")
    assert set(saved) == set(state) and all(torch.equal(saved[name], tensor) for name, tensor in state.items())


def test_the_plan_counts_what_is_trained(pack, state):
    plan = ok("train", *SETTINGS, "--dataroot", pack, "--name", "plan", "--dry-run")
    trained = sum(tensor.numel() for name, tensor in state.items() if name.endswith(("weight", "bias")))
    assert f"G {trained:,} and D" in plan


def test_no_other_source_names_the_architecture():
    named = {str(path.relative_to(TOP / "src" / "model")) for path in (TOP / "src").rglob("*")
             if path.suffix in (".cpp", ".h") and not path.stem.endswith("_test") and "residual_architecture" in path.read_text()}
    assert named == {"architectures/residual.cpp", "architectures/architecture.cpp", "architectures/architecture.h"}


def test_an_unknown_architecture_is_refused_with_the_list(pack, tmp_path):
    line = refused(2, "train", "--architecture", "styles", "--dataroot", pack, "--root", tmp_path)
    assert "dcgan" in line and "residual" in line
