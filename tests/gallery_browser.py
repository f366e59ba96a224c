"""A browser that opens the gallery of `nowhere serve` and records what a page must not do."""
import os
import time
from urllib.parse import urlsplit

import pytest
from conftest import TOP, ok
from playwright.sync_api import expect, sync_playwright
from server import serving
from test_train import pack, small  # noqa: F401

CHROMIUM = "/usr/bin/chromium"
SHOWN = "#wall img.shown"
AXE = TOP / "build" / "node" / "node_modules" / "axe-core" / "axe.min.js"


class Visit:
    """One browser context with one page. `close` fails on errors in the console, on whatever the page's security policy
    blocked, and on requests that went elsewhere."""

    def __init__(self, browser, url, width=1440, height=900, **options):
        self.url = url
        self.context = browser.new_context(viewport={"width": width, "height": height}, **options)
        self.context.set_default_timeout(60_000)
        self.faults = []
        self.requests = []
        self.page = self.watch(self.context.new_page())

    def watch(self, page):
        page.on("request", lambda request: self.requests.append(request))
        page.on("pageerror", lambda error: self.faults.append(f"uncaught: {error}"))
        page.on("console", self.hear)
        return page

    def hear(self, message):
        # The browser itself reports refused requests; tests cause those on purpose.
        if message.type in ("error", "warning") and not message.text.startswith("Failed to load resource"):
            self.faults.append(f"{message.type}: {message.text}")

    def open(self, address="/"):
        self.page.goto("about:blank")
        self.page.goto(self.url + address)
        return self.page

    def paths(self, beginning):
        """The requests so far: paths with their queries."""
        urls = (urlsplit(request.url) for request in self.requests)
        asked = (url.path + ("?" + url.query if url.query else "") for url in urls)
        return [path for path in asked if path.startswith(beginning)]

    def close(self):
        self.context.close()
        own = (self.url + "/", f"blob:{self.url}/", "about:blank")
        assert [request.url for request in self.requests if not request.url.startswith(own)] == []
        assert self.faults == []


def until(page, condition):
    """Lets the page run until the condition holds."""
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, "the condition never became true"
        page.wait_for_timeout(20)


def serious_violations(page):
    """What axe-core finds that it calls serious or critical, each with the elements."""
    page.evaluate(AXE.read_text())
    found = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
    return [(violation["id"], [node["html"] for node in violation["nodes"]])
            for violation in found["violations"] if violation["impact"] in ("serious", "critical")]


def tiles_in_window(page):
    """[seed, top, left, height] of every tile in the window, in reading order."""
    return page.evaluate("""() => [...document.querySelectorAll('#wall a.tile')].map((tile) => {
        const {top, left, height} = tile.getBoundingClientRect();
        return [Number(tile.hash.split('/')[2]), top, left, height];
    }).filter(([, top, , height]) => top + height >= 0 && top < innerHeight)""")


def wait_until_filled(page):
    expect(page.locator("#wall a.tile img:not(.shown)")).to_have_count(0, timeout=60_000)
    expect(page.locator(SHOWN).first).to_be_visible()


@pytest.fixture(scope="module")
def server(request, tmp_path_factory):
    """Serves a run of three epochs. NOWHERE_GALLERY=URL looks at a server that is running already."""
    if url := os.environ.get("NOWHERE_GALLERY"):
        yield url.rstrip("/")
        return
    root = tmp_path_factory.mktemp("gallery")
    ok(*small(request.getfixturevalue("pack"), root, "run", "--n-epoch", 3))
    with serving(root / "run") as running:
        yield running.url


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def visit(browser, server):
    visits = []

    def begin(**options):
        visits.append(Visit(browser, server, **options))
        return visits[-1]

    yield begin
    for one in visits:
        one.close()
