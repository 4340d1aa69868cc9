"""The main job in a real browser: from a file to a world, by mouse, by keys, without scripts, on a phone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FilePayload, Page, Route, expect

from tests.browser.axe import assert_sound, assert_sound_in_both_lights
from tests.browser.conftest import WIDTHS_AND_LANGUAGES, Visits
from tests.browser.server import PASSWORD, FirstServer, Server, start
from tests.support.cards import (
    book,
    chinese_card,
    english_card,
    entry,
    json_bytes,
    png_card,
    sillytavern_book,
    v3,
)

STOPPED = """
from django.db import transaction
from portal.models import Job, Person
from tests.support.cards import english_card
from tests.support.importing import ready, started
with transaction.atomic():  # the running server sees the jobs only when they have been stopped
    upload = ready(Person.objects.get(username="ana"), english_card())
    world = started(upload)
    Job.objects.filter(subject__in=(upload.pk, world.pk)).update(state="stopped")
print(world.pk)
"""


def card(name: str, data: bytes) -> FilePayload:
    return {"name": name, "mimeType": "application/octet-stream", "buffer": data}


def stopped_import(server: Server) -> str:
    """A world of Ana's whose import was stopped before it began; its id."""
    return server.manage("shell", "-v", "0", "-c", STOPPED).strip().rpartition("\n")[2]


def bring(page: Page, name: str, data: bytes) -> None:
    """Upload one file and wait for its face."""
    page.goto("/import/")
    page.set_input_files("#file", [card(name, data)])
    expect(page.locator("#choices, #why")).to_be_visible(timeout=30_000)


def start_it(page: Page) -> None:
    """Press start and wait for the result."""
    page.get_by_role("button", name="Start the import").click()
    page.wait_for_url("**/result/", timeout=30_000)


FOCUS = "(e => e === document.body ? '' : `${e.id} ${e.innerText}`)(document.activeElement)"


def tab_to(page: Page, name: str) -> None:
    """Go on with Tab until something of this name has the focus."""
    for _press in range(80):
        page.keyboard.press("Tab")
        if name in page.evaluate(FOCUS):
            return
    raise AssertionError(f"Tab never reaches {name!r}")


def test_from_the_first_run_to_a_world(chromium: Browser, tmp_path: Path) -> None:
    """A stranger's way: account, sample, preview, start, progress, result, world."""
    fresh: FirstServer = start(tmp_path / "data")
    context = chromium.new_context(locale="en")
    context.set_default_timeout(15_000)
    try:
        page = context.new_page()
        page.goto(fresh.setup)
        page.get_by_label("Your name").fill("Hal")
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        page.get_by_role("button", name="Make the account").click()
        expect(page.get_by_role("heading", name="Start with a sample")).to_be_visible()
        assert_sound(page)
        page.get_by_role("button", name="Try this sample").first.click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Look at this card", timeout=30_000)
        assert_sound(page)
        page.get_by_label("Name of the world").fill("Low Reach")
        start_it(page)
        assert_sound(page)
        page.get_by_role("link", name="Open the world").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Low Reach")
        expect(page.get_by_role("heading", name="From the card")).to_be_visible()
        assert_sound(page)
    finally:
        context.close()
        fresh.end()


FIVE = ("list", "preview", "run", "result", "repair")


@pytest.mark.parametrize(("width", "language"), WIDTHS_AND_LANGUAGES)
def test_the_main_pages_are_sound_everywhere(
    visit: Visits, main_pages: dict[str, str], width: int, language: str
) -> None:
    page = visit("ana", width=width, language=language)
    for name in FIVE:
        page.goto(main_pages[name])
        page.evaluate("for (const closed of document.querySelectorAll('main details')) closed.open = true")
        assert_sound_in_both_lights(page)


def test_the_other_pages_are_sound(visit: Visits, main_pages: dict[str, str]) -> None:
    page = visit("ana", theme="dark", width=390, language="zh-CN")
    for name in main_pages.keys() - set(FIVE):
        page.goto(main_pages[name])
        assert_sound(page)


