"""The systemd units, the Kubernetes manifest of the gallery and docs/operations.md: they are hardened, and say what the program
understands."""
import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

import pytest
import yaml
from conftest import PROGRAM, TOP, ok
from server import wait_until
from test_train import pack, small  # noqa: F401
from watched import answers, free_port

PAGE = TOP / "docs" / "operations.md"
SYSTEMD, MANIFEST = TOP / "infra" / "systemd", TOP / "infra" / "kubernetes" / "serve.yaml"
UNITS = ["nowhere-train", "nowhere-serve"]
FLAG = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]*")
EXPOSURE = 20  # systemd-analyze counts in tenths: below 2.0


def settings(unit):
    """{name: [values]}, with the lines that go on joined."""
    found = {}
    for line in re.sub(r"\\\n\s*", "", (SYSTEMD / f"{unit}.service").read_text()).splitlines():
        if "=" in line and not line.startswith("#"):
            name, _, value = line.partition("=")
            found.setdefault(name, []).append(value)
    return found


def environment():
    lines = (line for line in (SYSTEMD / "nowhere.env").read_text().splitlines() if "=" in line and not line.startswith("#"))
    return dict(line.split("=", 1) for line in lines)


def flags(command):
    return set(FLAG.findall(ok("help", command, "--all")))


def analyze(*arguments):
    if not shutil.which("systemd-analyze"):
        pytest.skip("no systemd-analyze on this machine")
    return subprocess.run(["systemd-analyze", "--no-pager", *map(str, arguments)], capture_output=True, text=True)


@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_is_hardened(unit):
    done = analyze("security", "--offline=true", f"--threshold={EXPOSURE}", SYSTEMD / f"{unit}.service")
    assert done.returncode == 0, done.stdout[-400:] + done.stderr
    assert float(re.search(r"exposure level for \S+: ([\d.]+)", done.stdout)[1]) < EXPOSURE / 10


@pytest.mark.parametrize("unit", UNITS)
def test_systemd_reads_a_unit(unit, tmp_path):
    """With the program where it is here."""
    copy = tmp_path / f"{unit}.service"
    copy.write_text((SYSTEMD / f"{unit}.service").read_text().replace("/usr/local/bin/nowhere", str(PROGRAM)))
    done = analyze("verify", copy)
    assert done.returncode == 0 and unit not in done.stderr, done.stderr


@pytest.mark.parametrize("unit", UNITS)
def test_every_variable_of_a_unit_is_in_the_file(unit):
    used = set(re.findall(r"\$\{?([A-Z_]+)", settings(unit)["ExecStart"][0]))
    assert used and used <= set(environment())


def test_every_flag_of_a_unit_exists():
    given = environment()
    [train], [serve] = settings("nowhere-train")["ExecStart"], settings("nowhere-serve")["ExecStart"]
    assert set(FLAG.findall(train.split(" train ")[1] + given["TRAIN_FLAGS"])) <= flags("train")
    served = set(FLAG.findall(serve.split(" serve ")[1] + given["SERVE_FLAGS"]))
    assert "--follow" in served and served <= flags("serve")


