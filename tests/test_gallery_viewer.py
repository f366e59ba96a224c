"""The gallery's viewer: permalinks, favourites, neighbours, morphs between two streets."""
import re

from gallery_browser import browser, pack, server, tiles_in_window, until, visit, wait_until_filled  # noqa: F401
from playwright.sync_api import expect


def title(page):
    return page.locator("#viewer-title")


def bytes_on_stage(page):
    """Every pixel of the large picture, once it is shown."""
    expect(page.locator("#stage img.shown")).to_be_visible()
    return page.evaluate("""async () => {
      const image = document.querySelector("#stage img.shown");
      await image.decode();
      const canvas = Object.assign(document.createElement("canvas"), { width: image.naturalWidth, height: image.naturalHeight });
      const context = canvas.getContext("2d");
      context.drawImage(image, 0, 0);
      return Array.from(context.getImageData(0, 0, canvas.width, canvas.height).data).join();
    }""")


def model_digest(page):
    return page.evaluate("async () => (await (await fetch('/v1/model')).json()).digest")


def test_a_permalink_opens_the_same_picture_again(visit):  # noqa: F811
    one = visit()
    page = one.open()
    wait_until_filled(page)
    page.get_by_role("link", name="Street 7", exact=True).click()
    expect(title(page)).to_have_text("Street 7")
    digest = model_digest(page)
    expect(page.get_by_label("Permalink")).to_have_value(re.compile(rf"^{one.url}/#/street/7\?model={digest[:12]}"))
    link = page.get_by_label("Permalink").input_value()
    assert page.url == link
    picture = page.get_by_role("link", name="The picture alone").get_attribute("href")
    assert re.fullmatch(rf"/v1/images/7\.png\?model={digest[:12]}[0-9a-f]*", picture)
    assert page.get_by_role("link", name="Download PNG").get_attribute("href") == picture
    answer = one.context.request.get(one.url + picture)
    assert answer.ok and answer.body().startswith(b"\x89PNG")
    shown = bytes_on_stage(page)
    two = visit()  # another browser with an empty cache
    again = two.open(link.removeprefix(one.url))
    expect(title(again)).to_have_text("Street 7")
    assert bytes_on_stage(again) == shown
    assert two.context.request.get(two.url + picture).body() == answer.body()
    other = visit().open("/#/street/8")
    assert bytes_on_stage(other) != shown


def test_the_focus_stays_visible(visit):  # noqa: F811
    """Controls that are hidden when pressed pass the focus to what is shown next."""
    page = visit().open("/#/near/5/2")
    page.get_by_role("button", name="Back to the street").press("Enter")
    expect(title(page)).to_have_text("Street 5")
    expect(title(page)).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(title(page)).to_have_text("Street 6")
    page.get_by_role("button", name="Morph into any street").press("Enter")
    expect(page.locator("#morph")).to_be_visible()
    expect(title(page)).to_be_focused()
    page.locator("#morph-a").press("Enter")
    expect(title(page)).to_have_text("Street 6")
    expect(title(page)).to_be_focused()
    page.get_by_role("button", name="Morph into…").press("Enter")
    page.get_by_role("button", name="Cancel").press("Enter")
    expect(page.locator("#choosing")).to_be_hidden()
    expect(page.locator("#wall a:focus")).to_have_count(1)


def test_steps_of_a_morph_are_requested_once(visit):  # noqa: F811
    one = visit()
    one.open("/#/between/3/12/500")
    until(one.page, lambda: len(one.paths("/v1/between/")) >= 17)
    one.page.get_by_role("slider", name="From street 3 to street 12").press("ArrowRight")
    until(one.page, lambda: any("/3/12/5" in path and "/500." not in path for path in one.paths("/v1/between/")))
    asked = one.paths("/v1/between/")
    assert len(asked) == len(set(asked))


def test_a_step_that_is_on_its_way_is_not_requested_again(visit):  # noqa: F811
    one, held = visit(), []
    one.page.route("**/v1/between/3/12/500.*", lambda route: held.append(route))
    one.open("/#/between/3/12/500")
    until(one.page, lambda: held)
    slider = one.page.get_by_role("slider", name="From street 3 to street 12")
    slider.dispatch_event("input")  # again at the same place, before the picture has come
    with one.page.expect_response("**/v1/between/3/12/500.*"):
        held[0].continue_()
    slider.press("ArrowRight")  # positions are requested one after the other: a second request would come first
    until(one.page, lambda: any("/3/12/5" in path and "/500." not in path for path in one.paths("/v1/between/")))
    assert len(held) == 1


def test_copying_the_permalink(visit):  # noqa: F811
    page = visit(permissions=["clipboard-read", "clipboard-write"]).open("/#/street/3")
    expect(page.get_by_label("Permalink")).to_have_value(re.compile("model="))
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("() => navigator.clipboard.readText()") == page.get_by_label("Permalink").input_value()