@pytest.fixture(scope="module")
def main_pages(chromium: Browser, server: Server) -> dict[str, str]:
    """One of each: the list, a preview with everything, a stopped import, a result, a draft, no card."""
    context = chromium.new_context(base_url=server.address, locale="en")
    context.set_default_timeout(15_000)
    page = context.new_page()
    page.goto("/signin/")
    page.fill("[name=login]", "ana")
    page.fill("[name=password]", PASSWORD)
    page.click("main button.primary")
    page.wait_for_url(lambda url: "/signin/" not in url)
    pages = {"list": "/import/", "waiting": "/import/waiting/", "home": "/"}
    bring(page, "tides.png", png_card(chinese_card()))
    pages["preview"] = page.url
    bring(page, "book.json", json_bytes(sillytavern_book()))
    pages["other"] = page.url
    bring(page, "mira.png", png_card(english_card()))
    start_it(page)
    pages["result"] = page.url
    bring(page, "silent.json", json_bytes(v3(name="Silent", first_mes="", alternate_greetings=[])))
    start_it(page)
    page.get_by_role("link", name="Repair it").click()
    page.wait_for_url("**/repair/")
    pages["repair"] = page.url
    pages["run"] = f"/import/{stopped_import(server)}/run/"
    context.close()
    return pages


def test_choices_are_kept_as_they_are_made(visit: Visits) -> None:
    page = visit("ana")
    many = v3(name="Long Quay", character_book=book(*(entry(n) for n in range(400))))
    bring(page, "quay.json", json_bytes(many))
    expect(page.locator("#chosen")).to_have_text("400 of 400 come along")
    page.get_by_label("Harbour 3", exact=True).uncheck()
    expect(page.locator("#chosen")).to_have_text("399 of 400 come along")
    expect(page.locator("#saved")).to_contain_text("Saved")
    page.get_by_label("Search the entries").fill("pier 39")
    expect(page.locator("table.entries tbody tr")).to_have_count(14)  # 39 to 339, 390 to 399
    page.get_by_role("button", name="None").click()
    expect(page.locator("#chosen")).to_have_text("385 of 400 come along")
    expect(page.locator("#pick-none")).to_be_focused()
    page.get_by_label("Search the entries").fill("")
    expect(page.locator("table.entries tbody tr")).to_have_count(100)
    page.get_by_role("button", name="Next").click()
    expect(page.locator("#entries")).to_contain_text("Page 2 of 4")
    page.get_by_label("Opening").select_option("greeting:1")
    expect(page.locator("#saved")).to_contain_text("Saved")
    page.get_by_label("Name of the world").fill("")
    page.get_by_label("Name of the world").blur()
    expect(page.locator("#saved")).to_contain_text("Not saved.")
    page.reload()
    expect(page.get_by_label("Name of the world")).to_have_value("Long Quay")
    expect(page.get_by_label("Opening")).to_have_value("greeting:1")
    expect(page.locator("#chosen")).to_have_text("385 of 400 come along")
    start_it(page)
    expect(page.get_by_role("link", name="Left out: 15")).to_be_visible()


def test_several_files_and_one_that_is_too_large(visit: Visits) -> None:
    page = visit("ana")
    page.goto("/import/")
    page.evaluate("document.getElementById('file').dataset.max = 5000")
    page.set_input_files(
        "#file", [card("one.json", json_bytes(v3(name="One"))), card("big.png", b"x" * 9000)]
    )
    refused = page.locator(".uploads li", has_text="big.png")
    expect(refused.locator("[data-error]")).to_have_text("This file is 0.1 MB; this server takes 0.1 MB.")
    expect(page.locator("#recent")).to_contain_text("one.json")
    assert_sound(page)
    page.reload()
    page.set_input_files(
        "#file",
        [card("two.json", json_bytes(v3(name="Two"))), card("three.json", json_bytes(v3(name="Three")))],
    )
    page.wait_for_url("**/import/waiting/")
    expect(page.locator("#uploads li", has_text="Three").get_by_text("Ready to import")).to_be_visible()


