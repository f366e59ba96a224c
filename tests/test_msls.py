"""The Python package `msls`: the reference's command, which becomes the program."""
import json
import os
import shutil
import signal
import subprocess
import sys

import pytest
from conftest import PROGRAM, TOP
from test_train import pack  # noqa: F401

ECHO = '#!/bin/sh\nfor word in "$@"; do printf "[%s]" "$word"; done\n'


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The package as pip installs it from the checkout."""
    folder = tmp_path_factory.mktemp("msls")
    shutil.copytree(TOP / "python", folder / "source", ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
    done = subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps",
                           "--no-build-isolation", "--target", folder / "site", folder / "source"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder / "site"


def script(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def start(site, *arguments, **more):
    """The module with no program in PATH but those of `more`."""
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(site), "HOME": os.environ.get("HOME", "/")}
    environment.update({name: str(value) for name, value in more.pop("env", {}).items()})
    return subprocess.Popen([sys.executable, "-m", "msls.run_dcgan", *map(str, arguments)], env=environment, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)


def finish(process):
    output, errors = process.communicate(timeout=300)
    return process.returncode, output, errors


def test_the_variable_comes_before_path_and_path_before_the_checkout(installed, tmp_path):
    named = script(tmp_path / "named" / "mine", ECHO + "echo named")
    script(tmp_path / "bin" / "nowhere", ECHO + "echo path")
    script(tmp_path / "clone" / "build" / "nowhere", ECHO + "echo clone")
    inside = tmp_path / "clone" / "notebooks"
    inside.mkdir()
    path = f"{tmp_path / 'bin'}:/usr/bin:/bin"
    assert finish(start(installed, "-se", 1, env={"NOWHERE": named, "PATH": path}, cwd=inside))[1] == "[run_dcgan][-se][1]named\n"
    assert finish(start(installed, env={"PATH": path}, cwd=inside))[1] == "[run_dcgan]path\n"
    assert finish(start(installed, env={}, cwd=inside))[1] == "[run_dcgan]clone\n"


def test_the_package_finds_the_build_of_its_own_checkout(tmp_path):
    shutil.copytree(TOP / "python" / "msls", tmp_path / "clone" / "python" / "msls")
    script(tmp_path / "clone" / "build" / "nowhere", ECHO)
    code, output, _ = finish(start(tmp_path / "clone" / "python", "a b", "", cwd=tmp_path))
    assert (code, output) == (0, "[run_dcgan][a b][]"), "words arrive as they are"


def test_a_missing_program_is_one_line(installed, tmp_path):
    code, output, errors = finish(start(installed, cwd=tmp_path))
    assert code == 1 and output == ""
    assert errors.startswith("msls: the program nowhere was not found: name it in the variable NOWHERE") and errors.count("\n") == 1
    code, _, errors = finish(start(installed, cwd=tmp_path, env={"NOWHERE": tmp_path / "gone"}))
    assert code == 1 and errors == f"msls: NOWHERE is {tmp_path / 'gone'}, which is no program; name build/nowhere of a checkout, or unset it\n"
    broken = script(tmp_path / "broken", "\x7fELF but not for this machine")
    code, _, errors = finish(start(installed, cwd=tmp_path, env={"NOWHERE": broken}))
    assert code == 1 and "cannot be started" in errors and errors.count("\n") == 1


def test_exit_codes_and_signals_pass_through(installed, tmp_path):
    assert finish(start(installed, env={"NOWHERE": script(tmp_path / "seven", "#!/bin/sh\nexit 7\n")}))[0] == 7
    assert finish(start(installed, env={"NOWHERE": script(tmp_path / "killed", "#!/bin/sh\nkill -9 $$\n")}))[0] == -signal.SIGKILL
    waiting = script(tmp_path / "waiting", '#!/bin/sh\ntrap "echo saved; exit 143" TERM\necho ready\nwhile :; do sleep 0.05; done\n')
    process = start(installed, env={"NOWHERE": waiting})
    assert process.stdout.readline() == "ready\n"
    process.terminate()
    assert finish(process)[:2] == (143, "saved\n")


def test_the_references_published_command_runs(installed, pack, tmp_path):  # noqa: F811
    """Its trailing comma included; smaller numbers, so that it ends soon."""
    checkpoint = f'{{"name": "msls-dcgan-128", "root": "{tmp_path}/", "log_frequency": 50, "save_frequency": 1,}}'
    train = ('{"nc": 3, "nz": 8, "ngf": 4, "ndf": 4, "lr": 0.0002, "beta1": 0.5, "beta2": 0.999, "batch_size": 16, '
             '"img_size": 32, "weight_decay": 0.05}')
    code, output, errors = finish(start(installed, "-c", checkpoint, "-t", train, "--s_epoch", 0, "--n_epoch", 1, "--dataroot", pack,
                                        "--logging", "True", "--profile", "False", env={"NOWHERE": PROGRAM}))
    assert code == 0, errors
    assert json.loads((tmp_path / "msls-dcgan-128" / "config.json").read_text())["weight_decay"] == 0.05
    code, _, errors = finish(start(installed, "-t", '{"batchsize": 3}', env={"NOWHERE": PROGRAM}))
    assert code == 2 and "did you mean batch_size?" in errors
