"""`nowhere plan`: hours and dollars on rented machines, beside the model of scaling in Python."""
import json
import re

import judged_runs  # noqa: F401  lets tests import from bench
import pytest
from conftest import ok, refused, report
from test_train import pack  # noqa: F401

import scaling
import scaling_table
from scaling import PRESETS, Cluster

RUN = ["plan", "--images", 940000, "--epochs", 16]


def rows(*arguments):
    return {row["instance"]: row for row in report(*arguments)["rows"]}


def test_the_plan_of_the_references_run():
    plan = report(*RUN, "--preset", "clamp-64")
    assert plan["date"] == "2022-01" and plan["work"]["generator_parameters"] == 52_448_768
    found = {row["instance"]: row for row in plan["rows"]}
    assert len(found) == 17
    small = found["p3.2xlarge"]
    assert (small["images_per_hour"], small["origin"], small["limit"]) == (1_225_000, "published", "loader")
    assert small["hours"] == pytest.approx(16 * 939_776 / 1_225_000) and small["dollars"] == pytest.approx(3.06 * small["hours"])
    assert small["spot_dollars"] == pytest.approx(0.92 * small["hours"])
    gaudi = found["dl1.24xlarge"]
    assert gaudi["origin"] == "estimated" and gaudi["limit"] == "device" and "V100" in gaudi["how"]
    assert found["g4dn.metal"]["spot_origin"] == "estimated" and small["spot_origin"] == "published"


def test_the_table_says_what_is_published_and_what_is_estimated():
    text = ok(*RUN, "--preset", "Clamp-Params-64")
    assert "clamp-64: G 52,448,768 and D 2,765,568 parameters" in text and "figures of 2022-01" in text
    lines = {line.split()[0]: line for line in text.splitlines() if "xlarge" in line or "metal" in line}
    assert "1,225,000  published" in lines["p3.2xlarge"] and "~" not in lines["p3.2xlarge"]
    assert "estimated" in lines["dl1.24xlarge"] and lines["dl1.24xlarge"].count("~") == 4
    assert max(map(len, text.splitlines())) <= 120


@pytest.mark.parametrize("name", PRESETS)
def test_work_rates_and_scaling_are_those_of_the_model_in_python(name):
    preset = PRESETS[name]
    plan = report(*RUN, "--preset", name, "--instance", "p3.2xlarge,p3.16xlarge,dl1.24xlarge", "--disk", "nvme")
    assert plan["work"]["multiplications"] == preset.work() and plan["work"]["gradient_bytes"] == preset.gradient_bytes()
    assert (plan["work"]["batch"], plan["work"]["size"]) == (preset.batch, preset.size)
    one, many, gaudi = plan["rows"]
    rate, _ = scaling_table.device_rate(preset)
    assert one["device_images_per_hour"] == pytest.approx(rate)
    for row, link in ((many, scaling_table.NVLINK), (gaudi, scaling_table.ROCE)):
        compute = preset.batch * 3600 / row["device_images_per_hour"]
        assert row["efficiency"] == pytest.approx(scaling.efficiency(preset, compute, 8, Cluster(8, link, link)))
    assert many["images_per_hour"] == pytest.approx(8 * rate * many["efficiency"])


def test_a_dry_run_counts_alike(pack, tmp_path):  # noqa: F811
    text = ok("train", "--preset", "naive-64", "--batch-size", 8, "--n-epoch", 32, "--dry-run", "--dataroot", pack, "--root", tmp_path)
    work = report("plan", "--preset", "naive-64", "--batch-size", 8)["work"]
    lines = {line.split()[0]: line for line in text.splitlines() if line}
    assert f"G {work['generator_parameters']:,} and D {work['discriminator_parameters']:,}" in lines["networks"]
    for line, counted in ((lines["memory"], work["memory_bytes"]), (lines["checkpoint"], work["checkpoint_bytes"])):
        assert float(re.search(r"([\d.]+) MB", line)[1]) == pytest.approx(counted / 1e6, rel=0.01), "three digits are shown"


