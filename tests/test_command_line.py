"""What the program says about itself, and how it refuses wrong command lines."""
import json
import os
import re
import subprocess

import pytest
from conftest import PROGRAM, TOP, nowhere, ok, refused, report

COMMANDS = ["synth", "scan", "pack", "preview", "train", "export", "bench", "plan", "doctor"]


def test_version_and_help():
    assert ok("--version").startswith("nowhere 0.")
    text = ok("help")
    for command in COMMANDS:
        assert f"\n  {command} " in text


@pytest.mark.parametrize("command", COMMANDS)
def test_help_fits_a_screen(command):
    text = ok(command, "--help")
    assert text == ok("help", command)
    assert len(text.splitlines()) <= 40
    assert max(map(len, text.splitlines())) <= 120


def test_no_arguments_is_a_usage_error():
    done = nowhere()
    assert done.returncode == 2 and "usage:" in done.stderr


def test_doctor_finds_everything():
    findings = {line["what"]: line for line in report("doctor")}
    assert findings["LibTorch"]["value"].startswith("2.13.0")
    assert all(line["good"] for line in findings.values())
    assert re.fullmatch(r"\d+\.\d+ patchlevel \w+", findings["gnuplot"]["value"])


def test_doctor_misses_gnuplot(tmp_path):
    done = nowhere("doctor", "--json", env={**os.environ, "PATH": str(tmp_path)})
    assert done.returncode == 1, done.stderr
    bad = [line for line in json.loads(done.stdout) if not line["good"]]
    assert [line["what"] for line in bad] == ["gnuplot"]
    assert "not installed" in bad[0]["value"] and "install gnuplot-nox" in bad[0]["remedy"]


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["sacn", "x"], ["nowhere: there is no command 'sacn' (did you mean scan?); see nowhere help"]),
        (["qqqqqqqq"], ["nowhere: there is no command 'qqqqqqqq'; see nowhere help"]),
        (["scan"], ["DATA", "required"]),
        (["scan", "x", "--nigt", "yes"], ["nowhere: unknown flag --nigt (did you mean --night?); see nowhere help scan"]),
        (["scan", "x", "y"], ["unexpected argument 'y'"]),
        (["scan", "x", "--night", "maybe"], ["--night maybe", "one of yes, no, either"]),
        (["scan", "x", "--limit", "0"], ["--limit 0", "at least 1"]),
        (["scan", "x", "--limit"], ["--limit needs a value", "at least 1"]),
        (["pack", "x", "-o", "y.nwp", "--height", "5"], ["--height 5", "from 16 to 4096"]),
        (["pack", "x", "-o", "y.nwp", "--height", "1e3"], ["--height 1e3"]),
        (["pack", "x", "-o", "y.nwp", "--shard", "3/2"], ["--shard 3/2", "I from 1 to N"]),
        (["pack", "x"], ["-o FILE.nwp"]),
        (["synth", "x", "--images", "-5"], ["--images -5", "from 1"]),
        (["preview", "x", "-o", "y.bmp"], [".png, .jpg or .webp"]),
        (["export", "x", "-o", "y.h5"], [".ts (TorchScript), .onnx, .safetensors or .pt"]),
        (["bench", "lader", "x"], ["no benchmark 'lader'"]),
    ],
)
def test_wrong_command_lines(arguments, words, tmp_path):
    line = refused(2, *arguments, cwd=tmp_path)
    for word in words:
        assert word in line
    assert not list(tmp_path.iterdir()), "nothing is written"


def test_settings_under_their_old_names(streets, tmp_path):
    """A run that was trained when max_per_sequence_epoch was max_per_drive goes on, and commands that say so work."""
    old = {"max_per_drive": 3, "img_size": 32, "nz": 8, "ngf": 4, "ndf": 4, "batch_size": 4}
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "config.json").write_text(json.dumps(old))
    small = [word for key, value in old.items() if key != "max_per_drive" for word in ("--" + key, value)]
    for arguments in (["--max-per-sequence-epoch", 3], ["--max-per-drive", 3], ["--max_per_drive=3"],
                      ["-t", '{"max_per_drive": 3}'], ["--config", tmp_path / "run" / "config.json"],
                      ["--resume", "--root", tmp_path, "--name", "run"]):
        text = ok("train", *small, "--dataroot", streets, "--dry-run", *arguments, cwd=tmp_path)
        assert re.search(r"\bmax_per_sequence_epoch 3\b", text) and "max_per_drive" not in text, arguments


def test_installed_program_works(tmp_path):
    subprocess.run(["cmake", "--install", TOP / "build" / "release", "--prefix", tmp_path], check=True, capture_output=True)
    environment = {key: value for key, value in os.environ.items() if key != "LD_LIBRARY_PATH"}
    done = subprocess.run([tmp_path / "bin" / "nowhere", "--version"], capture_output=True, text=True, env=environment)
    assert done.returncode == 0 and "LibTorch 2.13.0" in done.stdout


def test_output_that_cannot_be_written(streets):
    """A reader that closes the pipe ends the program quietly; a full disk is an error; neither is a crash."""
    with subprocess.Popen([PROGRAM, "scan", streets], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.wait(timeout=60) in (1, -13)
    with open("/dev/full", "w") as full:
        done = subprocess.run([PROGRAM, "scan", streets, "--json"], stdout=full, stderr=subprocess.PIPE, text=True)
        assert done.returncode == 1 and "cannot write the output: no space left" in done.stderr
        assert subprocess.run([PROGRAM, "--version"], stdout=full, stderr=subprocess.PIPE).returncode == 1
        done = subprocess.run([PROGRAM, "scan", "/nonexistent"], stderr=full)
        assert done.returncode == 3


def test_closed_stderr_does_not_reach_a_file(streets, tmp_path):
    """Without care, the packed file would get the descriptor of stderr, and the messages with it."""
    script = '"$0" pack "$1" -o "$2" --height 16 2>&-; "$0" pack "$1/missing" -o "$2" 2>&-; exec "$0" pack --verify "$2"'
    done = subprocess.run(["bash", "-c", script, PROGRAM, streets, tmp_path / "x.nwp"], capture_output=True, text=True)
    assert done.returncode == 0 and "all sound" in done.stdout, done.stderr


def test_more_threads_than_can_be_started(streets, tmp_path):
    script = 'ulimit -v 6000000; exec "$0" preview "$1" -o "$2" --batch 4 --threads 1024'
    done = subprocess.run(["bash", "-c", script, PROGRAM, streets, tmp_path / "x.png"], capture_output=True, text=True,
                          timeout=60)
    assert done.returncode == 1 and "--threads" in done.stderr, done.stderr
