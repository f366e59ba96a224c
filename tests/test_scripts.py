"""scripts/demo from end to end, and again: the second time it installs nothing and draws nothing. What the scripts show
of long steps and of failures is tested on a copy of them, with stand-ins for apt-get, pip, cmake and the program."""
import os
import shutil
import signal
import subprocess
import time

import pytest
from conftest import TOP
from PIL import Image


def run_demo(**environment):
    return subprocess.run([TOP / "scripts" / "demo"], capture_output=True, text=True,
                          env={**os.environ, "DEMO_MINUTES": "0.3", "DEMO_SAMPLES": "400", **environment})


def test_demo_twice(tmp_path):
    demo = tmp_path / "demo"  # not the user's own, which may be trained already
    first = run_demo(DEMO_RUN=str(demo))
    assert first.returncode == 0, first.stdout + first.stderr
    with Image.open(demo / "figures" / "batch.png") as sheet:
        assert sheet.size == (530, 530)
    model = demo / "model"
    for name in ("figures/novel_samples.png", "figures/compare.png", "figures/train_loss.png", "videos/progress.gif"):
        assert (model / name).stat().st_size > 0
    for name in ("samples.png", "morph.gif", "model/report/index.html", "model/report/scores.json"):
        assert (model.parent / name).stat().st_size > 0
    assert "report/index.html" in first.stdout and "next:" in first.stdout and "nowhere serve" in first.stdout
    # The second time neither apt-get nor a compiler may be called: ones that fail stand in front of them.
    for name in ("apt-get", "c++", "g++"):
        (tmp_path / name).write_text("#!/bin/sh\nexit 1\n")
        (tmp_path / name).chmod(0o755)
    second = run_demo(DEMO_RUN=str(demo), PATH=f"{tmp_path}:{os.environ['PATH']}")
    assert second.returncode == 0, second.stdout + second.stderr
    assert "training for" in first.stdout
    assert "drawing" not in second.stdout and "training for" not in second.stdout and "judging" not in second.stdout and "installing" not in second.stdout
    assert "0 added" in second.stdout


def test_a_wrong_libtorch_is_named():
    done = run_demo(LIBTORCH="/nonexistent")
    assert done.returncode == 1
    assert "LIBTORCH=/nonexistent" in done.stderr and "what to do" in done.stderr


def test_without_apt_the_list_is_printed(tmp_path):
    """A machine with everything but apt-get: the set-up names what is needed and goes on."""
    for name in os.listdir("/usr/bin"):
        if not name.startswith("apt"):
            (tmp_path / name).symlink_to(f"/usr/bin/{name}")
    (tmp_path / "python3").unlink()
    (tmp_path / "python3").symlink_to(os.path.realpath(TOP / "build" / "venv" / "bin" / "python"))
    script = f"cd {TOP} && source scripts/lib/setup.sh && ensure_packages scripts/packages.txt && echo went on"
    done = subprocess.run(["/bin/bash", "-c", script], capture_output=True, text=True, env={"PATH": str(tmp_path)})
    assert done.returncode == 0, done.stderr
    assert "libvips-dev" in done.stdout and done.stdout.strip().endswith("went on")


