"""How `nowhere serve` starts, follows a run, stops, and what it logs."""
import contextlib
import http.client
import json
import os
import shutil
import signal

import pytest
from conftest import nowhere, refused
from generators import publish_checkpoint, save_checkpoint
from server import PATIENCE, Server, serving, wait_until
from test_serve import REVALIDATE, assert_error

TOKEN = "a-token-of-many-letters"


def epoch_of(server):
    return server.get("/v1/model").json()["epoch"]


def test_the_environment_of_the_reference(three_epochs):
    reference = {"MODEL_CFG__ROOT": str(three_epochs.parent), "MODEL_CFG__NAME": three_epochs.name, "ML_CONFIG_CHECKPOINT_NUM": "2"}
    with serving(None, TRAIN_CFG__IMG_SIZE="64", **reference) as server:
        assert epoch_of(server) == 2 and server.said() == ""
    with serving(None, "--epoch", 1, TRAIN_CFG__IMG_SIZE="128", **reference) as server:
        assert epoch_of(server) == 1
        assert "TRAIN_CFG__IMG_SIZE says 128 px" in server.said() and "64 px" in server.said()
    for channels in "13":
        with serving(None, TRAIN_CFG__N_CHANNELS=channels, **reference) as server:
            assert server.said() == ""


def test_without_a_run_the_model_that_comes_with_the_program_is_served():
    with serving(None) as server:
        model = server.get("/v1/model").json()
        assert (model["name"], model["size"]) == ("streets-64", 64)
        assert server.get("/v1/images/1.png").status == 200


def test_the_command_line_wins_over_the_environment(three_epochs, tmp_path):
    save_checkpoint(tmp_path / "other.pt", epoch=9)
    with serving(tmp_path / "other.pt", MODEL_CFG__ROOT=str(three_epochs.parent), MODEL_CFG__NAME=three_epochs.name) as server:
        model = server.get("/v1/model").json()
        assert (model["name"], model["epoch"]) == ("other", 9)
        assert server.get("/v1/checkpoints").json() == {"epochs": [9], "current": 9}
        assert server.get("/v1/images/1.png?epoch=9").body == server.get("/v1/images/1.png").body


def test_what_cannot_be_served_is_refused(three_epochs, tmp_path, monkeypatch):
    assert "absent.pt" in refused(3, "serve", env={**os.environ, "NOWHERE_MODEL": str(tmp_path / "absent.pt")})
    for wrong, words in (([tmp_path / "nothing"], "does not exist"), ([tmp_path], "holds no checkpoint"),
                         ([three_epochs, "--epoch", 7], "no checkpoint of epoch 7")):
        done = nowhere("serve", *wrong, "--port", 0)
        assert done.returncode == 3 and words in done.stderr
        assert done.stdout == "", "it says that it serves"
    assert "--allow-origin" in refused(2, "serve", three_epochs, "--allow-origin", "a.example/path")
    (tmp_path / "short").write_text("1234\n")
    assert "--token-file" in refused(2, "serve", three_epochs, "--token-file", tmp_path / "short")
    (tmp_path / "token").write_text(TOKEN + "\n")
    assert "--allow-origin '*'" in refused(2, "serve", three_epochs, "--token-file", tmp_path / "token", "--allow-origin", "*")
    with serving(three_epochs) as server:
        assert "is taken" in refused(2, "serve", three_epochs, "--port", server.port)
    monkeypatch.setenv("TRAIN_CFG__IMG_SIZE", "large")
    assert "TRAIN_CFG__IMG_SIZE" in refused(2, "serve", three_epochs)
    monkeypatch.delenv("TRAIN_CFG__IMG_SIZE")
    monkeypatch.setenv("TRAIN_CFG__N_CHANNELS", "2")
    assert "TRAIN_CFG__N_CHANNELS" in refused(2, "serve", three_epochs)


