"""The gallery in a browser, as people use it: wall, time, training; keyboard and screen readers; a failing server."""
import re

import pytest
from gallery_browser import SHOWN, browser, pack, serious_violations, server, tiles_in_window, until, visit, wait_until_filled  # noqa: F401
from playwright.sync_api import expect

MAX_IN_FLIGHT = 8
RUN = {"training": True, "points": [
    {"images": 1000 * i, "D_loss": 1 / i, "G_loss": 1.5, "D_X": 0.7, "D_G_z1": 0.3, "images_per_second": 200 + i} for i in range(1, 9)]}
NOON = 1_700_049_600  # 12:00 in UTC
MACHINE = {
    "points": [{"time": NOON + 10 * i, "images_per_second": 180 + 40 * (i % 5), "device_share": 0.8 - i / 500, "waiting_share": 0.15 + i / 500,
                "cpu_share": 0.6 + 0.1 * (i % 3), "machine_cpu_share": 0.8 + 0.05 * (i % 3), "disk_read_bytes_per_second": 52_400_000 + 1e6 * (i % 7),
                "disk_busy_share": 0.3 + 0.02 * (i % 9), "accelerator_share": 0.7 + 0.05 * (i % 4), "idlest_accelerator_share": 0.4 + 0.03 * (i % 4)}
               for i in range(121)],
    "accelerators": ["Tesla V100"] * 4,
    "bottleneck": "39% waiting for the disk: pack the data (nowhere pack), and keep the file on a local disk"}


def test_the_page_allows_itself_nothing_from_elsewhere(visit):  # noqa: F811
    one = visit()
    policy = one.page.goto(one.url + "/").headers["content-security-policy"]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";") if rule.strip())
    assert rules["default-src"] == "'none'" and rules["script-src"] == "'self'" and rules["style-src"] == "'self'"
    assert "unsafe" not in policy and "data:" not in policy and "http" not in policy
    wait_until_filled(one.page)


@pytest.mark.parametrize("width", [375, 1440])
def test_the_wall_fills_and_goes_on(visit, width):  # noqa: F811
    one = visit(width=width)
    one.page.route("**/v1/images/**", lambda route: route.fulfill(status=503, headers={"Retry-After": "1"}))
    page = one.open()
    until(page, lambda: tiles_in_window(page))
    before = tiles_in_window(page)
    page.unroute("**/v1/images/**")
    wait_until_filled(page)
    assert tiles_in_window(page) == before, "pictures moved the boxes"
    assert [seed for seed, *_ in before] == list(range(len(before)))
    for _ in range(6):
        page.mouse.wheel(0, 1500)
        wait_until_filled(page)
    seeds = [seed for seed, *_ in tiles_in_window(page)]
    assert seeds[0] > len(before) and seeds == list(range(seeds[0], seeds[0] + len(seeds)))
    assert page.locator("#wall a.tile").count() < 5 * len(before), "rows that are far away are removed"


def test_few_requests_at_a_time_and_none_for_rows_scrolled_past(visit):  # noqa: F811
    one = visit()
    held = []
    one.page.route("**/v1/images/**", lambda route: held.append(route))
    failed = []
    one.page.on("requestfailed", lambda request: failed.append(request.url))
    page = one.open()
    page.wait_for_selector("#wall a.tile")
    page.wait_for_load_state("load")
    until(page, lambda: held)
    first = [route.request.url for route in held]
    assert len(first) <= MAX_IN_FLIGHT
    # The page grows as one scrolls.
    for place in (1500, 3000, 4500, 6000):
        page.evaluate(f"scrollTo(0, {place})")
        until(page, lambda: page.evaluate("scrollY") == place)
        page.evaluate("() => new Promise(requestAnimationFrame)")
    until(page, lambda: set(first) <= set(failed))

    def waited_for():
        open_now = [route.request.url for route in held if route.request.url not in failed]
        assert len(open_now) <= MAX_IN_FLIGHT
        return {int(re.search(r"(\d+)\.webp", url)[1]) for url in open_now}

    until(page, lambda: waited_for() and waited_for() <= {seed for seed, *_ in tiles_in_window(page)})


