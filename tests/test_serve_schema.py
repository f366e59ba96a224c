"""The server against its own description: requests that match /openapi.json are answered as described, others are refused."""
import subprocess
import sys
from pathlib import Path

from server import serving

EXAMPLES = 6  # per address, besides the limits of every parameter


def test_the_description_is_true(three_epochs, tmp_path):
    with serving(three_epochs) as server:
        done = subprocess.run([Path(sys.executable).parent / "schemathesis", "run", f"{server.url}/openapi.json", "--checks", "all",
                               "--phases", "examples,coverage,fuzzing", "--max-examples", str(EXAMPLES), "--seed", "1", "--continue-on-failure",
                               "--no-shrink"], cwd=tmp_path, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr
        assert server.said() == ""