class Checkout:
    """A copy of scripts/ in a folder of its own, whose PATH starts with commands that the test writes."""

    def __init__(self, folder):
        self.top = folder / "checkout"
        self.commands = folder / "commands"
        self.commands.mkdir()
        shutil.copytree(TOP / "scripts", self.top / "scripts")
        self.command("apt-get", "exit 1")
        self.command("dpkg-query", "echo 'ii '")  # every package is installed
        self.script(self.top / "build" / "venv" / "bin" / "pip", "exit 1")
        for name in ("requirements", "requirements-features", "requirements-test"):  # and every Python package
            shutil.copy(self.top / "scripts" / f"{name}.txt", self.top / "build" / "venv" / f"scripts-{name}.txt.done")

    def command(self, name, text):
        self.script(self.commands / name, text)

    def pip(self, text):
        """A pip that has something to install."""
        self.script(self.top / "build" / "venv" / "bin" / "pip", text)
        (self.top / "build" / "venv" / "scripts-requirements.txt.done").unlink()

    @staticmethod
    def script(path, text):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/bash\n{text}\n")
        path.chmod(0o755)

    def start(self, *arguments, **environment):
        """In a session of its own, as a terminal would have it. Its output is not a terminal."""
        path = f"{self.commands}:{os.environ['PATH']}"
        environment = {**{name: value for name, value in os.environ.items() if name != "LIBTORCH"}, **environment}
        return subprocess.Popen(arguments, cwd=self.top, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                start_new_session=True, env={**environment, "PATH": path})

    def run(self, *arguments, **environment):
        process = self.start(*arguments, **environment)
        out, err = process.communicate(timeout=120)
        return subprocess.CompletedProcess(arguments, process.returncode, out, err)

    def shell(self, text):
        return self.run("/bin/bash", "-c", f"set -euo pipefail; source scripts/lib/setup.sh; {text}")

    def log(self, name):
        return (self.top / "build" / name).read_text()


@pytest.fixture
def checkout(tmp_path):
    return Checkout(tmp_path)


def test_the_demo_builds_the_program_and_not_its_tests(checkout):
    checkout.command("cmake", f"echo \"$*\" >>{checkout.top}/cmake.calls; mkdir -p build/release")
    checkout.script(checkout.top / "build" / "nowhere", "mkdir -p demo/streets")
    done = checkout.run("scripts/demo", DEMO_RUN="demo")
    assert done.returncode == 0, done.stdout + done.stderr
    calls = (checkout.top / "cmake.calls").read_text().splitlines()
    assert [call for call in calls if call.startswith("--build")] == ["--build --preset release --target nowhere"]
    assert "nowhere serve demo/model" in done.stdout


def test_a_failing_build_names_its_step_and_log_and_shows_the_error(checkout):
    checkout.command("cmake", """
        case $1 in --build) ;; *) mkdir -p build/release; exit 0 ;; esac
        echo "[1/3] Building CXX object fine.cpp.o"
        echo "FAILED: broken.cpp.o"
        echo "broken.cpp:7:3: error: 'tree' was not declared in this scope"
        for line in {1..40}; do echo "note: of no use"; done
        exit 1""")
    done = checkout.shell("build release nowhere; echo went on")
    assert done.returncode == 1 and "went on" not in done.stdout
    assert "broken.cpp:7:3: error: 'tree'" in done.stderr and "of no use" not in done.stderr
    assert done.stderr.splitlines()[-2:] == ["failed: building nowhere (release)", "  what to do: read build/release.log"]
    assert "of no use" in checkout.log("release.log")


def test_a_failure_without_an_error_shows_the_end_of_its_log(checkout):
    checkout.command("cmake", "for line in {1..40}; do echo line $line; done; exit 1")
    done = checkout.shell("build asan")
    assert done.returncode == 1
    assert done.stderr.splitlines()[:10] == [f"line {line}" for line in range(31, 41)]
    assert "failed: configuring (asan)" in done.stderr and "build/asan.log" in done.stderr


def test_warnings_of_pip_are_in_the_log_and_not_on_the_screen(checkout):
    checkout.pip("echo Collecting torch; echo 'WARNING: Running pip as the root user' >&2")
    done = checkout.shell("ensure_python scripts/requirements.txt; ensure_python scripts/requirements.txt")
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stdout + done.stderr and "Collecting" not in done.stdout
    assert done.stdout.count("== installing LibTorch") == 1  # not again when it is there
    assert "WARNING: Running pip" in checkout.log("pip.log")


def test_a_failing_pip_names_its_log(checkout):
    checkout.pip("echo 'WARNING: Retrying' >&2; echo 'ERROR: No matching distribution found for torch' >&2; exit 1")
    done = checkout.shell("ensure_python scripts/requirements.txt")
    assert done.returncode == 1
    assert "ERROR: No matching distribution" in done.stderr and "Retrying" not in done.stderr
    assert "failed: installing LibTorch" in done.stderr and "build/pip.log" in done.stderr
    assert not (checkout.top / "build" / "venv" / "scripts-requirements.txt.done").exists()


