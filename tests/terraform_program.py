"""Terraform itself, for the tests that need it: skipped where there is none. No provider is needed for what they do with it."""
import base64
import json
import os
import re
import shutil
import subprocess

import pytest

from configuration import TERRAFORM

CORE = {"name": "nowhere", "tags": {}, "region": "us-east-1", "zone": "us-east-1a", "vpc_id": "vpc-1", "public_subnet_ids": ["a", "b"],
        "private_subnet_id": "c", "jump_security_group_id": "d", "machine_security_group_id": "e", "machine_policy_arn": "f",
        "key_name": "g", "efs_id": "fs-1", "bucket": "bucket", "bucket_arn": "arn:aws:s3:::bucket",
        "agent_parameters": {"machine": "/m", "nvidia": "/n"}}
GIVEN = {
    "mlcore": {"ssh_cidr_blocks": ["203.0.113.7/32"], "ssh_public_key": "ssh-ed25519 AAAA me"},
    "train-prod": {"core": CORE, "instance_type": "dl1.24xlarge"},
    "train-dev": {"core": CORE},
    "stats-monitor": {"core": CORE},
    "api": {"core": CORE, "domain_name": "streets.example.org", "zone_name": "example.org"},
}



@pytest.fixture(scope="session")
def terraform():
    program = shutil.which("terraform")
    if not program:
        pytest.skip("no terraform on this machine")
    environment = {**os.environ, "CHECKPOINT_DISABLE": "1", "TF_IN_AUTOMATION": "1"}
    if not os.path.exists(environment.get("TF_CLI_CONFIG_FILE", "")):
        environment.pop("TF_CLI_CONFIG_FILE", None)  # it would warn in every answer

    def run(*arguments, folder=TERRAFORM, **options):
        return subprocess.run([program, *arguments], cwd=folder, env=environment, capture_output=True, text=True, **options)

    version = json.loads(run("version", "-json").stdout)["terraform_version"]
    if tuple(int(part) for part in version.split(".")[:2]) < (1, 9):
        pytest.skip(f"terraform {version} is older than the modules want")
    return run


def evaluated(terraform, folder, name, expression, values):
    """A text that the locals of a module make, with a stand-in for what only AWS knows. `values` is the JSON of its variables."""
    module = folder / "terraform" / "modules" / name
    shutil.copytree(TERRAFORM, folder / "terraform", ignore=shutil.ignore_patterns(".terraform"))
    text = "\n".join(file.read_text() for file in sorted(module.glob("*.tf")) if file.name != "variables.tf")
    locals_ = "".join(re.findall(r"^locals \{\n.*?^\}\n", text, re.M | re.S)).replace("aws_ebs_volume.data[*].id", '["vol-0abc"]')
    for file in module.glob("*.tf"):
        if file.name != "variables.tf":
            file.unlink()
    (module / "locals.tf").write_text(locals_)
    (module / "v.auto.tfvars.json").write_text(values)
    done = terraform("console", folder=module, input=f"base64encode({expression})\n")
    assert done.returncode == 0 and not done.stderr, done.stderr
    return base64.b64decode(done.stdout.strip().strip('"')).decode()
