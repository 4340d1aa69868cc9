"""The editor of entries in a browser: it saves by itself, loses nothing, and is sound for everybody."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from urllib.parse import quote

import pytest
from playwright.sync_api import Dialog, Page, expect

from tests.browser.axe import assert_sound, assert_sound_in_both_lights
from tests.browser.conftest import WIDTHS_AND_LANGUAGES, Visits
from tests.browser.server import Server

MAKE = """
import json
from lorebooks import actions, queries
from lorebooks.actions.library import shelve
from lorebooks.pipeline.book_file import BOOK_FILE, write_book
from lorebooks.pipeline.item_file import Item, Section
from portal.models import Person, Share
from tests.support.lorebooks import fog_book, large_book, st_entry
from tests.support.sections import put_sections
ana = Person.objects.get(username="ana")
hal = Person.objects.get(username="hal")
def made(who, value):
    return shelve(who, Item(name=value["name"], language="en"), {BOOK_FILE: write_book(value)})
value = fog_book()
value["entries"]["4"] = st_entry(
    4, ["/(a+/", "/x/v", "雾港"], "@@depth 2\\n@@odd\\n雾港每夜起雾。", comment="雾港",
    keysecondary=["灯塔"], sticky=3, group="sea", extensions={"odd": {"a": 1}})