def test_a_failing_apt_names_its_log(checkout):
    checkout.command("dpkg-query", "exit 1")
    checkout.command("sudo", "exec \"$@\"")
    checkout.command("apt-get", """
        [ $1 = install ] || exit 0
        echo dlstatus:1:20.5:Retrieving file 1 of 9
        echo "E: Failed to fetch libvips-dev"
        exit 100""")
    done = checkout.shell("ensure_packages scripts/packages.txt")
    assert done.returncode == 1
    assert "E: Failed to fetch libvips-dev" in done.stderr and "dlstatus" not in done.stdout + done.stderr
    assert "failed: installing Debian packages" in done.stderr and "build/apt.log" in done.stderr


def test_scripts_of_packages_can_print(checkout):
    """apt closes the descriptor of its account of progress for them: with their output closed, an echo of theirs fails."""
    checkout.command("dpkg-query", "exit 1")
    checkout.command("sudo", "exec \"$@\"")
    checkout.command("apt-get", """
        [ $1 = install ] || exit 0
        account=$(grep -oP 'APT::Status-Fd=\\K\\d+' <<<"$*")
        echo pmstatus:ccache:60.0:Configuring ccache >&"$account"
        eval "exec $account>&-"
        echo 'Updating symlinks' || exit 100""")
    done = checkout.shell("ensure_packages scripts/packages.txt")
    assert done.returncode == 0, done.stderr
    assert "pmstatus:ccache" in checkout.log("apt.log") and "Updating symlinks" in checkout.log("apt.log")


def test_failed_unit_tests_are_named(checkout):
    """Others have errors in their names; their lines come first and say nothing."""
    (checkout.top / "ctest.log").write_text(
        "".join(f" {i}/40 Test #{i}: core.AnErrorSaysWhere{i} ...   Passed    0.03 sec\n" for i in range(20))
        + "src/data/a_test.cpp:12: Failure\nExpected: 1, actual: 2\n"
        + "\n95% tests passed, 1 tests failed out of 40\n\nThe following tests FAILED:\n\t 31 - data.ReadAhead.Limit (Failed)\n"
        + "Errors while running CTest\n")
    done = checkout.shell("telling_lines ctest.log")
    assert "31 - data.ReadAhead.Limit" in done.stdout and "a_test.cpp:12: Failure" in done.stdout
    assert "AnErrorSaysWhere" not in done.stdout


def test_ctrl_c_stops_a_step(checkout):
    """Also one whose command takes the signal for a failure of its own, as ninja and pip do."""
    checkout.command("cmake", """
        case $1 in --build) ;; *) mkdir -p build/release; exit 0 ;; esac
        trap 'exit 1' INT
        touch started
        while true; do sleep 0.1; done""")
    process = checkout.start("/bin/bash", "-c", "source scripts/lib/setup.sh; build release; echo went on")
    while not (checkout.top / "started").exists():
        assert process.poll() is None
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, out + err
    assert "stopped" in err and "failed" not in err and "went on" not in out


class CudaCheckout(Checkout):
    """With the two environments, and a build whose doctor finds so much of CUDA."""

    def __init__(self, folder, finding):
        super().__init__(folder)
        self.script(self.top / "build" / "venv-cuda" / "bin" / "pip", f"echo \"$*\" >>{self.top}/pip.calls")
        self.script(self.top / "build" / "venv" / "bin" / "python", f"echo \"$NOWHERE_PROGRAM $*\" >{self.top}/pytest.call")
        self.command("cmake", f"echo \"$*\" >>{self.top}/cmake.calls; mkdir -p build/cuda")
        self.script(self.top / "build" / "cuda" / "nowhere", f"""echo '[{{"what": "CUDA", "value": "{finding}"}}]'; exit 1""")
        self.command("ctest", f"""echo "$*" >{self.top}/ctest.call
            echo '<testsuite tests="3" failures="0" skipped="1"/>' >build/cuda.xml""")

    def calls(self, name):
        return (self.top / name).read_text()


