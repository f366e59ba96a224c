"""scripts/soak: mixed traffic of 64 clients for a minute, with a newer checkpoint in the middle of it."""
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from generators import publish_checkpoint  # noqa: E402
from load import load  # noqa: E402
from server import serving  # noqa: E402

CONNECTIONS, SIZES = 64, {"nz": 100, "ngf": 64, "size": 64}  # naive-64
FINE = {"200", "302", "503"}


def publish_later(run, epoch, seconds):
    time.sleep(seconds)
    publish_checkpoint(run, epoch, **SIZES)


def main():
    seconds = int(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder)
        publish_checkpoint(run, 1, **SIZES)
        with serving(run, "--follow", "--connections-per-address", 0) as server:
            load(server.url, "mixed", 2, CONNECTIONS)  # what it needs once, it has after this
            before = server.resident_bytes()
            publisher = threading.Thread(target=publish_later, args=(run, 2, seconds / 2))
            publisher.start()
            figures = load(server.url, "mixed", seconds, CONNECTIONS)
            publisher.join()
            after, epoch, said = server.resident_bytes(), server.get("/v1/model").json()["epoch"], server.said()
    answers = ", ".join(f"{count:,} with {status}" for status, count in sorted(figures["statuses"].items()))
    print(f"{figures['requests'] / figures['seconds']:.0f} requests/s from {CONNECTIONS} clients for {figures['seconds']:.0f} s: {answers}")
    print(f"p50 {figures['p50_ms']:.0f} ms, p99 {figures['p99_ms']:.0f} ms")
    print(f"memory {before / 1e6:.0f} MB before, {after / 1e6:.0f} MB after")
    failed = sum(count for status, count in figures["statuses"].items() if status not in FINE) + figures["broken"]
    print(f"failed requests: {failed}; the server now shows epoch {epoch} of 2")
    if failed or epoch != 2 or said:
        sys.exit(f"failed: {said.strip() or 'see above'}")


if __name__ == "__main__":
    main()
