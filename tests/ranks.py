"""Starting the processes of one run by hand, as launchers do."""
import os
import socket
import subprocess

from conftest import PROGRAM
from test_train import SMALL

# Variables of a group that may be around the tests themselves.
GROUP = ("RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def small(data, root, name, *more):
    """A small run whose batch norm is as in the reference; 64 photographs are 4 steps of 2 ranks."""
    return ["train", *SMALL, "--dataroot", data, "--root", root, "--name", name, *more]


def environment(rank, size, port, address="127.0.0.1"):
    clean = {name: value for name, value in os.environ.items() if name not in GROUP}
    return clean | {"RANK": str(rank), "WORLD_SIZE": str(size), "LOCAL_RANK": str(rank), "LOCAL_WORLD_SIZE": str(size),
                    "MASTER_ADDR": address, "MASTER_PORT": str(port)}


def start_rank(rank, size, port, *arguments, prefix=(), address="127.0.0.1"):
    return subprocess.Popen([*prefix, PROGRAM, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env=environment(rank, size, port, address))


def finish(processes, timeout=120):
    """[(exit code, stdout, stderr)] by rank."""
    try:
        ended = [process.communicate(timeout=timeout) for process in processes]
    finally:
        for process in processes:
            if process.poll() is None:
                process.kill()
    return [(process.returncode, *texts) for process, texts in zip(processes, ended)]


def children(process):
    """The process ids that a launcher has started, by rank."""
    with open(f"/proc/{process}/task/{process}/children") as file:
        ids = list(map(int, file.read().split()))
    ranks = {}
    for child in ids:
        with open(f"/proc/{child}/environ") as file:
            variables = dict(pair.partition("=")[::2] for pair in file.read().split("\0"))
        ranks[int(variables["RANK"])] = child
    return ranks
