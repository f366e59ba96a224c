"""evaluate: which photographs a run has been trained on, and which it is judged by."""
import json
import shutil

import pytest
from conftest import ok
from generators import save_checkpoint
from sequences import write_sequences

SIZE = 32


def make_data(root, city, files):
    """Photographs in the MSLS layout, in sequences of five."""
    images = root / city / "database" / "images"
    images.mkdir(parents=True)
    for number, file in enumerate(files):
        shutil.copy(file, images / f"{number}.jpg")
    write_sequences(images, range(len(files)), 5)


@pytest.fixture(scope="module")
def trained(streets, tmp_path_factory):
    """A run that was trained from within its folder, with paths as people type them."""
    folder = tmp_path_factory.mktemp("trained")
    make_data(folder / "data", "city", sorted(streets.rglob("*.jpg")))
    ok("train", "--dataroot", "data/", "--root", "runs", "--name", "x", "--n-epoch", 1, "--batch-size", 8, "--img-size", SIZE,
       "--nz", 8, "--ngf", 8, "--ndf", 8, "--crop", "centre", "--flip", "no", cwd=folder)
    return folder


def judged(run, data, **options):
    """What is said of the photographs by which a run is judged."""
    scores = json.loads(ok("evaluate", run, "--dataroot", data, "--samples", 100, "--json", **options))
    return scores["data"], {verdict["question"]: verdict for verdict in scores["verdicts"]}


def with_settings(trained, folder, **changes):
    """A copy of the run whose config.json says something else, without the checkpoints that know better."""
    run = folder / "runs" / "x"
    shutil.copytree(trained / "runs" / "x", run, ignore=shutil.ignore_patterns("checkpoint_*.pt"))
    settings = json.loads((run / "config.json").read_text())
    (run / "config.json").write_text(json.dumps({**settings, **changes}))
    return run


def test_photographs_that_were_trained_on_are_known_from_anywhere(trained, tmp_path):
    run = trained / "runs" / "x"
    for data, where in (("data", trained), (trained / "data", tmp_path)):
        found, _ = judged(run, data, cwd=where)
        assert found["held_out"] == "nothing" and "trained on all" in found["held_out_note"]
        assert found["trained_on"]["held_out"]["seen"] == found["trained_on"]["held_out"]["compared"]
    # An earlier version saved the path as it was typed; another folder of that name lies where this one is run.
    shutil.copytree(trained, tmp_path / "old")
    config = tmp_path / "old" / "runs" / "x" / "config.json"
    config.write_text(json.dumps({**json.loads(config.read_text()), "dataroot": "data"}))
    (tmp_path / "elsewhere" / "data").mkdir(parents=True)
    found, _ = judged(config.parent, trained / "data", cwd=tmp_path / "elsewhere")
    assert found["held_out"] == "nothing"


def test_a_pack_is_its_folder_by_content(trained, tmp_path):
    pack, data = tmp_path / "small.nwp", trained / "data"
    ok("pack", data, "-o", pack, "--height", 24, "--codec", "jpeg")
    for name, (source, other) in {"a": (data, pack), "b": (pack, data)}.items():
        for split, expected in (("all", "nothing"), ("train", "sequences")):
            run = with_settings(trained, tmp_path / name / split, dataroot=str(source), split=split)
            found, _ = judged(run, other)
            assert found["held_out"] == expected, found
            train = found["trained_on"]["train"]
            assert train["seen"] == train["compared"] > 0, (name, split)


def test_a_pack_of_the_middle_rows_is_its_folder_by_content(trained, tmp_path):
    pack, data = tmp_path / "middle.nwp", trained / "data"
    ok("pack", data, "-o", pack, "--height", 24, "--crop-size", 0.5)
    for name, (source, other) in {"a": (data, pack), "b": (pack, data)}.items():
        run = with_settings(trained, tmp_path / name, dataroot=str(source), split="all", crop_size="0.5")
        found, _ = judged(run, other)
        assert found["held_out"] == "nothing", found
        train = found["trained_on"]["train"]
        assert train["seen"] == train["compared"] > 0, name


def test_files_without_sequences_are_held_out_as_files(trained, tmp_path):
    plain = tmp_path / "plain"
    shutil.copytree(trained / "data" / "city" / "database" / "images", plain)
    run = with_settings(trained, tmp_path, dataroot=str(plain), split="train")
    found, _ = judged(run, plain)
    assert found["held_out"] == "files" and not found["by_sequence"] and "sequence" not in found["held_out_note"]


def test_other_photographs_are_told_apart(trained, tmp_path):
    """Nothing of them was trained on: they are held out, but no copies can be found by them."""
    other = tmp_path / "other"
    ok("synth", tmp_path / "drawn", "--images", 160, "--cities", 1, "--seed", 99)
    make_data(other, "city", sorted((tmp_path / "drawn").rglob("*.jpg")))
    for table in other.rglob("seq_info.csv"):  # the same names, but sequences of their own
        table.write_text(table.read_text().replace("drive", "trip"))
    found, verdicts = judged(trained / "runs" / "x", other)
    assert found["held_out"] == "sequences" and found["trained_on"]["train"]["seen"] == 0
    assert verdicts["Does it copy its training photographs?"]["verdict"] == "note"


def test_training_data_that_changed_are_not_taken_for_what_they_were(trained, tmp_path):
    shutil.copytree(trained, tmp_path / "moved")
    found, _ = judged(tmp_path / "moved" / "runs" / "x", trained / "data")
    assert found["held_out"] != "unknown", found
    config = tmp_path / "moved" / "runs" / "x" / "config.json"
    settings = json.loads(config.read_text())
    config.write_text(json.dumps({**settings, "dataroot": str(tmp_path / "moved" / "data")}))
    next((tmp_path / "moved" / "data").rglob("7.jpg")).unlink()
    found, _ = judged(tmp_path / "moved" / "runs" / "x", trained / "data")
    assert found["held_out"] == "unknown" and "not the photographs that they were" in found["held_out_note"]


def test_what_cannot_be_known_is_not_claimed(trained, tmp_path):
    gone = with_settings(trained, tmp_path / "gone", dataroot="/gone/streets.nwp")
    found, _ = judged(gone, trained / "data")
    assert found["held_out"] == "unknown" and found["trained_on"] is None
    assert "streets.nwp" in found["held_out_note"] and "/gone" not in found["held_out_note"]
    save_checkpoint(tmp_path / "slim_checkpoint_1.pt", size=SIZE, epoch=1)
    found, _ = judged(tmp_path / "slim_checkpoint_1.pt", trained / "data")
    assert found["held_out"] == "unknown" and "does not say" in found["held_out_note"]
