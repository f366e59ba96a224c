"""What the machines of infra/terraform are told at their start: files, units and scripts as Terraform makes them, and the scripts run
with stand-ins for docker, systemctl, aws and the metadata of EC2."""
import base64
import gzip
import json
import os
import re
import shutil
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
import yaml
from conftest import PROGRAM, TOP, ok
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


# What Terraform makes of them

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


# The scripts themselves, in a folder that takes the place of /

class Machine:
    def __init__(self, folder):
        self.root, self.commands = folder / "root", folder / "commands"
        self.calls = folder / "calls"
        self.commands.mkdir()
        for place in ("opt/nowhere", "data", "efs/runs"):
            (self.root / place).mkdir(parents=True)
        self.calls.touch()

    def command(self, name, text="exit 0"):
        """A stand-in that notes how it was called."""
        program = self.commands / name
        program.write_text(f'#!/bin/bash\necho "{name} $*" >>"{self.calls}"\n{text}\n')
        program.chmod(0o755)

    def settings(self, **values):
        (self.root / "opt/nowhere/settings").write_text("".join(f"{key}='{value}'\n" for key, value in values.items()))

    def run(self, script, **environment):
        shutil.copy(SCRIPTS / "common.sh", self.root / "opt/nowhere")
        text = re.sub(r"(?<![\w:$}])/(opt/nowhere|data|efs)\b", rf"{self.root}/\1", (SCRIPTS / script).read_text())
        done = subprocess.run(["bash"], input=text, capture_output=True, text=True, timeout=60,
                              env={"PATH": f"{self.commands}:{os.environ['PATH']}", **environment})
        return done, self.calls.read_text().splitlines()


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


RUN = {"image": "nowhere:cuda", "accelerator": "nvidia", "run_user": f"{os.getuid()}:{os.getgid()}", "run_name": "msls", "bucket": "bucket"}


@pytest.mark.parametrize("accelerator, devices", [("nvidia", "--gpus all"), ("habana", "--runtime habana -e HABANA_VISIBLE_DEVICES=all")])
def test_training_runs_in_the_image_with_its_devices(machine, accelerator, devices):
    machine.settings(**{**RUN, "accelerator": accelerator})
    (machine.root / "opt/nowhere/train-arguments").write_text("--preset\nsafe-128\n")
    machine.command("docker")
    done, calls = machine.run("train-run.sh")
    assert done.returncode == 0, done.stderr
    assert devices in calls[-1] and f" --user {RUN['run_user']} " in calls[-1]
    assert re.search(r" nowhere:cuda train --device (cuda|hpu) --dataroot \S+/data/packed --root \S+/efs/runs --name msls --s3_bucket bucket ", calls[-1])
    assert calls[-1].endswith("--metrics-host 0.0.0.0 --metrics-port 9400 --preset safe-128")


def test_a_run_that_is_there_goes_on(machine):
    machine.settings(**RUN)
    (machine.root / "opt/nowhere/train-arguments").write_text("--preset\nsafe-128\n")
    (machine.root / "efs/runs/msls").mkdir()
    (machine.root / "efs/runs/msls/config.json").touch()
    machine.command("docker")
    _, calls = machine.run("train-run.sh")
    assert calls[-1].endswith("--preset safe-128 --resume")


def test_the_flags_exist():
    for script, command in (("train-run.sh", "train"), ("api-run.sh", "serve")):
        text = (SCRIPTS / script).read_text()
        line = re.sub(r"\\\n", " ", text[text.index(f'"$image" {command}'):])
        known = ok("help", command, "--all")
        for flag in re.findall(r"--[a-z][a-z0-9_-]*", line):
            assert flag.replace("_", "-") in known, flag


@pytest.mark.parametrize("halt, result, code, off", [
    ("true", "success", "0", True), ("false", "success", "0", False), ("true", "exit-code", "1", False), ("true", "success", "143", False)])
def test_the_machine_halts_when_the_run_is_complete(machine, halt, result, code, off):
    machine.settings(halt_when_done=halt)
    machine.command("systemctl")
    done, calls = machine.run("train-ended.sh", SERVICE_RESULT=result, EXIT_STATUS=code)
    assert done.returncode == 0, done.stderr
    assert calls == (["systemctl poweroff"] if off else [])


@pytest.mark.parametrize("packed, call", [
    ("s3://bucket/packs", "aws s3 sync s3://bucket/packs {data}/packed --exclude * --include *.nwp --no-progress"), ("", None)])
