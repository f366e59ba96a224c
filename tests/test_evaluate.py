"""`nowhere evaluate`: scores against independent ones in Python, the report, bad input."""
import json
import shutil

import numpy
import pytest
import torch
from conftest import nowhere, ok, refused, report
from efficientnet import EfficientNetLite, weights_file
from generators import save_checkpoint
from PIL import Image
from scipy.special import logsumexp
from sequences import write_sequences

SIZE, PHOTOGRAPHS = 32, 240
CUT = ["--crop", "centre", "--flip", "no"]  # photographs of the pictures' size come through as they are


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """A run with two epochs, and photographs that evaluation sees pixel for pixel."""
    folder = tmp_path_factory.mktemp("world")
    run, data = folder / "run", folder / "photographs"
    images = data / "city" / "database" / "images"
    run.mkdir()
    images.mkdir(parents=True)
    for epoch in (1, 2):
        save_checkpoint(run / f"slim_checkpoint_{epoch}.pt", size=SIZE, epoch=epoch, seed=epoch)
    # The photographs are the second epoch's too, of other seeds: it does as well as can be, without a copy.
    ok("sample", run, "--seeds", f"1000-{999 + PHOTOGRAPHS}", "--each", images)
    write_sequences(images, [1000 + number for number in range(PHOTOGRAPHS)], 4)
    return run, data


