"""What scripts/bench pictures and scripts/results have in common: figures of judged runs, medians, tables of recipes, and runs
that are not done twice. Nothing is trained."""
import json
import subprocess
from types import SimpleNamespace

import pytest
from conftest import TOP
from judged_runs import RESULT, bare, cells, result

import pictures
import pictures_table
import runs
import scores


@pytest.mark.parametrize("value, text", [(None, "-"), (0.519, "0.52"), (4.127, "4.13"), (41.27, "41.3"), (99.96, "100"), (4127.4, "4,127")])
def test_numbers_have_three_digits(value, text):
    assert scores.number(value) == text


@pytest.mark.parametrize("value, text", [(None, "-"), (0, "0%"), (0.012, "1.2%"), (0.5, "50%"), (1, "100%")])
def test_shares(value, text):
    assert scores.percent(value) == text


def test_figures_of_a_result():
    found = scores.figures(RESULT)
    assert (found["swd_ratio"], found["fd_ratio"]) == (6, 8)
    assert found["copies"] == 0.012 and found["distance"] == pytest.approx(0.9), "the worst of the spaces"
    assert found["twins"] == 0.05 and found["variety_words"] == "less varied than photographs"
    assert found["likelihood"] == -3719.5 and found["real_recall"] == 0.7


def test_what_was_not_measured_is_none():
    found = scores.figures(bare())
    assert all(found[key] is None for key in ("swd", "swd_ratio", "fd", "recall", "copies", "twins", "likelihood", "copies_verdict"))


def test_speed_is_that_of_whole_epochs():
    seconds = {"waiting": 1, "device": 17, "checkpoint": 0.5, "other": 1.5, "reading": 9}  # the loader's are beside the others
    stats = [{"images_per_second": 50}, {"epoch_done": 1, "epoch_images": 1000, "epoch_seconds": seconds},
             {"epoch_done": 2, "epoch_images": 1000, "epoch_seconds": seconds}]
    assert scores.training_figures(stats, 2250) == {"images": 2250, "images_per_second": 50, "minutes": 0.75}
    assert scores.training_figures(stats[:1], 1500)["minutes"] == 0.5
    assert scores.training_figures([], 100)["minutes"] is None


def test_medians_and_the_run_in_the_middle():
    found = [scores.figures(result(swd=swd, fd=fd)) for swd, fd in ((90, 50), (110, 40), (100, 60))]
    assert scores.spread(found, "swd") == "100 (90.0 to 110)"
    assert scores.spread(found[:1], "swd") == "90.0"
    assert scores.median_run(found) == 0, "by FD"
    found[1]["fd"] = None
    assert scores.median_run(found) == 2, "by SWD, where FD is not known of all"
    assert scores.median(found, "fd") == 55
    assert scores.gravest([{"v": "good"}, {"v": "poor"}, {"v": None}], "v") == "poor"


def test_the_table_of_recipes():
    rows = cells(pictures_table.variants_table({
        "pixels": [scores.figures(result(swd=swd, fd=90)) for swd in (140, 160, 180)], "streets-64": [scores.figures(result())]}))
    head, floor, pixels, streets = rows
    assert [row[0] for row in rows[1:]] == ["photographs", "pixels", "streets-64"]
    assert "64 px to 8 px" in head[4] and floor[3:6] == ["25.0", "21 29", "5.50"]
    assert pixels[3] == "160 (140 to 180)" and streets[3:6] == ["150", "95 205", "44.0"]
    assert streets[-2:] == ["1.2%, good", "5.0%, fair"]


def test_the_table_of_recipes_without_a_network():
    floor, row = cells(pictures_table.variants_table({"pixels": [scores.figures(bare())]}))[1:]
    assert row[1:6] == ["512", "-", "-", "", "-"] and floor[5] == "-"
    assert "FD" not in pictures_table.conditions(bare(), [1])


def test_conditions_name_the_machine_and_the_judge_but_no_path():
    text = pictures_table.conditions(RESULT, [1, 2])
    assert "2 threads on 2 cores (A Processor)" in text and "seeds 1, 2" in text and "efficientnet-lite1" in text
    assert "somewhere" not in text


