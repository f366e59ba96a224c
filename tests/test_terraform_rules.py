"""infra/terraform keeps the rules of the house: nothing open, nothing unencrypted, nothing left behind, nothing granted beyond need;
and checkov finds nothing but exceptions that say why."""
import json
import re
import subprocess
from pathlib import Path

import pytest
from conftest import TOP
from terraform_provider import provider  # noqa: F401: a fixture

from configuration import TERRAFORM, modules

MODULES = modules()
ALL = [(module, block) for module in MODULES.values() for block in module.of("resource", "data")]
# The reference's.
OUTPUTS = {"mlcore": "jump_ip_addr", "train-prod": "training_instance_ip", "train-dev": "worker_ip_addr",
           "stats-monitor": "metrics_ip_addr", "api": "api_ip_addr"}
CHECKOV = TOP / "build" / "venv-checkov" / "bin" / "checkov"


@pytest.mark.parametrize("name, output", OUTPUTS.items())
def test_outputs_keep_the_names_of_the_reference(name, output):
    assert output in MODULES[name].named("output")
    assert output in MODULES["example"].named("output")


@pytest.mark.parametrize("name", MODULES)
def test_variables_and_outputs_are_described(name):
    for block in MODULES[name].of("variable", "output"):
        assert block.arguments.get("description", "").endswith("."), block.address
        assert block.kind == "output" or "type" in block.arguments, block.address


def test_whatever_can_have_tags_has_them(provider):
    without = {f"{module.name}: {block.address}" for module, block in ALL if block.kind == "resource"
               and "tags" in provider.schema("resource", block.labels[0]).arguments and "tags" not in block.arguments}
    assert without == {"train-dev: aws_sagemaker_notebook_instance_lifecycle_configuration.start"} & without


def test_disks_are_encrypted_and_metadata_want_a_token():
    machines = [block for _, block in ALL if block.address.startswith("aws_instance.")]
    assert len(machines) == 4
    for machine in machines:
        assert machine.inner("metadata_options")[0].arguments["http_tokens"] == "required", machine.address
        assert machine.inner("root_block_device")[0].arguments["encrypted"] is True, machine.address
        assert not machine.inner("ebs_block_device")
    for type_ in ("aws_ebs_volume", "aws_efs_file_system"):
        assert all(block.arguments["encrypted"] is True for _, block in ALL if block.labels[0] == type_ and block.kind == "resource")
    notebook = MODULES["train-dev"].resource("aws_sagemaker_notebook_instance.this")
    assert notebook.inner("instance_metadata_service_configuration")[0].arguments == {"minimum_instance_metadata_service_version": "2"}


def test_the_world_reaches_the_load_balancer_only():
    rules = [(module.name, block) for module, block in ALL if block.labels[0] == "aws_vpc_security_group_ingress_rule"]
    open_ = {(name, block.labels[1]) for name, block in rules if {"cidr_ipv4", "cidr_ipv6"} & set(block.arguments)}
    assert open_ == {("api", "balancer"), ("mlcore", "jump_ssh")}
    assert MODULES["mlcore"].resource("aws_vpc_security_group_ingress_rule.jump_ssh").arguments["for_each"] == "${toset(var.ssh_cidr_blocks)}"
    assert MODULES["api"].resource("aws_vpc_security_group_ingress_rule.balancer").arguments["for_each"] == {"http": 80, "https": 443}
    assert not [block for _, block in ALL if block.labels[0] == "aws_security_group" and block.inner("ingress") + block.inner("egress")]


def test_the_bucket_is_private_versioned_and_destroyed_deliberately():
    core = MODULES["mlcore"]
    block = core.resource("aws_s3_bucket_public_access_block.this").arguments
    assert all(block[name] is True for name in ("block_public_acls", "block_public_policy", "ignore_public_acls", "restrict_public_buckets"))
    versioning = core.resource("aws_s3_bucket_versioning.this").inner("versioning_configuration")[0]
    assert versioning.arguments["status"] == "Enabled"
    assert core.resource("aws_s3_bucket.this").arguments["force_destroy"] == "${var.force_destroy}"
    assert core.default("force_destroy") is False


