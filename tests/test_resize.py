"""The one resizer against Pillow's, on real photographs."""
import numpy
from conftest import ok
from PIL import Image

PADDING = 2  # of the sheet, white


def ours(folder, tmp_path, size):
    """The centre crop of the folder's only photograph, as training sees it."""
    sheet = tmp_path / "sheet.png"
    ok("preview", folder, "-o", sheet, "--batch", 1, "--size", size, "--crop", "centre", "--flip", "no")
    padding = max(PADDING, size // 32)
    return numpy.asarray(Image.open(sheet))[padding : padding + size, padding : padding + size].astype(float)


def pillows(picture, size):
    side = min(picture.size)
    left, top = (picture.width - side) // 2, (picture.height - side) // 2
    box = (left, top, left + side, top + side)
    return numpy.asarray(picture.resize((size, size), Image.Resampling.BICUBIC, box=box)).astype(float)


def test_within_one_grey_level_of_pillow(photographs, tmp_path):
    photos = sorted(photographs.rglob("*.jpg"))
    for i, photo in enumerate(photos[:: len(photos) // 12]):
        picture = Image.open(photo).convert("RGB")
        folder = tmp_path / str(i)
        folder.mkdir()
        picture.save(folder / "photo.png")  # decoded once, so that only the resizers differ
        for size in (32, 64, 128, 256, 400):
            difference = numpy.abs(ours(folder, tmp_path, size) - pillows(picture, size))
            assert difference.mean() < 0.5, (photo, size, difference.mean())
            # Pillow rounds and clips between its two passes, which shows at a few hard edges.
            assert numpy.quantile(difference, 0.99) <= 4, (photo, size)


def test_the_fast_jpeg_path_stays_within_one_grey_level(photographs, tmp_path):
    """Decoding at half size before the resize must not be seen."""
    means = []
    photos = sorted(photographs.rglob("*.jpg"))
    for i, photo in enumerate(photos[:: len(photos) // 12]):
        folder = tmp_path / str(i)
        folder.mkdir()
        (folder / "photo.jpg").write_bytes(photo.read_bytes())
        expected = pillows(Image.open(photo).convert("RGB"), 64)
        means.append(numpy.abs(ours(folder, tmp_path, 64) - expected).mean())
    assert numpy.mean(means) < 1, means
