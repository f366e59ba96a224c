"""scripts/bench step: the training step of this program and of three PyTorch peers in alternating rounds on two threads; then
other presets with this program's kernels and with LibTorch's, and other batch sizes; medians, and the ratios last."""
import json
import statistics
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
PROGRAM = TOP / "build" / "nowhere"
ROUNDS, PRESET_ROUNDS, SECONDS = 5, 3, 12.0  # seconds are exceeded by up to one step
OURS, EAGER, TUNED = "nowhere", "PyTorch as the tutorial's users run it", "PyTorch tuned by hand"
COMPILED = "PyTorch tuned by hand, with torch.compile"
TARGETS = {EAGER: 1.25, TUNED: 1.8, COMPILED: 1.8}
PRESETS = {"naive-64": 64, "clamp-64": 16, "safe-128": 16, "streets-64": 16, "streets-128": 16}  # and their batches
BATCHES = (16, 32, 64, 128, 256)
MEMORY_TARGET = 1.0


def run(*arguments):
    """What a program prints last, as JSON."""
    done = subprocess.run([str(a) for a in arguments], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"failed: {' '.join(map(str, arguments))}\n{done.stderr.strip()}")
    return json.loads(done.stdout.strip().splitlines()[-1])


def ours(preset="naive-64", batch=64, kernels="auto", seconds=SECONDS):
    return run(PROGRAM, "bench", "step", "--preset", preset, "--batch", batch, "--threads", 2, "--seconds", seconds,
               "--kernels", kernels, "--json")


def peer(kind):
    return run(sys.executable, TOP / "bench" / "step_peer.py", kind, SECONDS)


def measure(cases):
    """{name: [figures of each round]}. Every process warms up by itself before it measures."""
    figures = {name: [] for name in cases}
    for number in range(ROUNDS):
        print(f"round {number + 1} of {ROUNDS}", flush=True)
        for name, case in cases.items():
            figures[name].append(case())
    return figures


def measure_presets():
    """{preset: {kernels: [images/s of each round]}}"""
    speeds = {preset: {"auto": [], "torch": []} for preset in PRESETS}
    for number in range(PRESET_ROUNDS):
        print(f"presets, round {number + 1} of {PRESET_ROUNDS}", flush=True)
        for preset, batch in PRESETS.items():
            for kernels, found in speeds[preset].items():
                found.append(ours(preset, batch, kernels, SECONDS / 2)["images_per_second"])
    return speeds


def print_presets(speeds):
    for preset, by_kernels in speeds.items():
        auto, torch = (statistics.median(by_kernels[kernels]) for kernels in ("auto", "torch"))
        print(f"{auto:8.1f} images/s  {preset}, batch {PRESETS[preset]}, beside {torch:.1f} with --kernels torch: {auto / torch:.2f} times")


def print_batches():
    found = [ours(batch=batch, seconds=SECONDS / 2)["images_per_second"] for batch in BATCHES]
    for batch, speed in zip(BATCHES, found):
        print(f"{1e3 / speed:8.2f} ms an image  naive-64, batch {batch}")


def column(rounds, key):
    """The figure of every round; "above_start" is what the networks and their step add to the empty process."""
    if key == "above_start":
        return [figures["peak_bytes"] - figures["bytes_at_start"] for figures in rounds]
    return [figures[key] for figures in rounds]


def print_figures(figures):
    for name, rounds in figures.items():
        speeds = column(rounds, "images_per_second")
        print(f"{statistics.median(speeds):8.1f} images/s  {name}  ({min(speeds):.1f} to {max(speeds):.1f})")
    for name, rounds in figures.items():
        peaks, above = (column(rounds, key) for key in ("peak_bytes", "above_start"))
        print(f"{statistics.median(peaks) / 1e6:8.0f} MB at the most  {name}  ({min(peaks) / 1e6:.0f} to {max(peaks) / 1e6:.0f}),"
              f" {statistics.median(above) / 1e6:.0f} MB above the start ({min(above) / 1e6:.0f} to {max(above) / 1e6:.0f})")


def print_ratios(figures):
    def ratio(other, key):
        return statistics.median(column(figures[OURS], key)) / statistics.median(column(figures[other], key))

    for other, target in TARGETS.items():
        print(f"ratio, images/s over {other}: {ratio(other, 'images_per_second'):.2f} (target {target})")
    for other in TARGETS:
        print(f"ratio, memory over {other}: {ratio(other, 'peak_bytes'):.2f} at the most,"
              f" {ratio(other, 'above_start'):.2f} above the start (target: no more than {MEMORY_TARGET})")


def end_to_end():
    """Shares of the training thread's time over an epoch from a packed file, with a checkpoint after every epoch."""
    work = TOP / "build" / "bench"
    streets, pack = work / "streets", work / "train.nwp"
    work.mkdir(parents=True, exist_ok=True)
    if not (streets / ".done").exists():
        subprocess.run([PROGRAM, "synth", streets, "--images", "2000", "--cities", "4", "--seed", "1"], check=True, capture_output=True)
        (streets / ".done").touch()
    pack.unlink(missing_ok=True)
    subprocess.run([PROGRAM, "pack", streets, "-o", pack], check=True, capture_output=True)
    subprocess.run([PROGRAM, "train", "--preset", "naive-64", "--dataroot", pack, "--root", work, "--name", "run", "--overwrite",
                    "--batch-size", "64", "--n-epoch", "2"], check=True, capture_output=True)
    lines = [json.loads(line) for line in (work / "run" / "stats.jsonl").read_text().splitlines()]
    # What the first epoch's save costs falls into the second.
    seconds = [line["epoch_seconds"] for line in lines if "epoch_done" in line][-1]
    total = sum(seconds[key] for key in ("waiting", "device", "checkpoint", "other"))
    return {key: seconds[key] / total for key in ("waiting", "checkpoint")}


def main():
    figures = measure({OURS: ours, EAGER: lambda: peer("eager"), TUNED: lambda: peer("tuned"), COMPILED: lambda: peer("compiled")})
    print_figures(figures)
    print_presets(measure_presets())
    print_batches()
    shares = end_to_end()
    print_ratios(figures)
    print(f"training from a packed file, waiting for data: {shares['waiting']:.2%} of the time (target: below 2%)")
    print(f"a checkpoint every epoch costs the training thread {shares['checkpoint']:.2%} of the time (target: below 1%)")


if __name__ == "__main__":
    main()