def test_a_busy_server_is_given_the_time_it_asks_for(visit):  # noqa: F811
    one = visit()
    page = one.page
    page.clock.install()
    page.route("**/v1/images/**", lambda route: route.fulfill(status=503, headers={"Retry-After": "30"}))
    one.open()
    expect(page.locator("#status")).to_contain_text("Many are looking just now")
    asked = len(one.paths("/v1/images/"))
    assert asked <= MAX_IN_FLIGHT
    page.clock.run_for(29_000)
    assert len(one.paths("/v1/images/")) == asked
    page.unroute("**/v1/images/**")
    page.clock.run_for(20_000)
    wait_until_filled(page)
    expect(page.locator("#status")).to_be_hidden()


def test_a_model_that_is_still_loading_is_waited_for(visit):  # noqa: F811
    one = visit()
    page = one.page

    def loading(route):
        route.fulfill(status=503, json={"error": {"status": 503, "message": "the model is still being loaded"}})

    for pattern in ("**/v1/images/**", "**/readyz"):
        page.route(pattern, loading)
    one.open()
    expect(page.locator("#status")).to_contain_text("The model is being loaded.")
    for pattern in ("**/v1/images/**", "**/readyz"):
        page.unroute(pattern)
    wait_until_filled(page)
    expect(page.locator("#status")).to_be_hidden()


def test_a_server_that_is_gone_is_reported(visit):  # noqa: F811
    one = visit()
    page = one.open()
    wait_until_filled(page)
    page.route("**/v1/**", lambda route: route.abort())
    page.get_by_role("button", name="Elsewhere").click()
    expect(page.locator("#status")).to_contain_text("The server does not answer.")
    page.unroute("**/v1/**")
    wait_until_filled(page)
    expect(page.locator("#status")).to_be_hidden()


def test_the_gallery_starts_once_the_server_states_its_limits(visit):  # noqa: F811
    one = visit()
    one.page.route("**/v1/limits", lambda route: route.abort())
    page = one.open()
    expect(page.locator("#status")).to_contain_text("The server does not answer.")
    assert one.paths("/v1/images/") == []
    page.unroute("**/v1/limits")
    wait_until_filled(page)
    expect(page.locator("#status")).to_be_hidden()


def test_limits_come_from_the_server(visit):  # noqa: F811
    one = visit()
    limits = {**one.context.request.get(one.url + "/v1/limits").json(), "max_grid_pictures": 3, "arc_steps": 500}
    one.page.route("**/v1/limits", lambda route: route.fulfill(json=limits))
    page = one.open("/?favourites=1,2,3,4,5#/favourites")
    wait_until_filled(page)
    assert [seed for seed, *_ in tiles_in_window(page)] == [1, 2, 3]
    one.open("/#/street/9")
    page.get_by_role("button", name="Morph into any street").click()
    expect(page.locator("#morph-range")).to_have_attribute("max", "500")
    expect(page.locator("#morph-range")).to_have_value("250")


def test_elsewhere_is_kept_in_the_address(visit):  # noqa: F811
    page = visit().open()
    wait_until_filled(page)
    page.get_by_role("button", name="Elsewhere").click()
    start = int(re.search(r"[?&]from=(\d+)", page.url)[1])
    assert tiles_in_window(page)[0][0] == start
    page.reload()
    wait_until_filled(page)
    assert tiles_in_window(page)[0][0] == start
    page.get_by_role("link", name="nowhere").click()
    wait_until_filled(page)
    assert tiles_in_window(page)[0][0] == 0 and "from=" not in page.url


