"""The library of lorebooks in a browser: sound in every light, width and language, usable by keys alone."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from tests.browser.axe import assert_sound, assert_sound_in_both_lights
from tests.browser.conftest import WIDTHS_AND_LANGUAGES, Visits
from tests.browser.server import Server
from tests.support.lorebooks import as_file, fog_book, harbour_book, large_book

MAKE = """
import json
from lorebooks import actions
from portal.models import Person, Share
from tests.support.lorebooks import as_file, fog_book, harbour_book, st_entry
from worlds.actions import create_world
ana = Person.objects.get(username="ana")
hal = Person.objects.get(username="hal")
take = lambda who, value, name: actions.upload_lorebook(actor=who, data=as_file(value), filename=name)
fog = take(ana, fog_book(), "fog.json").lorebook
odd = {"name": "Salt and tolls of the long northern road", "entries": {
    str(n): {"uid": n, "key": "salt, /toll(/", "content": "Salt.", "position": "5"} for n in range(60)}}
odd = take(ana, odd, "odd.json").lorebook
zh = take(ana, harbour_book(), "harbour.json").lorebook
lent = take(hal, {"name": "Hal's notes", "entries": {"0": st_entry(0, ["x"], "y")}}, "hal.json").lorebook
Share.objects.create(kind="lorebook", item_id=lent.pk, person=ana, level="read")
marsh = create_world(actor=ana, name="Saltmarsh", language="en")
create_world(actor=ana, name="Isles", language="en")
actions.attach_lorebook(actor=ana, lorebook=fog, world=marsh)
waits = take(ana, fog_book(), "again.json")
gone = actions.create_lorebook(actor=ana, name="Forgotten")
actions.trash_lorebook(actor=ana, lorebook=gone)
print(json.dumps(dict(fog=fog.pk, odd=odd.pk, zh=zh.pk, lent=lent.pk, marsh=marsh.pk, waits=waits.id)))
"""


@dataclass(frozen=True, slots=True)
class Ids:
    """Ana's books and her world; `lent` is Hal's, `waits` a file that is there already."""

    fog: str
    odd: str
    zh: str
    lent: str
    marsh: str
    waits: str


@pytest.fixture(scope="module")
def ids(server: Server) -> Ids:
    said = server.manage("shell", "-v", "0", "-c", MAKE)
    return Ids(**json.loads(said.splitlines()[-1]))


def pages(ids: Ids) -> dict[str, str]:
    return {
        "library": "/lore/",
        "new": "/lore/new/",
        "trash": "/lore/trash/",
        "identical": f"/lore/import/waiting/{ids.waits}/",
        "report": f"/lore/{ids.odd}/report/",
        "chinese report": f"/lore/{quote(ids.zh)}/report/",
        "settings": f"/lore/{ids.fog}/settings/",
        "lent settings": f"/lore/{ids.lent}/settings/",
        "export": f"/lore/{ids.fog}/export/",
        "duplicate": f"/lore/{ids.fog}/duplicate/",
        "world": f"/w/{ids.marsh}/",
        "help": "/help/",
    }


NAMES = list(pages(Ids("x", "x", "x", "x", "x", "x")))


@pytest.mark.parametrize("name", [name for name in NAMES if name != "library"])
def test_every_page_is_sound(visit: Visits, ids: Ids, name: str) -> None:
    narrow = NAMES.index(name) % 2 == 0
    theme, width = ("dark", 390) if narrow else ("light", 1280)
    page = visit("ana", theme=theme, width=width, language="zh-CN" if narrow else "en")
    page.goto(pages(ids)[name])
    assert_sound(page)


@pytest.mark.parametrize(("width", "language"), WIDTHS_AND_LANGUAGES)
def test_the_library_is_sound_everywhere(visit: Visits, ids: Ids, width: int, language: str) -> None:
    page = visit("ana", width=width, language=language)
    page.goto("/lore/")
    assert_sound_in_both_lights(page)


def test_from_home_to_a_book_by_keyboard(visit: Visits, ids: Ids) -> None:
    page = visit("ana")
    page.goto("/")
    page.keyboard.press("g")
    page.keyboard.press("l")
    page.wait_for_url("**/lore/")
    page.keyboard.press("/")
    page.keyboard.type("雾港")
    expect(page.locator("#books tbody tr")).to_have_count(1)
    assert "q=" in page.url
    page.keyboard.press("Tab")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("雾港志")


def test_a_file_that_is_dropped_leads_to_its_report(visit: Visits, ids: Ids, tmp_path: Path) -> None:
    file = tmp_path / "tides.json"
    file.write_bytes(as_file({**fog_book(), "name": "Tides", "scan_depth": 3}))
    page = visit("ana")
    page.goto("/lore/")
    page.set_input_files("#lore-file", file)
    page.wait_for_url("**/report/")
    expect(page.locator(".of")).to_have_text("Tides")
    assert_sound(page)


def test_a_long_file_says_that_it_is_read_when_it_is_there(visit: Visits, ids: Ids, tmp_path: Path) -> None:
    file = tmp_path / "annals.json"
    file.write_bytes(as_file(large_book(10_000, 10)))
    page = visit("ana")
    page.goto("/lore/")
    page.set_input_files("#lore-file", file)
    expect(page.locator(".uploads li").get_by_text("Being read")).to_be_visible()
    page.wait_for_url("**/report/")


def test_a_refused_file_says_why_beside_its_name(visit: Visits, ids: Ids, tmp_path: Path) -> None:
    file = tmp_path / "notes.json"
    file.write_bytes(b"{ half of a file")
    page = visit("ana")
    page.goto("/lore/")
    page.set_input_files("#lore-file", file)
    expect(page.locator("[data-error]")).not_to_be_empty()
    expect(page.locator("[data-name]")).to_have_text("notes.json")


def test_a_lorebook_among_cards_goes_to_the_library(visit: Visits, ids: Ids, tmp_path: Path) -> None:
    file = tmp_path / "harbour.json"
    file.write_bytes(as_file({**harbour_book(), "name": "港", "scan_depth": 9}))
    page = visit("ana")
    page.goto("/")
    page.set_input_files("#strip-file", file)
    page.get_by_role("button", name="Take it to the library").click(timeout=30_000)
    page.wait_for_url("**/report/")
    expect(page.locator(".of")).to_have_text("港")


def test_to_the_trash_and_back(visit: Visits, ids: Ids) -> None:
    page = visit("ana")
    page.goto(f"/lore/{ids.odd}/settings/")
    page.get_by_role("button", name="More for this lorebook").click()
    page.get_by_role("button", name="Move to trash").click()
    page.wait_for_url("**/lore/")
    assert_sound(page)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#notices")).to_contain_text("is back")
