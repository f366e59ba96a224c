"""Many clients at once, for seconds; scripts/soak does the same for a minute and reports."""
import shutil

from load import begin_load, interrupt_load, load
from server import PATIENCE, serving, wait_until
from test_serve_life import epoch_of

SECONDS, CONNECTIONS, GROWTH = 5, 64, 50 * 2**20


def test_mixed_traffic(three_epochs):
    with serving(three_epochs, "--connections-per-address", 0, "--cache-mb", 1) as server:
        load(server.url, "mixed", SECONDS, CONNECTIONS)  # to warm it up
        before = server.resident_bytes()
        figures = load(server.url, "mixed", SECONDS, CONNECTIONS)
        assert server.resident_bytes() < before + GROWTH
        assert set(figures["statuses"]) <= {"200", "302", "503"} and figures["statuses"]["200"] > 0 and figures["broken"] == 0
        wait_until(lambda: server.metric("nowhere_queue_pictures") == 0)
        assert server.said() == ""


def test_new_checkpoints_under_load_fail_no_request(three_epochs, tmp_path):
    def publish(epoch):
        shutil.copy(three_epochs / f"slim_checkpoint_{epoch}.pt", tmp_path / "being-written")
        (tmp_path / "being-written").rename(tmp_path / f"slim_checkpoint_{epoch}.pt")

    publish(1)
    with serving(tmp_path, "--follow", "--connections-per-address", 0) as server:
        wrk = begin_load(server.url, "mixed", 4 * PATIENCE, CONNECTIONS)
        for epoch in (2, 3):
            answered = server.metric('nowhere_http_requests_total{code="200",route="image"}')
            wait_until(lambda: server.metric('nowhere_http_requests_total{code="200",route="image"}') > answered + 100)  # noqa: B023
            publish(epoch)
            wait_until(lambda: epoch_of(server) == epoch)  # noqa: B023
        figures = interrupt_load(wrk)
        assert set(figures["statuses"]) == {"200", "302"} and figures["broken"] == 0
        assert server.said() == ""