def test_the_wall_by_keyboard(visit):  # noqa: F811
    page = visit().open()
    wait_until_filled(page)
    columns = int(page.get_by_role("grid").get_attribute("aria-colcount"))
    page.locator("#theme").focus()
    page.keyboard.press("Tab")

    def focused():
        return page.evaluate("() => document.activeElement.getAttribute('aria-label')")

    for key, seed in [(None, 0), ("ArrowRight", 1), ("ArrowDown", 1 + columns), ("ArrowLeft", columns), ("End", 2 * columns - 1),
                      ("Home", columns), ("ArrowUp", 0), ("ArrowUp", 0), ("ArrowLeft", 0)]:
        if key:
            page.keyboard.press(key)
        assert focused() == f"Street {seed}", key
    assert page.evaluate("() => getComputedStyle(document.activeElement).outlineStyle") == "solid"
    for _ in range(30):
        page.keyboard.press("ArrowDown")
    assert focused() == f"Street {30 * columns}"
    seeds = [seed for seed, top, *_ in tiles_in_window(page) if top > 0]
    assert 30 * columns in seeds, "the window follows the focus"
    page.keyboard.press("Enter")
    expect(page.locator("#viewer-title")).to_have_text(f"Street {30 * columns}")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#viewer-title")).to_have_text(f"Street {30 * columns + 1}")
    page.keyboard.press("Escape")
    expect(page.locator("#viewer")).to_be_hidden()
    assert focused() == f"Street {30 * columns + 1}"
    assert "#/street" not in page.url


def test_time_goes_back_to_the_first_epoch(visit):  # noqa: F811
    one = visit()
    page = one.open()
    wait_until_filled(page)
    newest = page.locator(SHOWN).first.get_attribute("src")
    slider = page.get_by_label("Training time").first
    slider.focus()
    page.keyboard.press("Home")
    expect(page.locator(SHOWN).first).not_to_have_attribute("src", newest)
    assert "/v1/images/0.webp?epoch=1" in one.paths("/v1/images/")
    assert "epoch=1" in page.url and slider.get_attribute("aria-valuetext") == "epoch 1"
    page.get_by_role("link", name="Street 1", exact=True).click()
    expect(page.get_by_label("Permalink")).to_have_value(re.compile(r"#/street/1\?epoch=1$"))
    page.locator("#viewer-time-range").press("End")
    expect(page.get_by_label("Permalink")).to_have_value(re.compile(r"#/street/1\?model="))


def test_one_epoch_needs_no_slider(visit):  # noqa: F811
    one = visit()
    one.page.route("**/v1/checkpoints", lambda route: route.fulfill(json={"epochs": [5], "current": 5}))
    page = one.open()
    wait_until_filled(page)
    expect(page.locator("#facts")).not_to_be_empty()
    expect(page.locator("#time")).to_be_hidden()


def test_training_is_shown_live_while_the_page_is_visible(visit):  # noqa: F811
    one = visit()
    page = one.page
    page.clock.install()
    page.route("**/v1/run", lambda route: route.fulfill(json=RUN))
    one.open()
    page.get_by_role("link", name="Training").click()
    losses = page.get_by_role("img", name=re.compile("Losses over training. After 8K images: discriminator 0.13, generator 1.50."))
    expect(losses).to_be_visible()
    expect(page.get_by_role("img", name=re.compile(r"D\(x\) 0.70"))).to_be_visible()
    expect(page.get_by_text("images/s 208")).to_be_visible()
    expect(page.locator("#newest-grid.shown")).to_be_visible()
    later = {**RUN, "points": RUN["points"] + [{**RUN["points"][-1], "images": 9000, "G_loss": 9.25}]}
    page.route("**/v1/run", lambda route: route.fulfill(json=later))
    page.clock.run_for(4000)
    expect(page.get_by_text("generator 9.25")).to_be_visible()

    def hide(hidden):
        page.evaluate(f"""() => {{
            Object.defineProperty(document, 'hidden', {{configurable: true, value: {str(hidden).lower()}}});
            document.dispatchEvent(new Event('visibilitychange'));
        }}""")

    hide(True)
    page.clock.run_for(15_000)
    asked = len(one.paths("/v1/run"))
    page.clock.run_for(60_000)
    assert len(one.paths("/v1/run")) == asked
    with page.expect_request("**/v1/run"):
        hide(False)


