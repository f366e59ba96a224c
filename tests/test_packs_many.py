"""Several packed files as one data set, and the index that the processes of a machine share."""
import json
import os
import shutil
import subprocess

import numpy
import pytest
from conftest import PROGRAM, nowhere, ok, refused, report
from PIL import Image
from test_data import digest
from test_train import small, tensors

SHARDS = 3


@pytest.fixture(scope="module")
def whole(streets, tmp_path_factory):
    """All photographs in one pack."""
    file = tmp_path_factory.mktemp("whole") / "streets.nwp"
    ok("pack", streets, "-o", file, "--height", 32)
    return file


@pytest.fixture(scope="module")
def packs(streets, tmp_path_factory):
    """The same photographs as the machines left them that packed a shard each. Not to be changed."""
    folder = tmp_path_factory.mktemp("packs")
    for shard in range(1, SHARDS + 1):
        ok("pack", streets, "-o", folder / f"part{shard}.nwp", "--height", 32, "--shard", f"{shard}/{SHARDS}")
    return folder


def copied(folder, tmp_path):
    shutil.copytree(folder, tmp_path / "packs")
    return tmp_path / "packs"


def test_shards_are_the_merged_pack(whole, packs):
    expected = report("scan", whole)
    for data in (packs, packs / "*.nwp", packs / "part[1-3].nwp"):
        found = report("scan", data)
        assert found["kind"].startswith(f"packed in {SHARDS} files")
        for key in expected.keys() - {"source", "kind"}:
            assert found[key] == expected[key], key
    assert expected["digest"] == digest(ok("pack", "--verify", whole))
    verified = ok("pack", "--verify", packs / "*.nwp")
    assert verified.count("all sound") == SHARDS and digest(verified) == expected["digest"]
    assert report("pack", "--verify", packs)["count"] == expected["photographs"]
    text = ok("scan", packs / "*.nwp", "--night", "no")
    assert text.splitlines()[0].startswith(str(packs / "*.nwp")) and "digest " in text


def test_merging_in_one_go(whole, packs, tmp_path):
    merged = tmp_path / "merged.nwp"
    assert digest(ok("pack", packs / "*.nwp", "-o", merged, "--height", 32)) == report("scan", whole)["digest"]
    again = report("pack", packs, "-o", merged, "--height", 32)
    assert again["added"] == 0 and again["there_before"] == again["count"]
    inside = copied(packs, tmp_path)
    line = refused(2, "pack", inside / "*.nwp", "-o", inside / "part2.nwp", "--height", 32)
    assert "part2.nwp cannot be packed into itself" in line


def test_every_command_takes_them(whole, packs, tmp_path):
    pictures = []
    for number, data in enumerate((whole, packs / "*.nwp")):
        sheet = tmp_path / f"{number}.png"
        ok("preview", data, "-o", sheet, "--batch", 16, "--size", 16, "--max-per-sequence-epoch", 5)
        pictures.append(numpy.asarray(Image.open(sheet)))
    assert (pictures[0] == pictures[1]).all()
    assert report("bench", "loader", packs, "--seconds", 0.1, "--size", 16)["images_per_second"] > 0
    assert report("bench", "scan", packs / "*.nwp")["photographs"] == 160
    assert json.loads(ok("scan", "*.nwp", "--json", cwd=packs))["photographs"] == 160


def test_training_from_shards_is_training_from_the_merged_pack(whole, packs, tmp_path):
    ok(*small(whole, tmp_path, "one", "--n-epoch", 2))
    ok(*small(packs / "*.nwp", tmp_path, "many", "--n-epoch", 2))
    assert tensors(tmp_path / "one" / "checkpoint_2.pt") == tensors(tmp_path / "many" / "checkpoint_2.pt")
    # And one goes on with the other: the photographs are the same, in the same order.
    ok("train", "--root", tmp_path, "--name", "one", "--resume", "--dataroot", packs, "--n-epoch", 3)
    ok("train", "--root", tmp_path, "--name", "many", "--resume", "--n-epoch", 3)
    assert tensors(tmp_path / "one" / "checkpoint_3.pt") == tensors(tmp_path / "many" / "checkpoint_3.pt")
    # Its training data are found again, behind their pattern.
    scores = ok("evaluate", tmp_path / "many", "--dataroot", whole, "--json", "--samples", 100, "--features", "none",
                "--threads", 1, "-o", tmp_path / "report")
    assert "cannot be found" not in scores and "not the photographs" not in scores


def test_a_photograph_in_two_packs_counts_once(whole, packs, streets, tmp_path):
    folder = copied(packs, tmp_path)
    shutil.copy(folder / "part1.nwp", folder / "copy.nwp")
    ok("pack", streets, "-o", folder / "some.nwp", "--height", 32, "--limit", 20)
    found = report("scan", folder)
    assert found["photographs"] == 160 and found["digest"] == report("scan", whole)["digest"]


