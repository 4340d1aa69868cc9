"""The portal's pages in a real browser: sound in every light, width and language, usable by keys alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.axe import assert_sound, assert_sound_in_both_lights, faults
from tests.browser.conftest import WIDTHS_AND_LANGUAGES, Visits
from tests.browser.server import PASSWORD, FirstServer, Server, start

EVERYBODY = ["/settings/look/", "/settings/account/", "/settings/sessions/", "/jobs/", "/help/"]
HOST = ["/manage/people/", "/manage/site/", "/settings/second-factor/", "/password/change/", "/welcome/"]
VISITOR = ["/signin/", "/signup/", "/help/", "/password/reset/", "/nothing/"]


@pytest.mark.parametrize(("width", "language"), WIDTHS_AND_LANGUAGES)
def test_the_styleguide_is_sound_everywhere(visit: Visits, width: int, language: str) -> None:
    page = visit("hal", width=width, language=language)
    page.goto("/styleguide/")
    assert_sound_in_both_lights(page)


@pytest.mark.parametrize(("width", "language"), WIDTHS_AND_LANGUAGES)
def test_signing_in_is_sound_everywhere(visit: Visits, width: int, language: str) -> None:
    page = visit(width=width, language=language)
    page.goto("/signin/")
    assert_sound_in_both_lights(page)


@pytest.mark.parametrize(
    ("person", "where"),
    [*(("ana", w) for w in EVERYBODY), *(("hal", w) for w in HOST), *((None, w) for w in VISITOR)],
)
def test_every_page_once(visit: Visits, person: str | None, where: str) -> None:
    page = visit(person, theme="dark", width=390)
    page.goto(where)
    assert_sound(page)


def test_axe_finds_what_is_wrong(visit: Visits) -> None:
    """The measure itself can fail."""
    page = visit()
    page.goto("/help/")
    page.evaluate(
        "document.querySelector('main').insertAdjacentHTML('beforeend', '<img src=\"/favicon.ico\">')"
    )
    assert any(fault.startswith("image-alt") for fault in faults(page))


def test_the_first_run(chromium: Browser, tmp_path: Path) -> None:
    """From the printed address to a server of one's own, with a mistake on the way."""
    fresh: FirstServer = start(tmp_path / "data")
    context = chromium.new_context(locale="en")
    try:
        page = context.new_page()
        page.goto(fresh.setup)
        assert_sound(page)
        page.get_by_label("Your name").fill("Hal")
        page.get_by_label("Password", exact=True).fill("short")
        page.get_by_role("button", name="Show").click()
        expect(page.get_by_label("Password", exact=True)).to_have_attribute("type", "text")
        page.get_by_role("button", name="Make the account").click()
        expect(page.get_by_role("alert")).to_be_focused()
        assert_sound(page)
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        page.get_by_role("button", name="Make the account").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Welcome, Hal")
        assert_sound(page)
    finally:
        context.close()
        fresh.end()


def test_by_keys_alone(visit: Visits) -> None:
    """Skip link first; the menu opens and closes by keys; leaving by Enter."""
    page = visit("ana")
    page.goto("/help/")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()
    menu = page.get_by_role("button", name="ana")
    menu.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#account-menu")).to_be_visible()
    assert_sound(page)
    page.keyboard.press("Escape")
    expect(page.locator("#account-menu")).to_be_hidden()


def test_shortcuts_and_their_limits(visit: Visits) -> None:
    page = visit("ana")
    page.goto("/settings/account/")
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    assert_sound(page)
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()
    field = page.get_by_label("E-mail (optional)")
    field.fill("")
    field.press("?")
    expect(field).to_have_value("?")
    expect(page.locator("#keys")).to_be_hidden()


def test_shortcuts_can_be_switched_off(visit: Visits, server: Server) -> None:
    server.make_people("kim")
    page = visit("kim")
    page.goto("/settings/look/")
    page.get_by_role("checkbox", name="Keyboard shortcuts").uncheck()
    page.get_by_role("button", name="Save").click()
    page.wait_for_load_state()
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_hidden()


def test_lists_are_walked_by_keys(visit: Visits) -> None:
    page = visit("hal")
    page.goto("/styleguide/")
    links = page.locator("[data-rows] a")
    for key, at in (("j", 0), ("j", 1), ("j", 1), ("ArrowUp", 0), ("ArrowDown", 1), ("k", 0)):
        page.keyboard.press(key)
        expect(links.nth(at)).to_be_focused()


