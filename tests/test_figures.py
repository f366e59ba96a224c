"""The figures of a run: what the machine did, and how the pictures changed, in bounded memory."""
import json
import re
import shutil
import signal
import subprocess
import sys

import numpy
import pytest
from conftest import PROGRAM, ok
from gallery_browser import Visit, browser, serious_violations, until  # noqa: F401
from generators import publish_checkpoint
from PIL import Image
from playwright.sync_api import expect
from test_train import pack, small, stats  # noqa: F401

EPOCHS = 70
# Runs a program in a process that has no other child, so that the peak is the program's.
MEASURE = """
import json, resource, subprocess, sys
done = subprocess.run(sys.argv[1:], capture_output=True, text=True)
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
print(json.dumps({"code": done.returncode, "output": done.stdout, "errors": done.stderr, "peak": peak}))
"""


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    """A run of 70 epochs whose sheets are those of 64 pictures of 256 pixels, redrawn with little memory."""
    run = tmp_path_factory.mktemp("figures") / "streets <1>"
    noise = run / "figures" / "fixed_noise"
    noise.mkdir(parents=True)
    publish_checkpoint(run, 1)
    small_sheet = numpy.random.default_rng(1).integers(0, 255, (64, 64, 3), numpy.uint8)
    for epoch in range(1, EPOCHS + 1):
        sheet = Image.fromarray((small_sheet * (epoch / EPOCHS)).astype(numpy.uint8)).resize((2066, 2066), Image.Resampling.NEAREST)
        sheet.save(noise / f"epoch_{epoch:05}.png", compress_level=1)
    (noise / "epoch_of_glory.png").write_bytes(b"not a picture")
    done = subprocess.run([sys.executable, "-c", MEASURE, PROGRAM, "figures", run], capture_output=True, timeout=300, check=True)
    result = json.loads(done.stdout)
    assert result["code"] == 0 and result["errors"] == ""
    return run, result


def test_progress_takes_little_memory(drawn):
    """The 70 sheets are 900 MB; the program itself, with LibTorch, is a good 200 MB."""
    _, result = drawn
    assert "videos/progress.gif" in result["output"] and "videos/progress.html" in result["output"]
    assert result["peak"] < 450e6


def test_the_video_is_short_and_small(drawn):
    run, _ = drawn
    gif = Image.open(run / "videos" / "progress.gif")
    assert gif.n_frames == 48 and gif.size == (1042, 1042)
    levels = []
    for frame in (0, 24, 47):
        gif.seek(frame)
        levels.append(numpy.asarray(gif.convert("RGB")).mean())
    assert levels == pytest.approx([127 / 70, 127 / 2, 127], rel=0.15, abs=3), "the first and the last epoch are there"
    assert (run / "videos" / "progress.gif").stat().st_size < 60e6


@pytest.fixture
def player(browser, drawn):  # noqa: F811
    visit = Visit(browser, (drawn[0] / "videos").as_uri())
    yield visit.open("/progress.html")
    visit.close()  # fails on errors, and on anything that was fetched


def test_the_page_plays_and_is_stepped_through(player):
    epoch, play = player.locator("#epoch"), player.locator("#play")
    expect(player.locator("h1")).to_have_text("streets <1>")
    expect(play).to_have_text("Pause")
    until(player, lambda: epoch.text_content() != "epoch 1 of 70")  # it moves by itself
    play.click()
    expect(play).to_have_text("Play")
    player.locator("#first").click()
    expect(epoch).to_have_text("epoch 1 of 70")
    player.locator("#forward").click()
    expect(epoch).to_have_text("epoch 2 of 70")
    player.keyboard.press("ArrowRight")
    player.keyboard.press("ArrowRight")
    player.keyboard.press("ArrowLeft")
    assert re.fullmatch(r"epoch [34] of 70", epoch.text_content())
    player.locator("#last").click()
    expect(epoch).to_have_text("epoch 70 of 70")
    player.locator("#forward").click()
    expect(epoch).to_have_text("epoch 70 of 70")
    player.locator("#slider").fill("0")
    expect(epoch).to_have_text("epoch 1 of 70")
    assert player.locator("#slider").get_attribute("max") == "47"
    shown = player.evaluate("""async () => {
        const picture = document.getElementById("picture");
        await picture.decode();
        return [picture.naturalWidth, picture.naturalHeight, picture.src.slice(0, 23), picture.alt];
    }""")
    assert shown == [1042, 1042, "data:image/jpeg;base64,", "64 pictures after epoch 1"]


