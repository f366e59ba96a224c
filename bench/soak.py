"""scripts/soak: mixed traffic of 64 clients for a minute, with a newer checkpoint in the middle of it; memory is watched all
the while, with a cache that is full before it begins."""
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from generators import publish_checkpoint  # noqa: E402
from load import begin_load, end_load, load  # noqa: E402
from server import serving  # noqa: E402

CONNECTIONS, SIZES = 64, {"nz": 100, "ngf": 64, "size": 64}  # naive-64
WARM_UP, CACHE_MB, GROWTH_MB = 10, 16, 50
FINE = {"200", "302", "503"}


def publish_later(run, epoch, seconds):
    time.sleep(seconds)
    publish_checkpoint(run, epoch, **SIZES)


def main():
    seconds = int(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder)
        publish_checkpoint(run, 1, **SIZES)
        with serving(run, "--follow", "--connections-per-address", 0, "--cache-mb", CACHE_MB) as server:
            load(server.url, "mixed", WARM_UP, CONNECTIONS)
            memory = [server.resident_bytes() / 1e6]
            publisher = threading.Thread(target=publish_later, args=(run, 2, seconds / 2))
            publisher.start()
            wrk = begin_load(server.url, "mixed", seconds, CONNECTIONS)
            while wrk.poll() is None:
                time.sleep(seconds / 6)
                memory.append(server.resident_bytes() / 1e6)
            figures = end_load(wrk)
            publisher.join()
            epoch, said = server.get("/v1/model").json()["epoch"], server.said()
    answers = ", ".join(f"{count:,} with {status}" for status, count in sorted(figures["statuses"].items()))
    print(f"{figures['requests'] / figures['seconds']:.0f} requests/s from {CONNECTIONS} clients for {figures['seconds']:.0f} s: {answers}")
    print(f"p50 {figures['p50_ms']:.0f} ms, p99 {figures['p99_ms']:.0f} ms")
    print(f"memory {memory[0]:.0f} MB before, then {', '.join(f'{megabytes:.0f}' for megabytes in memory[1:])} MB")
    failed = sum(count for status, count in figures["statuses"].items() if status not in FINE) + figures["broken"]
    print(f"failed requests: {failed}; the server now shows epoch {epoch} of 2")
    if memory[-1] > memory[0] + GROWTH_MB:
        sys.exit(f"failed: memory grew by more than {GROWTH_MB} MB")
    if failed or epoch != 2 or said:
        sys.exit(f"failed: {said.strip() or 'see above'}")


if __name__ == "__main__":
    main()