def parts_of(data):
    """The files of each side of the split."""
    files = {int(file.stem) - 1000: file for file in data.rglob("*.png")}
    parts = {}
    for side in ("train", "validation", "test"):
        drives = {int(name.split("drive")[1]) for name in report("scan", data, "--split", side)["sequences"]}
        parts[side] = [file for number, file in sorted(files.items()) if number // 4 in drives]
    return parts


def pictures(files):
    return numpy.stack([numpy.asarray(Image.open(file).convert("RGB")) for file in files]).astype(float).reshape(len(files), -1) / 255


def log_likelihood(points, centres, sigma):
    squares = ((points[:, None, :] - centres[None]) ** 2).sum(axis=2)
    dimensions = points.shape[1]
    return logsumexp(-squares / (2 * sigma**2), axis=1) - numpy.log(len(centres)) - dimensions * numpy.log(sigma * numpy.sqrt(2 * numpy.pi))


def scores_of(run, data, *more):
    return json.loads(ok("evaluate", run, "--dataroot", data, *CUT, "--json", *more))


def test_the_parzen_window_is_numpys(world, tmp_path):
    run, data = world
    samples = len(parts_of(data)["train"])
    scores = scores_of(run, data, "--samples", samples, "-o", tmp_path / "report", "--epochs", "all")
    parts = parts_of(data)
    assert len(parts["test"]) == scores["data"]["test"]
    ok("sample", run, "--seeds", f"0-{samples - 1}", "--each", tmp_path / "samples")
    centres = pictures([tmp_path / "samples" / f"{seed}.png" for seed in range(samples)])
    grid = numpy.logspace(-1, 0, 10)
    means = [log_likelihood(pictures(parts["validation"]), centres, sigma).mean() for sigma in grid]
    sigma = grid[int(numpy.argmax(means))]
    test = log_likelihood(pictures(parts["test"]), centres, sigma)
    parzen = scores["parzen"]
    assert parzen["sigma"] == pytest.approx(sigma, rel=1e-9)
    assert parzen["test"]["mean"] == pytest.approx(test.mean(), rel=1e-6)
    assert parzen["test"]["standard_error"] == pytest.approx(test.std() / numpy.sqrt(len(test)), rel=1e-6)
    assert parzen["sigma_on_edge"] == (sigma in (grid[0], grid[-1]))
    # As many photographs as samples, each once.
    real = parzen["real_photographs"]
    assert real["photographs"] == samples
    theirs = log_likelihood(pictures(parts["test"]), pictures(parts["train"]), real["sigma"])
    assert real["mean"] == pytest.approx(theirs.mean(), rel=1e-6)
    # The reference's tensors range from -1 to 1.
    wide = log_likelihood(2 * pictures(parts["test"]) - 1, 2 * centres - 1, 2 * sigma)
    assert parzen["signed_pixels"]["sigma"] == pytest.approx(2 * sigma)
    assert parzen["signed_pixels"]["test"]["mean"] == pytest.approx(wide.mean(), rel=1e-6)
    assert parzen["signed_pixels"]["test"]["standard_error"] == pytest.approx(wide.std() / numpy.sqrt(len(wide)), rel=1e-6)
    epochs = {point["epoch"]: point["mean"] for point in parzen["epochs"]["points"]}
    assert set(epochs) == {1, 2} and epochs[2] == pytest.approx(test.mean(), rel=1e-6) and epochs[1] != epochs[2]


def test_memory_and_threads_change_nothing(world, tmp_path):
    run, data = world
    one = scores_of(run, data, "--samples", 600, "-o", tmp_path / "a", "--memory", 64, "--threads", 1)
    other = scores_of(run, data, "--samples", 600, "-o", tmp_path / "b", "--memory", 1024, "--threads", 2)
    for part in ("parzen", "sliced_wasserstein", "collapse"):
        assert json.dumps(rounded(one[part])) == json.dumps(rounded(other[part]))


def rounded(value):
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [rounded(item) for item in value]
    return float(f"{value:.5g}") if isinstance(value, float) else value


def test_copies_are_found(world, tmp_path):
    """Judged by its own pictures of the same seeds, a generator copies; by those of other seeds, it does not."""
    run, data = world
    fresh = scores_of(run, data, "--samples", 200, "-o", tmp_path / "a")
    assert fresh["memorisation"][0]["nearer_than_any"] < 0.2
    ok("sample", run, "--seeds", "0-199", "--each", tmp_path / "copies")
    copied = scores_of(run, tmp_path / "copies", "--samples", 200, "-o", tmp_path / "b")
    assert copied["memorisation"][0]["nearer_than_any"] > 0.5
    assert copied["memorisation"][0]["sample_median"] < 0.01
    assert (tmp_path / "b" / "nearest_pixels.png").stat().st_size > 0


def test_a_run_says_how_photographs_are_cut(world, tmp_path):
    run, data = world
    copy = tmp_path / "run"
    shutil.copytree(run, copy)
    (copy / "config.json").write_text(json.dumps({"crop": "centre", "flip": False}))
    told = report("evaluate", copy, "--dataroot", data, "--samples", 100)
    assert told["parzen"] == scores_of(run, data, "--samples", 100, "-o", tmp_path / "report")["parzen"]


def test_a_folder_and_its_pack_score_alike(world, tmp_path):
    """Packed as they are, the photographs are the same to the last bit, but stand in another order."""
    run, data = world
    ok("pack", data, "-o", tmp_path / "data.nwp", "--height", SIZE)
    options = ("--samples", 300, "--held-out", 10, "--seed", 5, "--json")
    one, other = (json.loads(ok("evaluate", run, "--dataroot", source, "-o", tmp_path / source.stem, *options))
                  for source in (data, tmp_path / "data.nwp"))  # cut at random: the crops are the same ones too
    assert one["sliced_wasserstein"]["floor_between"] == "sequences"
    for part in ("sliced_wasserstein", "parzen", "memorisation", "collapse"):
        assert one[part] == other[part], part


def test_collapse_is_found(world, tmp_path):
    run, data = world
    save_checkpoint(tmp_path / "one.pt", size=SIZE)
    state = torch.load(tmp_path / "one.pt", weights_only=True)
    state["G_state_dict"]["main.0.weight"] *= 1e-3  # the latent vector hardly matters: one picture for all
    torch.save(state, tmp_path / "one.pt")
    scores = scores_of(tmp_path / "one.pt", data, "--samples", 400)["collapse"]
    assert scores["diversity_ratio"] < 0.1
    assert scores["birthday"]["batches_with_duplicate"] == scores["birthday"]["batches"]
    # So it is beside photographs that are there twice.
    twice = tmp_path / "twice"
    shutil.copytree(data, twice / "a")
    shutil.copytree(data, twice / "b")
    again = scores_of(tmp_path / "one.pt", twice, "--samples", 400)["collapse"]
    assert again["birthday"]["batches_with_duplicate"] == again["birthday"]["batches"]
    assert (tmp_path / "report" / "index.html").exists()


def feature_network(path, kind):
    class Features(torch.nn.Module):
        def __init__(self):
            super().__init__()
            torch.manual_seed(0)
            self.weight = torch.nn.Parameter(torch.randn(3 * 16, 24))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            x = torch.nn.functional.adaptive_avg_pool2d(x.float(), [4, 4])
            return x.flatten(1) @ self.weight

    class Flat(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x.mean()

    class Narrow(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.nn.functional.conv2d(x, torch.zeros(1, 5, 3, 3))

    torch.jit.script({"features": Features, "flat": Flat, "narrow": Narrow}[kind]()).save(str(path))
    return path


def frechet(one, other):
    """The distance between the Gaussians of two sets of rows."""
    a, b = torch.cov(one.T), torch.cov(other.T)
    roots = torch.linalg.eigvals(a @ b).real.clamp(min=0).sqrt().sum()
    return (((one.mean(0) - other.mean(0)) ** 2).sum() + a.trace() + b.trace() - 2 * roots).item()


def test_scores_on_features_and_their_cache(world, tmp_path):
    run, data = world
    network = feature_network(tmp_path / "small.ts", "features")
    arguments = ("--samples", 300, "--features", network, "-o", tmp_path / "report")
    first = run / "slim_checkpoint_1.pt"
    scores = scores_of(first, data, *arguments)
    found = scores["features"]
    assert found["network"] == "small.ts" and not found["inception"]
    assert found["frechet"]["value"] > found["frechet"]["floor"] >= 0
    assert {space["space"] for space in scores["memorisation"]} == {"pixels at 16 px", "features"}
    ok("sample", first, "--seeds", "0-299", "--each", tmp_path / "samples")
    model = torch.jit.load(network)

    def features(files):
        with torch.no_grad():
            return model(torch.tensor(pictures(files), dtype=torch.float).view(-1, SIZE, SIZE, 3).permute(0, 3, 1, 2)).double()

    generated = features([tmp_path / "samples" / f"{seed}.png" for seed in range(300)])
    train = features(parts_of(data)["train"])
    assert found["frechet"]["value"] == pytest.approx(frechet(generated, train), rel=1e-4)
    kept = {file: file.stat().st_mtime_ns for file in (tmp_path / "report" / "cache").iterdir()}
    assert kept
    assert scores_of(first, data, *arguments)["features"] == found
    assert {file: file.stat().st_mtime_ns for file in (tmp_path / "report" / "cache").iterdir()} == kept
    text = ok("evaluate", first, "--dataroot", data, *CUT, *arguments)
    assert "FD (small.ts)" in text and "KD (small.ts)" in text and "FID" not in text


def test_the_default_network_sees_what_pytorch_sees(world, tmp_path):
    run, data = world
    first = run / "slim_checkpoint_1.pt"
    found = scores_of(first, data, "--samples", 300, "-o", tmp_path / "report")["features"]
    assert found["network"] == "efficientnet-lite0" and not found["inception"] and not found["trained_it"]
    assert found["frechet"]["name"] == "FD (efficientnet-lite0)"
    assert set(found["samples"]) == {"precision", "recall", "density", "coverage"}
    ok("sample", first, "--seeds", "0-299", "--each", tmp_path / "samples")
    network = EfficientNetLite(weights_file())

    def features(files):
        signed = torch.tensor(pictures(files), dtype=torch.float).view(-1, SIZE, SIZE, 3).permute(0, 3, 1, 2) * 2 - 1
        return network.features(signed).double()

    generated = features([tmp_path / "samples" / f"{seed}.png" for seed in range(300)])
    train = features(parts_of(data)["train"])
    assert found["frechet"]["value"] == pytest.approx(frechet(generated, train), rel=1e-3)
    assert "features" not in scores_of(first, data, "--samples", 100, "--features", "none", "-o", tmp_path / "without")


def test_the_report_stands_alone(world, tmp_path):
    run, data = world
    copy = tmp_path / "run"
    shutil.copytree(run, copy)
    text = ok("evaluate", copy, "--dataroot", data, *CUT, "--samples", 200, "--epochs", "1,2")
    assert all(len(line) <= 80 for line in text.splitlines()[:-1]), text
    page = (copy / "report" / "index.html").read_text()
    assert page.count("data:image/png;base64,") >= 3
    assert "<script" not in page and "http://" not in page.replace("http://www.w3.org", "") and "https://" not in page
    assert json.loads((copy / "report" / "scores.json").read_text())["samples"] == 200
    drawn = copy / "figures" / "log_likelihood.png"  # where the reference has it
    before = drawn.read_bytes()
    assert before == (copy / "report" / "log_likelihood.png").read_bytes()
    assert "log_likelihood.png" in ok("figures", copy) and drawn.read_bytes() == before


def test_figures_that_cannot_be_drawn_are_a_failure(world, tmp_path):
    run = tmp_path / "run"
    shutil.copytree(world[0], run)
    assert "novel_samples.png" in ok("figures", run)
    (run / "figures" / "novel_samples.png").unlink()
    (run / "figures" / "novel_samples.png").mkdir()  # nothing can be written there
    done = nowhere("figures", run)
    assert done.returncode == 1 and "novel_samples.png" in done.stderr.splitlines()[-1]


def test_weights_that_are_not_numbers_are_refused(world, tmp_path):
    _, data = world
    save_checkpoint(tmp_path / "slim_checkpoint_7.pt", size=SIZE, epoch=7)
    state = torch.load(tmp_path / "slim_checkpoint_7.pt", weights_only=True)
    state["G_state_dict"]["main.0.weight"][0, 0, 0, 0] = float("nan")
    torch.save(state, tmp_path / "slim_checkpoint_7.pt")
    for command in (["sample", tmp_path, "-o", tmp_path / "a.png"], ["morph", tmp_path, "-o", tmp_path / "a.gif"],
                    ["export", tmp_path, "-o", tmp_path / "a.onnx"], ["serve", tmp_path, "--port", 0],
                    ["evaluate", tmp_path, "--dataroot", data], ["figures", tmp_path]):
        words = refused(3, *command)
        assert "slim_checkpoint_7.pt holds weights that are not numbers (main.0.weight)" in words, command


def test_real_photographs(real, tmp_path):
    """All sequences of this small set are on one side of the split: single photographs stand in, and the report says so."""
    save_checkpoint(tmp_path / "a.pt", size=SIZE)
    scores = json.loads(ok("evaluate", tmp_path / "a.pt", "--dataroot", real, "--samples", 200, "--json"))
    assert "every tenth" in scores["data"]["split"] and scores["data"]["held_out"] == "unknown"
    assert scores["data"]["test"] == 53
    assert scores["sliced_wasserstein"]["mean"] > scores["sliced_wasserstein"]["mean_floor"]


def test_what_evaluate_refuses(world, tmp_path):
    run, data = world
    out = ("-o", tmp_path / "report")
    assert "--dataroot" in refused(2, "evaluate", run, *out)
    assert "does not exist" in refused(3, "evaluate", tmp_path / "absent", "--dataroot", data, *out)
    assert "too few" in refused(3, "evaluate", run, "--dataroot", data, "--limit", 20, *out)
    refused(3, "evaluate", run, "--dataroot", tmp_path / "absent", *out)
    assert "epoch 9" in refused(3, "evaluate", run, "--dataroot", data, "--epochs", "1,9", *out)
    assert "all, or numbers" in refused(2, "evaluate", run, "--dataroot", data, "--epochs", "last", *out)
    assert "--sigma-low" in refused(2, "evaluate", run, "--dataroot", data, "--sigma-low", 2, "--sigma-high", 1, *out)
    assert "photographs for validation" in refused(3, "evaluate", run, "--dataroot", data, "--held-out", 100, *out)
    for name, words in (("flat", "one row of numbers"), ("narrow", "does not take pictures")):
        network = feature_network(tmp_path / f"{name}.ts", name)
        done = nowhere("evaluate", run, "--dataroot", data, "--samples", 100, "--features", network, *out)
        assert done.returncode == 3 and words in done.stderr.strip().splitlines()[-1]
    (tmp_path / "text.ts").write_text("not a network")
    assert "TorchScript" in refused(3, "evaluate", run, "--dataroot", data, "--features", tmp_path / "text.ts", *out)
    assert not (tmp_path / "report" / "index.html").exists()
    # Before anything is computed: not a word of progress.
    assert "text.ts/report" in refused(1, "evaluate", run, "--dataroot", data, "-o", tmp_path / "text.ts" / "report")
    assert "/proc/self" in refused(1, "evaluate", run, "--dataroot", data, "-o", "/proc/self")
