"""A training run, a gallery and the machine, watched by Debian's Prometheus with the project's own configuration: for the tests of
the dashboards and alerts, and for the pictures of the boards in docs/.

    build/venv/bin/python tests/watched.py MINUTES      # writes docs/board-training.jpg and docs/board-serving.jpg
"""
import contextlib
import itertools
import json
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path
from typing import NamedTuple

import yaml
from server import PROGRAM, Server, wait_until

TOP = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TOP / "infra" / "grafana"))
from preview import page  # noqa: E402
from prometheus_api import Prometheus  # noqa: E402

CONFIGURATION = TOP / "infra" / "prometheus"
BOARDS = TOP / "infra" / "grafana" / "dashboards"
RATE_WINDOW = "5s"  # with a scrape every second
CHROMIUM = "/usr/bin/chromium"
# The machine's closed network, and root's browser.
CHROMIUM_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
                  "--disable-component-update", "--disable-sync"]


class Watched(NamedTuple):
    prometheus: Prometheus
    gallery: Server
    run: Path
    train_port: int


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def stub_drivers(folder):
    """NVIDIA's library with two devices that answer, and Habana's tool with one; the environment that points the program at them.
    The program looks for both by their names, as it does on a machine that has the real ones."""
    subprocess.run(["c++", "-shared", "-fPIC", "-o", folder / "libnvidia-ml.so.1", TOP / "tests" / "observe" / "fake_nvml.cpp"], check=True)
    tool = folder / "hl-smi"
    tool.write_text("#!/bin/sh\necho \"HL-205, $(($(date +%s) % 20 + 70)), 20480, 32768\"\n")
    tool.chmod(0o755)
    return {"LD_LIBRARY_PATH": str(folder), "PATH": f"{folder}:{os.environ['PATH']}"}


@contextlib.contextmanager
def process(arguments, log, **options):
    """A process for as long as the block lasts; what it says goes into the file."""
    with open(log, "w") as output:
        child = subprocess.Popen(list(map(str, arguments)), stdout=output, stderr=subprocess.STDOUT, **options)
        try:
            yield child
        finally:
            child.terminate()
            try:
                child.wait(60)
            finally:
                child.kill()


def answers(url):
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return answer.status == 200
    except OSError:
        return False


def wait_for(url, child, log):
    """Until the child answers there."""
    def there():
        assert child.poll() is None, Path(log).read_text()[-2000:]
        return answers(url)
    wait_until(there)


def configuration(folder, ports):
    """infra/prometheus as it is, but for the hosts, and for a scrape every second."""
    settings = yaml.safe_load((CONFIGURATION / "prometheus.yml").read_text())
    settings["global"] = {"scrape_interval": "1s", "evaluation_interval": "1s"}
    for job in settings["scrape_configs"]:
        job["static_configs"] = [{"targets": [f"127.0.0.1:{ports[job['job_name']]}"]}]
    shutil.copy(CONFIGURATION / "alerts.yml", folder)
    (folder / "prometheus.yml").write_text(yaml.safe_dump(settings))
    return folder / "prometheus.yml"


def crowd(gallery, first):
    """Six long morphs at once, of which the queue holds two; the others are refused."""
    seeds = [",".join(str(first + 8 * one + place) for place in range(8)) for one in range(6)]
    threads = [threading.Thread(target=gallery.get, args=(f"/v1/morph.webp?seeds={some}&frames=32",)) for some in seeds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def visit(gallery, stop):
    """Requests as a wall of pictures makes them: some for the first time, some again, some for what is not there; now and then a
    crowd that is too large for the queue."""
    draw = random.Random(1)
    for turn in itertools.count():
        if turn % 40 == 0:
            crowd(gallery, 1000 + turn)
        for _ in range(draw.randrange(1, 12)):
            gallery.get(f"/v1/images/{int(draw.expovariate(0.01))}.webp")
        gallery.get(draw.choice(["/", "/v1/model", "/gan_imgs", "/gan_gifs", "/v1/images/x.png", "/nothing", "/v1/grid.png?n=9"]))
        if stop.wait(draw.random() / 2):
            return


@contextlib.contextmanager
def watched(folder, train_arguments, visitors=1):
    """`train_arguments`: of a run in folder/run that does not end by itself, but for its port."""
    ports = {job: free_port() for job in ("train", "node", "prometheus")}
    with contextlib.ExitStack() as stack:
        log = {job: folder / f"{job}.log" for job in ports}
        train = stack.enter_context(process(
            [PROGRAM, *train_arguments, "--metrics-port", ports["train"]], log["train"],
            env={**os.environ, **stub_drivers(folder)}))
        node = stack.enter_context(process(["prometheus-node-exporter", f"--web.listen-address=127.0.0.1:{ports['node']}"], log["node"]))
        gallery = stack.enter_context(contextlib.closing(Server(None, "--queue", 512, "--compute-threads", 1)))
        ports["serve"] = gallery.port
        settings = configuration(folder, ports)
        prometheus = stack.enter_context(process(
            ["prometheus", f"--config.file={settings}", f"--storage.tsdb.path={folder / 'tsdb'}",
             f"--web.listen-address=127.0.0.1:{ports['prometheus']}"], log["prometheus"]))
        wait_for(f"http://127.0.0.1:{ports['train']}/livez", train, log["train"])
        wait_for(f"http://127.0.0.1:{ports['node']}/", node, log["node"])
        wait_for(f"http://127.0.0.1:{ports['prometheus']}/-/ready", prometheus, log["prometheus"])
        gallery.wait_until_ready()
        stop = threading.Event()
        threads = [threading.Thread(target=visit, args=(gallery, stop)) for _ in range(visitors)]
        for thread in threads:
            thread.start()
        try:
            yield Watched(Prometheus(f"http://127.0.0.1:{ports['prometheus']}", RATE_WINDOW), gallery, folder / "run", ports["train"])
        finally:
            stop.set()
            for thread in threads:
                thread.join()


def shoot(browser, html, picture):
    """The whole page of a board as a picture; its size."""
    tab = browser.new_page(viewport={"width": 1600, "height": 900})
    tab.goto(html.as_uri())
    size = tab.evaluate("() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    tab.screenshot(path=picture, full_page=True, type="jpeg", quality=82)
    tab.close()
    return size


def main(minutes):
    from playwright.sync_api import sync_playwright
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for arguments in (["synth", folder / "streets", "--images", 400, "--cities", 3, "--seed", 1],
                          ["pack", folder / "streets", "-o", folder / "streets.nwp"]):
            subprocess.run([PROGRAM, *map(str, arguments)], check=True)
        train = ["train", "--preset", "streets-64", "--dataroot", folder / "streets.nwp", "--root", folder, "--name", "run",
                 "--n-epoch", 100000, "--log-frequency", 2, "--threads", 1, "--workers", 1]
        with watched(folder, train) as system, sync_playwright() as playwright:
            time.sleep(60 * minutes)
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_FLAGS)
            for board in ("training", "serving"):
                text = page(json.loads((BOARDS / f"{board}.json").read_text()), system.prometheus, minutes)
                html = folder / f"{board}.html"
                html.write_text(text)
                shoot(browser, html, TOP / "docs" / f"board-{board}.jpg")
            browser.close()


if __name__ == "__main__":
    main(float(sys.argv[1]))
