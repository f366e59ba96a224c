"""What Terraform itself says of infra/terraform, where it is installed: formatting, reading, validation where the provider can be
fetched, and which values of variables it refuses. The last needs no provider."""
import json
import re
import shutil

import pytest
from terraform_program import CORE, GIVEN, terraform  # noqa: F401: a fixture

from configuration import TERRAFORM

NAMES = ("mlcore", "train-prod", "train-dev", "stats-monitor", "api")


def test_the_files_are_formatted(terraform):
    done = terraform("fmt", "-check", "-recursive", "-diff")
    assert done.returncode == 0, done.stdout


@pytest.fixture
def example(tmp_path):
    """A copy, since Terraform leaves a folder behind."""
    shutil.copytree(TERRAFORM, tmp_path / "terraform", ignore=shutil.ignore_patterns(".terraform"))
    return tmp_path / "terraform" / "example"


def test_terraform_reads_all_modules(terraform, example):
    done = terraform("get", "-no-color", folder=example)
    assert done.returncode == 0, done.stdout + done.stderr


def test_terraform_validates(terraform, example):
    done = terraform("init", "-backend=false", "-input=false", "-no-color", folder=example)
    if done.returncode != 0:
        assert re.search(r"provider registry|could not connect|Failed to query", done.stderr), done.stderr
        pytest.skip("the AWS provider cannot be fetched")
    done = terraform("validate", "-no-color", folder=example)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def planned(terraform, tmp_path_factory):
    """Plans a module's variables alone, which needs no provider; what Terraform said."""
    def run(name, values):
        folder = tmp_path_factory.mktemp(name)
        for file in ("variables.tf", "offers.tf"):
            if (TERRAFORM / "modules" / name / file).exists():
                shutil.copy(TERRAFORM / "modules" / name / file, folder)
        (folder / "v.auto.tfvars.json").write_text(json.dumps({**GIVEN[name], **values}))
        return terraform("plan", "-input=false", "-no-color", folder=folder)

    return run


@pytest.mark.parametrize("name", NAMES)
def test_what_is_given_and_the_defaults_are_accepted(planned, name):
    done = planned(name, {})
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name, values, message", [
    ("mlcore", {"ssh_cidr_blocks": ["0.0.0.0/0"]}, "the world (0.0.0.0/0) is"),
    ("mlcore", {"ssh_cidr_blocks": []}, "ssh_cidr_blocks: at least one"),
    ("mlcore", {"ssh_public_key": "~/.ssh/id_ed25519.pub"}, "ssh_public_key: the text of a public key"),
    ("mlcore", {"zone": "b"}, "second_zone: one letter, a to f, other than zone"),
    ("mlcore", {"region": "Virginia"}, "region: a region such as"),
    ("mlcore", {"cidr_block": "10.0.0.0/28"}, "cidr_block: an IPv4 block"),
    ("mlcore", {"name": "No Where"}, "name: 2 to 20 lower-case"),
    ("mlcore", {"budget_email": "me"}, "budget_email: an address"),
    ("train-prod", {"core": {**CORE, "region": "eu-west-1"}}, "dl1.24xlarge is offered in us-east-1, us-west-2 only"),
    ("train-prod", {"instance_type": "p3.2xlarge", "core": {**CORE, "region": "us-west-1"}}, "p3.2xlarge is offered in"),
    ("train-prod", {"instance_type": "t3.micro"}, "instance_type: one of the families"),
    ("train-prod", {"instance_type": "p3.2xlarge", "data_storage": "nvme", "packed_data": "s3://bucket/packs"}, "p3.2xlarge has no local NVMe"),
    ("train-prod", {"data_storage": "nvme"}, "local NVMe is empty at every start"),
    ("train-prod", {"data_storage": "hdd"}, "data_storage: gp3 or nvme"),
    ("train-prod", {"packed_data": "https://example.org/a"}, "packed_data: s3://bucket/folder"),
    ("train-prod", {"data_volume_iops": 3000}, "data_volume_throughput: 125 to 1000"),
    ("train-prod", {"data_volume_iops": 20000}, "data_volume_iops: 3000 to 16000"),
    ("train-prod", {"train_arguments": ["--root", "/tmp"]}, "train_arguments: without what the module sets"),
    ("train-prod", {"run_user": "0:0"}, "not root"),
    ("train-prod", {"run_name": "../x"}, "run_name: letters, digits"),
    ("train-prod", {"spot_max_price": "cheap"}, "spot_max_price: dollars an hour"),
    ("train-dev", {"instance_type": "t3.medium"}, "instance_type: a type of SageMaker"),
    ("stats-monitor", {"instance_type": "t4g.small"}, "instance_type: an x86 type"),
    ("stats-monitor", {"retention_days": 0}, "retention_days: 1 to 730"),
    ("api", {"domain_name": "streets.example.com"}, "zone_name: domain_name must end with it"),
    ("api", {"serve_arguments": ["--port", "80"]}, "serve_arguments: without what the module sets"),
])
def test_a_wrong_value_is_refused_and_named(planned, name, values, message):
    done = planned(name, values)
    assert done.returncode == 1
    assert message in " ".join(done.stderr.split()), done.stderr
