"""infra/architecture.svg is what infra/draw.py makes of the Terraform modules, and leaves nothing out."""
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as tree

import pytest
from conftest import TOP

INFRA = TOP / "infra"


@pytest.fixture
def infra(tmp_path):
    """A copy of what the picture is drawn from."""
    for name in ("draw.py", "svg.py", "configuration.py"):
        shutil.copy(INFRA / name, tmp_path)
    shutil.copytree(INFRA / "terraform", tmp_path / "terraform", ignore=shutil.ignore_patterns(".terraform"))
    return tmp_path


def draw(infra):
    return subprocess.run([sys.executable, infra / "draw.py"], capture_output=True, text=True)


def words(svg):
    return [element.text for element in tree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def test_the_picture_is_up_to_date(infra):
    assert draw(infra).returncode == 0
    assert (infra / "architecture.svg").read_text() == (INFRA / "architecture.svg").read_text(), "run python3 infra/draw.py"


def test_the_picture_follows_the_modules(infra):
    for file, before, after in (("modules/train-prod/variables.tf", "8000", "9000"), ("modules/mlcore/security.tf", "6006", "6007")):
        path = infra / "terraform" / file
        path.write_text(path.read_text().replace(before, after))
    (infra / "terraform/modules/stats-monitor/main.tf").write_text(
        (infra / "terraform/modules/stats-monitor/main.tf").read_text().replace("6006", "6007"))
    assert draw(infra).returncode == 0
    found = words((infra / "architecture.svg").read_text())
    assert "gp3: 9,000 IOPS," in found and "3000, 6007, 9090" in found


def test_a_resource_that_is_not_in_the_picture_is_named(infra):
    (infra / "terraform/modules/api/more.tf").write_text('resource "aws_wafv2_web_acl" "shield" {\n  name = "x"\n}\n')
    done = draw(infra)
    assert done.returncode == 1
    assert "not in the picture: api: aws_wafv2_web_acl.shield" in done.stderr


def test_the_page_shows_it():
    page = (INFRA / "README.md").read_text()
    assert "](architecture.svg)" in page
    for target in re.findall(r"\]\(([^)#:]+)\)", page):
        assert (INFRA / target).exists(), target
