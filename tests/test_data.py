"""synth, scan, preview: from a folder to a batch, and everything that can go wrong on the way."""
import csv
import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import numpy
import pytest
from conftest import PROGRAM, nowhere, ok, refused, report
from PIL import Image


def images(folder):
    return sorted(folder.rglob("*.jpg"))


def digest(output):
    return output.strip().splitlines()[-1].removeprefix("digest ")


# synth


def test_synth_is_a_function_of_its_arguments(tmp_path):
    arguments = ["--images", 24, "--cities", 2, "--seed", 3]
    ok("synth", tmp_path / "a", *arguments, "--threads", 1)
    ok("synth", tmp_path / "b", *arguments, "--threads", 3)
    ok("synth", tmp_path / "c", *arguments[:-1], 4)

    def content(name):
        return {path.relative_to(tmp_path / name): path.read_bytes() for path in (tmp_path / name).rglob("*") if path.is_file()}

    assert content("a") == content("b")
    assert content("a") != content("c")


def test_synth_writes_the_msls_layout(streets):
    assert len(images(streets)) == 160
    with Image.open(images(streets)[0]) as picture:
        assert picture.size == (640, 480) and picture.mode == "RGB"
    scan = report("scan", streets, "--check")
    assert len(scan["cities"]) == 3
    assert scan["bad"] == [] and scan["photos_without_row"] == 0 and scan["rows_without_photo"] == 0
    assert scan["missing_tables"] == 0
    for table in streets.rglob("*.csv"):
        with open(table) as file:
            rows = list(csv.reader(file))
        assert rows[0][0] == ""
        assert [row[0] for row in rows[1:]] == [str(i) for i in range(len(rows) - 1)]


def test_synth_goes_on_and_does_not_mix(tmp_path):
    arguments = ["synth", tmp_path / "s", "--images", 20, "--cities", 2]
    ok(*arguments)
    lost, kept = images(tmp_path)[3], images(tmp_path)[4]
    content, times = lost.read_bytes(), kept.stat().st_mtime_ns
    lost.unlink()
    ok(*arguments)
    assert lost.read_bytes() == content and kept.stat().st_mtime_ns == times
    assert "holds another data set" in refused(2, "synth", tmp_path / "s", "--images", 21, "--cities", 2)
    (tmp_path / "s" / "synth.json").unlink()
    assert "or other files" in refused(2, *arguments)


def test_synth_where_nothing_can_be_written(tmp_path):
    (tmp_path / "file").write_text("in the way")
    assert "cannot make the folder" in refused(1, "synth", tmp_path / "file" / "x", "--images", 2)


# scan


def test_scan_counts_and_filters(streets):
    everything = report("scan", streets)
    assert everything["selected"] == 160
    night = report("scan", streets, "--night", "yes")["selected"] if everything["night"].get("yes") else 0
    assert night == everything["night"].get("yes", 0)
    city = sorted(everything["cities"])[0]
    assert report("scan", streets, "--city", city)["selected"] == everything["cities"][city]
    assert report("scan", streets, "--max-per-sequence", 2)["selected"] <= 2 * len(everything["sequences"])
    assert report("scan", streets, "--limit", 10)["selected"] == 10


def test_splits_share_no_sequence(tmp_path):
    ok("synth", tmp_path / "s", "--images", 120, "--cities", 6)
    sides = {side: report("scan", tmp_path / "s", "--split", side) for side in ("train", "validation", "test")}
    sequences = [set(side["sequences"]) for side in sides.values()]
    assert all(sequences) and sum(side["selected"] for side in sides.values()) == 120
    assert not (sequences[0] & sequences[1] or sequences[0] & sequences[2] or sequences[1] & sequences[2])


def test_scan_text_has_tables(streets):
    text = ok("scan", streets)
    for word in ("city", "subset", "night", "view", "sequence", "160 photographs"):
        assert word in text


