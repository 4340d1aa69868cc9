"""The library of presets in a browser: sound in every light, width and language, usable by keys alone."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from tests.browser.axe import assert_sound
from tests.browser.conftest import FOUR, Visits
from tests.browser.server import Server
from tests.support.presets import as_file, chinese_preset, harbour_preset

MAKE = """
import json
from presets import actions
from portal.models import Person, Share
from tests.support.presets import as_file, chinese_preset, harbour_preset, secretive_preset
from tests.support.preset_files import marker, prompt, usual
from worlds.actions import create_world
ana = Person.objects.get(username="ana")
hal = Person.objects.get(username="hal")
take = lambda who, value, name: actions.upload_preset(actor=who, data=as_file(value), filename=name)
harbour = take(ana, secretive_preset(), "harbour.json").preset
script = {"scriptName": "Hide", "findRegex": "/a/", "placement": [2], "markdownOnly": True}
odd = usual(
    prompt("a", "<calm>{{char}} {{roll:1d6}} {{group}}"),
    prompt("b", "</calm>{{getvar::mood}}", enabled=False),
    prompt("c", "</calm>{{getvar::mood}}", role="user"), marker("charDescription"),
    *(prompt(f"p{n}", "Salt.", name="Of the salt and tolls of the long northern road") for n in range(60)),
    temperature=0.7, top_k=40, names_behavior=2, assistant_prefill="So:",
    extensions={"regex_scripts": [script], "tavern_helper": {"scripts": [{"name": "Updates"}]}},
)
odd = take(ana, odd, "odd.json").preset
zh = take(ana, chinese_preset(), "雾港预设.json").preset
lent = take(hal, {**harbour_preset(), "temperature": 1.5}, "hal's.json").preset
Share.objects.create(kind="preset", item_id=lent.pk, person=ana, level="read")
marsh = create_world(actor=ana, name="Saltmarsh", language="en")
create_world(actor=ana, name="Isles", language="en")
actions.attach_preset(actor=ana, preset=harbour, world=marsh)
waits = take(ana, chinese_preset(), "again.json")
gone = actions.create_preset(actor=ana, name="Forgotten")
actions.trash_preset(actor=ana, preset=gone)
print(json.dumps(dict(
    harbour=harbour.pk, odd=odd.pk, zh=zh.pk, lent=lent.pk, marsh=marsh.pk, waits=waits.id)))
