"""The peer of `scripts/bench serve`: the reference's service as it is usually run, by Flask, PyTorch and Pillow.

gunicorn --workers 2 serve_peer:app, with CHECKPOINT (naive-64) and THREADS (of PyTorch in a worker) in the environment.
"""
import io
import os
import sys
from pathlib import Path

import torch
from flask import Flask, send_file
from PIL import Image

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from networks import generator  # noqa: E402

NZ, NGF, SIZE = 100, 64, 64
SHEET, COLUMNS, PADDING = 16, 4, 4
FRAMES, FRAME_MS = 16, 120

torch.set_num_threads(1)  # a pool of threads, once started here, would be missing in the workers
network = generator(NZ, NGF, SIZE)
network.load_state_dict(torch.load(os.environ["CHECKPOINT"], weights_only=True)["G_state_dict"])
network.eval()
app = Flask(__name__)


def paint(z):
    torch.set_num_threads(int(os.environ["THREADS"]))  # in the worker
    with torch.inference_mode():
        return ((network.main(z) + 1) * 127.5).round().clamp(0, 255).to(torch.uint8)


def make_sheet(pictures):
    """What torchvision's make_grid makes, without its checks and copies."""
    side = SIZE + PADDING
    rows = len(pictures) // COLUMNS
    sheet = torch.full((3, rows * side + PADDING, COLUMNS * side + PADDING), 255, dtype=torch.uint8)
    for i, picture in enumerate(pictures):
        top, left = (PADDING + side * place for place in divmod(i, COLUMNS))
        sheet[:, top:top + SIZE, left:left + SIZE] = picture
    return sheet


def slerp(a, b, t):
    angle = torch.acos((a * b).sum() / (a.norm() * b.norm()))
    return (torch.sin((1 - t) * angle) * a + torch.sin(t * angle) * b) / torch.sin(angle)


def as_image(pixels):
    return Image.fromarray(pixels.permute(1, 2, 0).contiguous().numpy())


def sent(image, form, mime, **options):
    file = io.BytesIO()
    image.save(file, form, **options)
    file.seek(0)
    response = send_file(file, mimetype=mime)
    response.headers["Cache-Control"] = "no-store"
    return response


@app.get("/")
@app.get("/health")
def health():
    return {"Health": "OK"}


@app.get("/gan_imgs")
def gan_imgs():
    sheet = make_sheet(paint(torch.randn(SHEET, NZ, 1, 1)))
    return sent(as_image(sheet), "PNG", "image/png")


@app.get("/gan_gifs")
def gan_gifs():
    first, last = torch.randn(2, NZ, 1, 1)
    frames = paint(torch.stack([slerp(first, last, i / (FRAMES - 1)) for i in range(FRAMES)]))
    images = [as_image(frame) for frame in frames]
    return sent(images[0], "GIF", "image/gif", save_all=True, append_images=images[1:], duration=FRAME_MS, loop=0)
