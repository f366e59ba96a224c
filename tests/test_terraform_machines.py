"""What the machines of infra/terraform are told at their start: files, units, settings and configurations as Terraform makes them."""
import base64
import gzip
import json
import re
import subprocess

import pytest
import yaml
from conftest import TOP
from terraform_program import GIVEN, evaluated, terraform  # noqa: F401: a fixture

from configuration import TERRAFORM, modules

SCRIPTS = TERRAFORM / "user-data"
LIMIT = 16384  # bytes of user data, and characters of a lifecycle script in base64


def test_scripts_pass_shellcheck():
    scripts = sorted(SCRIPTS.glob("*.sh"))
    assert len(scripts) >= 10
    done = subprocess.run(["shellcheck", "-x", *(script.relative_to(TOP) for script in scripts)], cwd=TOP, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_every_file_is_used():
    text = "\n".join(module.text() for module in modules().values())
    for file in SCRIPTS.iterdir():
        assert file.name in text, file.name


@pytest.fixture(scope="module")
def started(terraform, tmp_path_factory):  # noqa: F811
    """{'path': text} that cloud-init writes, and the commands that it runs."""
    def make(name, **values):
        text = evaluated(terraform, tmp_path_factory.mktemp(name), name, "local.user_data", json.dumps({**GIVEN[name], **values}))
        assert text.startswith("#cloud-config\n")
        assert len(gzip.compress(text.encode())) < LIMIT
        config = yaml.safe_load(text)
        assert set(config) == {"write_files", "runcmd"}
        return {file["path"]: file for file in config["write_files"]}, config["runcmd"]

    return make


@pytest.mark.parametrize("name", ["train-prod", "stats-monitor", "api"])
def test_a_machine_gets_what_it_runs(started, name):
    files, [[command]] = started(name)
    programs = [command, *(line for file in files.values() for line in re.findall(r"^Exec\w+=(/opt/\S+)", file["content"], re.M))]
    for program in programs:
        assert files[program]["permissions"] == "0755" and files[program]["content"].startswith("#!/bin/bash\n"), program
    for path, file in files.items():
        for read in re.findall(r"(?:source |<)(/opt/nowhere/[\w.-]+)", file["content"]):
            assert read in files, (path, read)
        for unit in re.findall(r"systemctl (?:enable|stop)[a-z -]* (nowhere-[\w.-]+)", file["content"]):
            assert f"/etc/systemd/system/{unit}" in files, (path, unit)


@pytest.mark.parametrize("name", ["train-prod", "stats-monitor", "api"])
def test_scripts_find_every_setting(started, tmp_path, name):
    """shellcheck knows variables that are never assigned, once it is shown the settings."""
    files, [[command]] = started(name)
    settings = files["/opt/nowhere/settings"]["content"]
    (tmp_path / "settings").write_text("# shellcheck disable=SC2034\n" + settings)
    for path, file in files.items():
        text = file["content"]
        if "source /opt/nowhere/settings" in text:
            text = text.replace("# shellcheck disable=SC2154 # settings\n", "").replace("source=/dev/null", f"source={tmp_path}/settings")
            done = subprocess.run(["shellcheck", "-x", "-i", "SC2154", "-"], cwd=TOP, input=text.replace("source=infra", "source=/dev/null #"),
                                  capture_output=True, text=True)
            assert done.returncode == 0, (path, done.stdout)
    common = files["/opt/nowhere/common.sh"]["content"]
    names = re.search(r"the settings: (.*)", common)[1].split(", ")
    for function, body in re.findall(r"^(\w+)\(\) \{\n(.*?)^\}", common, re.M | re.S):
        if re.search(rf"^\s*{function}\b", files[command]["content"], re.M):
            for used in set(re.findall(r"\$\{?(\w+)", body)) & set(names):
                assert f"{used}='" in settings, (function, used)


def test_settings_survive_the_shell(started):
    files, _ = started("train-prod", packed_data="s3://bucket/two words; $(false) `false`/x")
    done = subprocess.run(["bash", "-c", 'source /dev/stdin && printf "%s\n" "$packed_data" "$image" "$agent_parameters"'],
                          input=files["/opt/nowhere/settings"]["content"], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["s3://bucket/two words; $(false) `false`/x", "nowhere-habana:latest", "/m"]


def test_habana_takes_its_own_image_and_nvidia_the_other(started):
    habana, _ = started("train-prod")
    nvidia, _ = started("train-prod", instance_type="p3.8xlarge", image="registry.example/nowhere:cuda")
    assert "accelerator='habana'\n" in habana["/opt/nowhere/settings"]["content"]
    assert "image='nowhere-habana:latest'\n" in habana["/opt/nowhere/settings"]["content"]
    assert "accelerator='nvidia'\n" in nvidia["/opt/nowhere/settings"]["content"]
    assert "image='registry.example/nowhere:cuda'\n" in nvidia["/opt/nowhere/settings"]["content"]
    assert "agent_parameters='/m /n'\n" in nvidia["/opt/nowhere/settings"]["content"]


def test_prometheus_finds_machines_by_their_tags(started):
    files, _ = started("stats-monitor")
    config = yaml.safe_load(files["/etc/prometheus/prometheus.yml"]["content"])
    jobs = {job["job_name"]: job["ec2_sd_configs"][0] for job in config["scrape_configs"] if "ec2_sd_configs" in job}
    assert {name: job["port"] for name, job in jobs.items()} == {"train": 9400, "serve": 8080, "node": 9100}
    roles = {tags["Role"] for module in modules().values() for block in module.of("resource") if block.labels[0] == "aws_instance"
             for tags in [dict(re.findall(r'(Role) = "(\w+)"', str(block.arguments["tags"])))] if tags}
    for job in jobs.values():
        wanted = next(found["values"] for found in job["filters"] if found["name"] == "tag:Role")
        assert wanted == ["*"] or set(wanted) <= roles


def test_rules_and_dashboards_are_uploaded(terraform, tmp_path):  # noqa: F811
    for name in ("alerts.yml", "alerts_test.yml", "prometheus.yml", "dashboards/a.json", "provisioning/datasources/b.yaml", "draw.py"):
        (tmp_path / "given" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "given" / name).touch()
    values = json.dumps({**GIVEN["stats-monitor"], "rules_folder": f"{tmp_path}/given", "grafana_folder": f"{tmp_path}/given"})
    text = evaluated(terraform, tmp_path, "stats-monitor", "jsonencode([local.rule_names, local.grafana_names])", values)
    assert json.loads(text) == [["alerts.yml"], ["dashboards/a.json", "provisioning/datasources/b.yaml"]]


def test_prometheus_knows_the_jobs_of_the_dashboards(started):
    reference = TOP / "infra" / "prometheus" / "prometheus.yml"
    if not reference.exists():
        pytest.skip("no configuration of Prometheus in this checkout")
    files, _ = started("stats-monitor")
    names = [{job["job_name"] for job in yaml.safe_load(text)["scrape_configs"]}
             for text in (reference.read_text(), files["/etc/prometheus/prometheus.yml"]["content"])]
    assert names[0] == names[1]


def test_the_notebook_gets_one_script(terraform, tmp_path):  # noqa: F811
    text = evaluated(terraform, tmp_path, "train-dev", "local.start_script", json.dumps(GIVEN["train-dev"]))
    assert len(base64.b64encode(text.encode())) < LIMIT
    subprocess.run(["bash", "-n"], input=text, text=True, check=True)
    assert "efs_id='fs-1'" in text and "mount_efs" in text


def test_the_agent_keeps_its_own_placeholders(terraform, tmp_path):  # noqa: F811
    text = evaluated(terraform, tmp_path, "mlcore", "jsonencode([local.machine_figures, local.nvidia_figures])", json.dumps(GIVEN["mlcore"]))
    machine, nvidia = json.loads(text)
    assert machine["metrics"]["append_dimensions"]["InstanceId"] == "${aws:InstanceId}"
    assert machine["metrics"]["namespace"] == nvidia["metrics"]["namespace"] == "nowhere"
    assert "utilization_gpu" in nvidia["metrics"]["metrics_collected"]["nvidia_gpu"]["measurement"]


@pytest.mark.parametrize("packed, bucket, folder", [
    ("s3://data/msls/packs/", "data", "msls/packs"), ("s3://data/packs", "data", "packs"), ("/efs/data", "", ""), ("", "", "")])
def test_a_role_is_granted_the_folder_of_the_data(terraform, tmp_path, packed, bucket, folder):  # noqa: F811
    values = json.dumps({**GIVEN["train-prod"], "packed_data": packed})
    text = evaluated(terraform, tmp_path, "train-prod", "jsonencode([local.data_bucket, local.data_folder])", values)
    assert json.loads(text) == [bucket, folder]