fog = made(ana, value)
put_sections(ana, fog, Section(id="sea", name="海 Sea", entries=("0",)))
actions.keep_version(actor=ana, lorebook=fog, note="the first")
etag = queries.entry_value(fog, "0").etag
more = {"content": "Fog. And more.", "sticky": 2}
actions.save_entry(actor=ana, lorebook=fog, key="0", fields=more, if_match=etag)
many = made(ana, large_book(947))
lent = made(hal, {**fog_book(), "name": "Hal's notes"})
Share.objects.create(kind="lorebook", item_id=lent.pk, person=ana, level="read")
both = made(hal, {**fog_book(), "name": "Ours"})
Share.objects.create(kind="lorebook", item_id=both.pk, person=ana, level="edit")
typed = made(ana, {**fog_book(), "name": "Typed"})
long = "endless" * 45
endless = st_entry(0, [long, "雾" * 300], "Fog.", comment=long)
wide = made(ana, {"name": long[:200], "entries": {"0": endless}})
put_sections(ana, wide, Section(id="s", name=long[:200], entries=("0",)))
print(json.dumps(dict(fog=fog.pk, many=many.pk, lent=lent.pk, both=both.pk, typed=typed.pk, wide=wide.pk)))
"""
STORED = """
import json
from lorebooks import queries
from lorebooks.models import Lorebook
print(json.dumps(queries.entry_value(Lorebook.objects.get(pk={book!r}), {key!r}).fields))
"""
SAVES = """
from lorebooks import actions, queries
from lorebooks.models import Lorebook
from portal.models import Person
book = Lorebook.objects.get(pk={book!r})
etag = queries.entry_value(book, {key!r}).etag
hal = Person.objects.get(username="hal")
actions.save_entry(actor=hal, lorebook=book, key={key!r}, fields={fields!r}, if_match=etag)
"""


@dataclass(frozen=True, slots=True)
class Ids:
    """Ana's books: one with everything, one of 947 entries, Hal's to read, Hal's to edit, one to type in,
    one of endless names.
    """

    fog: str
    many: str
    lent: str
    both: str
    typed: str
    wide: str


@pytest.fixture(scope="module")
def ids(server: Server) -> Ids:
    said = server.manage("shell", "-v", "0", "-c", MAKE)
    return Ids(**json.loads(said.splitlines()[-1]))


def stored(server: Server, book: str, key: str) -> dict[str, object]:
    said = server.manage("shell", "-v", "0", "-c", STORED.format(book=book, key=key))
    fields: dict[str, object] = json.loads(said.splitlines()[-1])
    return fields


def entry(book: str, key: str) -> str:
    return f"/lore/{quote(book)}/entries/{key}/"


def pages(ids: Ids) -> dict[str, str]:
    book = f"/lore/{ids.fog}/"
    return {
        "list": f"/lore/{ids.many}/",
        "entry": entry(ids.fog, "4"),
        "sections": f"{book}sections/",
        "in a section": f"{book}?section=sea",
        "source": f"{entry(ids.fog, '4')}source/",
        "versions": f"{book}versions/",
        "compare": f"{book}versions/compare/?old=1",
        "reader's list": f"/lore/{ids.lent}/",
        "reader's entry": entry(ids.lent, "2"),
        "nothing found": f"/lore/{ids.many}/?q=nowhere",
        "endless names": f"/lore/{ids.wide}/",
        "an endless key": entry(ids.wide, "0"),
    }


NAMES = list(pages(Ids("x", "x", "x", "x", "x", "x")))
MAIN = ("list", "entry")


def look(page: Page, address: str) -> None:
    open_all(page, address)
    assert_sound(page)


def open_all(page: Page, address: str) -> None:
    page.goto(address)
    page.evaluate("document.querySelectorAll('main details').forEach(one => { one.open = true; })")
    if "entries/4/" in address and "source" not in address:
        expect(page.locator("#told")).to_contain_text(re.compile("gimsuy"))


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("name", ["endless names", "an endless key"])
def test_endless_names_widen_no_page(visit: Visits, ids: Ids, name: str, width: int) -> None:
    page = visit("ana", width=width)
    page.goto(pages(ids)[name])
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("name", [name for name in NAMES if name not in MAIN])
def test_every_page_is_sound(visit: Visits, ids: Ids, name: str) -> None:
    narrow = NAMES.index(name) % 2 == 0
    theme, width = ("dark", 390) if narrow else ("light", 1280)
    look(visit("ana", theme=theme, width=width), pages(ids)[name])


@pytest.mark.parametrize(("width", "language"), WIDTHS_AND_LANGUAGES)
@pytest.mark.parametrize("name", MAIN)
def test_main_pages_are_sound_everywhere(
    visit: Visits, ids: Ids, name: str, width: int, language: str
) -> None:
    page = visit("ana", width=width, language=language)
    open_all(page, pages(ids)[name])
    assert_sound_in_both_lights(page)


def test_what_is_typed_saves_itself(visit: Visits, server: Server, ids: Ids) -> None:
    page = visit("ana")
    page.goto(entry(ids.typed, "0"))
    page.get_by_label("Title", exact=True).fill("The mist")
    page.get_by_label("Text", exact=True).fill("@@depth 3\nMist hides whole fleets.")
    expect(page.locator("#saved")).to_contain_text(re.compile(r"Saved \d\d:\d\d"))
    expect(page.locator("#decorators")).to_contain_text("3 before the end")
    expect(page.get_by_role("heading", level=1)).to_have_text("The mist")
    expect(page.locator("#entries li.here")).to_contain_text("The mist")
    page.locator("summary", has_text="When exactly").click()
    page.get_by_label("Sticky").fill("4")
    with page.expect_response(lambda answer: answer.request.method == "POST") as answer:
        page.get_by_label("Sticky").blur()
    assert answer.value.status == 200
    found = stored(server, ids.typed, "0")
    assert (found["comment"], found["sticky"]) == ("The mist", 4)
    assert found["content"] == "@@depth 3\nMist hides whole fleets."


def test_keys_are_chips_and_patterns_are_tried(visit: Visits, server: Server, ids: Ids) -> None:
    page = visit("ana")
    page.goto(entry(ids.typed, "2"))
    last = page.locator("[data-chips] input[name=keys]").last
    last.focus()
    page.keyboard.type("lantern")
    page.keyboard.press("Enter")
    page.keyboard.type("灯，塔")
    page.keyboard.press("Enter")
    page.keyboard.type("/(x/")
    expect(page.locator("#told")).to_contain_text("does not compile")
    expect(page.locator("#told")).to_contain_text("a pattern that compiles")
    assert stored(server, ids.typed, "2")["keys"] == ["/lamp(s|light)?/i", "lantern", "灯", "塔", "/(x/"]
    for _ in "/(x/":
        page.keyboard.press("Backspace")
    page.keyboard.press("Backspace")
    expect(page.locator("[data-chips] input[name=keys]:focus")).to_have_value("塔")
    page.get_by_label("Title", exact=True).focus()
    expect(page.locator("#told")).not_to_contain_text("does not compile")
    assert stored(server, ids.typed, "2")["keys"] == ["/lamp(s|light)?/i", "lantern", "灯", "塔"]


def test_a_word_is_not_saved_while_it_is_composed(visit: Visits, server: Server, ids: Ids) -> None:
    page = visit("ana")
    page.goto(entry(ids.typed, "1"))
    sent: list[str] = []
    page.on("request", lambda asked: sent.append(asked.url) if asked.method == "POST" else None)
    page.get_by_label("Title", exact=True).fill("")
    expect(page.locator("#saved")).to_contain_text("Saved")
    sent.clear()
    page.get_by_label("Title", exact=True).focus()
    keys = page.context.new_cdp_session(page)
    keys.send("Input.imeSetComposition", {"text": "wu gang", "selectionStart": 7, "selectionEnd": 7})
    page.wait_for_timeout(1500)
    assert sent == []
    keys.send("Input.insertText", {"text": "雾港"})
    expect(page.get_by_role("heading", level=1)).to_have_text("雾港")
    assert stored(server, ids.typed, "1")["comment"] == "雾港"


def test_whoever_goes_on_at_once_takes_it_along(visit: Visits, server: Server, ids: Ids) -> None:
    page = visit("ana")
    page.goto(entry(ids.typed, "3"))
    page.get_by_label("Text", exact=True).fill("Typed and left.")
    page.locator("#entries li a").first.click()
    page.wait_for_url("**/entries/0/**")
    assert stored(server, ids.typed, "3")["content"] == "Typed and left."


def test_without_a_server_nothing_is_lost(visit: Visits, server: Server, ids: Ids) -> None:
    page = visit("ana")
    page.goto(entry(ids.typed, "3"))
    page.route("**/entries/3/", lambda route: route.abort())
    page.get_by_label("Title", exact=True).fill("Offline")
    expect(page.locator("#saved")).to_contain_text("the server does not answer")
    page.unroute("**/entries/3/")
    expect(page.locator("#saved")).to_contain_text("Saved", timeout=8000)
    assert stored(server, ids.typed, "3")["comment"] == "Offline"
    visit.complaints[:] = [
        told for told in visit.complaints if "ERR_FAILED" not in told and "htmx:" not in told
    ]


def test_a_text_too_long_to_send_is_said_and_the_next_save_goes_through(
    visit: Visits, server: Server, ids: Ids
) -> None:
    page = visit("ana")
    page.goto(entry(ids.typed, "2"))
    text = page.get_by_label("Text", exact=True)
    page.evaluate("document.querySelector('#entry textarea').value = 'a'.repeat(1500000)")
    page.get_by_label("Title", exact=True).fill("Long")
    expect(page.locator("#saved")).to_contain_text("larger than a page can send", timeout=20000)
    text.fill("Short again.")
    expect(page.locator("#saved")).to_contain_text(re.compile(r"Saved \d\d:\d\d"), timeout=20000)
    found = stored(server, ids.typed, "2")
    assert (found["comment"], found["content"]) == ("Long", "Short again.")
    visit.complaints[:] = [
        told for told in visit.complaints if "413" not in told and "htmx:" not in told and "ERR_" not in told
    ]


def test_whoever_is_signed_out_while_typing_stays_with_what_they_wrote(visit: Visits, ids: Ids) -> None:
    page = visit("ana")
    page.goto(entry(ids.typed, "0"), wait_until="networkidle")
    address = page.url
    page.context.clear_cookies(name="sessionid")
    page.get_by_label("Text", exact=True).fill("Typed too late.")
    expect(page.locator("#saved")).to_contain_text("you are signed out", timeout=20000)
    expect(page.get_by_label("Text", exact=True)).to_have_value("Typed too late.")
    assert page.url == address


def test_what_cannot_be_kept_is_said_and_the_rest_waits(visit: Visits, server: Server, ids: Ids) -> None:
    page = visit("ana")
    page.goto(entry(ids.typed, "3"))
    page.locator("summary", has_text="When exactly").click()
    page.get_by_label("Delay", exact=True).fill("soon")
    page.locator("#entries li a").first.click()
    expect(page.locator("#saved")).to_contain_text("Delay")
    assert page.url.endswith("/entries/3/"), "who would lose something is kept here and told why"
    page.get_by_label("Delay", exact=True).fill("5")
    expect(page.locator("#saved")).to_contain_text(re.compile(r"Saved \d\d:\d\d"))
    assert stored(server, ids.typed, "3")["delay"] == 5
    page.get_by_label("Delay", exact=True).fill("never")
    expect(page.locator("#saved")).to_contain_text("Delay")
    asked: list[str] = []

    def leave(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.accept()

    page.once("dialog", leave)
    page.locator("#entries li a").first.click()
    page.wait_for_url("**/entries/0/**")
    assert asked == ["beforeunload"], "and may go all the same"


def test_two_people_choose_for_each_difference(visit: Visits, server: Server, ids: Ids) -> None:
    page = visit("ana")
    page.goto(entry(ids.both, "0"))
    script = SAVES.format(book=ids.both, key="0", fields={"content": "Theirs.", "keys": ["fog", "haze"]})
    server.manage("shell", "-v", "0", "-c", script)
    page.get_by_label("Text", exact=True).fill("Mine.")
    expect(page.locator("#saved")).to_contain_text("hal saved this entry")
    assert_sound(page)
    page.get_by_role("button", name="Look at both").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Two versions of an entry")
    assert_sound(page)
    page.get_by_role("group", name="Text").get_by_label("Both").check()
    page.get_by_role("group", name="Keys").get_by_label("Theirs").check()
    page.get_by_role("button", name="Save what is chosen").click()
    expect(page.locator("#notices")).to_contain_text("Saved.")
    found = stored(server, ids.both, "0")
    assert (found["content"], found["keys"]) == ("Theirs.\nMine.", ["fog", "haze"])


def test_many_are_switched_off_deleted_and_brought_back(visit: Visits, ids: Ids) -> None:
    page = visit("ana")
    page.goto(f"/lore/{ids.many}/")
    page.keyboard.press("/")
    page.keyboard.type("name94")
    expect(page.locator(".entries tbody tr")).to_have_count(8)
    page.get_by_label("This page").check()
    page.get_by_role("button", name="Switch off").click()
    expect(page.locator("#notices")).to_contain_text("8 entries are off.")
    expect(page.locator(".entries .state.off")).to_have_count(8)
    page.get_by_label("This page").check()
    page.get_by_role("button", name="Delete").click()
    expect(page.locator("#notices")).to_contain_text("8 entries were deleted.")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#notices")).to_contain_text("8 entries are back.")


def test_by_keyboard_from_the_list_into_a_new_entry_and_back(visit: Visits, server: Server, ids: Ids) -> None:
    page = visit("ana")
    page.goto(f"/lore/{ids.typed}/")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url("**/entries/0/**")
    page.goto(f"/lore/{ids.typed}/")
    page.keyboard.press("n")
    expect(page.get_by_label("Title", exact=True)).to_be_focused()
    page.keyboard.type("Gulls")
    page.keyboard.press("Control+s")
    expect(page.locator("#saved")).to_contain_text("Saved")
    assert stored(server, ids.typed, "4")["comment"] == "Gulls"


def test_the_form_works_without_scripts(chromium: object, visit: Visits, server: Server, ids: Ids) -> None:
    visit("ana")
    context = visit.browser.new_context(
        base_url=server.address, java_script_enabled=False, storage_state=visit.signed_in["ana"]
    )
    visit.contexts.append(context)
    page = context.new_page()
    page.goto(entry(ids.typed, "0"))
    page.get_by_label("Title", exact=True).fill("Plain")
    page.get_by_label("Keys: one more", exact=True).fill("a, b")
    page.get_by_role("button", name="Save").click()
    assert "Saved." in page.locator("#notices").inner_text()
    assert stored(server, ids.typed, "0")["keys"] == ["fog", "mist", "a", "b"]