def test_the_cuda_build_has_an_environment_of_its_own(tmp_path):
    checkout = CudaCheckout(tmp_path, "LibTorch has it, no GPU is present")
    done = checkout.run("scripts/test", "--cuda")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "no GPU is present" in done.stdout and "3 tests, 0 failed, 1 skipped" in done.stdout
    assert "-r scripts/requirements-cuda.txt" in checkout.calls("pip.calls")
    assert "--preset cuda" in checkout.calls("cmake.calls") and "release" not in checkout.calls("cmake.calls")
    assert checkout.calls("pytest.call").startswith(f"{checkout.top}/build/cuda/nowhere -m pytest tests/test_devices.py")


def test_the_tests_of_a_gpu_want_one(tmp_path):
    checkout = CudaCheckout(tmp_path, "LibTorch has it, no GPU is present")
    done = checkout.run("scripts/test", "--gpu")
    assert done.returncode == 1 and "failed: no GPU" in done.stderr and "nvidia-smi" in done.stderr
    (tmp_path / "with").mkdir()
    checkout = CudaCheckout(tmp_path / "with", "2 devices")
    done = checkout.run("scripts/test", "--gpu")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "-R Gpu" in checkout.calls("ctest.call") and "-m gpu" in checkout.calls("pytest.call")


def test_an_unknown_kind_of_tests_is_refused(checkout):
    done = checkout.run("scripts/test", "--gpus")
    assert done.returncode == 1 and "scripts/test --gpus" in done.stderr and "--gpu" in done.stderr


@pytest.mark.parametrize("parser, log, shown", [
    ("ninja_progress", "", ""),
    ("ninja_progress", "-- Configuring done\n[1/85] Building a\n[12/85] Building b\nnote: [3/4]\n", "12 of 85"),
    ("ctest_progress", "Test project\n  9/345 Test   #9: core.A ...   Passed\n 10/345 Test #11: core.B ...", "10 of 345"),
    ("apt_progress", "Get:1 http://deb\ndlstatus:3:41.52:Retrieving file 3 of 40\n", "downloading 41 %"),
    ("apt_progress", "dlstatus:3:99.9:x\npmstatus:libvips-dev:80.1:Unpacking libvips-dev (amd64)\n",
     "installing 80 %, libvips-dev"),
    ("pip_progress", "Collecting torch==2.13.0\n", "package 1"),
    ("pip_progress", "Collecting a\nCollecting torch\n  Downloading torch-2.13.0-cp311-cp311-linux.whl (901.2 MB)\n",
     "package 2, torch (901.2 MB)"),
    ("pip_progress", "Collecting a\nCollecting b\nInstalling collected packages: a, b\n", "unpacking 2 packages"),
    ("no_progress", "anything\n", ""),
])
def test_how_far_a_step_is(checkout, parser, log, shown):
    (checkout.top / "log").write_text(log)
    done = checkout.shell(f"{parser} log")
    assert (done.returncode, done.stdout) == (0, shown)


@pytest.mark.parametrize("seconds, shown", [(0, "0 s"), (59, "59 s"), (60, "1 min 0 s"), (3671, "61 min 11 s")])
def test_how_long_a_step_took(checkout, seconds, shown):
    assert checkout.shell(f"duration {seconds}").stdout == shown


def test_on_a_terminal_the_line_is_redrawn_in_place(checkout):
    step = """
        source scripts/lib/setup.sh
        with_progress counting build/count.log ninja_progress false || echo "and $?"
        with_progress nothing build/count.log ninja_progress true"""
    terminal, end = os.openpty()
    subprocess.run(["/bin/bash", "-c", step], cwd=checkout.top, stdout=end, stderr=end, check=True, timeout=60,
                   env={**os.environ, "TERM": "xterm", "COLUMNS": "80"})
    os.close(end)
    lines = os.read(terminal, 65536).decode().split("\r\n")
    os.close(terminal)
    assert lines[0].startswith("\r\x1b[K== counting")
    assert "\n" not in lines[0] and "\r\x1b[K== counting: failed after " in lines[0]
    assert lines[1] == "and 1" and lines[2].startswith("\r\x1b[K== nothing")
