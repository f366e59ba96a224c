"""infra/README.md says what the Terraform files say, and its sums are right."""
import re

import pytest
from conftest import TOP

from configuration import modules

PAGE = (TOP / "infra" / "README.md").read_text()
MODULES = modules()


def test_commands_name_outputs_and_variables_that_exist():
    outputs = set(re.findall(r"terraform output -raw (\w+)", PAGE))
    assert len(outputs) >= 5 and outputs <= set(MODULES["example"].named("output"))
    assert set(re.findall(r"-var (\w+)=", PAGE)) <= set(MODULES["example"].named("variable"))


def test_every_module_stands_in_the_table_with_its_outputs():
    for name, module in MODULES.items():
        if name != "example":
            row = re.search(rf"^\| \[{name}\]\(terraform/modules/{name}\) .*$", PAGE, re.M)[0]
            listed = set(re.findall(r"`(\w+)`", row.split("|")[3]))
            assert listed <= set(module.named("output"))
            assert name == "mlcore" or listed | {"load_balancer_name"} >= set(module.named("output"))


@pytest.mark.parametrize("family", ["dl1", "p3"])
def test_regions_are_those_that_are_checked(family):
    row = re.search(rf"^\| {family.upper()} \| (.*) \|$", PAGE, re.M)[1]
    assert sorted(row.split(", ")) == sorted(MODULES["train-prod"].locals()["offered"][family])


def test_a_month_costs_730_hours():
    rows = re.findall(r"^\| [\w-]* ?\|[^|]*\| ([\d.]+)\*?[^|]*\| ([\d,]+) \|$", PAGE, re.M)
    assert len(rows) >= 12
    for hour, month in rows:
        exact = 730 * float(hour)
        assert abs(float(month.replace(",", "")) - exact) <= max(1.0, 0.0005 * 730 + 0.005 * exact), (hour, month)


def test_the_versions_for_habana_are_those_of_its_image():
    recipe = TOP / "infra" / "docker" / "Dockerfile.habana"
    if not recipe.exists():
        pytest.skip("no image for Habana in this checkout")
    given = dict(re.findall(r"^ARG (\w+)=(\S+)", recipe.read_text(), re.M))
    assert f"gaudi-docker/{given['GAUDI']}/ubuntu{given['UBUNTU']}/habanalabs/pytorch-installer-{given['TORCH']}:" in PAGE
