"""What `nowhere serve` responds: the addresses of the reference DCGAN's server, pictures, caching, facts, access."""
import io
import re

import numpy
import pytest
from conftest import ok
from generators import publish_checkpoint
from PIL import Image
from server import serving

IMMUTABLE, REVALIDATE, NO_STORE = "public, max-age=31536000, immutable", "public, no-cache", "no-store"
TYPES = {"png": "image/png", "webp": "image/webp", "jpg": "image/jpeg", "gif": "image/gif"}


@pytest.fixture(scope="module")
def server(three_epochs):
    with serving(three_epochs) as started:
        yield started


def picture(answer):
    assert answer.status == 200, answer.body
    return Image.open(io.BytesIO(answer.body))


def pixels(answer):
    return numpy.asarray(picture(answer).convert("RGB"))


def coarse(picture):
    """Means of squares of 8 pixels: fine noise averages out where colours are stored at half the resolution."""
    height, width, _ = picture.shape
    return picture.reshape(height // 8, 8, width // 8, 8, 3).mean(axis=(1, 3))


def assert_alike(shown, exact):
    assert abs(coarse(shown) - coarse(exact)).max() < 12


def cells(sheet, columns, count, size=64, padding=4):
    """The pictures of a sheet; the space between them has to be white."""
    paper = sheet.copy()
    found = []
    for i in range(count):
        top, left = (padding + (size + padding) * place for place in divmod(i, columns))
        found.append(sheet[top:top + size, left:left + size])
        paper[top:top + size, left:left + size] = 255
    assert (paper == 255).all()
    return found


def assert_error(answer, status):
    assert answer.status == status, answer.body
    error = answer.json()["error"]
    assert error["status"] == status and error["message"]
    assert answer.headers["Cache-Control"] == NO_STORE


def test_the_sheet_of_the_reference(server):
    first, second = (server.get("/gan_imgs?nocache=0.123") for _ in range(2))
    for answer in (first, second):
        assert answer.headers["Content-Type"] == "image/png" and answer.headers["Cache-Control"] == NO_STORE
        assert answer.headers["ETag"] is None
        shown = cells(pixels(answer), 4, 16)
        assert len({cell.tobytes() for cell in shown}) == 16
    assert pixels(first).shape == (276, 276, 3)
    assert first.body != second.body


def test_the_animation_of_the_reference(server):
    first, second = server.get("/gan_gifs"), server.get("/gan_gifs")
    assert first.headers["Content-Type"] == "image/gif" and first.headers["Cache-Control"] == NO_STORE
    with picture(first) as shown:
        assert (shown.format, shown.size, shown.n_frames) == ("GIF", (64, 64), 16)
        assert shown.info["duration"] == 120 and shown.info["loop"] == 0
    assert first.body != second.body


def test_the_health_check_of_the_reference(server):
    for target, accept in (("/health", "*/*"), ("/", "*/*"), ("/", "application/json")):
        assert server.get(target, Accept=accept).json() == {"Health": "OK"}
    page = server.get("/", Accept="text/html,application/xhtml+xml,*/*;q=0.8")
    assert page.headers["Content-Type"] == "text/html; charset=utf-8" and b"<html" in page.body


def test_a_seed_is_the_picture_that_sample_writes(server, three_epochs, tmp_path):
    seeds = [0, 7, 4294967295, 18446744073709551615]
    ok("sample", three_epochs, "--seeds", ",".join(map(str, seeds)), "--each", tmp_path)
    for seed in seeds:
        with Image.open(tmp_path / f"{seed}.png") as written:
            assert (pixels(server.get(f"/v1/images/{seed}.png")) == numpy.asarray(written)).all()


@pytest.mark.parametrize("ending, kind", [("png", "PNG"), ("webp", "WEBP"), ("jpg", "JPEG")])
def test_formats_of_a_picture(server, ending, kind):
    answer = server.get(f"/v1/images/5.{ending}")
    assert answer.headers["Content-Type"] == TYPES[ending] and picture(answer).format == kind
    assert_alike(pixels(answer), pixels(server.get("/v1/images/5.png")))


def test_sizes_of_pictures(tmp_path):
    """A run whose epochs make pictures of different sizes: each epoch is served at its own size."""
    sizes = dict(enumerate((32, 64, 128, 256, 512), start=1))
    for epoch, size in sizes.items():
        publish_checkpoint(tmp_path, epoch, nz=8, ngf=2, size=size)
    with serving(tmp_path) as server:
        assert server.get("/v1/model").json()["size"] == 512
        for epoch, size in sizes.items():
            assert picture(server.get(f"/v1/images/1.png?epoch={epoch}")).size == (size, size)
        assert picture(server.get("/v1/images/1.jpg")).size == (512, 512)
        assert picture(server.get("/v1/grid.webp?seeds=1-4")).size == (2 * 516 + 4, 2 * 516 + 4)
        assert picture(server.get("/v1/grid.png?seeds=1-64&cols=1")).size == (520, 64 * 516 + 4)
        for target in ("/v1/grid.webp?seeds=1-32&cols=1", "/v1/grid.webp?seeds=1-64&cols=64"):  # too tall or wide for WebP
            assert server.get(target).status == 400
        longest = picture(server.get("/v1/morph.gif?seeds=1-4&frames=64"))
        assert (longest.size, longest.n_frames) == ((512, 512), 64)  # the number of pixels in one response is limited
        assert server.said() == ""


def test_between_two_seeds(server):
    ends = [server.get(f"/v1/images/{seed}.png").body for seed in (3, 7)]
    assert server.get("/v1/between/3/7/0.png").body == ends[0]
    assert server.get("/v1/between/3/7/1000.png").body == ends[1]
    way = [pixels(server.get(f"/v1/between/3/7/{t}.png")).astype(float) for t in (0, 250, 500, 750, 1000)]
    from_the_first = [abs(point - way[0]).mean() for point in way]
    assert from_the_first == sorted(from_the_first) and from_the_first[1] > 0
    there, back = (server.get(f"/v1/between/{way}.png") for way in ("3/7/250", "7/3/750"))
    assert abs(pixels(there).astype(int) - pixels(back)).max() <= 1


def test_neighbours(server):
    def distance(target):
        return abs(pixels(server.get(target)).astype(float) - pixels(server.get("/v1/images/3.png"))).mean()

    assert len({server.get(f"/v1/near/3/{k}.png").body for k in (1, 2, 64)}) == 3
    assert 0 < distance("/v1/near/3/1.png?angle=0.1") < distance("/v1/near/3/1.png?angle=1.5")
    assert server.get("/v1/near/3/1.png?angle=0").body == server.get("/v1/images/3.png").body


def test_truncation(server):
    assert server.get("/v1/images/3.png?truncation=1").body == server.get("/v1/images/3.png").body
    usual = {server.get(f"/v1/images/{seed}.png?truncation=0").body for seed in (3, 4)}
    assert len(usual) == 1 and server.get("/v1/images/3.png?truncation=0.5").body not in usual


def test_a_grid_is_its_seeds_pictures(server):
    shown = cells(pixels(server.get("/v1/grid.png?seeds=1,2,5-9&cols=3")), 3, 7)
    for seed, cell in zip([1, 2, 5, 6, 7, 8, 9], shown, strict=True):
        assert (cell == pixels(server.get(f"/v1/images/{seed}.png"))).all()
    assert pixels(server.get("/v1/grid.png?seeds=1-64")).shape == (548, 548, 3)
    assert picture(server.get("/v1/grid.webp?seeds=1-4")).format == "WEBP"


@pytest.mark.parametrize("ending", ["gif", "webp"])
def test_a_morph_passes_its_seeds(server, ending):
    with picture(server.get(f"/v1/morph.{ending}?seeds=3,7,12&frames=4&ms=100")) as shown:
        assert shown.n_frames == 12 and shown.info["loop"] == 0
        for number, target in ((0, "images/3"), (1, "between/3/7/250"), (4, "images/7"), (8, "images/12"), (10, "between/12/3/500")):
            shown.seek(number)
            shown.load()
            assert shown.info["duration"] == 100
            assert_alike(numpy.asarray(shown.convert("RGB")), pixels(server.get(f"/v1/{target}.png")))


def test_a_long_morph_is_shortened(server):
    assert picture(server.get("/v1/morph.gif?seeds=1-8&frames=64")).n_frames == 256


CACHEABLE = ["/v1/images/5.webp", "/v1/between/1/2/500.jpg", "/v1/near/1/2.png", "/v1/grid.png?seeds=1-4", "/v1/morph.gif?seeds=1,2&frames=2"]


@pytest.mark.parametrize("target", CACHEABLE)
def test_pictures_of_seeds_can_be_cached(server, target):
    first = server.get(target)
    tag = first.headers["ETag"]
    assert re.fullmatch('"[^"]+"', tag) and first.headers["Cache-Control"] == REVALIDATE
    again, kept = server.get(target, If_None_Match=f'"other", W/{tag}'), server.get(target, If_None_Match='"other"')
    assert (again.status, again.body, again.headers["ETag"]) == (304, b"", tag)
    assert again.headers["Cache-Control"] == REVALIDATE
    assert (kept.status, kept.body, kept.headers["ETag"]) == (200, first.body, tag)
    head = server.get(target, method="HEAD")
    assert head.body == b""
    for name in ("Content-Length", "Content-Type", "ETag", "Cache-Control"):
        assert head.headers[name] == first.headers[name]


@pytest.mark.parametrize("target", CACHEABLE)
def test_an_address_that_names_its_model_is_kept_for_good(server, target):
    named = f"{target}{'&' if '?' in target else '?'}model={server.get('/v1/model').json()['digest'][:12]}"
    kept = server.get(named)
    assert kept.headers["Cache-Control"] == IMMUTABLE and kept.body == server.get(target).body


def test_every_picture_has_a_tag_of_its_own(server):
    targets = [*CACHEABLE, *(f"{target}{'&' if '?' in target else '?'}epoch=1" for target in CACHEABLE)]
    assert len({server.get(target).headers["ETag"] for target in targets}) == len(targets)


@pytest.mark.parametrize("target", ["/v1/images/random.webp?truncation=0.5", "/v1/grid.png?n=6&cols=3", "/v1/grid.webp"])
def test_fresh_seeds_redirect_to_their_address(server, target):
    answers = [server.get(target) for _ in range(2)]
    for answer in answers:
        assert answer.status == 302 and answer.headers["Cache-Control"] == NO_STORE
        assert picture(server.get(answer.headers["Location"]))
    assert answers[0].headers["Location"] != answers[1].headers["Location"]


def test_pictures_of_epochs_and_models(server):
    digests = [server.get("/v1/model").json()["digest"]]
    shown = {epoch: server.get(f"/v1/images/5.png?epoch={epoch}") for epoch in (1, 2, 3)}
    assert len({answer.body for answer in shown.values()}) == 3
    assert shown[3].body == server.get("/v1/images/5.png").body
    assert shown[1].headers["Cache-Control"] == REVALIDATE  # it may be trained again
    assert server.get(f"/v1/images/5.png?model={digests[0]}").headers["Cache-Control"] == IMMUTABLE
    for digest in (digests[0], digests[0][:12], digests[0][:12].upper()):
        assert server.get(f"/v1/images/5.png?model={digest}").body == shown[3].body
    wrong = f"{int(digests[0][:12], 16) ^ 1:012x}"
    for target in (f"/v1/images/5.png?model={wrong}", f"/v1/grid.png?seeds=1&model={wrong}", f"/v1/images/5.png?epoch=1&model={digests[0]}"):
        answer = server.get(target)
        assert_error(answer, 404)
        assert "another model" in answer.json()["error"]["message"]
    assert_error(server.get("/v1/images/5.png?epoch=4"), 404)


def test_facts(server, three_epochs):
    model = server.get("/v1/model").json()
    assert re.fullmatch("[0-9a-f]{32}", model.pop("digest"))
    parameters = model.pop("parameters")
    assert model == {"name": "streets", "size": 64, "nz": 16, "epoch": 3, "images_seen": 0, "trained_on": "", "file_name": "slim_checkpoint_3.pt",
                     "following": False, "ready": True}
    assert parameters > 10_000
    assert server.get("/v1/checkpoints").json() == {"epochs": [1, 2, 3], "current": 3}
    assert server.get("/v1/limits").json()["max_grid_pictures"] == 64
    assert server.get("/v1/run").json() == {"training": False, "points": []}
    assert server.get("/livez").status == server.get("/readyz").status == 200
    for target in ("/v1/model", "/v1/checkpoints", "/v1/limits", "/v1/run", "/livez", "/readyz", "/health", "/metrics"):
        answer = server.get(target)
        assert answer.headers["Cache-Control"] == NO_STORE
        assert str(three_epochs.parent).encode() not in answer.body  # no path reaches a client


def test_metrics(server):
    def samples():
        text = server.get("/metrics").body.decode()
        return {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in text.splitlines() if line and line[0] != "#"}

    before = samples()
    for target in ("/v1/images/777.png", "/v1/images/777.png", "/gan_gifs", "/nothing"):
        server.get(target)
    after = samples()

    def grown(name):
        return after[name] - before.get(name, 0)

    assert grown('nowhere_http_requests_total{code="200",route="image"}') == 2
    assert grown('nowhere_http_requests_total{code="404",route="none"}') == 1
    assert grown('nowhere_http_request_seconds_count{route="gan_gifs"}') == 1
    assert grown('nowhere_encoding_seconds_count{format="gif"}') == 1
    assert grown("nowhere_cache_hits_total") == grown("nowhere_cache_misses_total") == 1
    assert grown("nowhere_batch_pictures_sum") == 17
    assert after["nowhere_ready"] == 1 and after["nowhere_connections"] >= 1 and after["nowhere_queue_pictures"] == 0
    assert after["nowhere_memory_bytes"] > 1e7 and after["nowhere_cache_bytes"] > 0


def test_every_response_has_the_security_headers(server):
    for target in ("/livez", "/v1/images/5.png", "/nothing", "/docs", "/v1/images/random.png", "/metrics"):
        for headers in ({}, {"Accept": "text/html"}):
            answer = server.get(target, Origin="https://b.example", **headers)
            assert answer.headers["X-Content-Type-Options"] == "nosniff" and answer.headers["Referrer-Policy"] == "no-referrer"
            assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
            assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'; script-src 'self'; ")
            assert answer.headers["Access-Control-Allow-Origin"] is None and answer.headers["Server"] is None


def test_pages_and_their_files(server):
    for target in ("/", "/docs"):
        page = server.get(target, Accept="text/html")
        assets = set(re.findall(rb'(?:src|href)="(/assets/[^"]+)"', page.body))
        assert assets
        for asset in map(bytes.decode, assets):
            kept = server.get(asset)
            assert kept.status == 200 and "?v=" in asset and kept.headers["Cache-Control"] == IMMUTABLE
            assert server.get(asset, If_None_Match=kept.headers["ETag"]).status == 304
            assert server.get(asset.partition("?")[0]).headers["Cache-Control"] == REVALIDATE


@pytest.mark.parametrize("target, status", [
    ("/v1/images/-1.png", 400), ("/v1/images/01.png", 400), ("/v1/images/1e3.png", 400), ("/v1/images/x.png", 400),
    ("/v1/images/18446744073709551616.png", 400), (f"/v1/images/{'9' * 4000}.png", 400), ("/v1/images/%31%00.png", 400),
    ("/v1/images/5.gif", 404), ("/v1/images/5", 404), ("/v1/images/5.png?x=1", 400), ("/v1/images/5.png?epoch=1&epoch=1", 400),
    ("/v1/images/5.png?epoch=-1", 400), ("/v1/images/5.png?truncation=nan", 400), ("/v1/images/5.png?truncation=1.1", 400),
    ("/v1/images/5.png?model=abc", 400), ("/v1/images/5.png?epoch=%zz", 400), ("/v1/between/1/2/1001.png", 400),
    ("/v1/near/1/0.png", 400), ("/v1/near/1/65.png", 400), ("/v1/near/1/1.png?angle=1.6", 400), ("/v1/grid.png?seeds=0-9999", 400),
    (f"/v1/grid.png?seeds={','.join(map(str, range(1000)))}", 400), ("/v1/grid.png?seeds=0-18446744073709551615", 400),
    ("/v1/grid.png?seeds=9-1", 400), ("/v1/grid.png?seeds=1,,2", 400), ("/v1/grid.png?seeds=-5", 400), ("/v1/grid.png?n=65", 400),
    ("/v1/grid.png?n=0", 400), ("/v1/grid.jpg?n=1", 404), ("/v1/morph.gif", 400), ("/v1/morph.gif?seeds=1", 400),
    ("/v1/morph.gif?seeds=1-9", 400), ("/v1/morph.gif?seeds=1,2&frames=1", 400), ("/nothing", 404), ("/v1/", 404)])
def test_errors_have_one_shape(server, target, status):
    assert_error(server.get(target), status)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"])
def test_other_methods_are_refused(server, method):
    for target in ("/v1/images/5.png", "/gan_imgs", "/livez", "/"):
        answer = server.get(target, method=method)
        assert_error(answer, 405)
        assert answer.headers["Allow"] == "GET, HEAD"
    assert_error(server.get("/nothing", method=method), 404)
