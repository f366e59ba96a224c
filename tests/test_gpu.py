"""What needs a GPU, end to end. scripts/test --gpu runs it with the program of the preset cuda; elsewhere it is skipped.
The unit tests that need one are called Gpu*."""
import json
import re
import socket
import subprocess

import pytest
from conftest import PROGRAM, nowhere, ok
from test_train import SMALL, stats, tensors

pytestmark = pytest.mark.gpu


@pytest.fixture(scope="module")
def gpus():
    """How many there are."""
    # Its exit code is about other findings, such as a feature network that is not installed beside that LibTorch.
    findings = json.loads(nowhere("doctor", "--json").stdout)
    value = next(line["value"] for line in findings if line["what"] == "CUDA")
    found = re.fullmatch(r"(\d+) devices?", value)
    if not found:
        pytest.skip(f"no GPU is present ({value})")
    return int(found[1])


@pytest.fixture(scope="module")
def pack(streets, tmp_path_factory):
    file = tmp_path_factory.mktemp("pack") / "streets.nwp"
    ok("pack", streets, "-o", file, "--height", 32, "--limit", 64)
    return file


def train(pack, root, *more):
    """On one GPU, with operators that give the same numbers every time."""
    return ok("train", *SMALL, "--device", "cuda", "--lr-final", 1, "--dataroot", pack, "--root", root, "--name", "run", *more)


def test_resumed_training_is_exact(gpus, pack, tmp_path):
    train(pack, tmp_path / "whole", "--n-epoch", 3)
    train(pack, tmp_path / "parts", "--n-epoch", 1)
    train(pack, tmp_path / "parts", "--n-epoch", 3, "--resume")
    whole, parts = (tensors(tmp_path / root / "run" / "checkpoint_3.pt") for root in ("whole", "parts"))
    assert whole == parts


@pytest.mark.parametrize("precision", ["float32", "bf16", "fp16"])
def test_every_precision_trains(gpus, pack, tmp_path, precision):
    text = train(pack, tmp_path, "--n-epoch", 1, "--precision", precision)
    assert re.search(rf"^device +cuda:0, .*{precision}$", text, re.M)
    assert all(line["d_loss"] == line["d_loss"] for line in stats(tmp_path / "run") if "step" in line)


def test_all_gpus_form_a_group(gpus):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    rank = PROGRAM.parent / "tests" / "nccl_rank"
    ranks = [subprocess.Popen([rank, str(i), str(gpus), str(port)], stdout=subprocess.PIPE, text=True) for i in range(gpus)]
    said = [process.communicate(timeout=300)[0] for process in ranks]
    assert [process.returncode for process in ranks] == [0] * gpus
    assert all(line.startswith(f"{gpus * (gpus + 1) // 2} of rank") for line in said), said
