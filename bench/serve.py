"""scripts/bench serve: this server and the original's as it is usually run, asked by wrk in alternating rounds; medians, the
ratios last."""
import contextlib
import os
import re
import statistics
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
WORK = TOP / "build" / "bench" / "serve"
sys.path.insert(0, str(TOP / "tests"))
from generators import save_checkpoint  # noqa: E402
from load import load  # noqa: E402
from server import serving  # noqa: E402

ROUNDS, SECONDS, CLIENTS = 3, 6, 16
OURS, THEIRS = "nowhere", "Flask, PyTorch and Pillow, gunicorn with 2 workers"
PERMALINK = "/v1/grid.png?seeds=" + ",".join(str(1000 + 7 * i) for i in range(16)) + "&cols=4"
CASES = {"fresh sheets": {OURS: "/gan_imgs", THEIRS: "/gan_imgs"},
         "the same sheet again": {OURS: PERMALINK, THEIRS: "/gan_imgs"},  # theirs has neither seeds nor a cache
         "fresh animations": {OURS: "/gan_gifs", THEIRS: "/gan_gifs"}}
TARGETS = {"fresh sheets": 2, "the same sheet again": 50, "fresh animations": 2}
MEMORY_TARGET = 0.5


@contextlib.contextmanager
def peer(checkpoint, threads):
    """gunicorn, listening; its address and process."""
    # Workers wait actively for each other's threads otherwise, where there are more threads than cores.
    environment = {**os.environ, "CHECKPOINT": str(checkpoint), "THREADS": str(threads), "OMP_WAIT_POLICY": "PASSIVE"}
    process = subprocess.Popen([sys.executable, "-m", "gunicorn", "--workers", "2", "--preload", "--bind", "127.0.0.1:0", "--timeout", "120",
                                "serve_peer:app"], cwd=TOP / "bench", env=environment, stderr=subprocess.PIPE, text=True)
    try:
        lines = (re.search(r"Listening at: (http://\S+)", line) for line in process.stderr)
        found = next(filter(None, lines), None)
        if not found:
            sys.exit("failed: the peer did not start")
        yield found[1], process
    finally:
        process.terminate()
        process.communicate()


def proportional_bytes(pid):
    """Resident memory of a process and its children; what several share counts once."""
    children = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    own = int(re.search(r"^Pss:\s*(\d+) kB$", rollup, re.M)[1]) * 1024
    return own + sum(map(proportional_bytes, children))


def ask(url, path, seconds=SECONDS):
    figures = load(url, path, seconds, CLIENTS)
    if figures["broken"] or figures["refused"]:
        sys.exit(f"failed: {url}{path}: {figures}")
    return {"rate": figures["requests"] / figures["seconds"], "p99_ms": figures["p99_ms"]}


def best_threads(checkpoint):
    """PyTorch's threads in each of the peer's workers, by what is faster here."""
    rates = {}
    for threads in (1, 2):
        with peer(checkpoint, threads) as (url, _):
            ask(url, "/gan_imgs", 2)
            rates[threads] = ask(url, "/gan_imgs", SECONDS)["rate"]
    print(f"the peer's fresh sheets/s: {rates[1]:.1f} with 1 thread a worker, {rates[2]:.1f} with 2; it gets the better")
    return max(rates, key=rates.get)


def measure(checkpoint, threads):
    """{case: {who: [figures of each round]}} and {who: (bytes before, after)}."""
    figures = {case: {OURS: [], THEIRS: []} for case in CASES}
    with serving(checkpoint, "--connections-per-address", 0) as server, peer(checkpoint, threads) as (url, gunicorn):
        urls, processes = {OURS: server.url, THEIRS: url}, {OURS: server.process.pid, THEIRS: gunicorn.pid}
        before = {who: proportional_bytes(pid) for who, pid in processes.items()}
        for who, address in urls.items():
            ask(address, CASES["fresh sheets"][who], 2)  # to warm up
        for number in range(ROUNDS):
            print(f"round {number + 1} of {ROUNDS}", flush=True)
            for case, paths in CASES.items():
                for who, address in urls.items():
                    figures[case][who].append(ask(address, paths[who]))
        return figures, {who: (before[who], proportional_bytes(pid)) for who, pid in processes.items()}


def column(rounds, key):
    return [figures[key] for figures in rounds]


def print_figures(figures, memory):
    for case, by_whom in figures.items():
        for who, rounds in by_whom.items():
            rates, p99 = column(rounds, "rate"), column(rounds, "p99_ms")
            print(f"{statistics.median(rates):9.1f} a second ({min(rates):.1f} to {max(rates):.1f}), p99 {statistics.median(p99):.1f} ms"
                  f" ({min(p99):.1f} to {max(p99):.1f})  {case}: {who}")
    for who, (before, after) in memory.items():
        print(f"{before / 1e6:9.0f} MB idle, {after / 1e6:.0f} MB after the load  {who}")


def print_ratios(figures, memory):
    for case, target in TARGETS.items():
        ours, theirs = ({key: statistics.median(column(figures[case][who], key)) for key in ("rate", "p99_ms")} for who in (OURS, THEIRS))
        print(f"ratio, {case} a second: {ours['rate'] / theirs['rate']:.2f} (target {target});"
              f" p99: {ours['p99_ms'] / theirs['p99_ms']:.2f} of theirs (target: below 1)")
    for when, place in (("idle", 0), ("after the load", 1)):
        print(f"ratio, memory {when}: {memory[OURS][place] / memory[THEIRS][place]:.2f} (target: at most {MEMORY_TARGET})")


def main():
    WORK.mkdir(parents=True, exist_ok=True)
    checkpoint = WORK / "naive64.pt"
    save_checkpoint(checkpoint, nz=100, ngf=64, size=64)
    figures, memory = measure(checkpoint, best_threads(checkpoint))
    print_figures(figures, memory)
    print_ratios(figures, memory)


if __name__ == "__main__":
    main()