def test_the_page_stops_at_the_end_when_asked(player):
    player.locator("#repeat").uncheck()
    player.locator("#speed").select_option("0.25")
    player.locator("#slider").fill("44")
    player.locator("#play").click()
    expect(player.locator("#play")).to_have_text("Play", timeout=30_000)
    expect(player.locator("#epoch")).to_have_text("epoch 70 of 70")
    player.keyboard.press("Space")  # the button has the focus: it is pressed once, not twice
    expect(player.locator("#play")).to_have_text("Pause")


def test_the_page_is_accessible_and_fits_a_telephone(browser, drawn):  # noqa: F811
    visit = Visit(browser, (drawn[0] / "videos").as_uri(), width=360, height=740, reduced_motion="reduce")
    page = visit.open("/progress.html")
    expect(page.locator("#play")).to_have_text("Play")  # nothing moves unasked
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert serious_violations(page) == []
    visit.close()


def test_one_picture_makes_a_video(tmp_path):
    noise = tmp_path / "run" / "figures" / "fixed_noise"
    noise.mkdir(parents=True)
    publish_checkpoint(tmp_path / "run", 1)
    Image.new("RGB", (130, 66), (200, 30, 30)).save(noise / "epoch_00001.png")
    ok("figures", tmp_path / "run")
    assert Image.open(tmp_path / "run" / "videos" / "progress.gif").size == (130, 66)
    assert (tmp_path / "run" / "videos" / "progress.html").stat().st_size > 0


def height_of(run):
    return Image.open(run / "figures" / "machine.png").size[1]


def test_every_run_draws_what_the_machine_did(pack, tmp_path):  # noqa: F811
    run = tmp_path / "run"
    ok(*small(pack, tmp_path, "run", "--n-epoch", 2))
    assert Image.open(run / "figures" / "machine.png").size[0] == 1000
    before = height_of(run)
    (run / "figures" / "machine.png").unlink()
    assert "figures/machine.png" in ok("figures", run)
    assert height_of(run) == before
    # With accelerators in the record there is one panel more; without a disk one less.
    lines = stats(run)
    for line in lines:
        line.pop("disk_busy_share", None)
    disk_panel = before - rewrite(run, lines)
    assert disk_panel in (0, 185), "0 where the disk is not known"
    for line in lines:
        line["accelerators"] = [{"name": "Fake 3000", "use_share": 0.5, "memory_bytes": 1, "memory_total": 2}]
    assert rewrite(run, lines) == before - disk_panel + 207


def rewrite(run, lines):
    """The height of the figure with other statistics."""
    (run / "stats.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    ok("figures", run)
    return height_of(run)


def test_a_stopped_run_draws_what_the_machine_did(pack, tmp_path):  # noqa: F811
    process = subprocess.Popen([PROGRAM, *map(str, small(pack, tmp_path, "run", "--n-epoch", 100000))], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    next(line for line in process.stdout if "[2/100000]" in line)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=120)
    assert process.returncode == 128 + signal.SIGTERM
    assert Image.open(tmp_path / "run" / "figures" / "machine.png").size[0] == 1000


@pytest.mark.parametrize("lines", [0, 1, 100_000])
def test_any_number_of_log_points_is_drawn(three_epochs, tmp_path, lines):
    run = tmp_path / "run"
    shutil.copytree(three_epochs, run)
    point = {"images": 8, "epoch": 1, "step": 1, "time": 1.8e9, "images_per_second": 100, "cpu_share": 0.5, "machine_cpu_share": 0.6,
             "disk_busy_share": 0.3, "disk_read_bytes_per_second": 1e6, "seconds": {"waiting": 0.5, "device": 0.5, "reading": 0.1}}
    # An hour between two of them, as after a resume: the figure is over the time of training.
    (run / "stats.jsonl").write_text("".join(json.dumps(point | {"images": 8 * i, "time": 1.8e9 + 3600 * i}) + "\n" for i in range(lines)))
    assert "figures/machine.png" in ok("figures", run)
    assert Image.open(run / "figures" / "machine.png").size[0] == 1000
