"""docs/results.md and its pictures, of runs that are made up."""
import re

import pytest
from judged_runs import bare, cells, result
from PIL import Image

import results
import results_page
import runs
import sheets


def test_minutes_by_preset():
    minutes = results.minutes_of("streets-128=0.5,naive-64=7")
    assert minutes["streets-128"] == 0.5 and minutes["naive-64"] == 7 and minutes["safe-128"] == results.PRESETS["safe-128"][0]
    for wrong in ("streets=5", "naive-64", "naive-64=five"):
        with pytest.raises(SystemExit, match=wrong):
            results.minutes_of(wrong)


@pytest.fixture(scope="module")
def page():
    judged = {"drawn": {"naive-64": result(minutes=5, swd=200, fd=99, images=20000), "streets-64": result(minutes=5, images=41000),
                        "streets-128": result(size=128, minutes=60)}, "real": {}}
    shown = {f"drawn-{preset}-{kind}.jpg" for preset in judged["drawn"] for kind in results_page.KINDS} - {"drawn-streets-128-progress.jpg"}
    return results_page.page(judged, shown), shown


def test_the_page_says_what_was_measured_where(page):
    text, _ = page
    words = " ".join(text.split())
    assert "2 cores (A Processor): naive-64 and streets-64 for 5 minutes; streets-128 for 60 minutes. Two cores can" in words
    assert "A run saw 20,000 to 41,000 images" in words and "2026-11-17" in words
    assert ("At 64 px, in times the floor, SWD is 8.0 for naive-64 and 6.0 for streets-64, "
            "and FD is 18.0 for naive-64 and 8.0 for streets-64.") in words
    assert "Copies: no sign of copying (naive-64, streets-64 and streets-128)." in words and "Whole sequences were held out" in words
    assert "scripts/results --photos DIR" in text, "there were no real photographs"
    assert "somewhere" not in text


def test_the_page_shows_the_pictures_that_there_are(page):
    text, shown = page
    assert {name.removeprefix("results/") for name in re.findall(r"!\[[^]]+\]\(([^)]+)\)", text)} == shown
    assert text.count("No epoch was complete") == 1
    kinds = {name.rpartition("-")[2] for name in shown}
    assert kinds == {"samples.jpg", "progress.jpg", "losses.jpg", "likelihood.jpg"}, "no photograph"


def test_the_page_has_a_table_with_a_column_for_each_preset(page):
    text, _ = page
    table = text[text.index("|  | naive-64"):]
    rows = cells(table[:table.index("\n\n")])
    assert rows[0] == ["", "naive-64", "streets-64", "streets-128"]
    by_label = {row[0]: row[1:] for row in rows[1:]}
    assert by_label["recall (photographs)"] == ["0.02 (0.70)"] * 3
    assert by_label["Parzen log-likelihood, nats"][0] == "-3,720 ± 108"
    assert by_label["batches with twins (birthday test)"][0] == "5.0% of batches of 100"
    assert by_label["different pictures, by that test"][0] == "about 9,000"
    assert by_label["picture"] == ["64 px", "64 px", "128 px"]


def test_a_page_of_little_leaves_out_what_is_missing():
    text = results_page.page({"drawn": {"safe-128": bare()}, "real": {"safe-128": result(size=128, key="real", held_out="nothing")}}, set())
    drawn = text[text.index("## Drawn"):text.index("## Real")]
    assert "FD" not in drawn and "None" not in text and "![" not in text
    assert "Nothing was held out" in text
    assert "FD" not in results_page.page({"drawn": {"safe-128": bare()}}, set())


def test_publishing_replaces_an_older_page(tmp_path):
    work, docs = tmp_path / "work", tmp_path / "docs"
    runs.write_json(work / "drawn" / "streets-64" / "result.json", result())
    sheets.save_jpeg(Image.new("RGB", (64, 64)), work / "drawn" / "streets-64" / "pictures" / "samples.jpg")
    (docs / "results").mkdir(parents=True)
    (docs / "results" / "old.jpg").touch()
    results.publish(results.judged_runs(work), work, docs)
    assert [file.name for file in (docs / "results").iterdir()] == ["drawn-streets-64-samples.jpg"]
    assert "results/drawn-streets-64-samples.jpg" in (docs / "results.md").read_text()


def test_progress_is_a_column_for_each_epoch():
    colours = [(200, 0, 0), (0, 200, 0), (0, 0, 200)]
    strip = sheets.progress_strip([1, 5, 9], [Image.new("RGB", (530, 530), colour) for colour in colours])
    assert strip.size == (200, 284)
    assert [strip.getpixel((30 + 66 * place, 250)) for place in range(3)] == colours


def test_sheets_side_by_side():
    paper = sheets.contact_sheet("Streets", [(f"recipe {n}", "SWD 1", Image.new("RGB", (530, 530), (n, 0, 0))) for n in range(5)])
    assert paper.size == (28 + 4 * 558, 84 + 2 * 620)
    assert [paper.getpixel((28 + 558 * (n % 4) + 265, 84 + 620 * (n // 4) + 300))[0] for n in range(5)] == list(range(5))


def test_plots_are_shrunk(tmp_path):
    sheets.save_jpeg(Image.new("RGBA", (1000, 1260)), tmp_path / "plot.jpg", 640)
    with Image.open(tmp_path / "plot.jpg") as plot:
        assert plot.size == (640, 806) and plot.format == "JPEG"