@pytest.mark.parametrize("way", ["file", "environment"])
def test_a_token_is_required(three_epochs, tmp_path, way):
    (tmp_path / "token").write_text(TOKEN + "\n")
    options, environment = ((["--token-file", tmp_path / "token"], {}), ([], {"NOWHERE_TOKEN": TOKEN}))[way == "environment"]
    with serving(three_epochs, *options, **environment) as server:
        for target in ("/", "/v1/images/5.png", "/metrics", "/health", "/docs", "/assets/page.css", "/gan_imgs", "/nothing"):
            for wrong in ({}, {"Authorization": f"Bearer {TOKEN}x"}, {"Authorization": f"Basic {TOKEN}"}, {"Authorization": "Bearer "}):
                answer = server.get(target, **wrong)
                assert_error(answer, 401)
                assert answer.headers["WWW-Authenticate"] == "Bearer"
        shown = server.get("/v1/images/5.png", Authorization=f"Bearer {TOKEN}")
        assert shown.status == 200 and shown.headers["Cache-Control"] == "private, no-cache"
        assert server.get("/livez").status == server.get("/readyz").status == 200


def test_pages_of_known_origins_may_read(three_epochs):
    with serving(three_epochs, "--allow-origin", "https://a.example,https://b.example:8443") as server:
        for target in ("/gan_imgs", "/v1/images/5.png", "/v1/model", "/nothing"):
            known, unknown = (server.get(target, Origin=origin) for origin in ("https://b.example:8443", "https://c.example"))
            assert known.headers["Access-Control-Allow-Origin"] == "https://b.example:8443"
            assert unknown.headers["Access-Control-Allow-Origin"] is None
            assert known.headers["Vary"] == unknown.headers["Vary"] == "Origin"
            assert known.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
        asks = {"Access_Control_Request_Method": "GET", "Access_Control_Request_Headers": "authorization"}
        allowed = server.get("/v1/model", method="OPTIONS", Origin="https://a.example", **asks)
        assert allowed.status == 204 and allowed.headers["Access-Control-Allow-Headers"] == "Authorization, *"
        assert_error(server.get("/v1/model", method="OPTIONS", Origin="https://c.example", **asks), 405)


def test_it_waits_for_the_first_checkpoint(tmp_path):
    with contextlib.closing(Server(tmp_path, "--follow")) as server:
        assert server.get("/livez").status == 200 and server.get("/v1/model").json()["ready"] is False
        for target in ("/readyz", "/v1/images/5.png", "/gan_imgs"):
            answer = server.get(target)
            assert_error(answer, 503)
            assert answer.headers["Retry-After"] == "1"
        assert server.get("/v1/checkpoints").json() == {"epochs": [], "current": None}
        publish_checkpoint(tmp_path, 1)
        server.wait_until_ready()
        assert server.get("/v1/images/5.png").status == 200
        assert server.get("/v1/model").json()["following"] is True


def test_it_can_be_stopped_while_it_waits(tmp_path):
    with contextlib.closing(Server(tmp_path, "--follow")) as server:
        assert server.stop() == 0


def test_it_follows_the_run(tmp_path):
    publish_checkpoint(tmp_path, 1)
    with serving(tmp_path, "--follow") as server:
        before = server.get("/v1/images/5.png")
        assert before.headers["Cache-Control"] == REVALIDATE
        permalink = f"/v1/images/5.png?model={server.get('/v1/model').json()['digest']}"
        assert "immutable" in server.get(permalink).headers["Cache-Control"]

        for broken in (b"no checkpoint", b"", (tmp_path / "slim_checkpoint_1.pt").read_bytes()[:9000]):
            said = server.said()
            (tmp_path / "being-written").write_bytes(broken)
            (tmp_path / "being-written").rename(tmp_path / "slim_checkpoint_2.pt")
            wait_until(lambda: len(server.said()) > len(said))
            assert "the old one stays" in server.said()
            assert server.get("/readyz").status == 200 and epoch_of(server) == 1
            assert server.get("/v1/images/5.png").body == before.body

        publish_checkpoint(tmp_path, 3)
        wait_until(lambda: epoch_of(server) == 3)
        after = server.get("/v1/images/5.png", If_None_Match=before.headers["ETag"])
        assert after.status == 200 and after.body != before.body
        assert_error(server.get(permalink), 404)
        assert server.get("/v1/images/5.png?epoch=1").body == before.body
        assert server.get("/v1/checkpoints").json() == {"epochs": [1, 2, 3], "current": 3}


