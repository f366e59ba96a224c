"""Training across hosts, which are network namespaces here, and under the real torchrun."""
import os
import re
import signal
import subprocess
import sys
import time

import pytest
from conftest import PROGRAM, ok
from ranks import finish, free_port, small, start_rank
from test_dist import pack, straight, weights  # noqa: F401 (fixtures)
from test_train import tensors

TORCHRUN = [sys.executable, "-m", "torch.distributed.run"]


def ip(*words):
    return subprocess.run(["ip", *words], capture_output=True, text=True)


@pytest.fixture
def hosts():
    """Two network namespaces joined by a veth pair: [(name, address)]."""
    names = [f"nowhere-{os.getpid()}-{side}" for side in "ab"]
    links = [f"nw{os.getpid() % 100000}{side}" for side in "ab"]
    try:
        made = [ip("netns", "add", name) for name in names]
    except FileNotFoundError:
        pytest.skip("no ip command on this machine: install iproute2")
    try:
        if any(one.returncode for one in made):
            pytest.skip(f"network namespaces are not allowed here: {made[0].stderr.strip()}")
        steps = [ip("link", "add", links[0], "netns", names[0], "type", "veth", "peer", "name", links[1], "netns", names[1])]
        for name, link, address in zip(names, links, ("10.77.0.1/24", "10.77.0.2/24")):
            steps += [ip("-n", name, "addr", "add", address, "dev", link), ip("-n", name, "link", "set", link, "up"),
                      ip("-n", name, "link", "set", "lo", "up")]
        broken = [step.stderr.strip() for step in steps if step.returncode]
        if broken:
            pytest.skip(f"network namespaces are not allowed here: {broken[0]}")
        yield list(zip(names, ("10.77.0.1", "10.77.0.2")))
    finally:
        for name in names:
            ip("netns", "del", name)


def test_two_hosts_train_one_run(hosts, pack, straight, tmp_path):  # noqa: F811
    port = 29500
    processes = [start_rank(rank, 2, port, *small(pack, tmp_path / str(rank), "run", "--n-epoch", 4, "--dist-timeout", 60),
                            prefix=("ip", "netns", "exec", name), address=hosts[0][1]) for rank, (name, _) in enumerate(hosts)]
    ends = finish(processes)
    assert [code for code, _, _ in ends] == [0, 0], ends
    assert tensors(tmp_path / "0" / "run" / "checkpoint_4.pt") == tensors(straight / "checkpoint_4.pt")


def test_a_host_that_is_cut_off_is_named(hosts, pack, tmp_path):  # noqa: F811
    port = 29501
    processes = [start_rank(rank, 2, port, *small(pack, tmp_path / str(rank), "run", "--n-epoch", 100000, "--dist-timeout", 3),
                            prefix=("ip", "netns", "exec", name), address=hosts[0][1]) for rank, (name, _) in enumerate(hosts)]
    while not list((tmp_path / "0" / "run").glob("checkpoint_*.pt")) and processes[0].poll() is None:
        time.sleep(0.05)
    name = hosts[1][0]
    links = re.findall(r"^\d+: (nw\w+)@", ip("-n", name, "link").stdout, re.M)
    assert ip("-n", name, "link", "set", links[0], "down").returncode == 0
    ends = finish(processes)
    assert all(code == 1 for code, _, _ in ends), ends
    assert re.search(r"rank 1 \(host .* does not answer", ends[0][2]), ends[0][2]


def torchrun(*arguments, nproc=2, restarts=0):
    """A group under the real torchrun on a port of its own."""
    words = [*TORCHRUN, "--no-python", "--nproc-per-node", nproc, "--nnodes", 1, "--master-addr", "127.0.0.1", "--master-port",
             free_port(), "--max-restarts", restarts, "--monitor-interval", 0.2, PROGRAM, *arguments]
    return subprocess.Popen(list(map(str, words)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env=os.environ | {"OMP_NUM_THREADS": "1"})


def worker(process, rank):
    """The process id of a rank below torchrun."""
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            with open(f"/proc/{entry}/status") as status, open(f"/proc/{entry}/environ") as environ:
                parent = int(re.search(r"^PPid:\s+(\d+)", status.read(), re.M)[1])
                variables = environ.read().split("\0")
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            continue
        if parent == process.pid and f"RANK={rank}" in variables:
            return int(entry)
    return None


def test_torchrun_starts_a_group(pack, straight, tmp_path):  # noqa: F811
    [(code, output, errors)] = finish([torchrun(*small(pack, tmp_path, "run", "--n-epoch", 4))])
    assert code == 0, errors
    assert "processes    2 with batches of 8 each" in output
    assert tensors(tmp_path / "run" / "checkpoint_4.pt") == tensors(straight / "checkpoint_4.pt")


def test_torchrun_restarts_a_group_that_lost_a_worker(pack, tmp_path):  # noqa: F811
    """SIGKILL to one worker: the group is started again, goes on from the newest checkpoint and ends with the same weights."""
    epochs = 40
    arguments = ["--n-epoch", epochs, "--lr-final", 1, "--keep-last", 2]
    process = torchrun(*small(pack, tmp_path, "run", *arguments), restarts=2)
    while not (tmp_path / "run" / "checkpoint_2.pt").exists() and process.poll() is None:
        time.sleep(0.02)
    os.kill(worker(process, 1), signal.SIGKILL)
    [(code, output, errors)] = finish([process], timeout=240)
    assert code == 0, errors
    assert "started again (1 time): going on from the newest checkpoint" in errors
    assert re.search(r"^going on from \S+checkpoint_\d+", output, re.M), output
    ok(*small(pack, tmp_path, "undisturbed", *arguments, "--nproc", 2))
    assert weights(tmp_path / "run" / f"checkpoint_{epochs}.pt") == weights(tmp_path / "undisturbed" / f"checkpoint_{epochs}.pt")
