"""Judged runs as bench/runs.py keeps them, made up: for the tests of what is made of them. Also lets tests import from bench."""
import copy
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "bench"))
import scores  # noqa: E402

RESULT = {
    "settings": {"training": {"data": "digest", "flags": [], "minutes": 3, "minutes_of": "cpu", "seed": 1, "threads": 0},
                 "judging": {"samples": 2000, "judge": "/somewhere/efficientnet-lite1.pth", "epochs": False}},
    "data": {"key": "drawn", "title": "drawn streets", "count": 1652},
    "machine": {"cpu": "A Processor", "cores": 2},
    "training": {"images": 24000, "images_per_second": 133.3, "minutes": 3.0},
    "scores": {
        "model": {"date": "2026-11-17", "picture_size": 64, "images_seen": 24000},
        "data": {"held_out": "sequences"},
        "verdicts": [{"question": scores.COPIES, "verdict": "good", "words": "no sign of copying"},
                     {"question": scores.VARIETY, "verdict": "fair", "words": "less varied than photographs"}],
        "sliced_wasserstein": {"levels": [{"name": "64 px", "value": 95.2, "floor": 21.0}, {"name": "8 px", "value": 204.8, "floor": 29.0}],
                               "mean": 150.0, "mean_floor": 25.0},
        "features": {"network": "efficientnet-lite1", "frechet": {"value": 44.0, "floor": 5.5},
                     "samples": {"precision": 0.58, "recall": 0.02, "density": 0.5, "coverage": 0.29},
                     "real_photographs": {"precision": 0.8, "recall": 0.7, "density": 1.0, "coverage": 0.9}},
        "memorisation": [{"nearer_than_1st_percentile": 0.004, "sample_median": 6.0, "held_out_median": 5.0},
                         {"nearer_than_1st_percentile": 0.012, "sample_median": 4.5, "held_out_median": 5.0}],
        "collapse": {"diversity_ratio": 0.75,
                     "birthday": {"batch_size": 100, "batches": 20, "batches_with_duplicate": 1, "support": 9000.0}},
        "parzen": {"sigma": 0.167, "sigma_on_edge": False, "test": {"mean": -3719.5, "standard_error": 107.5},
                   "real_photographs": {"mean": -3211.5, "standard_error": 122.7, "sigma_on_edge": False}},
    },
}


def result(size=64, minutes=3, swd=150.0, fd=44.0, key="drawn", held_out="sequences", **training):
    """A judged run with some figures of its own."""
    made = copy.deepcopy(RESULT)
    made["settings"]["training"]["minutes"] = minutes
    made["data"]["key"] = key
    made["training"].update(training)
    made["scores"]["model"]["picture_size"] = size
    made["scores"]["data"]["held_out"] = held_out
    made["scores"]["sliced_wasserstein"]["mean"] = swd
    made["scores"]["features"]["frechet"]["value"] = fd
    return made


def bare():
    """A run of which hardly anything was measured, by no network."""
    made = copy.deepcopy(RESULT)
    made["scores"] = {"model": RESULT["scores"]["model"], "data": {}, "verdicts": []}
    made["training"] = {"images": 512, "images_per_second": None, "minutes": None}
    made["settings"]["judging"]["judge"] = ""
    return made


def cells(text):
    """A Markdown table as rows of cells, without the line below its head."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()]
    assert len({len(row) for row in rows}) == 1 and set("".join(rows[1])) == {"-"}
    return [rows[0], *rows[2:]]