def test_scan_text_leaves_out_what_nobody_knows(streets, tmp_path):
    for i, photo in enumerate(images(streets)[:3]):
        (tmp_path / "plain" / "ab"[i % 2]).mkdir(parents=True, exist_ok=True)
        shutil.copy(photo, tmp_path / "plain" / "ab"[i % 2] / f"{i}.jpg")
    ok("pack", tmp_path / "plain", "-o", tmp_path / "plain.nwp")
    for data in (tmp_path / "plain", tmp_path / "plain.nwp"):
        text = ok("scan", data)
        assert "unknown" not in text and "none" not in text and "100.0%" not in text
        assert "nothing is known about city, sequence, night or view" in text
        assert [line.split() for line in text.splitlines() if line.startswith("  plain/")] == \
            [["plain/a", "2", "66.7%"], ["plain/b", "1", "33.3%"]]
    text = ok("scan", tmp_path / "plain" / "b", "--check")
    assert "1 photograph\n" in text and "1 picture decoded, none is bad" in text
    city = sorted(path.name for path in (streets / "train_val").iterdir())[0]
    assert f"all of them: city {city}" in ok("scan", streets, "--city", city)
    copy = tmp_path / "copy"
    shutil.copytree(streets, copy)
    for table in copy.rglob("postprocessed.csv"):
        table.unlink()
    assert "not in the tables: night, view" in ok("scan", copy)


def test_scan_of_a_pack_knows_what_the_folder_knew(streets, tmp_path):
    ok("pack", streets, "-o", tmp_path / "s.nwp")
    folder, packed = report("scan", streets), report("scan", tmp_path / "s.nwp")
    for key in ("selected", "cities", "subsets", "night", "views", "sequences"):
        assert folder[key] == packed[key]
    assert report("scan", tmp_path / "s.nwp", "--view", "Forward")["selected"] == folder["views"]["Forward"]


@pytest.mark.parametrize("command", [["scan"], ["pack", "-o", "x.nwp"], ["preview", "-o", "x.png"]])
def test_unusable_data(command, streets, tmp_path):
    (tmp_path / "empty").mkdir()
    line = refused(3, command[0], tmp_path / "none", *command[1:], cwd=tmp_path)
    assert "no such folder" in line and "none" in line
    line = refused(3, command[0], tmp_path / "empty", *command[1:], cwd=tmp_path)
    assert "no photographs" in line and "empty" in line
    line = refused(3, command[0], streets, *command[1:], "--city", "nosuchcity", cwd=tmp_path)
    assert "--city nosuchcity" in line
    city = sorted(path.name for path in (streets / "train_val").iterdir())[0]
    half = ["--city", city, "--limit", "50", "--subset", "query", "--night", "yes", "--view", "Sideways,Backward"]
    line = refused(3, command[0], streets, *command[1:], *half, cwd=tmp_path)
    assert "removed the last" in line and str(streets) in line
    assert not (tmp_path / "x.nwp").exists() and not (tmp_path / "x.png").exists()


def test_the_filter_that_removed_the_last_is_named(real):
    line = refused(3, "scan", real, "--city", "cambridge", "--view", "Sideways")
    assert "--view Sideways removed the last 530" in line and str(real.resolve()) in line


