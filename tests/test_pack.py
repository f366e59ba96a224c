"""pack: resumed, added to, on a full disk, damaged, of two folders of one name."""
import os
import random
import shutil
import signal
import subprocess
import time

import pytest
from conftest import PROGRAM, nowhere, ok, refused, report
from test_data import digest, images


def test_pack_killed_at_any_moment_ends_with_the_same_digest(photographs, tmp_path):
    # Many large frames, encoded by one thread, so that there is something to kill.
    data = tmp_path / "data"
    for copy in range(1 + 1200 // len(images(photographs))):
        (data / str(copy)).mkdir(parents=True)
        for photo in images(photographs):
            (data / str(copy) / photo.name).symlink_to(photo)
    flags = ["--height", 300, "--codec", "jpeg", "--threads", 1]
    straight = report("pack", data, "-o", tmp_path / "straight.nwp", *flags)
    target = tmp_path / "killed.nwp"
    chance = random.Random(5)
    kills = 0
    for attempt in range(12):
        before = target.stat().st_size if target.exists() else 0
        process = subprocess.Popen([PROGRAM, "pack", data, "-o", target, *map(str, flags)],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if attempt % 2 == 0:  # after something was written, and at any moment
            while process.poll() is None and (not target.exists() or target.stat().st_size <= before + 8192):
                time.sleep(0.01)
        time.sleep(chance.uniform(0, 0.5))
        kills += process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert kills >= 1
    result = report("pack", data, "-o", target, *flags)
    assert result["there_before"] > 0, "what was committed before a kill is kept"
    assert result["digest"] == straight["digest"] and result["count"] == straight["count"]
    assert digest(ok("pack", "--verify", target)) == straight["digest"]


def test_pack_stopped_by_control_c_goes_on(photographs, tmp_path):
    straight = report("pack", photographs, "-o", tmp_path / "straight.nwp")
    stopped = 0
    for attempt in range(20):
        target = tmp_path / f"stopped{attempt}.nwp"
        process = subprocess.Popen([PROGRAM, "pack", photographs, "-o", target, "--threads", "1"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while not target.exists() and process.poll() is None:  # from here on it listens
            time.sleep(0.001)
        time.sleep(0.02 * attempt)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=30)
        assert process.returncode in (0, 130), errors
        if process.returncode == 130:
            assert "continue where it stopped" in errors
            stopped += 1
            break
    assert stopped >= 1
    result = report("pack", photographs, "-o", target)
    assert result["digest"] == straight["digest"] and result["count"] == straight["count"]


def test_pack_adds_a_city_later(streets, tmp_path):
    cities = sorted(path.name for path in (streets / "train_val").iterdir())
    target = tmp_path / "s.nwp"
    first = report("pack", streets, "-o", target, "--city", cities[0])
    second = report("pack", streets, "-o", target)
    assert second["there_before"] == first["count"] and second["count"] == 160
    assert [part["added"] for part in second["parts"]] == [first["count"], 160 - first["count"]]
    assert second["parts"][0]["filters"]["city"] == [cities[0]]
    whole = report("pack", streets, "-o", tmp_path / "whole.nwp")
    assert whole["digest"] == second["digest"]


def test_pack_codec_and_height(streets, tmp_path):
    raw = report("pack", streets, "-o", tmp_path / "raw.nwp", "--height", 64)
    jpeg = report("pack", streets, "-o", tmp_path / "jpeg.nwp", "--height", 64, "--codec", "jpeg")
    assert raw["count"] == jpeg["count"] == 160
    assert raw["bytes"] > 4 * jpeg["bytes"]
    line = refused(2, "pack", streets, "-o", tmp_path / "raw.nwp", "--height", 128)
    assert "--height 64" in line


def test_pack_on_a_full_disk(photographs, tmp_path):
    """A small file system in a mount namespace of its own fills up; with room again, the pack goes on."""
    script = """
        mount -t tmpfs -o size=6m none "$1" || exit 77
        "$2" pack "$3" -o "$1/x.nwp" 2>"$1/../errors"
        echo "first $?"
        mount -o remount,size=200m none "$1"
        "$2" pack "$3" -o "$1/x.nwp"
        "$2" pack --verify "$1/x.nwp"
    """
    disk = tmp_path / "disk"
    disk.mkdir()
    done = subprocess.run(["unshare", "-rm", "bash", "-c", script, "-", disk, PROGRAM, photographs],
                          capture_output=True, text=True)
    if done.returncode == 77 or "unshare" in done.stderr:
        pytest.skip("cannot mount a file system here: " + done.stderr)
    errors = (tmp_path / "errors").read_text()
    assert "first 1" in done.stdout, done.stdout + errors
    assert "no space left" in errors and "continue where it stopped" in errors
    assert len(errors.strip().splitlines()) == 1
    assert "all sound" in done.stdout
    whole = digest(ok("pack", photographs, "-o", tmp_path / "whole.nwp"))
    assert digest(done.stdout) == whole


def test_damaged_packs(streets, tmp_path):
    target = tmp_path / "s.nwp"
    ok("pack", streets, "-o", target)
    sound = target.read_bytes()
    target.write_bytes(sound[: len(sound) // 2])
    for command in (["scan"], ["preview", "-o", tmp_path / "x.png"], ["pack", "--verify"]):
        line = refused(3, command[0], target, *command[1:])
        assert "truncated" in line and "remove it and pack" in line
    assert "not a sound packed file" in refused(3, "pack", streets, "-o", target)
    # A flipped bit in the middle of the pixels: verify names the record, a batch is still made.
    damaged = bytearray(sound)
    damaged[len(sound) * 2 // 3] ^= 16
    target.write_bytes(damaged)
    done = nowhere("pack", "--verify", target)
    assert done.returncode == 3 and "the first is record" in done.stderr
    assert "1 photograph was unreadable and replaced" in ok("preview", target, "-o", tmp_path / "x.png", "--batch", 160)
    assert "single photograph" in refused(3, "scan", images(streets)[0])
    assert "not a packed file" in refused(3, "scan", PROGRAM)
    assert "into itself" in refused(2, "pack", target, "-o", target)


def test_outputs_that_pack_refuses(streets, tmp_path):
    photo = tmp_path / "photo"
    shutil.copy(images(streets)[0], photo)
    (tmp_path / "table.csv").write_text("a,b\n")
    (tmp_path / "folder.nwp").mkdir()
    os.mkfifo(tmp_path / "pipe")
    before = {path.name: path.read_bytes() for path in (photo, tmp_path / "table.csv")}
    for name in ("out.jpg", "out.JPEG", "new/out.png", "out.webp", "out.tif"):
        line = refused(2, "pack", streets, "-o", tmp_path / name)
        assert "ending of a photograph" in line and str((tmp_path / name).with_suffix(".nwp")) in line
    for name in ("folder.nwp", "folder.nwp/", "missing/"):
        assert "is a folder" in refused(2, "pack", streets, "-o", f"{tmp_path}/{name}")
    assert "is a folder" in refused(2, "pack", streets, "-o", streets)
    for name in ("photo", "table.csv"):
        assert "exists and is not a packed file" in refused(2, "pack", streets, "-o", tmp_path / name)
    assert "not a regular file" in refused(2, "pack", streets, "-o", tmp_path / "pipe")
    refused(3, "pack", tmp_path / "absent", "-o", tmp_path / "deep" / "x.nwp")
    assert {path.name for path in tmp_path.iterdir()} == {"photo", "table.csv", "folder.nwp", "pipe"}
    assert all((tmp_path / name).read_bytes() == content for name, content in before.items())
    (tmp_path / "empty").touch()
    ok("pack", streets, "-o", tmp_path / "empty", "--limit", 3)  # as a pack that was killed at once


def test_pack_of_two_folders_of_the_same_name(streets, tmp_path):
    sources = images(streets)
    for folder, chosen in (("A", sources[:5]), ("B", sources[5:10])):
        (tmp_path / folder / "images").mkdir(parents=True)
        for i, photo in enumerate(chosen):
            shutil.copy(photo, tmp_path / folder / "images" / f"{i}.jpg")
    target = tmp_path / "x.nwp"
    assert "5 added, 0 there before" in ok("pack", tmp_path / "A" / "images", "-o", target)
    text = ok("pack", tmp_path / "B" / "images", "-o", target)
    assert "10 photographs" in text and "5 added, 0 there before" in text
    assert "5 photographs packed beside another of the same name" in text
    for folder in "ABA":
        result = report("pack", tmp_path / folder / "images", "-o", target)
        assert (result["added"], result["there_before"], result["renamed"], result["count"]) == (0, 5, 0, 10)
    ok("pack", "--verify", target)
    assert report("scan", target, "--check")["bad"] == []


def test_pack_with_nothing_readable(tmp_path):
    for i in range(3):
        (tmp_path / f"{i}.jpg").write_text("not a picture")
    line = refused(3, "pack", tmp_path, "-o", tmp_path / "x.nwp")
    assert "no photograph can be read (3 rejected)" in line and "x.nwp.rejects.csv" in line
    assert not (tmp_path / "x.nwp").exists()


def test_a_pack_that_is_emptied_while_it_is_read_is_a_data_error(streets, tmp_path):
    target = tmp_path / "s.nwp"
    ok("pack", streets, "-o", target)
    process = subprocess.Popen([PROGRAM, "bench", "loader", target, "--seconds", "300"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    while process.poll() is None and len(os.listdir(f"/proc/{process.pid}/task")) < 2:  # its threads run: it is open
        time.sleep(0.01)
    os.truncate(target, 0)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 3 and output == "", (process.returncode, errors)
    assert str(target) in errors and "cut short" in errors
