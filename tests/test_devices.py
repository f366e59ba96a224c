"""What is said of devices, and what happens where they are absent or broken."""
import json
import os
import shutil

import pytest
from conftest import PROGRAM, TOP, nowhere, ok, refused

PLUGIN = "libhabana_pytorch_plugin.so"


def findings(**environment):
    done = nowhere("doctor", "--json", env={**os.environ, **environment})
    return {line["what"]: line for line in json.loads(done.stdout)}


def stub(name):
    """A library of the build that the program is of."""
    build = TOP / "build" / "release" if PROGRAM == TOP / "build" / "nowhere" else PROGRAM.parent
    return build / "tests" / f"lib{name}.so"


@pytest.fixture
def plan(streets, tmp_path):
    """The words of a small run that is planned and not begun."""
    return ["train", "--preset", "naive-64", "--ngf", 4, "--ndf", 4, "--batch-size", 4, "--dataroot", streets,
            "--root", tmp_path / "runs", "--dry-run"]


@pytest.fixture
def broken(tmp_path):
    """The environment of a machine whose plugin is no library."""
    (tmp_path / PLUGIN).write_text("not a library")
    return {"LD_LIBRARY_PATH": str(tmp_path)}


def test_doctor_names_the_collectives():
    assert "gloo" in findings()["collectives"]["value"].split(", ")


def test_doctor_says_what_there_is_of_cuda():
    """Of a CPU build that it is one; of a CUDA build that it finds no GPU, or how many."""
    lines = findings()
    nccl = "nccl" in lines["collectives"]["value"]
    value = lines["CUDA"]["value"]
    assert ("device" in value or value == "LibTorch has it, no GPU is present") if nccl else "CPU build" in value
    assert lines["CUDA"]["good"]


def test_a_plugin_that_is_absent(plan):
    line = findings()["HPU (Habana)"]
    assert line["value"] == "none" and line["good"]
    assert "cannot be loaded" in refused(2, *plan, "--device", "hpu")


def test_a_plugin_that_is_broken(broken, plan):
    """It is named, with the reason; unless it was asked for, training goes on without it."""
    line = findings(**broken)["HPU (Habana)"]
    assert not line["good"] and PLUGIN in line["value"] and "SynapseAI" in line["remedy"]
    environment = {**os.environ, **broken}
    said = refused(2, *plan, "--device", "hpu", env=environment)
    assert PLUGIN in said and "cannot be used" in said
    done = nowhere(*plan, env={**environment, "CUDA_VISIBLE_DEVICES": ""})
    assert done.returncode == 0, done.stderr
    assert "cannot be used" in done.stderr and "device       CPU" in done.stdout
    quiet = nowhere(*plan, "--device", "cpu", env=environment)
    assert quiet.returncode == 0 and quiet.stderr == ""


def test_a_plugin_that_works_is_found(tmp_path):
    if not stub("habana_stub").exists():
        pytest.skip("the stub of the plugin is not built: build all targets")
    shutil.copy(stub("habana_stub"), tmp_path / PLUGIN)
    line = findings(LD_LIBRARY_PATH=str(tmp_path))["HPU (Habana)"]
    assert line["value"].startswith("plugin loaded") and line["good"]


@pytest.mark.parametrize("layout", ["yes", "no"])
def test_the_layout_is_an_option(plan, layout):
    assert f"channels_last {layout}" in ok(*plan, "--channels-last", layout)