def test_dedup_reports_how_many(streets, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(streets, copy)
    before = report("scan", copy, "--dedup")["selected"]
    for i, photo in enumerate(images(copy)[:5]):
        shutil.copy(photo, photo.with_name(f"copied{i}.jpg"))
    result = report("scan", copy, "--dedup")
    assert result["photographs"] == 165
    assert result["selected"] == before
    assert result["filters"][-1] == {"flag": "--dedup", "removed": 165 - before}


def test_plain_folders_with_awkward_names(photographs, tmp_path):
    names = ["with space.jpg", "größe.JPG", "two\nlines.jpeg", 'q"uote.jpg', "comma,comma.jpg", "-dash.jpg"]
    for name, photo in zip(names, images(photographs)):
        shutil.copy(photo, tmp_path / name)
    (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "broken.jpg").write_bytes(images(photographs)[0].read_bytes()[:3000])
    (tmp_path / "secret.jpg").symlink_to(tmp_path / "nothing")
    os.mkfifo(tmp_path / "pipe.jpg")
    scan = report("scan", tmp_path, "--check")
    assert scan["selected"] == 7 and scan["repeated_folders"] == 1
    assert [Path(bad["path"]).name for bad in scan["bad"]] == ["broken.jpg"]
    packed = report("pack", tmp_path, "-o", tmp_path / "x.nwp")
    assert packed["added"] == 6 and packed["rejected"] == 1
    with open(tmp_path / "x.nwp.rejects.csv") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 1 and rows[0]["path"].endswith("broken.jpg") and "JPEG" in rows[0]["reason"]


# How a camera stores an upright picture for each EXIF orientation.
STORED = {1: None, 2: Image.Transpose.FLIP_LEFT_RIGHT, 3: Image.Transpose.ROTATE_180, 4: Image.Transpose.FLIP_TOP_BOTTOM,
          5: Image.Transpose.TRANSPOSE, 6: Image.Transpose.ROTATE_90, 7: Image.Transpose.TRANSVERSE, 8: Image.Transpose.ROTATE_270}


def test_photographs_of_any_orientation(tmp_path):
    """A phone's portraits: over a thousand lines, stored lying, with a tag that says how to turn them."""
    noise = numpy.random.default_rng(1).integers(0, 256, (18, 14, 3)).astype(numpy.uint8)
    colour = Image.fromarray(noise).resize((910, 1170), Image.Resampling.BICUBIC)
    grey16 = Image.fromarray(numpy.asarray(colour.convert("L")).astype(numpy.uint16) * 257)
    kinds = {"a.png": colour, "b.png": grey16, "c.tif": colour, "d.tif": grey16, "e.tif": colour.convert("CMYK"),
             "f.png": colour.quantize(32), "g.jpg": colour, "h.jpg": colour.convert("L"), "i.jpg": colour.convert("CMYK")}
    digests = set()
    for orientation, turn in STORED.items():
        folder = tmp_path / str(orientation) / "photos"
        folder.mkdir(parents=True)
        for name, picture in kinds.items():
            exif = Image.Exif()
            exif[0x0112] = orientation
            (picture.transpose(turn) if turn is not None else picture).save(folder / name, exif=exif)
        assert report("scan", folder, "--check")["bad"] == []
        result = report("pack", folder, "-o", tmp_path / f"{orientation}.nwp", "--height", 455)
        assert result["added"] == len(kinds)
        for photo in folder.glob("*.jpg"):
            photo.unlink()  # what a lossy format stores depends on how it lies
        digests.add(report("pack", folder, "-o", tmp_path / f"{orientation}lossless.nwp", "--height", 455)["digest"])
    assert len(digests) == 1, "all eight are the same upright pictures"


@pytest.mark.skipif(os.geteuid() != 0, reason="needs to give up being root")
def test_unreadable_files_and_folders(photographs, tmp_path):
    tmp_path.chmod(0o755)
    data = tmp_path / "data"
    (data / "locked").mkdir(parents=True)
    for i, photo in enumerate(images(photographs)[:4]):
        shutil.copy(photo, data / f"{i}.jpg")
    shutil.copy(images(photographs)[5], data / "locked" / "in.jpg")
    (data / "2.jpg").chmod(0)
    (data / "locked").chmod(0)
    for parent in tmp_path.parents:
        if parent.owner() == "root" and parent.is_relative_to("/tmp") and parent != Path("/tmp"):
            parent.chmod(0o755)

    def as_nobody():
        os.setgid(65534)
        os.setuid(65534)

    if subprocess.run(["test", "-x", PROGRAM], preexec_fn=as_nobody).returncode != 0:
        pytest.skip("the program cannot be reached without root")
    done = nowhere("scan", data, "--check", "--json", preexec_fn=as_nobody)
    assert done.returncode == 0, done.stderr
    assert '"unreadable_folders":1' in done.stdout
    assert "2.jpg" in done.stdout and "permission denied" in done.stdout


def test_missing_columns(streets, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(streets, copy)
    city = sorted(copy.glob("train_val/*"))[0]
    for half in city.iterdir():
        (half / "postprocessed.csv").unlink()
    assert report("scan", copy)["missing_tables"] >= 1
    line = refused(3, "scan", copy, "--night", "no")
    assert "--night no needs the column 'night' of postprocessed.csv" in line and city.name in line


# pack


def test_names_that_are_not_utf8(photographs, tmp_path):
    folder = os.path.join(os.fsencode(tmp_path), b"caf\xe9")
    os.mkdir(folder)
    shutil.copy(os.fsencode(images(photographs)[0]), os.path.join(folder, b"\xff\n.jpg"))
    with open(os.path.join(folder, b"bad\xfe.jpg"), "w") as file:
        file.write("no picture")
    done = subprocess.run([PROGRAM, "scan", folder, "--check", "--json"], capture_output=True)
    assert json.loads(done.stdout)["bad"][0]["path"].endswith("bad\\xfe.jpg")
    assert subprocess.run([PROGRAM, "pack", folder, "-o", tmp_path / "x.nwp"], capture_output=True).returncode == 0
    assert report("pack", "--verify", tmp_path / "x.nwp")["count"] == 1


def test_a_signal_ends_what_has_nothing_to_save(photographs):
    process = subprocess.Popen([PROGRAM, "bench", "loader", photographs, "--seconds", "300"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    while process.poll() is None and len(os.listdir(f"/proc/{process.pid}/task")) < 2:  # its threads run: it listens
        time.sleep(0.01)
    process.send_signal(signal.SIGTERM)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 143 and output == "", errors


def test_one_bad_file_costs_one_file(photographs, tmp_path):
    """Decoders are kept from file to file: a bad one must not spoil the good ones after it."""
    for i, photo in enumerate(images(photographs)[:60]):
        (tmp_path / f"{i:02}.jpg").symlink_to(photo)
    sound = images(photographs)[0].read_bytes()
    (tmp_path / "garbage.jpg").write_bytes(b"\xff\xd8\xffgarb")
    (tmp_path / "zeroed.jpg").write_bytes(sound[:30] + bytes(400) + sound[430:])
    (tmp_path / "cut.jpg").write_bytes(sound[:200])
    results = [report("pack", tmp_path, "-o", tmp_path / f"{n}.nwp", "--threads", n) for n in (1, 8)]
    for result in results:
        assert result["added"] == 60 and result["rejected"] == 3
    assert results[0]["digest"] == results[1]["digest"]
    ok("preview", tmp_path, "-o", tmp_path / "x.png", "--batch", 60)


# preview


def test_preview_is_the_same_from_any_number_of_threads(photographs, tmp_path):
    for threads in (1, 2, 4):
        ok("preview", photographs, "-o", tmp_path / f"{threads}.png", "--threads", threads, "--seed", 5)
    sheets = [(tmp_path / f"{threads}.png").read_bytes() for threads in (1, 2, 4)]
    assert sheets[0] == sheets[1] == sheets[2]
    with Image.open(tmp_path / "1.png") as sheet:
        assert sheet.size == (8 * 66 + 2, 8 * 66 + 2)


def test_preview_needs_a_batch(streets, tmp_path):
    line = refused(3, "preview", streets, "-o", tmp_path / "x.png", "--batch", 161)
    assert "160 photographs cannot fill a batch of 161" in line


def test_preview_knows_the_old_name_of_a_flag(streets, tmp_path):
    """--max-per-sequence-epoch was --max-per-drive."""
    for name, flag in (("new", ["--max-per-sequence-epoch", 1]), ("old", ["--max-per-drive", 1]), ("one", ["--max_per_drive=1"]),
                       ("without", [])):
        ok("preview", streets, "-o", tmp_path / f"{name}.png", "--batch", 4, *flag)
    sheets = {path.stem: path.read_bytes() for path in tmp_path.iterdir()}
    assert sheets["new"] == sheets["old"] == sheets["one"] != sheets["without"]
