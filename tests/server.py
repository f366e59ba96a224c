"""`nowhere serve` as a process, and a client for it: for the tests and the benchmarks."""
import contextlib
import http.client
import json
import os
import re
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

PROGRAM = Path(__file__).resolve().parent.parent / "build" / "nowhere"
PATIENCE = 60  # seconds: for what is immediate on an idle machine


class Answer(NamedTuple):
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    def json(self):
        return json.loads(self.body)


class Server:
    """Listens once it is constructed; its model may not be loaded yet."""

    def __init__(self, run, *options, **environment):
        self.errors = tempfile.TemporaryFile("w+")
        arguments = ["serve", *([run] if run else []), "--port", 0, *options]
        self.process = subprocess.Popen([PROGRAM, *map(str, arguments)], stdout=subprocess.PIPE, stderr=self.errors, text=True,
                                        env={**os.environ, **environment})
        found = re.match(r"serving .* on (http://127\.0\.0\.1:(\d+))/$", self.process.stdout.readline().rstrip())
        if not found:
            self.process.wait(PATIENCE)
        assert found, f"it ended before it listened: {self.said()}"
        self.url, self.port = found[1], int(found[2])

    def get(self, target, method="GET", **headers):
        """One request on a connection of its own. If_None_Match= becomes a header of that name."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        with contextlib.closing(connection):
            connection.request(method, target, headers={name.replace("_", "-"): value for name, value in headers.items()})
            response = connection.getresponse()
            return Answer(response.status, response.headers, response.read())

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)

    def wait_until_ready(self):
        wait_until(lambda: self.get("/readyz").status == 200)

    def metric(self, name):
        """A sample by its name and labels, as they appear in /metrics; 0 before the first."""
        found = re.search(rf"^{re.escape(name)} (\S+)$", self.get("/metrics").body.decode(), re.M)
        return float(found[1]) if found else 0.0

    def resident_bytes(self):
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"^VmRSS:\s*(\d+) kB$", status, re.M)[1]) * 1024

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def said(self):
        """What it has written to stderr so far."""
        self.errors.seek(0)
        return self.errors.read()

    def stop(self):
        """SIGTERM, and the exit code."""
        self.process.terminate()
        return self.process.wait(PATIENCE)

    def close(self):
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.stop()
        self.process.kill()
        self.process.communicate()
        self.errors.close()


@contextlib.contextmanager
def serving(run, *options, **environment):
    """A server with its model loaded, for as long as the block lasts."""
    with contextlib.closing(Server(run, *options, **environment)) as server:
        server.wait_until_ready()
        yield server


def wait_until(condition):
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "the condition never became true"
        time.sleep(0.02)
