"""Starts this program and its peer for scripts/bench dist, each process on a core of its own, and reads how fast they were."""
import json
import os
import re
import socket
import subprocess
import sys
from math import ceil

from runs import PROGRAM, TOP, drawn_streets

WORK = TOP / "build" / "bench" / "dist"
PROCESSES = 2
LOG = 3  # steps between log points; the first ones, at steps 1 and 4, end the warm-up
WARM_UP = 1 + LOG
PROFILE = {"wait": 4, "warmup": 1, "steps": 6}
# What would make a process a rank, where this script itself runs under Slurm or torchrun.
LAUNCHERS = re.compile(r"(?:(?:GROUP_|LOCAL_|ROLE_)?(?:RANK|WORLD_SIZE)$|MASTER_|TORCHELASTIC_|SLURM_|OMPI_|PMI)")


def cores():
    """The first two that this process may use."""
    found = sorted(os.sched_getaffinity(0))
    if len(found) < PROCESSES:
        sys.exit("failed: scripts/bench dist\n  what to do: give it two cores")
    return found[:PROCESSES]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start(command, on, environment=None):
    """Starts a process that may use these cores only."""
    plain = {key: value for key, value in os.environ.items() if not LAUNCHERS.match(key)}
    return subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env={**plain, **(environment or {})}, preexec_fn=lambda: os.sched_setaffinity(0, on))


def finish(process):
    """What it printed. Its failure ends this script."""
    out, err = process.communicate()
    if process.returncode != 0:
        sys.exit(f"failed: {' '.join(process.args)}\n{err.strip()}")
    return out


def group_of_one():
    """The environment in which a single process forms a group."""
    return {"RANK": "0", "WORLD_SIZE": "1", "LOCAL_RANK": "0", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free_port())}


def epochs(steps, images, photographs):
    """(epochs, photographs in each) of a run of so many steps with so many images each, on the photographs there are."""
    count = ceil(steps / (photographs // images))
    return count, ceil(steps / count) * images


def train(name, data, on, batch, steps, processes=1, environment=None, log=LOG, more=()):
    """Starts a run of naive-64."""
    count, photographs = epochs(steps, batch * processes, data["count"])
    place = ["--root", WORK, "--name", name, "--overwrite", "--dataroot", data["pack"], "--limit", photographs, "--n-epoch", count]
    launch = [] if environment else ["--nproc", processes]  # in a launcher's environment the processes are there already
    return start([PROGRAM, "train", "--preset", "naive-64", "--device", "cpu", "--batch-size", batch, "--log-frequency", log,
                  "--save-frequency", 1000000, "--save-minutes", 0, *place, *launch, *more], on, environment)


def speed(stats, warm_up=WARM_UP):
    """Images/s over the steps after the warm-up, from the lines of stats.jsonl."""
    points = [line for line in stats if "step" in line]
    pairs = [(later["step"] - before["step"], later["images_per_second"]) for before, later in zip(points, points[1:])
             if before["step"] >= warm_up]
    if not pairs:
        raise ValueError("the run was too short")
    return sum(steps for steps, _ in pairs) / sum(steps / rate for steps, rate in pairs)


def speed_of(name):
    return speed([json.loads(line) for line in (WORK / name / "stats.jsonl").read_text().splitlines()])


def peer(on, *arguments):
    """What the peer prints last, as JSON; started as its users start it."""
    command = [sys.executable, "-m", "torch.distributed.run", "--nnodes", 1, "--nproc-per-node", PROCESSES, "--master-addr", "127.0.0.1",
               "--master-port", free_port(), TOP / "bench" / "dist_peer.py", *arguments]
    return json.loads(finish(start(command, on, {"OMP_NUM_THREADS": "1"})).strip().splitlines()[-1])


def profiled(name, data, on, batch, processes, more=()):
    """The events of a run with a profile. No log point but the first: what they compute stands between gradients and update."""
    flags = ["--profile", "yes", *(word for key, value in PROFILE.items() for word in (f"--profile-{key}", value)), *more]
    finish(train(name, data, on, batch, sum(PROFILE.values()) + 2, processes, log=1000000, more=flags))
    return WORK / name / "events"


def data():
    return drawn_streets(TOP / "build" / "bench", 120)
