"""scripts/demo from end to end, and again: the second time it installs nothing and draws nothing."""
import os
import subprocess

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
    assert "report/index.html" in first.stdout and "next:" in first.stdout
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
