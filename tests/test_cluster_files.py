"""docs/distributed.md, the Slurm script and the Kubernetes manifest: they parse, they say what the program understands, and the
script does what it says when Slurm's commands are stand-ins."""
import os
import re
import subprocess

import pytest
import yaml
from conftest import TOP, ok

PAGE, SCRIPT, MANIFEST = TOP / "docs" / "distributed.md", TOP / "infra" / "slurm" / "train.sbatch", TOP / "infra" / "kubernetes" / "train.yaml"
# Flags of other programs that the page speaks of.
OTHERS = {"--gpus-per-node", "--gpus-per-task", "--signal", "--requeue", "--max-restarts", "--bind-to", "--gpu", "--nodes"}
FLAG = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]*")


@pytest.fixture(scope="module")
def flags():
    return set(FLAG.findall(ok("help", "train", "--all")))


def commands(text):
    """What follows `nowhere train` on each command line of a text, backslashes resolved, remarks left out."""
    joined = re.sub(r"\\\n\s*", " ", text)
    lines = (line.split("  #")[0] for line in joined.splitlines())
    return [match[1] for line in lines if (match := re.search(r"nowhere(?:\}\")? train (.*--.*)", line))]


def manifest():
    return yaml.safe_load(MANIFEST.read_text())


def replicas():
    return manifest()["spec"]["pytorchReplicaSpecs"]


@pytest.mark.parametrize("file, least", [(PAGE, 6), (SCRIPT, 1), (MANIFEST, 1)])
def test_every_flag_of_a_command_line_exists(flags, file, least):
    found = commands(file.read_text())
    assert len(found) >= least
    for command in found:
        used = FLAG.findall(command)
        assert used and set(used) <= flags, command


def test_every_flag_in_the_text_exists(flags):
    text = re.sub(r"^```.*?^```", "", PAGE.read_text(), flags=re.M | re.S)
    used = set(FLAG.findall(" ".join(re.findall(r"`([^`]+)`", text))))
    assert {"--nproc", "--dist-timeout", "--sync-bn", "--gradient-compression", "--bucket-mb"} <= used
    assert used <= flags | OTHERS


def test_links_lead_somewhere():
    for target in re.findall(r"\]\(([^)#]+)\)", PAGE.read_text()):
        assert (PAGE.parent / target).exists(), target


def test_the_script_is_sound():
    subprocess.run(["bash", "-n", SCRIPT], check=True)
    done = subprocess.run(["shellcheck", SCRIPT], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert os.access(SCRIPT, os.X_OK)


@pytest.fixture
def slurm(tmp_path):
    """Runs the script with an srun that ends with a code; what srun and scontrol were called with."""
    for name in ("srun", "scontrol"):
        program = tmp_path / name
        program.write_text(f'#!/bin/sh\necho "$SRUN_CPUS_PER_TASK {name} $*" >>calls\n[ {name} = scontrol ] || exit "$CODE"\n')
        program.chmod(0o755)

    def run(code, *arguments):
        environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "SLURM_CPUS_PER_TASK": "8", "SLURM_JOB_ID": "42", "CODE": str(code)}
        done = subprocess.run([SCRIPT, *arguments], cwd=tmp_path, env=environment, capture_output=True, text=True)
        calls = tmp_path / "calls"
        return done, calls.read_text().splitlines() if calls.exists() else []

    return run


def test_the_script_starts_the_tasks(slurm):
    done, [call] = slurm(0, "/data/a file.nwp", "msls", "--batch-size", "64")
    assert done.returncode == 0
    assert call.startswith("8 srun ") and "nowhere train " in call
    assert "--dataroot /data/a file.nwp " in call and "--name msls " in call and call.endswith("--batch-size 64")


@pytest.mark.parametrize("code, requeued", [(0, False), (1, False), (143, True)])
def test_a_job_whose_time_is_up_goes_back_into_the_queue(slurm, code, requeued):
    done, calls = slurm(code, "data.nwp", "msls")
    assert done.returncode == code
    assert ("8 scontrol requeue 42" in calls) == requeued


def test_the_script_asks_for_what_it_needs(slurm):
    done, calls = slurm(0, "data.nwp")
    assert done.returncode == 2 and "usage:" in done.stderr and not calls


def test_a_task_for_each_device():
    asked = dict(re.findall(r"^#SBATCH --([a-z-]+)=(\S+)", SCRIPT.read_text(), re.M))
    assert asked["ntasks-per-node"] == asked["gpus-per-node"] and int(asked["cpus-per-task"]) > 0
    assert asked["signal"].startswith("TERM@"), "to the tasks, not to the script"


def test_the_manifest_is_a_job_of_one_master_and_workers():
    assert (manifest()["apiVersion"], manifest()["kind"]) == ("kubeflow.org/v1", "PyTorchJob")
    assert set(replicas()) == {"Master", "Worker"}
    assert replicas()["Master"]["replicas"] == 1 and replicas()["Worker"]["replicas"] >= 1
    assert all(replica["restartPolicy"] == "OnFailure" for replica in replicas().values())


@pytest.mark.parametrize("role", ["Master", "Worker"])
def test_a_pod(role):
    pod = replicas()[role]["template"]["spec"]
    [container] = pod["containers"]
    assert container["name"] == "pytorch", "the operator gives its variables to the container of this name"
    assert [port["name"] for port in container["ports"]] == ["pytorchjob-port"]
    assert container["resources"]["limits"]["nvidia.com/gpu"] == 1, "a process is a pod, and has one device"
    assert {mount["name"] for mount in container["volumeMounts"]} == {volume["name"] for volume in pod["volumes"]}
    mounted = [mount["mountPath"] for mount in container["volumeMounts"]]
    [command] = commands(container["args"][0])
    for flag in ("dataroot", "root"):
        path = re.search(rf"--{flag} (\S+)", command)[1]
        assert any(path == place or path.startswith(place + "/") for place in mounted), path


@pytest.mark.parametrize("there, restarts", [(False, ""), (True, "1")])
def test_a_pod_that_starts_again_resumes(tmp_path, there, restarts):
    """The pod's own shell lines, with another folder of runs and a stand-in for the program."""
    [container] = replicas()["Master"]["template"]["spec"]["containers"]
    program = tmp_path / "nowhere"
    program.write_text('#!/bin/sh\necho "$TORCHELASTIC_RESTART_COUNT:$*"\n')
    program.chmod(0o755)
    if there:
        (tmp_path / "runs" / "msls").mkdir(parents=True)
        (tmp_path / "runs" / "msls" / "config.json").touch()
    lines = container["args"][0].replace("/runs", f"{tmp_path}/runs")
    done = subprocess.run([*container["command"], lines], env={"PATH": f"{tmp_path}:{os.environ['PATH']}"}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{restarts}:train --preset ")


def test_no_number_of_an_account():
    for file in (PAGE, SCRIPT, MANIFEST):
        assert not re.search(r"\b\d{12}\b|amazonaws", file.read_text())