def test_an_upload_can_be_cancelled(visit: Visits) -> None:
    page = visit("ana")
    page.goto("/import/")
    page.route("**/import/", lambda route: None if route.request.method == "POST" else route.continue_())
    page.set_input_files("#file", [card("slow.json", json_bytes(v3(name="Slow")))])
    row = page.locator(".uploads li", has_text="slow.json")
    expect(row.get_by_role("progressbar")).to_be_visible()
    assert_sound(page)
    row.get_by_role("button", name="Cancel").click()
    expect(row).to_have_count(0)


def test_a_card_dropped_on_home_is_looked_at(visit: Visits) -> None:
    page = visit("ana")
    page.goto("/")
    text = json_bytes(v3(name="Dropped")).decode()
    page.evaluate(
        """text => {
          const data = new DataTransfer();
          data.items.add(new File([text], "dropped.json"));
          const zone = document.querySelector("form[data-drop]");
          for (const name of ["dragover", "drop"])
            zone.dispatchEvent(new DragEvent(name, { dataTransfer: data, bubbles: true, cancelable: true }));
        }""",
        text,
    )
    page.wait_for_url("**/import/*/")
    expect(page.locator("#choices h2")).to_have_text("Dropped")


def test_an_open_page_follows_the_import(visit: Visits, server: Server) -> None:
    world = stopped_import(server)
    watching, other = visit("ana", width=390), visit("ana")
    watching.goto(f"/import/{world}/run/")
    expect(watching.get_by_role("heading", name="Stopped")).to_be_visible()
    expect(watching).to_have_title("25 % · Mira Oakes · Tavern Worlds")
    other.goto(f"/import/{world}/run/")
    other.get_by_role("button", name="Go on").click()
    other.wait_for_url("**/result/")
    watching.wait_for_url("**/result/")
    assert_sound(watching)