def test_variants_are_chosen_by_name():
    assert pictures.chosen_variants(["no-thumbnails", "ema 20%"]) == ["no thumbnails", "ema 20%"]
    assert pictures.chosen_variants([]) == list(pictures.VARIANTS)
    assert len({pictures.plain(name) for name in pictures.VARIANTS}) == len(pictures.VARIANTS)
    with pytest.raises(SystemExit, match="no-thumbnails"):
        pictures.chosen_variants(["thumbnail"])


def test_some_of_many_epochs():
    assert runs.evenly([1, 2, 3], 8) == [1, 2, 3] and runs.evenly([], 8) == []
    chosen = runs.evenly(list(range(1, 102)), 5)
    assert chosen == [1, 26, 51, 76, 101]


def settings():
    options = SimpleNamespace(minutes_of="clock", threads=2, samples=2000, judge="")
    return runs.settings_of({"digest": "abc"}, ["--preset", "streets-64"], {"lr": "0.001"}, 3.0, 1, options)


def test_a_judged_run_is_found_again_with_the_same_settings_only(tmp_path):
    assert runs.judged(tmp_path, settings()) is None
    runs.write_json(tmp_path / "result.json", {"settings": settings(), "scores": {}})
    assert runs.judged(tmp_path, settings())["scores"] == {}
    other = settings()
    other["training"]["minutes"] = 5.0
    assert runs.judged(tmp_path, other) is None
    other = settings()
    other["training"]["recipe"] = {"lr": "0.002"}
    assert runs.judged(tmp_path, other) is None, "the preset is another one now"
    other["training"]["recipe"] = {"lr": "0.001", "new_option": "7"}
    assert runs.judged(tmp_path, other), "the program has an option more"
    (tmp_path / "result.json").write_text('{"settings": ')  # the script was killed
    assert runs.judged(tmp_path, settings()) is None


def test_training_begins_goes_on_and_is_not_done_twice(tmp_path, monkeypatch):
    calls = []
    monkeypatch.setattr(runs, "nowhere", lambda *arguments, **_: calls.append(list(map(str, arguments))))
    asked, data = settings()["training"], {"pack": "streets.nwp"}
    runs.train(tmp_path, asked, data)
    runs.train(tmp_path, asked, data)
    assert len(calls) == 1 and "--overwrite" in calls[0] and calls[0][calls[0].index("--max-minutes") + 1] == "3.0"
    runs.write_json(tmp_path / "training.json", {"settings": asked, "done": False})
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "checkpoint_1.pt").touch()
    runs.train(tmp_path, asked, data)
    assert "--resume" in calls[1]
    runs.train(tmp_path, {**asked, "seed": 2}, data)
    assert "--overwrite" in calls[2]


def test_a_failure_ends_the_script_and_ctrl_c_is_none(tmp_path, monkeypatch):
    program = tmp_path / "nowhere"
    monkeypatch.setattr(runs, "PROGRAM", program)
    cases = [(1, SystemExit, "nowhere draw 3\nout of paint"), (1, runs.TrainingFailed, "paint"), (130, KeyboardInterrupt, None)]
    for code, error, words in cases:
        program.write_text(f"#!/bin/sh\necho out of paint >&2\nexit {code}\n")
        program.chmod(0o755)
        with pytest.raises(error, match=words):
            runs.nowhere("draw", 3, error=error)


DRY_RUN = """run          runs/streets-64
settings     name streets-64, root runs, seed 0, batch_size {batch}
             features /somewhere/lite0.pth, init , lr 0.001
memory       about 139 MB beside LibTorch itself
"""


def test_a_recipe_is_what_the_program_understands(monkeypatch):
    monkeypatch.setattr(runs, "nowhere", lambda *arguments, **_: DRY_RUN.format(batch=32 if "32" in arguments else 16))
    data = {"pack": "streets.nwp"}
    assert runs.recipe_of([], data) == {"seed": "0", "batch_size": "16", "features": "lite0.pth", "init": "", "lr": "0.001"}
    assert list(pictures.recipes_of(["streets-64", "batch 32", "batch 16"], data)) == ["streets-64", "batch 32"]


def test_the_shell_script_names_its_benchmarks():
    for words in (["nothing"], ["loader", "--minutes", "3"]):
        done = subprocess.run([TOP / "scripts" / "bench", *words], capture_output=True, text=True)
        assert done.returncode == 1 and "what to do" in done.stderr and "pictures" in done.stderr


def test_results_are_plain_json():
    assert json.loads(json.dumps(settings())) == settings(), "what is kept is compared with what is asked"
