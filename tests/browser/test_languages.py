"""Every page speaks the reader's language and no other, and fits the window in it."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visits
from tests.browser.server import Server

PORTAL = ["/", "/new/", "/import/", "/trash/", "/jobs/", "/help/"]
ACCOUNT = ["/settings/look/", "/settings/account/", "/settings/sessions/", "/settings/second-factor/"]
HOST = ["/manage/people/", "/manage/site/", "/password/change/", "/nothing/"]
KINDS = [
    "characters",
    "locations",
    "factions",
    "items",
    "lore",
    "plotlines",
    "relationships",
    "variables",
    "triggers",
    "commands",
    "prompts",
]
WORLD = ["", "elements/", "images/", "files/", "history/", "rename/", "duplicate/"]
WORLD += ["edit/about/", "edit/openings/", "files/world.json"]
WORLD += [f"elements/{kind}/" for kind in KINDS] + [
    f"new/{kind}/" for kind in ("characters", "locations", "variables", "triggers")
]
VISITOR = ["/signin/", "/signup/", "/password/reset/", "/help/"]

# What a page says by itself: texts and the attributes that are read out. Not what people or cards wrote,
# which carries its own language, and not code.
SAID = """() => {
  const apart = 'script, style, code, pre, kbd, textarea, .passage, .read, bdi, option[lang], [data-theirs]';
  const foreign = [...document.querySelectorAll('[lang]')].filter(e => e !== document.documentElement);
  const skipped = e => !e || e.closest(apart) || foreign.some(f => f.contains(e));
  const said = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode;
    if (!skipped(text.parentElement) && text.textContent.trim()) said.push(text.textContent.trim());
  }
  for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
    for (const element of document.querySelectorAll(`[${name}]`))
      if (!skipped(element)) said.push(element.getAttribute(name));
  return said;
}"""
# Two lower-case words in a row, or a text that is one English word, are English speech.
SPEECH = re.compile(r"\b[a-z]{2,}[,;]? [a-z]{2,}\b")
ONE_WORD = re.compile(r"[A-Z][a-z]{2,}|[a-z]{3,}")
NAMES = {"hal", "ana", "Tavern Worlds", "Mozilla", "Markdown", "English", "zip", "zh-hans"}
HAN = re.compile(r"[\u4e00-\u9fff]")


def english_in(page: Page) -> list[str]:
    """What a Chinese page says in English."""
    return [
        text
        for text in page.evaluate(SAID)
        if (SPEECH.search(text) or ONE_WORD.fullmatch(text)) and text not in NAMES
    ]


def chinese_in(page: Page) -> list[str]:
    """What an English page says in Chinese, besides the name of the language."""
    return [text for text in page.evaluate(SAID) if HAN.search(text.replace("简体中文", ""))]


@pytest.fixture(scope="module")
def worlds(server: Server) -> dict[str, str]:
    """A world of each sample card, by the language of its text: its address."""
    return {language: imported(server, language) for language in ("en", "zh-hans")}


def imported(server: Server, language: str) -> str:
    command = ["--owner", "ana", "--no-model", "--language", language, "--json"]
    told = server.manage("import_card", f"importer/samples/{language}.card.png", *command)
    return f"/w/{json.loads(told)[0]['world']}/"


def visited(page: Page, address: str, language: str) -> None:
    page.goto(address)
    assert page.locator("html").get_attribute("lang") == language, address
    wide, window = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide <= window, f"{address}: {wide} px in a window of {window}"


def test_chinese_pages_of_a_world_are_chinese(visit: Visits, worlds: dict[str, str]) -> None:
    page = visit("ana", language="zh-CN", width=390)
    left = {}
    for place in WORLD:
        visited(page, worlds["zh-hans"] + place, "zh-hans")
        if found := english_in(page):
            left[place] = found
    assert left == {}


def test_english_pages_of_a_world_are_english(visit: Visits, worlds: dict[str, str]) -> None:
    page = visit("ana", language="en", width=390)
    left = {}
    for place in WORLD[:12]:
        visited(page, worlds["en"] + place, "en")
        if found := chinese_in(page):
            left[place] = found
    assert left == {}


@pytest.mark.parametrize(
    ("person", "places"), [("hal", PORTAL + ACCOUNT + HOST), (None, VISITOR)], ids=["host", "visitor"]
)
@pytest.mark.usefixtures("worlds")
def test_chinese_pages_of_the_portal_are_chinese(
    visit: Visits, person: str | None, places: list[str]
) -> None:
    page = visit(person, language="zh-CN", width=390)
    left = {}
    for place in places:
        visited(page, place, "zh-hans")
        if found := english_in(page):
            left[place] = found
    assert left == {}


def test_a_slip_would_be_found(visit: Visits) -> None:
    """The measure itself can fail."""
    page = visit(language="zh-CN")
    page.goto("/help/")
    page.evaluate(
        "document.querySelector('main').insertAdjacentHTML('beforeend', '<p>Nothing was changed.</p>')"
    )
    assert english_in(page) == ["Nothing was changed."]
    assert len(chinese_in(page)) > 10


def test_the_language_is_changed_on_a_page_and_kept(visit: Visits) -> None:
    """A visitor whose browser speaks English reads Chinese after one choice, on every page."""
    page = visit(language="en")
    page.goto("/signin/")
    page.get_by_role("button", name="简体中文").or_(page.get_by_role("link", name="简体中文")).first.click()
    expect(page.locator("html")).to_have_attribute("lang", "zh-hans")
    page.goto("/help/")
    assert page.locator("html").get_attribute("lang") == "zh-hans"
    assert english_in(page) == []
