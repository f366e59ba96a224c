"""What the loader makes of photographs, as users see it: `preview`."""
from PIL import Image

from conftest import ok, refused


def test_variations_of_a_photograph(streets, tmp_path):
    photo = sorted(streets.rglob("*.jpg"))[0]
    text = ok("preview", "--variations", photo, "-o", tmp_path / "sheet.png", "--crop-size", "4x", "--noise", 0.05)
    assert "16 samples as 64 px" in text
    sheet = Image.open(tmp_path / "sheet.png")
    width, height = Image.open(photo).size
    grid = 4 * 64 + 5 * 2
    assert sheet.height > grid and sheet.width > grid + grid * width // height


def test_variations_are_those_of_the_seed(streets, tmp_path):
    photo = sorted(streets.rglob("*.jpg"))[0]
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        ok("preview", "--variations", photo, "-o", tmp_path / f"{name}.png", "--batch", 4, "--seed", seed)
    a, b, c = ((tmp_path / f"{name}.png").read_bytes() for name in "abc")
    assert a == b != c


def test_a_centre_crop_of_some_pixels_is_pillows(tmp_path):
    """The reference: CenterCrop of four times the side, then a resize."""
    photo = Image.new("RGB", (640, 480))
    photo.putdata([(x * 255 // 639, y * 255 // 479, (x ^ y) & 255) for y in range(480) for x in range(640)])
    (tmp_path / "photos").mkdir()
    photo.save(tmp_path / "photos" / "one.png")
    ok("preview", tmp_path / "photos", "-o", tmp_path / "sample.png", "--batch", 1, "--crop", "centre", "--flip", "no",
       "--crop-size", "256")
    ours = Image.open(tmp_path / "sample.png").convert("RGB").crop((2, 2, 66, 66))
    theirs = photo.crop((192, 112, 448, 368)).resize((64, 64), Image.BICUBIC)
    worst = max(abs(a - b) for a, b in zip(ours.tobytes(), theirs.tobytes()))
    assert worst <= 1


def test_what_is_asked_for_must_be_clear(streets, tmp_path):
    assert "--variations" in refused(2, "preview", "-o", tmp_path / "x.png")
    assert "--variations" in refused(2, "preview", streets, "--variations", "a.jpg")
    assert "a.jpg" in refused(3, "preview", "--variations", tmp_path / "a.jpg")
    for size in ("0", "1.5", "huge", "-3", "4y"):
        assert "--crop-size" in refused(2, "preview", streets, "--crop-size", size)
