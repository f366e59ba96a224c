"""`nowhere evaluate`: scores against independent ones in Python, the report, bad input."""
import json
import shutil

import numpy
import pytest
import torch
from conftest import nowhere, ok, refused
from generators import save_checkpoint
from PIL import Image
from scipy.special import logsumexp

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
    # One sequence: none can be held out, and every tenth photograph stands in.
    rows = [f"{number},{1000 + number},drive,{number}" for number in range(PHOTOGRAPHS)]
    (images.parent / "seq_info.csv").write_text("\n".join([",key,sequence_key,frame_number", *rows]) + "\n")
    return run, data


def parts_of(data):
    files = sorted(data.rglob("*.png"))
    return {"train": [file for i, file in enumerate(files) if i % 10 < 8], "validation": files[8::10], "test": files[9::10]}


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
    samples = 150
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


def test_a_run_that_saw_everything_is_told_of(world, tmp_path):
    """The run's own configuration says how photographs are cut, and that nothing was held out from it."""
    run, _ = world
    copy, data = tmp_path / "run", tmp_path / "data"
    shutil.copytree(run, copy)
    ok("sample", run, "--seeds", "1000-1299", "--each", data)
    settings = {"crop": "centre", "flip": False, "split": "all", "dataroot": str(data)}
    (copy / "config.json").write_text(json.dumps(settings))
    told = json.loads(ok("evaluate", copy, "--dataroot", data, "--samples", 100, "--json"))
    assert "trained on all sequences" in told["data"]["split"] and not told["data"]["held_out"]
    assert told["parzen"] == scores_of(run, data, "--samples", 100, "-o", tmp_path / "report")["parzen"]
    (copy / "config.json").write_text(json.dumps({**settings, "split": "train"}))
    told = json.loads(ok("evaluate", copy, "--dataroot", data, "--samples", 100, "--json"))
    assert "trained on" not in told["data"]["split"] and told["data"]["held_out"]


def test_collapse_is_found(world, tmp_path):
    run, data = world
    save_checkpoint(tmp_path / "one.pt", size=SIZE)
    state = torch.load(tmp_path / "one.pt", weights_only=True)
    state["G_state_dict"]["main.0.weight"] *= 1e-3  # the latent vector hardly matters: one picture for all
    torch.save(state, tmp_path / "one.pt")
    scores = scores_of(tmp_path / "one.pt", data, "--samples", 400)["collapse"]
    assert scores["diversity_ratio"] < 0.1
    assert scores["birthday"]["batches_with_duplicate"] == scores["birthday"]["batches"]
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
    means = ((generated.mean(0) - train.mean(0)) ** 2).sum()
    a, b = torch.cov(generated.T), torch.cov(train.T)
    roots = torch.linalg.eigvals(a @ b).real.clamp(min=0).sqrt().sum()
    assert found["frechet"]["value"] == pytest.approx((means + a.trace() + b.trace() - 2 * roots).item(), rel=1e-4)
    kept = {file: file.stat().st_mtime_ns for file in (tmp_path / "report" / "cache").iterdir()}
    assert kept
    assert scores_of(first, data, *arguments)["features"] == found
    assert {file: file.stat().st_mtime_ns for file in (tmp_path / "report" / "cache").iterdir()} == kept
    text = ok("evaluate", first, "--dataroot", data, *CUT, *arguments)
    assert "FD (small.ts)" in text and "KD (small.ts)" in text and "FID" not in text


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
    drawn = ok("figures", copy)
    assert "log_likelihood.png" in drawn and (copy / "figures" / "log_likelihood.png").stat().st_size > 0


def test_real_photographs(real, tmp_path):
    """All sequences of this small set are on one side of the split: single photographs stand in, and the report says so."""
    save_checkpoint(tmp_path / "a.pt", size=SIZE)
    scores = json.loads(ok("evaluate", tmp_path / "a.pt", "--dataroot", real, "--samples", 200, "--json"))
    assert "every tenth" in scores["data"]["split"] and not scores["data"]["held_out"]
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
    assert "there are 24 photographs" in refused(3, "evaluate", run, "--dataroot", data, "--held-out", 100, *out)
    for name, words in (("flat", "one row of numbers"), ("narrow", "does not take pictures")):
        network = feature_network(tmp_path / f"{name}.ts", name)
        done = nowhere("evaluate", run, "--dataroot", data, "--samples", 100, "--features", network, *out)
        assert done.returncode == 3 and words in done.stderr.strip().splitlines()[-1]
    (tmp_path / "text.ts").write_text("not a network")
    assert "TorchScript" in refused(3, "evaluate", run, "--dataroot", data, "--features", tmp_path / "text.ts", *out)
    assert not (tmp_path / "report" / "index.html").exists()
