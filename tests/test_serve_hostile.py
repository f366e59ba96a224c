"""Clients that misbehave: whatever they send, others are served, and memory and descriptors are released."""
import contextlib
import json
import re
import resource
import socket
import struct
import threading
import time

import pytest
from generators import save_checkpoint
from server import PATIENCE, serving, wait_until
from test_serve import assert_error

IDLE = 2000
MAX_GROWTH = 50 * 2**20  # bytes


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """Warmed up, so that later growth is a leak. Its cache is small, because cached pictures are not what is watched here."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # the server inherits it
    checkpoint = tmp_path_factory.mktemp("hostile") / "model.pt"
    save_checkpoint(checkpoint)
    with serving(checkpoint, "--max-connections", 4096, "--connections-per-address", 0, "--cache-mb", 4, "--idle-deadline", 120) as started:
        for _ in range(3):
            for target in ("/v1/grid.png?seeds=1-64", "/v1/morph.gif?seeds=1-4&frames=16", "/v1/images/1.webp", "/gan_imgs", "/docs"):
                assert started.get(target).status == 200
        started.bytes_at_first = started.resident_bytes()
        yield started


class Witness(threading.Thread):
    """A well-behaved client that keeps sending requests, and records the statuses and the size of the server."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.server = server
        self.statuses = []
        self.largest = 0
        self.fault = None
        self.ended = threading.Event()

    def run(self):
        try:
            while not self.ended.is_set():
                target = f"/v1/images/{len(self.statuses)}.png" if len(self.statuses) % 2 else "/livez"
                self.statuses.append(self.server.get(target).status)
                self.largest = max(self.largest, self.server.resident_bytes())
        except OSError as fault:
            self.fault = fault

    def wait_for_answers(self):
        """Two responses of each kind to requests from now on."""
        asked = len(self.statuses)
        wait_until(lambda: len(self.statuses) > asked + 4 or self.fault)


@pytest.fixture(autouse=True)
def watched(server):
    """Around every test here: a well-behaved client is served, memory does not grow, descriptors are released."""
    descriptors_before = server.descriptors()
    witness = Witness(server)
    witness.start()
    witness.wait_for_answers()
    yield witness
    witness.wait_for_answers()  # also after the test
    witness.ended.set()
    witness.join(PATIENCE)
    assert witness.fault is None
    assert set(witness.statuses) == {200}
    assert witness.largest - server.bytes_at_first < MAX_GROWTH  # all tests together
    wait_until(lambda: server.descriptors() <= descriptors_before)


def all_of(connection):
    """Everything until the server closes."""
    received = b""
    with contextlib.suppress(ConnectionResetError):
        while part := connection.recv(65536):
            received += part
    return received


def sent(server, *parts):
    """The responses to these bytes on one connection, which the server has to close."""
    with contextlib.closing(server.connect()) as connection:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            for part in parts:
                connection.sendall(part)
        return all_of(connection)


def statuses(received):
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3}) ", received)]


BROKEN = {
    "no version": b"GET /livez\r\n\r\n",
    "another version": b"GET /livez HTTP/9.9\r\nHost: x\r\n\r\n",
    "no host": b"GET /livez HTTP/1.1\r\n\r\n",
    "two hosts": b"GET /livez HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
    "no colon": b"GET /livez HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n",
    "space before the colon": b"GET /livez HTTP/1.1\r\nHost: x\r\nAccept : y\r\n\r\n",
    "zero in a header": b"GET /livez HTTP/1.1\r\nHost: x\r\nAccept: \x00\r\n\r\n",
    "zero in the path": b"GET /\x00livez HTTP/1.1\r\nHost: x\r\n\r\n",
    "space in the path": b"GET /live z HTTP/1.1\r\nHost: x\r\n\r\n",
    "a path without a slash": b"GET livez HTTP/1.1\r\nHost: x\r\n\r\n",
    "a name in place of a path": b"CONNECT x.example:443 HTTP/1.1\r\nHost: x\r\n\r\n",
    "an encrypted greeting": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(256)),
    "a greeting of HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "only line breaks": b"\r\n" * 6000,
    "a method of many letters": b"G" * 20000 + b" / HTTP/1.1\r\nHost: x\r\n\r\n",
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_requests(server, name):
    answers = statuses(sent(server, BROKEN[name]))
    assert len(answers) <= 1 and set(answers) <= {400, 431}