def test_keys_of_an_input_method_are_left_alone(visit: Visits) -> None:
    page = visit("ana")
    page.goto("/help/")
    composing = (
        "document.dispatchEvent(new KeyboardEvent('keydown', {key: '?', bubbles: true, isComposing: true}))"
    )
    page.evaluate(composing)
    expect(page.locator("#keys")).to_be_hidden()
    page.evaluate(composing.replace("true, isComposing: true", "true"))
    expect(page.locator("#keys")).to_be_visible()


def test_unsaved_words_are_not_lost_by_accident(visit: Visits) -> None:
    page = visit("hal")
    page.goto("/manage/site/")
    page.on("dialog", lambda dialog: dialog.dismiss())
    page.get_by_label("Name of this server").fill("Elsewhere")
    with page.expect_event("dialog") as asked:
        page.evaluate("setTimeout(() => location.assign('/help/'))")
    assert asked.value.type == "beforeunload"
    assert page.url.endswith("/manage/site/")


def test_colours_follow_the_account_before_the_system(visit: Visits, server: Server) -> None:
    server.make_people("lou")
    page = visit("lou", theme="light")
    page.goto("/settings/look/")
    before = ground(page)
    page.get_by_label("Dark").check()
    page.get_by_role("button", name="Save").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert ground(page) != before


def ground(page: Page) -> str:
    colour: str = page.evaluate("getComputedStyle(document.body).backgroundColor")
    return colour


def test_people_are_found_while_typing(visit: Visits) -> None:
    page = visit("hal")
    page.goto("/manage/people/")
    page.keyboard.press("/")
    expect(page.locator("#q")).to_be_focused()
    page.keyboard.type("han")
    expect(page.locator("#people")).to_have_text("Nobody has this name.")
    expect(page).to_have_url(page.url.split("?")[0] + "?q=han")


def test_a_link_can_be_copied_and_used_by_a_visitor(visit: Visits) -> None:
    page = visit("hal")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/manage/people/")
    page.get_by_label("For whom").fill("Dora")
    page.get_by_role("button", name="Make an invitation").click()
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert_sound(page)
    guest = visit(width=390)
    guest.goto(page.evaluate("navigator.clipboard.readText()"))
    expect(guest.get_by_role("heading", level=1)).to_contain_text("You are invited")
    assert_sound(guest)
    guest.get_by_role("link", name="Make an account").click()
    guest.get_by_label("Name", exact=True).fill("Dora")
    guest.get_by_label("Password", exact=True).fill(PASSWORD)
    assert_sound(guest)
    guest.get_by_role("button", name="Make the account").click()
    expect(guest.get_by_role("button", name="Dora")).to_be_visible()


def drop(page: Page, files: dict[str, int]) -> None:
    """Let files of these sizes fall on the drop zone of the style guide, which takes 1,000 bytes."""
    page.goto("/styleguide/")
    page.evaluate(
        """files => {
            const held = new DataTransfer();
            for (const [name, size] of Object.entries(files))
                held.items.add(new File(["x".repeat(size)], name));
            const event = new DragEvent("drop", {dataTransfer: held, bubbles: true, cancelable: true});
            document.querySelector("form[data-drop]").dispatchEvent(event);
        }""",
        files,
    )


def test_a_dropped_file_goes_up_and_the_page_follows(visit: Visits) -> None:
    page = visit("hal")
    taken: list[str] = []

    def answer(route: Route) -> None:
        if route.request.method == "GET":
            return route.continue_()
        taken.append(route.request.post_data or "")
        return route.fulfill(status=303, headers={"Location": "/help/"})

    page.route("**/styleguide/", answer)
    drop(page, {"lina.json": 500})
    page.wait_for_url("**/help/")
    assert len(taken) == 1
    assert 'filename="lina.json"' in taken[0]
    assert "csrfmiddlewaretoken" in taken[0]


def test_a_refused_file_says_why_and_the_others_go_up(visit: Visits) -> None:
    page = visit("hal")
    refusal = '<div class="note"><p>This is <b>not</b> a card.</p><p>Ask for the original.</p><p>x</p></div>'
    page.route(
        "**/styleguide/",
        lambda route: (
            route.continue_()
            if route.request.method == "GET"
            else route.fulfill(status=415, body=refusal, content_type="text/html")
        ),
    )
    drop(page, {"<b>large.png": 1100, "odd.txt": 5})
    rows = page.locator("[data-uploads] li")
    expect(rows).to_have_count(2)
    expect(rows.nth(0)).to_contain_text("<b>large.png")
    expect(rows.nth(0)).to_contain_text("This file is 0.1 MB; this server takes 0.1 MB.")
    expect(rows.nth(1)).to_contain_text("This is not a card. Ask for the original.")
    expect(page.locator("[data-uploads] progress")).to_have_count(0)
    assert_sound(page)
