"""scripts/bench eval: judging and showing, this program and its peers in alternating rounds; medians, the ratios last."""
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy
from PIL import Image

TOP = Path(__file__).resolve().parent.parent
PROGRAM, PEER = TOP / "build" / "nowhere", TOP / "bench" / "eval_peer.py"
WORK = TOP / "build" / "bench" / "eval"
ROUNDS, NUMPY_POINTS, POINTS = 3, 50, 1000
sys.path.insert(0, str(TOP / "tests"))


def run(*arguments, **environment):
    done = subprocess.run([str(a) for a in arguments], capture_output=True, text=True, env={**os.environ, **environment})
    if done.returncode != 0:
        sys.exit(f"failed: {' '.join(map(str, arguments))}\n{done.stderr.strip()}")
    return done.stdout


def figures(*arguments, **environment):
    return json.loads(run(*arguments, **environment).strip().splitlines()[-1])


def median(rounds, key):
    return statistics.median(figure[key] for figure in rounds)


def parzen():
    """The peer scores fewer points: its loop goes point by point, so that its time is in proportion to them."""
    ours, theirs, blas = [], [], []
    for _ in range(ROUNDS):
        ours.append(figures(PROGRAM, "bench", "parzen", "--size", 64, "--threads", 2))
        theirs.append(figures(sys.executable, PEER, "parzen", NUMPY_POINTS))
        blas.append(figures(sys.executable, PEER, "parzen-blas", POINTS))
    whole = median(theirs, "seconds") * POINTS / NUMPY_POINTS
    print(f"{median(ours, 'seconds'):8.2f} s, {median(ours, 'peak_bytes') / 1e6:5.0f} MB  nowhere, float64")
    print(f"{whole:8.2f} s, {median(theirs, 'peak_bytes') / 1e6:5.0f} MB  NumPy, straightforward ({NUMPY_POINTS} points measured), float32")
    print(f"{median(blas, 'seconds'):8.2f} s, {median(blas, 'peak_bytes') / 1e6:5.0f} MB  NumPy by matrix products, float32")
    return [f"ratio, Parzen window over straightforward NumPy: {whole / median(ours, 'seconds'):.0f} (target 8)",
            f"ratio, Parzen window over NumPy by matrix products: {median(blas, 'seconds') / median(ours, 'seconds'):.2f} (no target)",
            f"memory of the Parzen window: {median(ours, 'peak_bytes') / 1e6:.0f} MB (target: at most 1000)"]


def sample():
    from generators import save_checkpoint
    checkpoint = WORK / "naive64.pt"
    save_checkpoint(checkpoint, nz=100, ngf=64, size=64)
    ours, theirs = [], []
    for _ in range(ROUNDS + 2):
        start = time.perf_counter()
        run(PROGRAM, "sample", checkpoint, "--seeds", "0-999", "--each", WORK / "ours", "--threads", 2)
        ours.append(time.perf_counter() - start)
        theirs.append(figures(sys.executable, PEER, "sample", checkpoint, WORK / "theirs")["seconds"])
    print(f"{statistics.median(ours):8.2f} s  1,000 pictures of naive-64 as PNG files: nowhere, the whole process")
    print(f"{statistics.median(theirs):8.2f} s  PyTorch eager and Pillow, after importing")
    return [f"ratio, sample over PyTorch and Pillow: {statistics.median(theirs) / statistics.median(ours):.2f} (target 1.3)"]


def make_frames(folder):
    """One drawn street turning into another, 16 frames of 128 px."""
    streets = WORK / "streets"
    if not streets.exists():
        run(PROGRAM, "synth", streets, "--images", 8, "--cities", 1, "--seed", 3)
    photographs = sorted(streets.rglob("*.jpg"))
    first, last = (Image.open(file).convert("RGB").resize((171, 128)).crop((21, 0, 149, 128)) for file in (photographs[0], photographs[-1]))
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(16):
        Image.blend(first, last, number / 15).save(folder / f"{number:02}.png")


def noise_ratio(file, folder):
    """Peak signal to noise of an animation's frames against the originals, in decibels."""
    errors = []
    with Image.open(file) as shown:
        for number, original in enumerate(sorted(folder.iterdir())):
            shown.seek(number)
            errors.append(((numpy.asarray(shown.convert("RGB"), float) - numpy.asarray(Image.open(original), float)) ** 2).mean())
    return 10 * numpy.log10(255**2 / numpy.mean(errors))


def animation():
    frames = WORK / "frames"
    make_frames(frames)
    ours, theirs = [], []
    one_core = {"VIPS_CONCURRENCY": "1", "OMP_NUM_THREADS": "1"}
    for _ in range(ROUNDS):
        ours.append(figures("taskset", "-c", "0", PROGRAM, "bench", "animation", frames, "--output", WORK / "a", **one_core))
        theirs.append(figures("taskset", "-c", "0", sys.executable, PEER, "animation", frames, WORK / "b", **one_core))
    for ending in ("gif", "webp"):
        for name, rounds, folder in (("nowhere", ours, WORK / "a"), ("Pillow", theirs, WORK / "b")):
            print(f"{median(rounds, f'{ending}_ms'):8.1f} ms, {median(rounds, f'{ending}_bytes') / 1e3:5.0f} kB,"
                  f" {noise_ratio(folder / f'animation.{ending}', frames):.1f} dB  {ending}, 16 frames of 128 px: {name}")
    return [f"GIF of 16 frames at 128 px: {median(ours, 'gif_ms'):.0f} ms on one core (target 60)",
            f"animated WebP of the same: {median(ours, 'webp_ms'):.0f} ms (target 40; one of the two is to be met)"]


def main():
    WORK.mkdir(parents=True, exist_ok=True)
    lines = [line for part in (parzen, sample, animation) for line in part()]
    print("\n".join(lines))


if __name__ == "__main__":
    main()