SMUGGLED = b"GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n"


def with_body(headers, body):
    return b"POST /livez HTTP/1.1\r\nHost: x\r\n" + headers + b"\r\n" + body + SMUGGLED


CHUNKED = b"Transfer-Encoding: chunked\r\n"
SMUGGLING = {
    "length and chunks": with_body(b"Content-Length: 5\r\n" + CHUNKED, b"0\r\n\r\n"),
    "chunks and length": with_body(CHUNKED + b"Content-Length: 5\r\n", b"0\r\n\r\n"),
    "two lengths": with_body(b"Content-Length: 0\r\nContent-Length: 5\r\n", b"12345"),
    "a list of lengths": with_body(b"Content-Length: 0, 5\r\n", b"12345"),
    "a negative length": with_body(b"Content-Length: -1\r\n", b""),
    "a length with a sign": with_body(b"Content-Length: +5\r\n", b"12345"),
    "a length in hex": with_body(b"Content-Length: 0x5\r\n", b"12345"),
    "a length beyond 64 bits": with_body(b"Content-Length: 18446744073709551621\r\n", b"12345"),
    "a chunk's size that is none": with_body(CHUNKED, b"zz\r\n\r\n0\r\n\r\n"),
    "a chunk's size with a sign": with_body(CHUNKED, b"-5\r\n12345\r\n0\r\n\r\n"),
    "a chunk's size beyond 64 bits": with_body(CHUNKED, b"10000000000000005\r\n12345\r\n0\r\n\r\n"),
    "a chunk with 0x": with_body(CHUNKED, b"0x5\r\n12345\r\n0\r\n\r\n"),
    "a chunk longer than its size": with_body(CHUNKED, b"2\r\n12345\r\n0\r\n\r\n"),
    "another coding": with_body(b"Transfer-Encoding: xchunked\r\n", b"0\r\n\r\n"),
    "another coding and a length": with_body(b"Transfer-Encoding: identity\r\nContent-Length: 5\r\n", b"0\r\n\r\n"),
    "chunks and another coding behind": with_body(b"Transfer-Encoding: chunked, identity\r\n", b"0\r\n\r\n"),
    "chunks twice": with_body(CHUNKED + CHUNKED, b"0\r\n\r\n"),
    "a space before the colon": with_body(b"Transfer-Encoding : chunked\r\nContent-Length: 5\r\n", b"0\r\n\r\n"),
    "a tab before the name": b"POST /livez HTTP/1.1\r\nHost: x\r\nX: y\r\n\tContent-Length: 5\r\n" + CHUNKED + b"Content-Length: 0\r\n\r\n" + SMUGGLED,
}


@pytest.mark.parametrize("name", SMUGGLING)
def test_ambiguous_requests(server, name):
    """One refusal, then the connection closes: what follows must not be taken for a request."""
    received = sent(server, SMUGGLING[name])
    assert statuses(received) == [400], received
    assert b"\r\nConnection: close\r\n" in received