def test_the_references_comparison_is_filled_up():
    found = report("plan", "--compare")["rows"]
    assert len(found) == 3 * 4
    published = {(row["model"], row["instance"]): row for row in found if row["origin"] == "published"}
    assert len(published) == 6
    row = published["clamp-64", "p3.8xlarge"]
    assert row["images_per_dollar"] == pytest.approx(6_605_504 / 12.24) and row["images_per_spot_dollar"] == pytest.approx(6_605_504 / 3.67)
    assert all(row["images_per_hour"] > 0 for row in found)
    text = ok("plan", "--compare")
    assert len([line for line in text.splitlines() if "dl1.24xlarge" in line and "~" in line]) == 3


def test_what_is_estimated_can_be_measured(tmp_path):
    row = rows(*RUN, "--measured", "dl1.24xlarge=2000,p3.2xlarge=400")["dl1.24xlarge"]
    assert (row["origin"], row["images_per_hour"]) == ("measured", 7_200_000)
    plan = report("plan", "--preset", "naive-64", "--instance", "p2.xlarge", "--measure", "--price", 0.5)
    own = plan["rows"][-1]
    assert own["instance"] == "this machine" and own["origin"] == "measured" and own["images_per_hour"] > 0
    assert own["dollars"] == pytest.approx(0.5 * own["hours"]) and own["spot_dollars"] is None


def test_a_slow_disk_and_photographs_that_are_not_packed():
    row = rows(*RUN, "--disk", "efs", "--instance", "p3.8xlarge")["p3.8xlarge"]
    assert row["limit"] == "disk" and row["origin"] == "estimated" and row["images_per_hour"] == pytest.approx(3600 * 8e6 / 57600)
    row = rows(*RUN, "--data", "jpeg", "--preset", "naive-64", "--instance", "p2.xlarge")["p2.xlarge"]
    assert row["loader_images_per_hour"] == pytest.approx(3600 * 4 * 1170)


def test_newer_prices(tmp_path):
    prices = tmp_path / "prices.json"
    prices.write_text(json.dumps({"date": "2026-11", "instances": [{"type": "p3.2xlarge", "dollars": 1, "spot": 0.5}]}))
    plan = report(*RUN, "--prices", prices, "--instance", "p3.2xlarge")
    assert plan["date"] == "2026-11" and plan["rows"][0]["dollars"] == pytest.approx(plan["rows"][0]["hours"])


@pytest.mark.parametrize("code, arguments, words", [
    (2, ["--instance", "p3.2xlrage"], ["no instance type 'p3.2xlrage'", "did you mean p3.2xlarge?"]),
    (2, ["--images", 0], ["--images 0", "from 1 to"]), (2, ["--images", "many"], ["--images many"]),
    (2, ["--epochs", -1], ["--epochs -1"]), (2, ["--images", 100], ["cannot fill a batch of 256", "--batch-size"]),
    (2, ["--preset", "clmp-64"], ["no preset 'clmp-64'", "did you mean clamp-64?"]),
    (2, ["--disk", "gp4"], ["no disk 'gp4'", "did you mean gp3?"]), (2, ["--data", "tape"], ["no kind of data 'tape'", "packed, jpeg"]),
    (2, ["--measured", "p3.2xlarge"], ["--measured p3.2xlarge", "TYPE=X"]), (2, ["--measured", "p3.2xlarge=nan"], ["TYPE=X"]),
    (2, ["--measured", "p9=4"], ["no instance type 'p9'"]), (2, ["--price", "-1"], ["--price -1"]),
    (3, ["--prices", "gone.json"], ["gone.json"]), (3, ["--prices", "broken.json"], ["broken.json", "broken JSON"]),
    (3, ["--prices", "negative.json"], ["negative.json: instances: p3.2xlarge: dollars -3"]),
    (3, ["--prices", "unknown.json"], ["unknown.json: ", "no preset 'gan-9000'"])])
def test_bad_input(code, arguments, words, tmp_path):
    (tmp_path / "broken.json").write_text('{"date": "2026-11", "instances": [')
    (tmp_path / "negative.json").write_text('{"instances": [{"type": "p3.2xlarge", "dollars": -3}]}')
    (tmp_path / "unknown.json").write_text('{"published": [{"model": "gan-9000", "instance": "p2.xlarge", "images_per_hour": 9}]}')
    line = refused(code, "plan", *arguments, cwd=tmp_path)
    for word in words:
        assert word in line