def test_a_permalink_of_another_model_is_explained(visit):  # noqa: F811
    page = visit().open("/#/street/7?model=ffffffffffff")
    expect(page.get_by_role("alert")).to_contain_text("another model")
    page.get_by_role("button", name="Show what this model makes of it").click()
    expect(page.locator("#stage img.shown")).to_be_visible()
    expect(page.get_by_role("alert")).to_be_hidden()
    assert "ffffffffffff" not in page.url


def test_the_browsers_back_closes_the_viewer(visit):  # noqa: F811
    page = visit().open()
    wait_until_filled(page)
    page.get_by_role("link", name="Street 2", exact=True).click()
    page.get_by_role("button", name="Next").click()
    expect(title(page)).to_have_text("Street 3")
    page.go_back()
    expect(page.locator("#viewer")).to_be_hidden()


def test_favourites_live_in_the_address(visit):  # noqa: F811
    one = visit()
    page = one.open()
    wait_until_filled(page)
    page.get_by_role("link", name="Street 4", exact=True).click()
    page.get_by_role("button", name="Favourite").click()
    expect(page.get_by_role("button", name="Favourite")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("dialog [aria-live]")).to_contain_text("Street 4 is a favourite")
    page.keyboard.press("Escape")
    expect(page.locator("#viewer")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("f")
    expect(page.get_by_role("link", name="Street 5, a favourite")).to_be_focused()
    assert "favourites=4,5" in page.url
    page.get_by_role("link", name="Favourites").click()
    page.reload()
    wait_until_filled(page)
    assert [seed for seed, *_ in tiles_in_window(page)] == [4, 5]
    for name in ("All on one sheet", "As a loop"):
        answer = one.context.request.get(one.url + page.get_by_role("link", name=name).get_attribute("href"))
        assert answer.ok and answer.headers["content-type"].startswith("image/"), name
    page.get_by_role("link", name="Street 4, a favourite").focus()
    page.keyboard.press("f")
    assert [seed for seed, *_ in tiles_in_window(page)] == [5]


def test_more_like_this(visit):  # noqa: F811
    page = visit().open("/#/street/11")
    near = page.get_by_role("region", name="More like this")
    expect(near.locator("img.shown")).to_have_count(8)
    near.get_by_role("link").nth(2).click()
    expect(title(page)).to_have_text("Near street 11, no. 3")
    expect(page.locator("#stage img.shown")).to_be_visible()
    page.reload()
    expect(title(page)).to_have_text("Near street 11, no. 3")
    page.get_by_role("button", name="Back to the street").click()
    expect(title(page)).to_have_text("Street 11")


def test_two_streets_are_chosen_and_the_slider_moves_between_them(visit):  # noqa: F811
    one = visit()
    page = one.open()
    wait_until_filled(page)
    page.get_by_role("link", name="Street 3", exact=True).click()
    page.get_by_role("button", name="Morph into…").click()
    expect(page.locator("#choosing")).to_contain_text("street 3")
    page.get_by_role("link", name="Street 12", exact=True).click()
    expect(title(page)).to_have_text("Street 3 to street 12")
    slider = page.get_by_label("From street 3 to street 12")
    expect(page.locator("#stage img.shown")).to_be_visible()
    before = page.locator("#stage img").get_attribute("src")
    slider.focus()
    slider.press("Home")
    expect(page.locator("#stage img")).not_to_have_attribute("src", before)
    slider.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", "1 % of the way")
    expect(page.get_by_label("Permalink")).to_have_value(re.compile("#/between/3/12/10"))
    for kind in ("gif", "webp"):
        answer = one.context.request.get(one.url + page.locator(f"#loop-{kind}").get_attribute("href"))
        assert answer.ok and answer.headers["content-type"] == f"image/{kind}"


def test_cancelling_the_choice(visit):  # noqa: F811
    page = visit().open("/#/street/3")
    page.get_by_role("button", name="Morph into…").click()
    expect(page.locator("#choosing")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#choosing")).to_be_hidden()


def test_only_the_newest_slider_position_is_requested(visit):  # noqa: F811
    one = visit()
    page = one.open("/#/between/3/12/500")
    expect(page.locator("#stage img.shown")).to_be_visible()
    until(page, lambda: len(one.paths("/v1/between/")) >= 17)  # all that is loaded ahead
    held = []
    page.route("**/v1/between/**", lambda route: held.append(route))
    asked = len(one.paths("/v1/between/"))

    def places():
        return [re.match(r"/v1/between/3/12/(\d+)\.webp", path)[1] for path in one.paths("/v1/between/")[asked:]]

    page.evaluate("""() => {
        const slider = document.getElementById('morph-range');
        for (let t = 10; t <= 990; t += 10) { slider.value = t; slider.dispatchEvent(new Event('input')); }
    }""")
    until(page, lambda: held)
    assert places() == ["10"], "one at a time"
    held[0].continue_()
    until(page, lambda: len(held) == 2)
    with page.expect_request_finished(lambda request: "/3/12/990." in request.url):
        held[1].continue_()
    assert places() == ["10", "990"]