def test_folded_headers_are_unambiguous(server):
    folded = b"POST /livez HTTP/1.1\r\nHost: x\r\nTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n"
    received = sent(server, folded + b"GET /v1/nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    assert statuses(received) in ([400], [405, 404])


def test_unexpected_bodies(server):
    last = b"GET /v1/model HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    for headers, body in ((b"Content-Length: 21\r\n", b"GET /a HTTP/1.1\r\n\r\nxx"), (CHUNKED, b"5\r\nhello\r\n0\r\n\r\n")):
        assert statuses(sent(server, b"GET /livez HTTP/1.1\r\nHost: x\r\n" + headers + b"\r\n" + body + last)) == [200, 200]
    large = b"GET /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n"
    assert statuses(sent(server, large, b"x" * 1_000_000)) == [413]
    chunk = b"400\r\n" + b"x" * 1024 + b"\r\n"
    assert statuses(sent(server, b"GET /livez HTTP/1.1\r\nHost: x\r\n" + CHUNKED + b"\r\n", *[chunk] * 1000)) == [413]


def test_too_long(server):
    def request(target, headers=b""):
        return b"GET " + target + b" HTTP/1.1\r\nHost: x\r\n" + headers + b"Connection: close\r\n\r\n"

    assert statuses(sent(server, request(b"/livez?" + b"a" * 2**20))) == [431]
    assert statuses(sent(server, request(b"/v1/grid.png?seeds=" + ",".join(map(str, range(10_000))).encode()))) == [431]
    assert statuses(sent(server, request(b"/livez", b"X: " + b"a" * 2**20 + b"\r\n"))) == [431]
    assert statuses(sent(server, request(b"/livez", b"X: y\r\n" * 100_000))) == [431]


TRAVERSALS = ["/assets/../../../../etc/passwd", "/assets/%2e%2e/%2e%2e/etc/passwd", "/assets/..%2f..%2f..%2fetc%2fpasswd", "/assets/%252e%252e%252fetc",
              "/assets//etc/passwd", "/assets/%2fetc%2fpasswd", "/assets/..%5c..%5cetc", "/assets/page.css%00.js", "/assets/%c0%ae%c0%ae/etc/passwd",
              "/assets/.", "/assets/..", "/assets/", "/assets", "//etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/v1/images/../../etc/passwd"]


@pytest.mark.parametrize("target", TRAVERSALS)
def test_files_of_the_machine_are_not_served(server, target):
    assert_error(server.get(target), 404)


def test_slow_clients(server):
    """Clients that send a byte now and then are closed; those that do not read are waited for. Neither holds up others."""
    beginnings = [b"GET /livez HTTP/1.1\r\nHost: x\r\nX: ", b"POST /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n",
                  b"POST /livez HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3e8\r\n"]
    with contextlib.ExitStack() as stack:
        lazy = [stack.enter_context(contextlib.closing(socket.socket())) for _ in range(20)]
        for connection in lazy:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.connect(("127.0.0.1", server.port))
            connection.sendall(b"GET /v1/grid.png?seeds=1-64 HTTP/1.1\r\nHost: x\r\n\r\n" * 30)
        slow = [stack.enter_context(contextlib.closing(server.connect())) for _ in range(60)]
        for number, connection in enumerate(slow):
            connection.sendall(beginnings[number % len(beginnings)])
        deadline = time.monotonic() + PATIENCE
        while slow:
            assert time.monotonic() < deadline, "they were never closed"
            time.sleep(0.5)
            slow = [connection for connection in slow if still_takes(connection)]
        assert statuses(lazy[0].recv(1000)) == [200]


def still_takes(connection):
    try:
        connection.send(b"x")
        connection.setblocking(False)
        return connection.recv(1000) != b""
    except BlockingIOError:
        connection.setblocking(True)
        return True
    except OSError:
        return False


def test_many_idle_connections(server, watched):
    before = server.metric("nowhere_connections")
    with contextlib.ExitStack() as stack:
        idle = [stack.enter_context(contextlib.closing(server.connect())) for _ in range(IDLE)]
        wait_until(lambda: server.metric("nowhere_connections") >= before + IDLE - 1)
        watched.wait_for_answers()
        for connection in idle[::100]:  # idle connections still work
            connection.sendall(b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")
            assert statuses(connection.recv(4096)) == [200]


def test_clients_that_leave_midway(server):
    """With and without a proper close, before, between and during responses."""
    targets = [b"/v1/grid.png?seeds=%d-%d", b"/v1/morph.gif?seeds=%d,%d&frames=16", b"/gan_imgs?%d%d"]
    for number in range(90):
        with contextlib.closing(server.connect()) as connection:
            target = targets[number % 3] % (number, number + 15)
            connection.sendall(b"GET " + target + b" HTTP/1.1\r\nHost: x\r\n\r\n")
            if number % 2:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            if number % 9 == 0:
                connection.recv(100)
    wait_until(lambda: server.metric("nowhere_queue_pictures") == 0)


def test_too_many_connections_are_refused(tmp_path, server):  # noqa: ARG001
    save_checkpoint(tmp_path / "model.pt")
    with serving(tmp_path / "model.pt", "--max-connections", 8, "--connections-per-address", 4) as small, contextlib.ExitStack() as stack:
        for _ in range(4):
            held = stack.enter_context(contextlib.closing(small.connect()))
            held.sendall(b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")
            assert statuses(held.recv(4096)) == [200]
        refused = small.get("/livez")
        assert refused.status == 503 and refused.headers["Retry-After"] == "1"
        assert "connections" in json.loads(refused.body)["error"]["message"]