def test_nothing_survives_destroy():
    """No protection from deletion, nothing kept, nothing made that Terraform does not know of."""
    for module in MODULES.values():
        assert not re.search(r"prevent_destroy|skip_destroy|retain_on_delete|enable_deletion_protection|persistent", module.text())
        assert "logs:CreateLogGroup" not in module.text()


def test_machines_wait_for_what_they_need_at_their_start():
    """Images and packages come through the NAT gateway, settings of roles through IAM; a machine asks once."""
    core = MODULES["mlcore"].named("output")
    assert {"aws_route_table_association.private", "aws_vpc_endpoint.s3"} <= {
        name.strip("${}") for name in core["private_subnet_id"].arguments["depends_on"]}
    assert core["efs_id"].arguments["value"] == "${aws_efs_mount_target.runs.file_system_id}"
    for name in ("train-prod", "train-dev", "stats-monitor", "api"):
        [machine] = [block for block in MODULES[name].of("resource")
                     if block.labels[0] in ("aws_instance", "aws_sagemaker_notebook_instance")]
        assert any("aws_iam_role_policy_attachment.machine" in waited for waited in machine.arguments["depends_on"]), name


def test_roles_grant_actions_by_name():
    for module, block in ALL:
        if block.labels[0] != "aws_iam_policy_document":
            continue
        for statement in [inner for inner in block.blocks if inner.kind == "statement"] + \
                [content for inner in block.inner("dynamic") for content in inner.inner("content")]:
            if statement.arguments.get("effect") == "Deny":
                continue
            assert not [action for action in statement.arguments["actions"] if "*" in action], block.address
            if statement.arguments.get("resources") == ["*"]:
                assert statement.arguments["actions"][0] in {
                    "cloudwatch:PutMetricData", "ecr:GetAuthorizationToken", "ec2:DescribeInstances"}, block.address


def test_no_account_and_no_secret():
    for file in [*TERRAFORM.rglob("*")]:
        if file.is_file() and ".terraform" not in file.parts:
            text = file.read_text()
            assert not re.search(r"\b\d{12}\b", text), file
            assert not re.search(r"AKIA[A-Z0-9]{16}|BEGIN [A-Z ]*PRIVATE KEY|aws_secret_access_key", text), file


def test_images_of_others_are_those_of_the_compose_file():
    compose = TOP / "infra" / "docker" / "compose.yaml"
    if not compose.exists():
        pytest.skip("no compose file in this checkout")
    images = set(re.findall(r"^ +image: (\S+)", compose.read_text(), re.M))
    stats = MODULES["stats-monitor"]
    assert {stats.default(f"{name}_image") for name in ("prometheus", "grafana", "tensorboard")} <= images
    assert set(re.findall(r"prom/node-exporter:\S+", (TERRAFORM / "user-data" / "common.sh").read_text())) <= images


def test_checkov_finds_nothing_but_justified_exceptions():
    assert CHECKOV.exists(), f"{CHECKOV} is missing; run scripts/test once"
    done = subprocess.run([CHECKOV, "--directory", TERRAFORM, "--framework", "terraform", "--skip-download", "--output", "json"],
                          capture_output=True, text=True, cwd=TERRAFORM)
    found = json.loads(done.stdout)
    assert found["summary"]["parsing_errors"] == 0 and found["summary"]["passed"] > 300
    assert [(check["check_id"], check["resource"]) for check in found["results"]["failed_checks"]] == []
    used = {(check["check_id"], Path(check["file_path"].lstrip("/"))) for check in found["results"]["skipped_checks"]}
    written = set()
    for file in TERRAFORM.rglob("*.tf"):
        for check, reason in re.findall(r"checkov:skip=(\w+):(.*)", file.read_text()):
            assert len(reason) > 30 or reason == " The same.", (file, check)
            written.add((check, file.relative_to(TERRAFORM)))
    assert written == used, "an exception that is not needed"