"""


@dataclass(frozen=True, slots=True)
class Ids:
    """Ana's presets and her world; `lent` is Hal's, `waits` a file that is there already."""

    harbour: str
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
        "library": "/presets/",
        "new": "/presets/new/",
        "trash": "/presets/trash/",
        "identical": f"/presets/import/waiting/{ids.waits}/",
        "report": f"/presets/{ids.odd}/report/",
        "chinese report": f"/presets/{quote(ids.zh)}/report/",
        "report of what is not sent": f"/presets/{ids.odd}/report/?show=not-sent",
        "report with secrets": f"/presets/{ids.harbour}/report/",
        "settings": f"/presets/{ids.harbour}/settings/",
        "lent settings": f"/presets/{ids.lent}/settings/",
        "export": f"/presets/{ids.harbour}/export/",
        "duplicate": f"/presets/{ids.harbour}/duplicate/",
        "world": f"/w/{ids.marsh}/",
        "help": "/help/",
    }


NAMES = list(pages(Ids("x", "x", "x", "x", "x", "x")))


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("library", "report")])
def test_every_page_is_sound(visit: Visits, ids: Ids, name: str) -> None:
    narrow = NAMES.index(name) % 2 == 0
    theme, width = ("dark", 390) if narrow else ("light", 1280)
    page = visit("ana", theme=theme, width=width, language="zh-CN" if narrow else "en")
    page.goto(pages(ids)[name])
    assert_sound(page)


@pytest.mark.parametrize("name", ["library", "report"])
@pytest.mark.parametrize(("theme", "width", "language"), FOUR)
def test_list_and_report_are_sound_everywhere(
    visit: Visits, ids: Ids, theme: str, width: int, language: str, name: str
) -> None:
    page = visit("ana", theme=theme, width=width, language=language)
    page.goto(pages(ids)[name])
    assert_sound(page)


def test_the_sections_of_a_small_screen_open_by_keys(visit: Visits, ids: Ids) -> None:
    page = visit("ana", width=390)
    page.goto("/presets/")
    expect(page.get_by_role("link", name="Worlds", exact=True)).to_be_hidden()
    expect(page.locator("#sections [aria-current]")).to_be_visible()
    page.get_by_role("button", name="Sections").focus()
    page.keyboard.press("Enter")
    assert_sound(page)
    page.get_by_role("link", name="Lorebooks", exact=True).click()
    page.wait_for_url("**/lore/")


def test_from_home_to_a_report_by_keyboard(visit: Visits, ids: Ids) -> None:
    page = visit("ana")
    page.goto("/")
    page.keyboard.press("g")
    page.keyboard.press("p")
    page.wait_for_url("**/presets/")
    page.keyboard.press("/")
    page.keyboard.type("雾港")
    expect(page.locator("#books tbody tr")).to_have_count(1)
    assert "q=" in page.url
    page.keyboard.press("Tab")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.locator(".of")).to_have_text("雾港预设")
    expect(page.locator("h1")).to_have_text("Report")


@pytest.mark.req("PRE-10")
def test_import_report_settings_share_export_trash_and_back(visit: Visits, ids: Ids, tmp_path: Path) -> None:
    file = tmp_path / "tides.json"
    file.write_bytes(as_file({**harbour_preset(), "temperature": 0.31}))
    page = visit("ana")
    page.goto("/presets/")
    page.set_input_files("#preset-file", file)
    page.wait_for_url("**/report/")
    expect(page.get_by_text("6 of 8 prompts will be sent as the author ordered.")).to_be_visible()
    page.get_by_role("link", name="1 inside the history").click()
    expect(page.locator("#lines li")).to_have_count(1)
    page.locator("#show").select_option("not-sent")
    expect(page.locator("#lines li")).to_have_count(2)
    page.get_by_label("Search prompts").fill("unused")
    expect(page.locator("#lines li")).to_have_count(1)

    page.get_by_role("link", name="Settings").click()
    page.get_by_label("Tags").fill("tides, calm")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#notices")).to_contain_text("Saved.")
    page.locator("#world").select_option("Saltmarsh · in place of another preset")
    page.get_by_role("button", name="Attach").click()
    expect(page.locator("#notices")).to_contain_text("Before, it was “harbour”.")
    page.get_by_label("Name of the person").fill("hal")
    page.get_by_role("button", name="Share").click()
    expect(page.locator("#notices")).to_contain_text("Shared with hal.")
    assert_sound(page)

    page.get_by_role("button", name="More for this preset").click()
    page.get_by_role("link", name="Export").click()
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save · SillyTavern").click()
    value = json.loads(Path(saved.value.path()).read_text("utf-8"))
    assert value["prompts"] == harbour_preset()["prompts"]
    assert saved.value.suggested_filename == "tides.json"

    page.get_by_role("button", name="More for this preset").click()
    page.get_by_role("button", name="Move to trash").click()
    page.wait_for_url("**/presets/")
    expect(page.locator("#notices")).to_contain_text("1 world goes without it meanwhile.")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#notices")).to_contain_text("is back")
    expect(page.locator("h1")).to_have_text("Report")


def test_a_preset_among_cards_goes_to_the_library(visit: Visits, ids: Ids, tmp_path: Path) -> None:
    file = tmp_path / "preset.json"
    file.write_bytes(as_file({**chinese_preset(), "temperature": 0.11}))
    page = visit("ana")
    page.goto("/")
    page.set_input_files("#strip-file", file)
    page.get_by_role("button", name="Take it to the library").click(timeout=30_000)
    page.wait_for_url("**/presets/*/report/")
    expect(page.locator(".of")).to_have_text("preset")


def test_a_refused_file_says_why_beside_its_name(visit: Visits, ids: Ids, tmp_path: Path) -> None:
    file = tmp_path / "notes.json"
    file.write_bytes(b'{"entries": {"0": {"key": ["x"], "content": "y"}}}')
    page = visit("ana")
    page.goto("/presets/")
    page.set_input_files("#preset-file", file)
    expect(page.locator("[data-error]")).to_contain_text("This is a lorebook, not a preset.")
    expect(page.locator("[data-name]")).to_have_text("notes.json")