def test_packed_data_are_copied_before_training(machine, packed, call):
    machine.settings(**RUN, data_storage="gp3", data_volume_id="vol-1", packed_data=packed)
    machine.command("mountpoint")
    machine.command("aws", f"touch {machine.root}/data/packed/msls.nwp")
    done, calls = machine.run("train-data.sh")
    if call:
        assert done.returncode == 0, done.stderr
        assert calls[-1] == call.format(data=machine.root / "data")
    else:
        assert done.returncode == 1 and "no packed file in" in done.stderr


def test_packed_data_are_copied_from_efs(machine):
    packs = machine.root / "efs/data"
    packs.mkdir()
    (packs / "msls.nwp").write_text("packed")
    (packs / "notes.txt").touch()
    machine.settings(**RUN, data_storage="nvme", data_volume_id="", packed_data=packs)
    machine.command("mountpoint")
    done, _ = machine.run("train-data.sh")
    assert done.returncode == 0, done.stderr
    assert [file.name for file in (machine.root / "data/packed").iterdir()] == ["msls.nwp"]


def test_a_machine_without_local_disks_says_what_to_do(machine):
    machine.settings(**RUN, data_storage="nvme", data_volume_id="", packed_data="s3://bucket/packs")
    machine.command("mountpoint", "exit 1")
    done, _ = machine.run("train-data.sh")
    assert done.returncode == 1 and 'set data_storage = "gp3"' in done.stderr


def test_figures_of_gaudis_go_to_cloudwatch(machine):
    machine.settings(name="nowhere", region="us-east-1")
    machine.command("hl-smi", 'printf "0, 87 %%, 12034 MiB, 32768 MiB\\n1, 90 %%, 1 MiB, 32768 MiB\\n"')
    machine.command("aws")
    done, calls = machine.run("hpu-figures.sh")
    assert done.returncode == 0, done.stderr
    assert len(calls) == 7
    assert calls[1] == ("aws cloudwatch put-metric-data --region us-east-1 --namespace nowhere --metric-name hpu_utilization"
                        " --value 87 --unit Percent --dimensions Device=0")


class Metadata(BaseHTTPRequestHandler):
    """EC2's: a token first, the notice at the third question."""
    asked = 0

    def do_PUT(self):
        self.answer(200, "token" if self.headers["X-aws-ec2-metadata-token-ttl-seconds"] else "")

    def do_GET(self):
        if self.headers["X-aws-ec2-metadata-token"] != "token":
            return self.answer(401, "")
        type(self).asked += 1
        self.answer(200 if self.asked >= 3 else 404, '{"action": "terminate"}')

    def answer(self, code, text):
        self.send_response(code)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass


@pytest.fixture
def notice():
    """The address of metadata that announce the end of the machine."""
    server = HTTPServer(("127.0.0.1", 0), type("Asked", (Metadata,), {"asked": 0}))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()


def watch(machine, notice):
    done, calls = machine.run("spot-watch.sh", METADATA=f"http://127.0.0.1:{notice.server_port}", INTERVAL="0.1")
    assert done.returncode == 0, done.stderr
    assert notice.RequestHandlerClass.asked == 3 and calls == ["systemctl stop nowhere-train.service"]
    assert '{"action": "terminate"}' in done.stdout


def test_training_is_stopped_when_the_spot_instance_is_taken_back(machine, notice):
    machine.command("systemctl")
    watch(machine, notice)


def test_a_run_saves_when_the_spot_instance_is_taken_back(machine, notice, streets, tmp_path):
    """The program itself, which systemctl's stand-in stops as Docker does: SIGTERM, and waiting."""
    process = subprocess.Popen([PROGRAM, "train", "--preset", "naive-64", "--ngf", "4", "--ndf", "4", "--nz", "8", "--batch-size", "16",
                                "--device", "cpu", "--dataroot", streets, "--root", tmp_path / "runs", "--name", "msls",
                                "--log-frequency", "1"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    for line in process.stdout:
        if re.search(r"\[1/\d+\]\[1/", line):
            break
    machine.command("systemctl", f"kill -TERM {process.pid}")
    watch(machine, notice)
    output = process.communicate(timeout=60)[0]
    assert process.returncode == 143, output
    assert list((tmp_path / "runs" / "msls").glob("checkpoint_*.pt"))


def test_stopping_sends_sigterm_and_leaves_time_to_save():
    unit = dict(re.findall(r"^(\w+)=(.*)$", (SCRIPTS / "nowhere-train.service").read_text(), re.M))
    waits = int(re.fullmatch(r"/usr/bin/docker stop --time (\d+) nowhere-train", unit["ExecStop"])[1])
    assert waits < int(unit["TimeoutStopSec"]) < 120, "a spot instance is gone two minutes after its notice"
    assert "--name nowhere-train" in (SCRIPTS / "train-run.sh").read_text()
    assert unit["SuccessExitStatus"] == "143"