def test_packs_that_do_not_fit_are_named(packs, streets, tmp_path):
    folder = copied(packs, tmp_path)
    other = folder / "other.nwp"
    for flags in (["--height", 40], ["--height", 32, "--codec", "jpeg"], ["--height", 32, "--crop-size", "0.5"]):
        ok("pack", streets, "-o", other, *flags)
        line = refused(3, "scan", folder / "*.nwp")
        assert "other.nwp" in line and "cannot be one data set" in line
        other.unlink()
    other.write_bytes((folder / "part1.nwp").read_bytes()[:20000])
    assert "other.nwp: truncated" in refused(3, "train", "--dataroot", folder)
    other.write_text("no pack")
    assert "other.nwp is not a packed file" in refused(3, "scan", folder)
    assert "no file matches" in refused(3, "scan", folder / "x*.nwp")


def test_a_pack_among_photographs_changes_nothing(streets, tmp_path):
    data = tmp_path / "data"
    shutil.copytree(streets, data)
    ok("pack", data, "-o", data / "streets.nwp", "--height", 16)
    assert report("scan", data)["kind"] == "folder"


# The index


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """Packs of enough photographs for an index: the same small picture under many names."""
    folder = tmp_path_factory.mktemp("many")
    photos, packs = folder / "photos", folder / "packs"
    photos.mkdir()
    packs.mkdir()
    Image.new("RGB", (8, 8), (10, 90, 200)).save(folder / "one.jpg")
    for number in range(20_100):
        os.link(folder / "one.jpg", photos / f"{number:06}.jpg")
    for shard in (1, 2):
        ok("pack", photos, "-o", packs / f"{shard}.nwp", "--height", 16, "--shard", f"{shard}/2")
    shutil.rmtree(photos)
    return packs


def scan(data, cache, **options):
    found = ok("scan", data, "--json", env=os.environ | {"XDG_CACHE_HOME": str(cache)}, **options)
    return json.loads(found)


def test_the_index_is_kept_and_made_again(many, tmp_path):
    cache = tmp_path / "cache"
    first = scan(many, cache)
    assert first["photographs"] == 20_100
    index, = (cache / "nowhere").glob("*.index")
    sound = index.read_bytes()
    assert scan(many, cache) == first
    for damage in (b"", sound[:1000], sound[:200] + b"x" + sound[201:], sound + b"x", os.urandom(len(sound))):
        index.write_bytes(damage)
        assert scan(many, cache) == first
        assert index.read_bytes()[:8] == sound[:8] and len(index.read_bytes()) == len(sound)


def test_processes_that_start_together_agree(many, tmp_path):
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    running = [subprocess.Popen([PROGRAM, "scan", many, "--json"], stdout=subprocess.PIPE, env=environment) for _ in range(4)]
    outputs = {process.communicate(timeout=120)[0] for process in running}
    assert all(process.returncode == 0 for process in running)
    assert len(outputs) == 1
    assert len(list((tmp_path / "cache" / "nowhere").glob("*.index"))) == 1


def test_a_changed_pack_is_noticed(many, tmp_path):
    folder = copied(many, tmp_path)
    before = scan(folder, tmp_path / "cache")
    (tmp_path / "more").mkdir()
    Image.new("RGB", (8, 8), (1, 2, 3)).save(tmp_path / "more" / "new.png")
    ok("pack", tmp_path / "more", "-o", folder / "2.nwp", "--height", 16)
    after = scan(folder, tmp_path / "cache")
    assert after["photographs"] == before["photographs"] + 1 and after["digest"] != before["digest"]


def test_no_place_for_an_index(many, tmp_path):
    """Without a folder to write to, everybody walks."""
    environment = os.environ | {"XDG_CACHE_HOME": "/proc/none", "HOME": "/proc/none", "TMPDIR": "/proc/none"}
    done = nowhere("scan", many, "--json", env=environment)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == scan(many, tmp_path)


def test_few_photographs_leave_nothing_behind(packs, tmp_path):
    scan(packs, tmp_path / "cache")
    assert not (tmp_path / "cache").exists()


# The order of very many


@pytest.mark.parametrize("flags", [[], ["--max-per-sequence-epoch", 20]])
def test_the_order_of_very_many(flags):
    figures = report("bench", "scan", "--photos", 17_000_000, "--ranks", 7, *flags)
    assert figures["disjoint"]
    part = 17_000_000 if not flags else 85_000 * 20
    assert figures["per_rank"] == part // 7
    if not flags:
        # A list of all would be 68 MB; the share of a rank, which this command writes down, is 10.
        assert figures["peak_bytes"] - figures["bytes_at_start"] < 30_000_000


def test_bench_scan_wants_data_or_a_number(packs):
    assert "needs DATA" in refused(2, "bench", "scan")
    assert "no DATA" in refused(2, "bench", "scan", packs, "--photos", 10)
