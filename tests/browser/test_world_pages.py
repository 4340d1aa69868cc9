"""The pages of worlds in a browser: sound in every light, width and language, usable by keyboard alone."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import assert_sound, assert_sound_in_both_lights
from tests.browser.conftest import WIDTHS_AND_LANGUAGES, Visits
from tests.browser.server import Server

MAKE = """
import json
from portal.models import Person
from tests.support.worlds import rich_world, small_world, world_of
from worlds import actions
from worlds.queries import shelf_of
from worlds.store.paths import new_item_id
ana = Person.objects.get(username="ana")
made = {}
for name, files in (("harbour", rich_world()), ("marsh", small_world()), ("isles", world_of(150))):
    made[name] = new_item_id(name)
    shelf_of(ana).create(made[name], files)
    actions.index_world(owner=ana, world_id=made[name])
draft = actions.create_world(actor=ana, name="Unwritten", language="en")
trashed = actions.create_world(actor=ana, name="Forgotten", language="en")
actions.trash_world(actor=ana, world=trashed)
harbour = ana.worlds.get(pk=made["harbour"])
actions.rename_world(actor=ana, world=harbour, name="雾港 Fog Harbour")
print(json.dumps({**made, "draft": draft.pk}))
"""


@dataclass(frozen=True, slots=True)
class Ids:
    """Ana's worlds: a rich one in Chinese, a small one, one of 150 documents, a draft."""

    harbour: str
    marsh: str
    isles: str
    draft: str


@pytest.fixture(scope="module")
def ids(server: Server) -> Ids:
    said = server.manage("shell", "-v", "0", "-c", MAKE)
    return Ids(**json.loads(said.splitlines()[-1]))


def pages(ids: Ids) -> dict[str, str]:
    world = f"/w/{quote(ids.harbour)}"
    return {
        "home": "/",
        "new": "/new/",
        "trash": "/trash/",
        "overview": f"{world}/",
        "draft": f"/w/{ids.draft}/",
        "about": f"{world}/edit/about/",
        "openings": f"{world}/edit/openings/",
        "rename": f"{world}/rename/",
        "people": f"{world}/elements/characters/",
        "person": f"{world}/elements/characters/{quote('沈青')}/",
        "source": f"{world}/elements/characters/{quote('沈青')}/source/",
        "place": f"{world}/elements/locations/{quote('旧码头')}/",
        "relations": f"{world}/elements/relationships/",
        "trigger": f"{world}/new/triggers/",
        "variable": f"{world}/new/variables/",
        "prompts": f"{world}/elements/prompts/",
        "many": f"/w/{ids.isles}/elements/lore/",
        "images": f"{world}/images/",
        "files": f"{world}/files/",
        "file": f"{world}/files/variables.json",
        "file source": f"{world}/source/variables.json",
        "history": f"{world}/history/",
    }


NAMES = list(pages(Ids("x", "x", "x", "x")))
MAIN = ("overview", "person")


def look(page: Page, address: str) -> None:
    page.goto(address)
    assert_sound(page)


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
    page.goto(pages(ids)[name])
    assert_sound_in_both_lights(page)


def test_a_change_of_history_is_sound(visit: Visits, ids: Ids) -> None:
    page = visit("ana")
    page.goto(pages(ids)["history"])
    page.locator("ol.rows a").first.click()
    expect(page.locator("ins").first).to_be_visible()
    assert_sound(page)


def test_from_the_list_to_a_saved_person_by_keyboard(visit: Visits, ids: Ids) -> None:
    page = visit("ana")
    page.goto(f"/w/{ids.marsh}/elements/characters/")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Summary")).to_be_visible()
    page.get_by_label("Summary").focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("Keeps the ferry, and its secrets.")
    page.keyboard.press("Control+s")
    expect(page.locator("#notices")).to_contain_text("Saved.")
    expect(page.get_by_label("Summary")).to_have_value("Keeps the ferry, and its secrets.")


def test_search_with_the_slash_key_finds_without_a_reload(visit: Visits, ids: Ids) -> None:
    page = visit("ana")
    page.goto("/")
    page.keyboard.press("/")
    page.keyboard.type("fog harbour")
    expect(page.locator("ul.worlds > li")).to_have_count(1)
    expect(page).to_have_url(re.compile("q=fog"))


def test_editing_in_place_and_cancelling(visit: Visits, ids: Ids) -> None:
    page = visit("ana")
    page.goto(f"/w/{ids.marsh}/")
    page.keyboard.press("e")
    form = page.locator("#about form")
    expect(form).to_be_visible()
    form.get_by_label("Author").fill("Lin")
    form.get_by_role("button", name="Save").click()
    expect(page.locator("#about")).to_contain_text("Lin")
    page.keyboard.press("e")
    expect(form).to_be_visible()
    page.keyboard.press("Escape")
    expect(form).to_be_hidden()


def test_a_row_is_added_and_the_hidden_shape_stays_hidden(visit: Visits, ids: Ids) -> None:
    page = visit("ana")
    page.goto(f"/w/{ids.marsh}/new/locations/")
    page.get_by_label("Name", exact=True).fill("Salt pans")
    page.get_by_role("button", name="One more").click()
    page.get_by_label("Leads to").select_option(index=1)
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Salt pans")
    expect(page.get_by_label("Leads to")).not_to_have_value("")
    page.goto(f"/w/{ids.marsh}/new/triggers/")
    expect(page.locator("[data-shape=event]")).to_be_hidden()
    page.get_by_label("Something happens in the story").check()
    expect(page.locator("[data-shape=event]")).to_be_visible()
    expect(page.locator("[data-shape=command]")).to_be_hidden()


def test_deleting_and_undo(visit: Visits, ids: Ids) -> None:
    page = visit("ana")
    page.goto(f"/w/{quote(ids.harbour)}/elements/items/")
    before = page.locator("#list li").count()
    page.locator("#list a").first.click()
    page.get_by_role("button", name="Delete").click()
    expect(page.locator("#notices")).to_contain_text("in the trash")
    expect(page.locator("#list li")).to_have_count(before - 1)
    page.get_by_role("button", name="Undo").click()
    page.goto(f"/w/{quote(ids.harbour)}/elements/items/")
    expect(page.locator("#list li")).to_have_count(before)


def test_a_world_goes_to_the_trash_and_comes_back(visit: Visits, ids: Ids) -> None:
    page = visit("ana", width=390)
    page.goto(f"/w/{ids.isles}/")
    page.get_by_role("button", name="More for this world").click()
    page.get_by_role("button", name="Move to trash").click()
    expect(page.locator("#notices")).to_contain_text("Hundred Isles")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Hundred Isles")