@pytest.mark.parametrize("there, expected", [(False, "--dataroot /srv/nowhere/streets.nwp --preset streets-64 --n-epoch 200"), (True, "--resume")])
def test_the_training_unit_begins_or_resumes(tmp_path, there, expected):
    """The unit's own shell line, with other folders and a stand-in for the program."""
    program = tmp_path / "nowhere"
    program.write_text('#!/bin/sh\necho "$*"\n')
    program.chmod(0o755)
    state = tmp_path / "state"
    if there:
        (state / "streets").mkdir(parents=True)
        (state / "streets" / "config.json").touch()
    [command] = settings("nowhere-train")["ExecStart"]
    line = re.fullmatch(r"/bin/sh -c '(.*)'", command)[1].replace("$$", "$")
    line = line.replace("/var/lib/nowhere", str(state)).replace("/usr/local/bin/nowhere", str(program))
    done = subprocess.run(["/bin/sh", "-c", line], env={**environment(), "PATH": os.environ["PATH"]}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == f"train --root {state} --name streets {expected} --metrics-port 9400"


def test_a_stop_of_the_training_is_a_success_and_bad_input_is_not_tried_again():
    unit = settings("nowhere-train")
    assert unit["SuccessExitStatus"] == ["143"] and unit["Restart"] == ["on-failure"]
    assert unit["RestartPreventExitStatus"] == ["2 3"]


def calls_of(name):
    """The system calls of a set of systemd's, and of the sets in it; or the one of this name."""
    if not name.startswith("@"):
        return {name}
    lines = [line.strip() for line in analyze("syscall-filter", name).stdout.splitlines()[1:]]
    return set().union(*(calls_of(line) for line in lines if line and not line.startswith("#")))


@pytest.fixture(scope="module")
def traced(pack, tmp_path_factory):  # noqa: F811
    """The system calls of a short run, and of a gallery that makes a picture and is stopped."""
    folder = tmp_path_factory.mktemp("traced")
    strace = ["strace", "-f", "-qq", "-o"]
    if subprocess.run([*strace, "/dev/null", "true"], capture_output=True).returncode != 0:
        pytest.skip("this machine lets no process be traced")
    run = [PROGRAM, *small(pack, folder, "run", "--n-epoch", 1, "--metrics-port", free_port())]
    subprocess.run([*strace, folder / "train", *map(str, run)], check=True, stdout=subprocess.DEVNULL, timeout=300)
    with subprocess.Popen([*strace, folder / "serve", PROGRAM, "serve", "--port", "0"], stdout=subprocess.PIPE, text=True) as server:
        url = re.search(r"http://\S+", server.stdout.readline())[0]
        wait_until(lambda: answers(f"{url}readyz"))
        assert answers(f"{url}gan_imgs")
        [program] = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
        os.kill(int(program), signal.SIGTERM)
    return {unit: set(re.findall(r"^\d+ +([a-z]\w*)\(", (folder / unit.partition("-")[2]).read_text(), re.M)) for unit in UNITS}


@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_allows_what_the_program_does(unit, traced):
    allowed = set()
    for rule in settings(unit)["SystemCallFilter"]:
        calls = set().union(*(calls_of(name) for name in rule.lstrip("~").split()))
        allowed = allowed - calls if rule.startswith("~") else allowed | calls
    assert len(traced[unit]) > 30 and traced[unit] <= allowed, traced[unit] - allowed


@pytest.fixture(scope="module")
def manifest():
    return {document["kind"]: document for document in yaml.safe_load_all(MANIFEST.read_text())}


@pytest.fixture(scope="module")
def pod(manifest):
    return manifest["Deployment"]["spec"]["template"]["spec"]


@pytest.fixture(scope="module")
def container(pod):
    [only] = pod["containers"]
    return only


def test_the_manifest_is_a_deployment_behind_a_service(manifest):
    assert {kind: document["apiVersion"] for kind, document in manifest.items()} == {
        "Deployment": "apps/v1", "Service": "v1", "PodDisruptionBudget": "policy/v1"}
    labels = manifest["Deployment"]["spec"]["template"]["metadata"]["labels"]
    for selector in (manifest["Deployment"]["spec"]["selector"]["matchLabels"], manifest["Service"]["spec"]["selector"],
                     manifest["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"]):
        assert selector == labels
    [port] = manifest["Service"]["spec"]["ports"]
    [listens] = manifest["Deployment"]["spec"]["template"]["spec"]["containers"][0]["ports"]
    assert port["targetPort"] == listens["name"]


def test_a_pod_is_not_root_and_writes_nothing(pod, container):
    assert pod["securityContext"]["runAsNonRoot"] and pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    users = re.findall(r"^USER (\d+)$", (TOP / "infra" / "docker" / "Dockerfile").read_text(), re.M)
    assert str(pod["securityContext"]["runAsUser"]) == users[-1], "the image's own"
    own = container["securityContext"]
    assert own["readOnlyRootFilesystem"] and own["allowPrivilegeEscalation"] is False and own["capabilities"] == {"drop": ["ALL"]}
    assert pod["automountServiceAccountToken"] is False
    mounts = {mount["name"]: mount for mount in container["volumeMounts"]}
    assert set(mounts) == {volume["name"] for volume in pod["volumes"]} and mounts["runs"]["readOnly"]


def test_a_pod_has_limits_and_probes(pod, container):
    assert set(container["resources"]["limits"]) == set(container["resources"]["requests"]) == {"cpu", "memory"}
    probes = {name: container[name]["httpGet"] for name in ("startupProbe", "readinessProbe", "livenessProbe")}
    assert probes == {name: {"path": "/readyz" if name == "readinessProbe" else "/livez", "port": "http"} for name in probes}
    drain = int(container["args"][container["args"].index("--drain-deadline") + 1])
    wait = int(container["lifecycle"]["preStop"]["exec"]["command"][1])
    assert pod["terminationGracePeriodSeconds"] > drain + wait


def test_the_pods_command_line_is_the_programs(pod, container):
    arguments = container["args"]
    assert arguments[0] == "serve" and set(FLAG.findall(" ".join(arguments))) <= flags("serve")
    assert arguments[arguments.index("--port") + 1] == str(container["ports"][0]["containerPort"])
    assert any(arguments[1].startswith(mount["mountPath"] + "/") for mount in container["volumeMounts"])


def test_the_page_names_what_is_there():
    text = PAGE.read_text()
    for target in re.findall(r"\]\(([^)#]+)", text):
        assert (PAGE.parent / target).exists(), target
    named = {name for name in re.findall(r"\b(?:infra|scripts|tests)/[\w./-]*\w", text) if name != "infra/docker/.env"}
    assert len(named) > 10 and not [name for name in named if not (TOP / name).exists()]
    groups = yaml.safe_load((TOP / "infra" / "prometheus" / "alerts.yml").read_text())["groups"]
    rules = {rule["alert"] for group in groups for rule in group["rules"]}
    assert rules <= set(re.findall(r"\w+", text)), "every alert is in the table"
    used = set(FLAG.findall(" ".join(re.findall(r"nowhere(?:\S*) \\?\s*(?:train|serve|pack) .*", text))))
    assert used <= flags("train") | flags("serve") | flags("pack")


def test_no_number_of_an_account():
    for file in [MANIFEST, *SYSTEMD.iterdir(), *(TOP / "infra" / "docker").iterdir(), *(TOP / "infra" / "prometheus").iterdir()]:
        assert not re.search(r"\b\d{12}\b|amazonaws", file.read_text()), file