def test_the_machine_is_shown_live(visit):  # noqa: F811
    one = visit(timezone_id="Asia/Kolkata")  # five and a half hours ahead: ticks stand at round times there too
    page = one.page
    page.clock.install(time=NOON + 1210)
    shown = {**RUN, "machine": MACHINE}
    page.route("**/v1/run", lambda route: route.fulfill(json=shown))
    one.open("/#/training")
    for name in ("Throughput over time. At 17:50: images/s 180.", "Time spent over time. At 17:50: computing 56%, waiting for data 39%.",
                 "4 × Tesla V100 over time. At 17:50: mean 70%, the idlest 40%.", "CPU over time. At 17:50: training 60%, all programs 80%.",
                 "Disk reads over time. At 17:50: training 53.4 MB/s.", "Disk over time. At 17:50: busy 36%."):
        expect(page.get_by_role("img", name=name, exact=True)).to_be_visible()
    expect(page.locator("#machine-title")).to_have_text("The machine from 17:30 to 17:50")
    expect(page.locator("#machine-time text", has_text=":")).to_have_text(["17:30", "17:35", "17:40", "17:45", "17:50"])
    expect(page.locator("#machine-time text:not(:has-text(':'))")).to_have_text(["0%", "50%", "100%"])
    expect(page.locator("#bottleneck")).to_have_text(f"Bottleneck {MACHINE['bottleneck']}")

    # What is not measured is left out.
    bare = {"points": [{"time": NOON + 10 * i, "images_per_second": 5, "cpu_share": 1} for i in range(3)]}
    shown["machine"] = bare
    page.clock.run_for(4000)
    expect(page.locator("#bottleneck")).to_be_hidden()
    expect(page.locator("#machine figure:visible")).to_have_count(2)
    del shown["machine"]
    page.clock.run_for(4000)
    expect(page.locator("#machine")).to_be_hidden()
    expect(page.locator("#chart-losses")).to_be_visible()


def test_a_run_shows_its_machine(visit):  # noqa: F811
    """What training writes is what the page reads."""
    one = visit()
    figures = one.context.request.get(one.url + "/v1/run").json()["machine"]["points"][-1]
    assert {"time", "images_per_second", "device_share", "waiting_share", "cpu_share", "machine_cpu_share"} <= figures.keys()
    assert all(0 <= value <= 1 for name, value in figures.items() if name.endswith("_share"))
    page = one.open("/#/training")
    for name in ("machine-speed", "machine-time", "machine-cpu"):
        expect(page.locator(f"#{name} svg")).to_be_visible()


def test_themes(visit):  # noqa: F811
    one = visit(color_scheme="dark")
    page = one.open()
    wait_until_filled(page)

    def brightness():
        colour = page.evaluate("() => getComputedStyle(document.documentElement).backgroundColor")
        return sum(map(int, re.findall(r"\d+", colour)[:3])) / 3

    assert brightness() < 60
    page.get_by_role("button", name="Dark theme").click()
    assert brightness() > 200
    page.reload()
    assert brightness() > 200
    assert page.get_by_role("button", name="Dark theme").get_attribute("aria-pressed") == "false"


def test_reduced_motion(visit):  # noqa: F811
    page = visit(reduced_motion="reduce").open()
    wait_until_filled(page)
    assert page.evaluate("() => getComputedStyle(document.querySelector('#wall img')).transitionDuration") == "0s"


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [375, 1440])
def test_accessible_and_nothing_sticks_out(visit, width, theme):  # noqa: F811
    one = visit(width=width, color_scheme=theme, reduced_motion="reduce")
    page = one.page
    page.route("**/v1/run", lambda route: route.fulfill(json={**RUN, "machine": MACHINE}))
    for address, there in [("/", SHOWN), ("/?favourites=1,5,9#/favourites", SHOWN), ("/#/favourites", "#favourites-empty"),
                           ("/#/street/5", "#near img.shown"), ("/#/near/5/2", "#stage img.shown"),
                           ("/#/between/5/9/300", "#stage img.shown"), ("/#/training", "#chart-losses svg")]:
        one.open(address)
        expect(page.locator(there).first).to_be_visible()
        assert serious_violations(page) == [], address
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), address
