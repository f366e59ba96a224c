"""The scripts that the machines of infra/terraform run, in a folder that takes the place of /, with stand-ins for docker, systemctl, aws,
hl-smi and the metadata of EC2."""
import os
import re
import shutil
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from conftest import PROGRAM, ok

from configuration import TERRAFORM

SCRIPTS = TERRAFORM / "user-data"


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
        return self.run_text((SCRIPTS / script).read_text(), **environment)

    def run_text(self, text, **environment):
        shutil.copy(SCRIPTS / "common.sh", self.root / "opt/nowhere")
        text = re.sub(r"(?<![\w:$}])/(opt/nowhere|data|efs)\b", rf"{self.root}/\1", text)
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


def test_notebooks_are_put_in_place_once(machine):
    home = machine.root / "home/SageMaker"
    home.mkdir(parents=True)
    machine.settings(**RUN, efs_id="fs-1", region="us-east-1", name="nowhere", agent_parameters="/m")
    machine.command("mountpoint")
    machine.command("docker")
    machine.command("chown")
    machine.command("aws", 'mkdir -p "${@: -1}"; case $* in *s3*/msls*) touch "${@: -1}/runs.py" ;; *) echo new >"${@: -1}/plots.ipynb" ;; esac')
    script = (SCRIPTS / "notebook-start.sh").read_text().replace("/home/ec2-user/SageMaker", str(home))
    script = script.replace("/usr/local/bin", str(machine.commands)).replace("/var/log/nowhere.log", "/dev/null").replace("start_agent ||", "true ||")
    for before, after in (("new\n", "changed here"), ("changed here", "")):
        done, _ = machine.run_text(script)
        assert done.returncode == 0, done.stderr
        assert (home / "notebooks/plots.ipynb").read_text() == before
        (home / "notebooks/plots.ipynb").write_text(after)
    assert (home / "notebooks/msls/runs.py").exists()
    assert (home / "notebooks/runs").readlink() == machine.root / "efs/runs"
    subprocess.run([machine.commands / "nowhere", "sample", "runs/a b"], check=True, cwd=home,
                   env={"PATH": f"{machine.commands}:{os.environ['PATH']}"})
    # Beside the pull of the image, which goes on in the background.
    assert f" -w {home} nowhere:cuda sample runs/a b\n" in machine.calls.read_text()


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
