"""`nowhere bench`: what it measures and what it refuses. How fast anything is does not matter here."""
import pytest
from conftest import nowhere, ok, report
from PIL import Image
from test_train import pack  # noqa: F401

SHORT = ["--seconds", 0.1, "--threads", 1]


def test_bench_all_measures_loading_training_and_serving(pack):  # noqa: F811
    figures = report("bench", "all", *SHORT, "--batch", 2, "--clients", 2, "--instance", "p3.2xlarge")
    assert set(figures) == {"cores", "loader", "step", "serve"}
    for part in ("loader", "step", "serve"):
        assert figures[part]["images_per_hour"] == pytest.approx(3600 * figures[part]["images_per_second"]) and figures[part]["images_per_hour"] > 0
        assert figures[part]["dollars_per_million"] == pytest.approx(3.06e6 / figures[part]["images_per_hour"])
        assert figures[part]["spot_dollars_per_million"] == pytest.approx(0.92e6 / figures[part]["images_per_hour"])
    text = ok("bench", "all", pack, *SHORT, "--size", 16, "--batch", 2, "--clients", 1)
    assert [line.split()[0] for line in text.splitlines()[1:]] == ["loader", "step", "serve"] and "$" not in text


def test_bench_serve_takes_a_run(three_epochs):
    figures = report("bench", "serve", three_epochs, *SHORT, "--clients", 3, "--price", 2)
    assert figures["clients"] == 3 and figures["median_ms"] <= figures["slowest_percent_ms"] and figures["requests_per_second"] > 0
    assert figures["images_per_second"] == pytest.approx(16 * figures["requests_per_second"])
    assert "spot_dollars_per_million" not in figures
    assert "clients asking; $" in ok("bench", "serve", three_epochs, *SHORT, "--clients", 3, "--price", 2)


def test_bench_step_compares_batch_sizes(tmp_path):
    figures = report("bench", "step", *SHORT, "--batch", "8,2,4,2", "--plot", tmp_path / "batches.png")
    assert [row["batch"] for row in figures["batches"]] == [2, 4, 8]
    assert all(row["images_per_second"] > 0 and row["peak_bytes"] > row["bytes_at_start"] for row in figures["batches"])
    with Image.open(tmp_path / "batches.png") as plot:
        assert plot.size == (1000, 720)
    lines = ok("bench", "step", *SHORT, "--batch", "2,4", "--price", 1).splitlines()
    assert lines[1].split()[:2] == ["batch", "images/s"] and "1.00x" in lines[2] and "$ a million" in lines[1]


def test_bench_kernels_compares_layers_and_pictures():
    figures = report("bench", "kernels", "--preset", "streets-64", "--batch", 1, "--threads", 1, "--precision", "float32")
    assert {row["kernel"] for row in figures["rows"]} == {"Winograd", "windows"}
    assert {row["pass"] for row in figures["rows"]} == {"forward", "gradient to the maps", "gradient to the weights"}
    assert all(row["seconds"] > 0 and row["torch_seconds"] > 0 for row in figures["rows"])
    assert figures["pictures"] == 16 and figures["pictures_seconds"] > 0 and figures["pictures_torch_seconds"] > 0


@pytest.mark.parametrize("arguments, words", [
    (["step", "--batch", "16,x"], ["--batch 16,x", "from 1 to 65536"]), (["step", "--batch", "0"], ["--batch 0"]),
    (["step", "--batch", ","], ["--batch ,"]), (["all", "--batch", "16,32"], ["bench all takes one --batch"]),
    (["step", "--plot", "x.png"], ["several batch sizes"]), (["step", "--batch", "2,4", "--plot", "x.svg"], ["ends in .png"]),
    (["kernels", "--precision", "fp16"], ["--precision fp16", "bf16 or float32"]), (["serve", "gone"], ["gone does not exist"]), (["step", "DATA"], ["takes no DATA"]),
    (["step", "--preset", "streets-64", "--batch", "8,10"], ["d-group 4 does not divide the batch size 10"]),
    (["serve", "--instance", "p3.2xlrage"], ["did you mean p3.2xlarge?"]), (["serve", "--price", 0], ["--price 0"]),
    (["serve", "--price", 1, "--instance", "p3.2xlarge"], ["exclude each other"])])
def test_benchmarks_that_are_refused(arguments, words, tmp_path):
    done = nowhere("bench", *arguments, cwd=tmp_path)
    assert done.returncode in (2, 3) and len(done.stderr.splitlines()) == 1, done.stderr
    for word in words:
        assert word in done.stderr
    assert not list(tmp_path.iterdir())
