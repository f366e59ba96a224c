"""scripts/bench kernels: every convolution of stride 2 of two presets, each pass beside LibTorch's in one process, in turns;
medians. Shares are of the speed of a large matrix product; above 100% there are fewer multiplications than in the sums."""
import json
import subprocess
import sys
from pathlib import Path

PROGRAM = Path(__file__).resolve().parent.parent / "build" / "nowhere"
BATCHES = {"naive-64": 64, "safe-128": 16}


def measure(preset, batch):
    done = subprocess.run([PROGRAM, "bench", "kernels", "--preset", preset, "--batch", str(batch), "--threads", "2", "--json"],
                          capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"failed: bench kernels --preset {preset}\n{done.stderr.strip()}")
    return json.loads(done.stdout)


def line(row, peak):
    share = row["gigaflops"] / row["seconds"] / peak
    layer = f"{row['network']} {row['layer']}, {row['channels']} and {row['kernels']} channels, {row['side']} px"
    return (f"| {layer} | {row['pass']} | {row['kernel']} | {row['seconds'] * 1e3:.1f} | {row['torch_seconds'] * 1e3:.1f} "
            f"| {row['torch_seconds'] / row['seconds']:.2f} | {share:.0%} |")


def main():
    for preset, batch in BATCHES.items():
        figures = measure(preset, batch)
        peak, rows = figures["matrix_gigaflops"], figures["rows"]
        print(f"{preset}, batch {batch}; a matrix product reaches {peak:.0f} GF/s\n")
        print("| layer | pass | kernel | ms | LibTorch, ms | ratio | share of that speed |\n|---|---|---|---|---|---|---|")
        for row in rows:
            print(line(row, peak))
        ours, theirs = (sum(row[key] for row in rows) for key in ("seconds", "torch_seconds"))
        print(f"\nratio, all passes of {preset} once: {theirs / ours:.2f}\n")


if __name__ == "__main__":
    main()
