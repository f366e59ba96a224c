"""Training on photographs some of which cannot be read: told, counted, and nothing lost."""
import re

import pytest
from conftest import nowhere, ok
from test_train import small, start, stats, wait_for_line


@pytest.fixture
def damaged(streets, tmp_path):
    """24 photographs; of the one sequence, every third or the given share is no photograph."""
    folder = tmp_path / "photographs"
    folder.mkdir()
    files = sorted(streets.rglob("*.jpg"))[:24]
    for number, file in enumerate(files):
        (folder / f"{number:02}.jpg").write_bytes(file.read_bytes())

    def spoil(numbers):
        for number in numbers:
            (folder / f"{number:02}.jpg").write_bytes(b"no photograph")
        return folder
    return spoil


def test_unreadable_photographs_are_told_and_counted(damaged, tmp_path):
    done = nowhere(*small(damaged([3, 17]), tmp_path, "run", "--n-epoch", 2))
    assert done.returncode == 0, done.stderr
    warnings = [line for line in done.stderr.splitlines() if "cannot be read" in line]
    assert len(warnings) == 1 and re.search(r"(03|17)\.jpg: not a photograph", warnings[0])
    lines = re.findall(r"^epoch \d: .*$", done.stdout, re.M)
    assert len(lines) == 2 and all(line.endswith("; 2 photographs unreadable") for line in lines)
    assert [line["epoch_unreadable"] for line in stats(tmp_path / "run") if "epoch_done" in line] == [2, 2]


def test_too_many_unreadable_photographs_stop_the_run_and_lose_nothing(damaged, tmp_path):
    folder = damaged([])
    ok(*small(folder, tmp_path, "run", "--n-epoch", 1))
    damaged(range(4))
    done = nowhere("train", "--root", tmp_path, "--name", "run", "--resume", "--n-epoch", 50)
    assert done.returncode == 3, done.stderr
    last = done.stderr.splitlines()[-1]
    assert "--max-unreadable 0.1" in last and "of the 24 photographs" in last and "no known format" in last
    saved = re.search(r"saved in (\S+\.pt)", last)[1]
    for number in range(4):  # mended, it goes on
        (folder / f"{number:02}.jpg").write_bytes((folder / "20.jpg").read_bytes())
    assert saved in ok("train", "--root", tmp_path, "--name", "run", "--resume", "--n-epoch", 2)
    damaged(range(4))
    ok("train", "--root", tmp_path, "--name", "run", "--resume", "--n-epoch", 3, "--max-unreadable", 0.5)


def test_a_run_whose_data_went_is_saved(damaged, tmp_path):
    folder = damaged([])
    process = start(*small(folder, tmp_path, "run", "--n-epoch", 100000, "--max-unreadable", 1))
    wait_for_line(process, r"^epoch 2:")
    damaged(range(24))
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 3, errors
    assert "in a row cannot be read" in errors and re.search(r"saved in \S+\.pt", errors)
