"""The peers of `scripts/bench eval`.

eval_peer.py parzen POINTS: a straightforward NumPy Parzen window, 10,000 centres of 64x64x3, ten sigmas, POINTS points.
eval_peer.py parzen-blas POINTS: the same by |x|^2 + |mu|^2 - 2 x.mu, as one who knows would write it.
eval_peer.py sample CHECKPOINT DIR: 1,000 pictures by PyTorch eager, written as PNG by Pillow.
eval_peer.py animation DIR OUTPUT: the frames of a folder as GIF and WebP by Pillow; milliseconds, medians.
Each prints seconds (without the time to import) and its peak memory as JSON.
"""
import json
import resource
import statistics
import sys
import time
from pathlib import Path

import numpy

CENTRES, PIXELS, THREADS = 10_000, 64 * 64 * 3, 2
SIGMAS = numpy.logspace(-1, 0, 10)


def log_mean_exp(exponents):
    largest = exponents.max(axis=-1, keepdims=True)
    return largest[..., 0] + numpy.log(numpy.exp(exponents - largest).mean(axis=-1))


def parzen(points):
    """Distances of one point to all centres at a time; every sigma from the same distances."""
    random = numpy.random.default_rng(1)
    centres, scored = random.random((CENTRES, PIXELS), dtype=numpy.float32), random.random((points, PIXELS), dtype=numpy.float32)
    start = time.perf_counter()
    result = numpy.empty((len(SIGMAS), points))
    for i, point in enumerate(scored):
        squares = ((centres - point) ** 2).sum(axis=1).astype(numpy.float64)
        for j, sigma in enumerate(SIGMAS):
            result[j, i] = log_mean_exp(-squares / (2 * sigma**2)) - PIXELS * numpy.log(sigma * numpy.sqrt(2 * numpy.pi))
    return {"seconds": time.perf_counter() - start, "mean": result.mean(axis=1).max()}


def parzen_blas(points):
    random = numpy.random.default_rng(1)
    centres, scored = random.random((CENTRES, PIXELS), dtype=numpy.float32), random.random((points, PIXELS), dtype=numpy.float32)
    start = time.perf_counter()
    squares = (scored.astype(numpy.float64) ** 2).sum(axis=1)[:, None] + (centres.astype(numpy.float64) ** 2).sum(axis=1)
    squares -= 2.0 * (scored @ centres.T)
    result = [log_mean_exp(-squares / (2 * sigma**2)) - PIXELS * numpy.log(sigma * numpy.sqrt(2 * numpy.pi)) for sigma in SIGMAS]
    return {"seconds": time.perf_counter() - start, "mean": numpy.array(result).mean(axis=1).max()}


def sample(checkpoint, folder):
    import torch
    from PIL import Image
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
    from networks import generator

    torch.set_num_threads(THREADS)
    Path(folder).mkdir(parents=True, exist_ok=True)
    start = time.perf_counter()
    network = generator(100, 64, 64)
    network.load_state_dict(torch.load(checkpoint, weights_only=True)["G_state_dict"])
    network.eval()
    with torch.no_grad():
        for first in range(0, 1000, 64):
            z = torch.randn(min(64, 1000 - first), 100, 1, 1)
            pictures = ((network.main(z) + 1) * 127.5).round().clamp(0, 255).to(torch.uint8).permute(0, 2, 3, 1).numpy()
            for i, picture in enumerate(pictures):
                Image.fromarray(picture).save(Path(folder) / f"{first + i}.png", compress_level=3)
    return {"seconds": time.perf_counter() - start}


def animation(folder, output):
    from PIL import Image
    frames = [Image.open(file).convert("RGB") for file in sorted(Path(folder).iterdir())]
    Path(output).mkdir(parents=True, exist_ok=True)
    figures = {}
    for ending, options in (("gif", {}), ("webp", {"quality": 85, "method": 0})):
        file, rounds = Path(output) / f"animation.{ending}", []
        for _ in range(9):
            start = time.perf_counter()
            frames[0].save(file, save_all=True, append_images=frames[1:], duration=120, loop=0, **options)
            rounds.append((time.perf_counter() - start) * 1000)
        figures |= {f"{ending}_ms": statistics.median(rounds), f"{ending}_bytes": file.stat().st_size}
    return figures


def main():
    what, arguments = sys.argv[1], sys.argv[2:]
    if what.startswith("parzen"):
        figures = {"parzen": parzen, "parzen-blas": parzen_blas}[what](int(arguments[0]))
    else:
        figures = {"sample": sample, "animation": animation}[what](*arguments)
    print(json.dumps({**figures, "peak_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}))


if __name__ == "__main__":
    main()
