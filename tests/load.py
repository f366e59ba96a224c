"""wrk against a server: the figures that bench/requests.lua writes."""
import json
import signal
import subprocess
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent.parent / "bench" / "requests.lua"


def begin_load(url, what, seconds, connections):
    """wrk in a process of its own. `what`: a path, or "mixed"."""
    return subprocess.Popen(["wrk", "--threads", "1", "--connections", str(connections), "--duration", f"{seconds}s", "--timeout", "60s",
                             "--script", str(SCRIPT), url, "--", what], stdout=subprocess.PIPE, text=True)


def end_load(wrk):
    """{"requests", "seconds", "p50_ms", "p99_ms", "refused", "broken", "statuses": {"200": ...}}."""
    printed, _ = wrk.communicate()
    assert wrk.returncode == 0, printed
    return json.loads(printed.strip().splitlines()[-1])


def interrupt_load(wrk):
    """Ends it before its time; its figures so far."""
    wrk.send_signal(signal.SIGINT)
    return end_load(wrk)


def load(url, what, seconds, connections):
    return end_load(begin_load(url, what, seconds, connections))
