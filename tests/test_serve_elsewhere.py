"""Pages on other sites that use the server, in a browser: another port of this machine is another site to it."""
import contextlib
import http.server
import threading

import pytest
from gallery_browser import browser  # noqa: F401
from server import serving

PAGE = b"<!doctype html><title>another site</title><link rel=icon href=data:,>"
SHOW = """(address) => new Promise((resolve) => {
    const image = new Image();
    image.onload = () => resolve(`${image.naturalWidth} x ${image.naturalHeight}`);
    image.onerror = () => resolve('blocked');
    image.src = address;
})"""
READ = """async ([address, headers]) => {
    try {
        const response = await fetch(address, {headers});
        return [response.status, response.headers.get('Content-Type'), (await response.arrayBuffer()).byteLength > 0];
    } catch {
        return 'blocked';
    }
}"""


class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def elsewhere():
    """The origin of another site."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page) as site:
        thread = threading.Thread(target=site.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{site.server_port}"
        site.shutdown()
        thread.join()


@contextlib.contextmanager
def opened(browser, url):  # noqa: F811
    context = browser.new_context()
    page = context.new_page()
    page.goto(url)
    yield page
    context.close()


@pytest.mark.parametrize("headers", [{}, {"X-Own": "1"}], ids=["plain", "headers"])
def test_a_page_of_the_reference_on_another_site(browser, elsewhere, three_epochs, headers):  # noqa: F811
    """Pictures are shown, and scripts read them, also with headers that the browser asks about first."""
    with serving(three_epochs) as server, opened(browser, elsewhere) as page:
        assert page.evaluate(SHOW, server.url + "/gan_imgs?t=0.1") == "276 x 276"
        assert page.evaluate(SHOW, server.url + "/gan_gifs") == "64 x 64"
        assert page.evaluate(READ, [server.url + "/gan_imgs", headers]) == [200, "image/png", True]
        assert page.evaluate(READ, [server.url + "/gan_gifs", headers]) == [200, "image/gif", True]
        for target in ("/health", "/"):
            assert page.evaluate(READ, [server.url + target, headers]) == [200, "application/json", True]


def test_other_addresses_are_for_the_gallery_itself(browser, elsewhere, three_epochs):  # noqa: F811
    with serving(three_epochs) as server, opened(browser, elsewhere) as page:
        assert page.evaluate(SHOW, server.url + "/v1/images/5.png") == "blocked"
        assert page.evaluate(READ, [server.url + "/v1/model", {}]) == "blocked"


@pytest.mark.parametrize("which", ["all", "this"])
def test_sites_that_are_allowed_may_use_everything(browser, elsewhere, three_epochs, which):  # noqa: F811
    with serving(three_epochs, "--allow-origin", "*" if which == "all" else elsewhere) as server, opened(browser, elsewhere) as page:
        assert page.evaluate(SHOW, server.url + "/v1/images/5.png") == "64 x 64"
        assert page.evaluate(SHOW, server.url + "/gan_imgs") == "276 x 276"
        for headers in ({}, {"X-Own": "1"}):
            assert page.evaluate(READ, [server.url + "/v1/images/5.png", headers]) == [200, "image/png", True]
            assert page.evaluate(READ, [server.url + "/v1/model", headers]) == [200, "application/json", True]


def test_a_list_of_sites_holds_for_every_address(browser, elsewhere, three_epochs):  # noqa: F811
    with serving(three_epochs, "--allow-origin", "https://a.example") as server, opened(browser, elsewhere) as page:
        for target in ("/gan_imgs", "/health", "/v1/model"):
            assert page.evaluate(READ, [server.url + target, {}]) == "blocked"


def test_an_allowed_site_may_send_the_token(browser, elsewhere, three_epochs):  # noqa: F811
    token = "a-token-of-many-letters"
    with serving(three_epochs, "--allow-origin", elsewhere, NOWHERE_TOKEN=token) as server, opened(browser, elsewhere) as page:
        given = {"Authorization": f"Bearer {token}"}
        assert page.evaluate(READ, [server.url + "/gan_imgs", given]) == [200, "image/png", True]
        assert page.evaluate(READ, [server.url + "/gan_imgs", {}])[0] == 401
        assert page.evaluate(SHOW, server.url + "/gan_imgs") == "blocked"