def test_requests_in_progress_finish_at_shutdown(three_epochs):
    with serving(three_epochs, "--request-deadline", PATIENCE, "--drain-deadline", PATIENCE) as server:
        slow = http.client.HTTPConnection("127.0.0.1", server.port, timeout=2 * PATIENCE)
        idle = server.connect()
        with contextlib.closing(slow), contextlib.closing(idle):
            slow.request("GET", "/v1/morph.gif?seeds=1-8&frames=32")
            wait_until(lambda: server.metric("nowhere_queue_pictures") > 0)
            server.process.send_signal(signal.SIGTERM)
            answer = slow.getresponse()
            body = answer.read()
            assert answer.status == 200 and body.startswith(b"GIF89a") and len(body) == int(answer.headers["Content-Length"])
            assert answer.headers["Connection"] == "close"
            assert idle.recv(1) == b""
        assert server.process.wait(PATIENCE) == 0
        with pytest.raises(ConnectionRefusedError):
            server.connect()


def test_draining_has_a_deadline(three_epochs):
    with serving(three_epochs, "--drain-deadline", 0) as server, contextlib.closing(server.connect()) as slow:
        slow.sendall(b"GET /v1/morph.gif?seeds=1-8&frames=32 HTTP/1.1\r\nHost: x\r\n\r\n")
        wait_until(lambda: server.metric("nowhere_queue_pictures") > 0)
        assert server.stop() == 0


def test_an_unreadable_first_checkpoint_is_reported(tmp_path, three_epochs):
    (tmp_path / "slim_checkpoint_1.pt").write_bytes(b"junk")
    with contextlib.closing(Server(tmp_path, "--follow")) as server:
        wait_until(lambda: "slim_checkpoint_1.pt" in server.said())
        assert server.get("/readyz").status == 503
        shutil.copy(three_epochs / "slim_checkpoint_2.pt", tmp_path / "being-written")
        (tmp_path / "being-written").rename(tmp_path / "slim_checkpoint_2.pt")
        server.wait_until_ready()
        assert server.said().count("\n") == 1
        for _ in range(3):
            assert server.get("/v1/images/1.png?epoch=1").status == 404
        assert server.said().count("\n") == 2  # once at the start, once for the epoch that was requested


def test_the_access_log_is_json(three_epochs, tmp_path):
    log = tmp_path / "access.jsonl"
    with serving(three_epochs, "--access-log", log) as server:
        hostile = "/v1/images/5.png?x=%22%0a" + "y" * 2000
        for target in ("/v1/images/5.png", hostile, "/nothing?token=1"):
            server.get(target)
        server.get("/gan_imgs", method="HEAD")
        with contextlib.closing(server.connect()) as broken:
            broken.sendall(b"\x00\x01 nonsense\r\n\r\n")
            broken.recv(1000)
        lines = [json.loads(line) for line in log.read_text().splitlines()]
    asked = [line for line in lines if line["route"] != "readyz"]
    assert [(line["method"], line["route"], line["status"]) for line in asked] == [
        ("GET", "image", 200), ("GET", "image", 400), ("GET", "none", 404), ("HEAD", "gan_imgs", 200), ("", "none", 400)]
    for line in asked:
        assert line.keys() == {"time", "remote", "method", "route", "path", "status", "bytes", "milliseconds"}
        assert line["remote"] == "127.0.0.1" and line["milliseconds"] >= 0 and len(line["path"]) <= 512
        assert line["time"].endswith("Z")
    assert asked[0]["bytes"] > 1000 and asked[3]["bytes"] == 0


def test_the_access_log_goes_to_the_terminal(three_epochs):
    with serving(three_epochs, "--access-log", "-") as server:
        server.get("/v1/images/5.png")
        assert json.loads(server.said().splitlines()[-1])["route"] == "image"
