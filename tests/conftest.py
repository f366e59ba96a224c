"""End-to-end tests: the built program, run as a user would run it."""
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parent.parent
sys.path.append(str(TOP / "infra"))  # configuration.py, draw.py
PROGRAM = Path(os.environ.get("NOWHERE_PROGRAM", TOP / "build" / "nowhere"))  # another build's, with the preset cuda
REAL = TOP.parent / "shared" / "data" / "camvid-msls"


def pytest_configure(config):
    config.addinivalue_line("markers", "gpu: needs a GPU, and a program of the preset cuda (scripts/test --gpu)")


def nowhere(*arguments, **options):
    """Runs the program to its end."""
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=300, **options)


def ok(*arguments, **options):
    """Runs the program, which must succeed; its stdout."""
    done = nowhere(*arguments, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


def report(*arguments):
    """The JSON that a command prints with --json."""
    return json.loads(ok(*arguments, "--json"))


def refused(code, *arguments, **options):
    """Runs the program, which must refuse with `code` and one line on stderr; that line."""
    done = nowhere(*arguments, **options)
    assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("nowhere: ")
    return lines[0]


@pytest.fixture(scope="session")
def streets(tmp_path_factory):
    """A drawn data set of 160 photographs in 3 cities. Not to be changed: copy it first."""
    folder = tmp_path_factory.mktemp("streets")
    ok("synth", folder, "--images", 160, "--cities", 3, "--seed", 7)
    return folder


@pytest.fixture(scope="session")
def photographs(streets):
    """Real photographs where they are at hand, drawn ones elsewhere."""
    return REAL if REAL.exists() else streets


@pytest.fixture(scope="session")
def three_epochs(tmp_path_factory):
    """A run directory of three epochs, each with a generator of its own. Not to be changed."""
    from generators import publish_checkpoint  # here: it imports torch, which most tests do without
    folder = tmp_path_factory.mktemp("runs") / "streets"
    folder.mkdir()
    for epoch in (1, 2, 3):
        publish_checkpoint(folder, epoch)
    return folder


@pytest.fixture
def real():
    if not REAL.exists():
        pytest.skip("no real photographs beside this checkout")
    return REAL
