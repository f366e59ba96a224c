"""scripts/bench serve: this server and the reference's as it is usually run, asked by wrk in alternating rounds; medians, the
ratios last. A ratio is the median of those of the rounds: what was measured next to each other shares the machine's mood."""
import contextlib
import os
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
WORK = TOP / "build" / "bench" / "serve"
sys.path.insert(0, str(TOP / "tests"))
from generators import save_checkpoint  # noqa: E402
from load import load  # noqa: E402
from server import serving  # noqa: E402

ROUNDS, SECONDS, CLIENTS = 7, 5, 16
OURS, THEIRS = "nowhere", "Flask, PyTorch and Pillow, gunicorn with 2 workers"
PLAIN = THEIRS + " that do not preload"
PERMALINK = "/v1/grid.png?seeds=" + ",".join(str(1000 + 7 * i) for i in range(16)) + "&cols=4"
CASES = {"fresh sheets": {OURS: "/gan_imgs", THEIRS: "/gan_imgs"},
         "the same sheet again": {OURS: PERMALINK, THEIRS: "/gan_imgs"},  # theirs has neither seeds nor a cache
         "fresh animations": {OURS: "/gan_gifs", THEIRS: "/gan_gifs"}}
TARGETS = {"fresh sheets": 3, "the same sheet again": 50, "fresh animations": 2}
MEMORY_TARGET = 0.5


@contextlib.contextmanager
def peer(checkpoint, threads, preload=True):
    """gunicorn, listening; its address and process id. Preloading lets the workers share what they only read."""
    # Workers wait actively for each other's threads otherwise, where there are more threads than cores.
    environment = {**os.environ, "CHECKPOINT": str(checkpoint), "THREADS": str(threads), "OMP_WAIT_POLICY": "PASSIVE"}
    process = subprocess.Popen([sys.executable, "-m", "gunicorn", "--workers", "2", "--bind", "127.0.0.1:0", "--timeout", "120",
                                *(["--preload"] if preload else []), "serve_peer:app"], cwd=TOP / "bench", env=environment, stderr=subprocess.PIPE, text=True)
    try:
        lines = (re.search(r"Listening at: (http://\S+)", line) for line in process.stderr)
        found = next(filter(None, lines), None)
        if not found:
            sys.exit("failed: the peer did not start")
        yield found[1], process.pid
    finally:
        process.terminate()
        process.communicate()


def family(pid):
    """A process and its children."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(member for child in children for member in family(int(child)))]


def resident_bytes(pid):
    """Of the whole family; what several share counts once."""
    rollups = (Path(f"/proc/{member}/smaps_rollup").read_text() for member in family(pid))
    return sum(int(re.search(r"^Pss:\s*(\d+) kB$", rollup, re.M)[1]) * 1024 for rollup in rollups)


def processor_seconds(pid):
    fields = (Path(f"/proc/{member}/stat").read_text().rpartition(")")[2].split() for member in family(pid))
    return sum(int(of[11]) + int(of[12]) for of in fields) / os.sysconf("SC_CLK_TCK")


def settle(pid):
    """Until it rests: servers go on with what wrk asked for last, and would disturb the next measurement."""
    while True:
        before = processor_seconds(pid)
        time.sleep(0.5)
        if processor_seconds(pid) - before < 0.05:
            return


def ask(url, pid, path, seconds=SECONDS):
    figures = load(url, path, seconds, CLIENTS)
    settle(pid)
    if figures["broken"] or figures["refused"]:
        sys.exit(f"failed: {url}{path}: {figures}")
    return {"rate": figures["requests"] / figures["seconds"], "p99_ms": figures["p99_ms"]}


def best_threads(checkpoint):
    """PyTorch's threads in each of the peer's workers, by what is faster here."""
    rates = {}
    for threads in (1, 2):
        with peer(checkpoint, threads) as (url, pid):
            ask(url, pid, "/gan_imgs", 2)
            rates[threads] = ask(url, pid, "/gan_imgs")["rate"]
    print(f"the peer's fresh sheets/s: {rates[1]:.1f} with 1 thread a worker, {rates[2]:.1f} with 2; it gets the better")
    return max(rates, key=rates.get)


def measure(checkpoint, threads):
    """{case: {who: [figures of each round]}} and {who: (bytes idle, after the load)}."""
    figures = {case: {OURS: [], THEIRS: []} for case in CASES}
    with serving(checkpoint, "--connections-per-address", 0) as server, peer(checkpoint, threads) as (url, gunicorn):
        servers = {OURS: (server.url, server.process.pid), THEIRS: (url, gunicorn)}
        for who in servers:
            ask(*servers[who], "/health", 1)
        before = {who: resident_bytes(pid) for who, (_, pid) in servers.items()}
        for who in servers:
            ask(*servers[who], CASES["fresh sheets"][who], 2)  # to warm up
        for number in range(ROUNDS):
            print(f"round {number + 1} of {ROUNDS}", flush=True)
            for case, paths in CASES.items():
                for who in servers:
                    figures[case][who].append(ask(*servers[who], paths[who]))
        return figures, {who: (before[who], resident_bytes(pid)) for who, (_, pid) in servers.items()}


def memory_without_preloading(checkpoint, threads):
    """Bytes before and after every kind of request, of the peer as gunicorn starts it when it is told nothing."""
    with peer(checkpoint, threads, preload=False) as (url, pid):
        ask(url, pid, "/health", 1)
        before = resident_bytes(pid)
        for path in ("/gan_imgs", "/gan_gifs"):
            ask(url, pid, path)
        return before, resident_bytes(pid)


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
        rate, p99 = (sorted(ours[key] / theirs[key] for ours, theirs in zip(figures[case][OURS], figures[case][THEIRS])) for key in ("rate", "p99_ms"))
        print(f"ratio, {case} a second: {statistics.median(rate):.2f}, {rate[0]:.2f} to {rate[-1]:.2f} (target {target});"
              f" p99: {statistics.median(p99):.2f} of theirs (target: below 1)")
    for when, place in (("idle", 0), ("after the load", 1)):
        ratios = {who: memory[OURS][place] / memory[who][place] for who in (THEIRS, PLAIN)}
        print(f"ratio, memory {when}: {ratios[PLAIN]:.2f}; {ratios[THEIRS]:.2f} where its workers preload (target: at most {MEMORY_TARGET})")


def main():
    WORK.mkdir(parents=True, exist_ok=True)
    checkpoint = WORK / "naive64.pt"
    save_checkpoint(checkpoint, nz=100, ngf=64, size=64)
    threads = best_threads(checkpoint)
    figures, memory = measure(checkpoint, threads)
    memory[PLAIN] = memory_without_preloading(checkpoint, threads)
    print_figures(figures, memory)
    print_ratios(figures, memory)


if __name__ == "__main__":
    main()
