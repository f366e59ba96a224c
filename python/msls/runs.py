"""For notebooks: calls the program, and reads what a run leaves behind."""
import json
import subprocess
from pathlib import Path

from msls.program import find_program


def nowhere(*arguments):
    """Runs a command of the program and shows what it prints. Fails with its message."""
    done = subprocess.run([find_program(), *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    print(done.stdout, end="")
    if done.returncode:
        raise RuntimeError(done.stderr.strip() or f"nowhere ended with code {done.returncode}")


def stats(run):
    """The lines of stats.jsonl. One that is being written while a run trains is left out."""
    lines = (Path(run) / "stats.jsonl").read_text().splitlines(keepends=True)
    return [json.loads(line) for line in lines if line.endswith("\n")]


def log_points(run):
    """Losses, speed and the state of the machine, every log_frequency batches."""
    return [line for line in stats(run) if "step" in line]


def scores(run):
    """What `nowhere evaluate` found."""
    return json.loads((Path(run) / "report" / "scores.json").read_text())


def sheets(run):
    """[(epoch, file)]: the fixed latent vectors after each epoch that was saved."""
    files = sorted((Path(run) / "figures" / "fixed_noise").glob("epoch_*.png"))
    return [(int(file.stem.split("_")[1]), file) for file in files if file.stem.split("_")[1].isdigit()]
