"""scripts/bench kernels: every convolution of stride 2 of two presets, each pass beside LibTorch's in one process, in turns;
medians. Shares are of the speed of a large matrix product; above 100% there are fewer multiplications than in the sums.
Then 200 steps of streets-64 from one seed, with our kernels and with LibTorch's in two memory layouts: losses and pictures. Then
LibTorch's kernels take over from our weights every 20 steps: how far the losses are apart from there. All in float32, and the layers
again in bf16 where the CPU has matrix units."""
import json
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

from PIL import Image

import runs
from sheets import contact_sheet, save_jpeg

WORK = runs.TOP / "build" / "bench" / "kernels"
BATCHES = {"naive-64": 64, "safe-128": 16}
STEPS = {"LibTorch": ["--kernels", "torch"], "our kernels": [], "LibTorch, other layout": ["--kernels", "torch", "--channels-last", "no"]}
CPU_FLAGS = Path("/proc/cpuinfo").read_text().split()
BETWEEN, AHEAD = 20, (1, 2, 5, 10)  # steps from one start with the same weights to the next, and steps after it


def measure(preset, batch, precision):
    done = subprocess.run([runs.PROGRAM, "bench", "kernels", "--preset", preset, "--batch", str(batch), "--threads", "2", "--json",
                           "--precision", precision], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"failed: bench kernels --preset {preset}\n{done.stderr.strip()}")
    return json.loads(done.stdout)


def line(row, peak):
    share = row["gigaflops"] / row["seconds"] / peak
    layer = f"{row['network']} {row['layer']}, {row['channels']} and {row['kernels']} channels, {row['side']} px"
    return (f"| {layer} | {row['pass']} | {row['kernel']} | {row['seconds'] * 1e3:.1f} | {row['torch_seconds'] * 1e3:.1f} "
            f"| {row['torch_seconds'] / row['seconds']:.2f} | {share:.0%} |")


def print_layers(preset, batch, precision="float32"):
    figures = measure(preset, batch, precision)
    peak, rows = figures["matrix_gigaflops"], figures["rows"]
    print(f"{preset}, batch {batch}, {precision}; a matrix product of float32 reaches {peak:.0f} GF/s\n")
    print("| layer | pass | kernel | ms | LibTorch, ms | ratio | share of that speed |\n|---|---|---|---|---|---|---|")
    for row in rows:
        print(line(row, peak))
    ours, theirs = (sum(row[key] for row in rows) for key in ("seconds", "torch_seconds"))
    print(f"\nratio, all passes of {preset} once: {theirs / ours:.2f}")
    ours, theirs = figures["pictures_seconds"], figures["pictures_torch_seconds"]
    print(f"ratio, {figures['pictures']} pictures: {theirs / ours:.2f} ({ours * 1e3:.1f} ms, LibTorch {theirs * 1e3:.1f} ms)\n", flush=True)


def mean_losses(name, flags, data):
    """The means over 200 steps of D's and G's loss, every tenth step counted."""
    runs.nowhere("train", "--preset", "streets-64", "--dataroot", data["pack"], "--root", WORK, "--name", name, "--overwrite",
                 "--limit", 1600, "--n-epoch", 2, "--log-frequency", 10, "--threads", 1, "--seed", 3, "--precision", "float32", *flags)
    lines = [json.loads(text) for text in (WORK / name / "stats.jsonl").read_text().splitlines()]
    return [statistics.mean(point[key] for point in lines if key in point) for key in ("D_loss", "G_loss")]


def compare_steps():
    data, found, sheets = runs.drawn_streets(WORK, 120), {}, []
    for place, (title, flags) in enumerate(STEPS.items()):
        found[title] = mean_losses(f"steps-{place}", flags, data)
        file = WORK / f"steps-{place}.png"
        runs.nowhere("sample", WORK / f"steps-{place}", "--seeds", "0-35", "-o", file)
        sheets.append((title, "D {:.3f}, G {:.3f}".format(*found[title]), Image.open(file)))
    base = found["LibTorch"]
    for title, losses in found.items():
        changes = ", ".join(f"{name} {loss:.3f} ({loss / other - 1:+.1%})" for name, loss, other in zip("DG", losses, base))
        print(f"mean losses of 200 steps, {title}: {changes}")
    picture = contact_sheet("200 steps from one seed; the mean losses", sheets)
    save_jpeg(picture, WORK / "steps.jpg")
    print(f"pictures: {WORK / 'steps.jpg'}")


def losses_by_step(run):
    points = (json.loads(text) for text in (run / "stats.jsonl").read_text().splitlines())
    return {point["step"]: (point["D_loss"], point["G_loss"]) for point in points if "D_loss" in point}


def compare_from_the_same_weights():
    """Both kernels from each checkpoint of one run: a step, and some more, before rounding errors grow into different pictures."""
    data = runs.drawn_streets(WORK, 120)
    flags = ["--preset", "streets-64", "--dataroot", data["pack"], "--root", WORK, "--limit", 16 * BETWEEN, "--n-epoch", 200 // BETWEEN,
             "--log-frequency", 1, "--keep-last", 0, "--threads", 1, "--seed", 3, "--precision", "float32"]
    runs.nowhere("train", *flags, "--name", "ours", "--overwrite")
    ours, apart = losses_by_step(WORK / "ours"), {ahead: [] for ahead in AHEAD}
    for epoch in range(1, 200 // BETWEEN):
        shutil.rmtree(WORK / "theirs", ignore_errors=True)
        shutil.copytree(WORK / "ours", WORK / "theirs")
        runs.nowhere("train", *flags, "--name", "theirs", "--s-epoch", epoch, "--kernels", "torch")
        theirs = losses_by_step(WORK / "theirs")
        for ahead, found in apart.items():
            found.append([abs(a / b - 1) for a, b in zip(ours[epoch * BETWEEN + ahead], theirs[epoch * BETWEEN + ahead])])
    for ahead, found in apart.items():
        worst = ", ".join(f"{name} {max(values):.4%}" for name, values in zip("DG", zip(*found)))
        print(f"losses of step {ahead} from the same weights, the largest of {len(found)} differences: {worst}")


def main():
    WORK.mkdir(parents=True, exist_ok=True)
    for preset, batch in BATCHES.items():
        print_layers(preset, batch)
        if "amx_bf16" in CPU_FLAGS:
            print_layers(preset, batch, "bf16")
    compare_steps()
    compare_from_the_same_weights()


if __name__ == "__main__":
    main()