def test_a_draft_is_mended_on_the_spot_and_open_pages_turn_green(visit: Visits) -> None:
    page, other = visit("ana"), visit("ana")
    bring(page, "silent.json", json_bytes(v3(name="Mute", first_mes="", alternate_greetings=[])))
    expect(page.locator("#choices")).to_contain_text("becomes a draft")
    start_it(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Draft: one thing to fix")
    page.get_by_role("link", name="Repair it").click()
    other.goto(page.url)
    expect(other.get_by_text("One thing left")).to_be_visible()
    page.get_by_label("Write an opening").fill("The lamp goes out.")
    page.get_by_role("button", name="Apply").click()
    expect(page.get_by_role("heading", name="nobody can be played yet")).to_be_visible()
    assert_sound(page)
    expect(other.get_by_role("heading", name="nobody can be played yet")).to_be_visible()


def test_every_number_leads_to_its_list(visit: Visits, main_pages: dict[str, str]) -> None:
    page = visit("ana")
    page.goto(main_pages["result"])
    carried = page.get_by_role("link", name="Carried over:")
    count = int(carried.inner_text())
    carried.click()
    expect(page.locator("li.piece")).to_have_count(count)
    expect(page.locator("li.piece").first.get_by_role("heading", name="In the world")).to_be_visible()
    assert_sound(page)


def test_a_list_that_comes_late_takes_nobody_the_focus(visit: Visits) -> None:
    page = visit("ana")
    bring(page, "late.json", json_bytes(english_card()))
    page.route_web_socket(re.compile("/bell/"), lambda bell: None)  # it rings when the test does
    page.goto("/import/")
    link, asked = page.locator("#recent a").first, re.compile(r"/import/\?")

    def answer_late(route: Route) -> None:
        link.focus()
        route.continue_()

    page.route(asked, answer_late)
    with page.expect_response(asked) as answer:
        page.evaluate("document.body.dispatchEvent(new Event('rung'))")
    answer.value.finished()
    expect(page.locator(".htmx-request, .htmx-swapping, .htmx-settling")).to_have_count(0)
    expect(link).to_be_focused()


def test_by_keys_alone(visit: Visits) -> None:
    """A sample, another opening, an entry off, start, the world: no pointer at all."""
    page = visit("ana")
    page.goto("/import/")
    tab_to(page, "Try this sample")
    page.keyboard.press("Enter")
    expect(page.locator("#choices")).to_be_visible(timeout=30_000)
    tab_to(page, "id_opening")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#saved")).to_contain_text("Saved")
    tab_to(page, "entry-2")
    page.keyboard.press("Space")
    expect(page.locator("#chosen")).to_have_text("7 of 9 come along")
    tab_to(page, "Start the import")
    page.keyboard.press("Enter")
    page.wait_for_url("**/result/")
    tab_to(page, "Open the world")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Maren Holt")


def test_without_scripts_everything_works(visit: Visits, chromium: Browser, server: Server) -> None:
    visit("ana")
    plain = chromium.new_context(
        base_url=server.address, java_script_enabled=False, storage_state=visit.signed_in["ana"], locale="en"
    )
    plain.set_default_timeout(15_000)
    try:
        page = plain.new_page()
        page.goto("/import/")
        page.set_input_files("#file", [card("plain.json", json_bytes(english_card()))])
        page.get_by_role("button", name="Look at it").click()
        look_until(page, "#choices")
        page.get_by_label("Name of the world").fill("Plain")
        page.get_by_label("The bell").uncheck()
        page.get_by_role("button", name="Save the choices").click()
        expect(page.locator("#chosen")).to_have_text("2 of 4 come along")
        page.get_by_role("button", name="All", exact=True).click()
        expect(page.locator("#chosen")).to_have_text("4 of 4 come along")
        page.get_by_role("button", name="Start the import").click()
        look_until(page, "table.account")
        page.get_by_role("link", name="Open the world").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Plain")
    finally:
        plain.close()


def look_until(page: Page, what: str) -> None:
    """Load the page again, as somebody without scripts would, until it shows what is waited for."""
    for _look in range(60):
        if page.locator(what).count():
            return
        page.wait_for_timeout(250)
        page.reload()
    raise AssertionError(f"{page.url} never shows {what}")


def test_start_is_few_keys_away(visit: Visits) -> None:
    """By keyboard from the top of the page, whatever the card holds: past the shell, past the choices."""
    page = visit("ana")
    many = book(*(entry(number, content=f"Text {number}.") for number in range(60)))
    bring(page, "many.json", json_bytes(v3(name="Many", character_book=many)))
    page.reload()
    presses = 0
    for name, element in (("Skip to the content", "#main"), ("Skip to Start", "#start")):
        link = page.get_by_role("link", name=name)
        while not link.evaluate("link => link === document.activeElement"):
            page.keyboard.press("Tab")
            presses += 1
            assert presses < 12
        page.keyboard.press("Enter")
        presses += 1
        expect(page.locator(element)).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/result/")
    assert presses + 1 <= 7


def test_a_text_of_the_card_is_fetched_when_it_is_opened(visit: Visits) -> None:
    page = visit("ana", width=390, language="zh-CN")
    lamp = book(entry(0, comment="Lamp", content="It burns whale oil."))
    bring(page, "lamp.json", json_bytes(v3(name="Lamp", description="Keeps watch.", character_book=lamp)))
    expect(page.get_by_text("It burns whale oil.")).to_have_count(0)
    page.locator("table.entries summary").first.click()
    expect(page.get_by_text("It burns whale oil.")).to_be_visible()
    page.get_by_text("阅读卡中的文字").click()
    page.locator(".openings summary").get_by_text("描述").last.click()
    expect(page.get_by_text("Keeps watch.")).to_be_visible()
    assert_sound(page)


def test_n_on_the_first_page_leads_to_the_import(visit: Visits) -> None:
    page = visit("ana")
    page.goto("/")
    page.keyboard.press("n")
    page.wait_for_url("**/import/")
