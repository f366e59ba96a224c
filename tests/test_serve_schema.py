"""The server against its own description: whatever fits /openapi.json is answered as it says, whatever does not is refused."""
import subprocess
import sys
from pathlib import Path

from server import serving

EXAMPLES = 6  # of each address, beside the borders of every parameter


def test_the_description_holds(three_epochs, tmp_path):
    with serving(three_epochs) as server:
        done = subprocess.run([Path(sys.executable).parent / "schemathesis", "run", f"{server.url}/openapi.json", "--checks", "all",
                               "--phases", "examples,coverage,fuzzing", "--max-examples", str(EXAMPLES), "--seed", "1", "--continue-on-failure",
                               "--no-shrink"], cwd=tmp_path, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr
        assert server.said() == ""
