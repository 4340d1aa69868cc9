"""The editor of prompts and the parameters in a browser: they save by themselves, move, and lose nothing."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from presets.prompt_list import key_of
from tests.browser.axe import assert_sound
from tests.browser.conftest import FOUR, Visits
from tests.browser.server import Server

pytestmark = pytest.mark.req("PRE-13")
MAKE = """
import json
from portal.models import Person, Share
from tests.support.preset_files import marker, preset, prompt, usual
from tests.support.preset_shelf import shelved_preset
from tests.support.presets import chinese_preset, harbour_preset
ana = Person.objects.get(username="ana")
hal = Person.objects.get(username="hal")
value = harbour_preset()
value["prompts"][1]["content"] = "{{// mood}}Write as {{char}}. {{random::a::b}} {{roll:1d6}}"
value["prompts"][1]["tooltip"] = "kept"
value["prompts"][5]["injection_trigger"] = ["swipe"]
harbour = shelved_preset(ana, value)
typed = shelved_preset(ana, harbour_preset(), "Typed")
moved = shelved_preset(ana, harbour_preset(), "Moved")
chinese = shelved_preset(ana, chinese_preset(), "雾港预设")
both = shelved_preset(hal, harbour_preset(), "Ours")
Share.objects.create(kind="preset", item_id=both.pk, person=ana, level="edit")
lent = shelved_preset(hal, harbour_preset(), "Hal's")
Share.objects.create(kind="preset", item_id=lent.pk, person=ana, level="read")
long = "endless" * 40
heads = [prompt(f"h{n}", "x", name=f"--- {long if n == 2 else 'style'} {n} ---") for n in range(4)]
wide = shelved_preset(ana, usual(*heads), long[:200])
print(json.dumps(dict(harbour=harbour.pk, typed=typed.pk, moved=moved.pk, chinese=chinese.pk, both=both.pk,
    lent=lent.pk, wide=wide.pk)))
"""
STORED = """
import json
from presets import queries
from presets.models import Preset
from presets.pipeline import editing, placing
package = queries.package_of(Preset.objects.get(pk={preset!r}))
seen = placing.seen(package)
prompts = {{prompt.id: editing.fields_of(prompt) for prompt in package.prompts}}
on = [prompt.id for prompt in package.enabled_prompts()]
print(json.dumps(dict(prompts=prompts, line=seen.line, inside=seen.inside, on=on,
    settings=editing.settings_of(package))))
"""
SAVES = """
from portal.models import Person
from presets import actions, queries
from presets.models import Preset
preset = Preset.objects.get(pk={preset!r})
etag = queries.prompt_row(preset, "tone").etag
hal = Person.objects.get(username="hal")
actions.save_prompt(actor=hal, preset=preset, prompt_id="tone", fields={fields!r}, if_match=etag)
"""
SAVED = re.compile(r"Saved \d\d:\d\d")


@dataclass(frozen=True, slots=True)
class Ids:
    """Ana's presets: one with everything, one to type in, one to move in, a Chinese one; Hal's to edit and to
    read; one of endless names.
    """

    harbour: str
    typed: str
    moved: str
    chinese: str
    both: str
    lent: str
    wide: str


@pytest.fixture(scope="module")
def ids(server: Server) -> Ids:
    said = server.manage("shell", "-v", "0", "-c", MAKE)
    return Ids(**json.loads(said.splitlines()[-1]))


def stored(server: Server, preset: str) -> dict[str, Any]:
    said = server.manage("shell", "-v", "0", "-c", STORED.format(preset=preset))
    found: dict[str, Any] = json.loads(said.splitlines()[-1])
    return found


def entries(preset: str, prompt: str = "") -> str:
    return f"/presets/{preset}/entries/" + (f"{key_of(prompt)}/" if prompt else "")


def row(page: Page, prompt: str) -> Locator:
    return page.locator(f"#p-{key_of(prompt)}")


def names(page: Page) -> list[str]:
    return page.locator("#line > li > div > a").all_inner_texts()


def pages(ids: Ids) -> dict[str, str]:
    return {
        "prompts": entries(ids.harbour),
        "prompt": entries(ids.harbour, "tone"),
        "parameters": f"/presets/{ids.harbour}/params/",
        "in the history": entries(ids.harbour, "memory"),
        "a place": entries(ids.harbour, "chatHistory"),
        "reader's prompt": entries(ids.lent, "tone"),
        "reader's parameters": f"/presets/{ids.lent}/params/",
        "nothing found": f"{entries(ids.harbour)}?q=nowhere",
        "only on": f"{entries(ids.chinese)}?show=on",
        "endless names": entries(ids.wide, "h2"),
        "one more parameter": f"/presets/{ids.harbour}/params/?add=top_k",
    }


NAMES = list(pages(Ids(*"xxxxxxx")))
MAIN = ("prompts", "prompt", "parameters")


def look(page: Page, address: str) -> None:
    page.goto(address)
    page.evaluate("document.querySelectorAll('main details').forEach(one => { one.open = true; })")
    assert_sound(page)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in MAIN])
def test_every_page_is_sound(visit: Visits, ids: Ids, name: str) -> None:
    narrow = NAMES.index(name) % 2 == 0
    theme, width = ("dark", 390) if narrow else ("light", 1280)
    look(visit("ana", theme=theme, width=width), pages(ids)[name])


@pytest.mark.parametrize(("theme", "width", "language"), FOUR)
@pytest.mark.parametrize("name", MAIN)
def test_main_pages_are_sound_everywhere(
    visit: Visits, ids: Ids, name: str, theme: str, width: int, language: str
) -> None:
    look(visit("ana", theme=theme, width=width, language=language), pages(ids)[name])


@pytest.mark.parametrize("width", [390, 1280])
def test_endless_names_widen_no_page(visit: Visits, ids: Ids, width: int) -> None:
    page = visit("ana", width=width)
    page.goto(entries(ids.wide))
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_prompt_opens_beside_the_list_and_saves_itself(visit: Visits, server: Server, ids: Ids) -> None:
    page = visit("ana")
    page.goto(entries(ids.typed))
    row(page, "tone").get_by_role("link").click()
    expect(page.get_by_role("heading", name="Tone")).to_be_focused()
    page.wait_for_url(f"**{entries(ids.typed, 'tone')}")
    page.get_by_label("Name", exact=True).fill("Mood")
    page.get_by_label("Text", exact=True).fill("Write as {{char}}, {{weather}}. {{// quiet}}")
    expect(page.locator("#saved")).to_contain_text(SAVED)
    expect(page.get_by_role("heading", name="Mood")).to_be_visible()
    expect(row(page, "tone")).to_contain_text("Mood")
    expect(page.locator("#told")).to_contain_text("{{weather}}")
    expect(page.locator("#told")).to_contain_text("1 comment, not sent")
    expect(page.locator("#bar")).to_contain_text("1 change since version 1")
    found = stored(server, ids.typed)["prompts"]["tone"]
    assert found["name"] == "Mood"
    page.get_by_label("In the history, at a depth").check()
    expect(page.locator(f"#inside > #p-{key_of('tone')}")).to_be_visible()
    page.get_by_role("textbox", name="Depth").fill("7")
    expect(row(page, "tone")).to_contain_text("depth 7")
    page.go_back()
    expect(page.locator("#pane")).to_contain_text("Choose a prompt")


def test_a_word_is_not_saved_while_it_is_composed(visit: Visits, server: Server, ids: Ids) -> None:
    page = visit("ana", language="zh-CN")
    page.goto(entries(ids.chinese, "style"))
    sent: list[str] = []
    page.on("request", lambda asked: sent.append(asked.url) if asked.method == "POST" else None)
    text = page.locator("#id_content")
    text.fill("")
    expect(page.locator("#saved")).to_contain_text(re.compile(r"\d\d:\d\d"))
    sent.clear()
    text.focus()
    keys = page.context.new_cdp_session(page)
    keys.send("Input.imeSetComposition", {"text": "an jing", "selectionStart": 7, "selectionEnd": 7})
    page.wait_for_timeout(1500)
    assert sent == []
    keys.send("Input.insertText", {"text": "安静"})
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        pass
    assert stored(server, ids.chinese)["prompts"]["style"]["content"] == "安静"


def test_whoever_opens_another_prompt_at_once_takes_it_along(visit: Visits, server: Server, ids: Ids) -> None:
    page = visit("ana")
    page.goto(entries(ids.typed, "main"))
    page.get_by_label("Text", exact=True).fill("Typed and left.")
    row(page, "jailbreak").get_by_role("link").click()
    expect(page.get_by_role("heading", name="Jailbreak")).to_be_visible()
    assert stored(server, ids.typed)["prompts"]["main"]["content"] == "Typed and left."
    page.get_by_label("Text", exact=True).fill("And this.")
    row(page, "off").get_by_role("switch").click()
    expect(row(page, "off").get_by_role("switch")).to_be_checked()
    found = stored(server, ids.typed)
    assert found["prompts"]["jailbreak"]["content"] == "And this."
    assert "off" in found["on"]


def test_what_cannot_be_kept_is_said(visit: Visits, server: Server, ids: Ids) -> None:
    page = visit("ana")
    page.goto(entries(ids.typed, "memory"))
    page.get_by_role("textbox", name="Depth").fill("deep")
    expect(page.locator("#saved")).to_contain_text("Depth")
    page.get_by_role("textbox", name="Depth").fill("3")
    expect(page.locator("#saved")).to_contain_text(SAVED)
    assert stored(server, ids.typed)["prompts"]["memory"]["depth"] == 3


def test_prompts_are_switched_and_moved_by_keyboard(visit: Visits, server: Server, ids: Ids) -> None:
    page = visit("ana")
    page.goto(entries(ids.moved))
    expect(page.locator("#line > li > div > a").first).to_have_text("Main")
    handle = row(page, "tone").get_by_role("button", name="Move")
    handle.focus()
    page.keyboard.press("ArrowUp")
    expect(page.locator("#line > li > div > a").first).to_have_text("Tone")
    expect(handle).to_be_focused()
    expect(page.locator("#said")).to_contain_text("at place 1")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#line > li > div > a").nth(2)).to_have_text("Tone")
    expect(handle).to_be_focused()
    switch = row(page, "tone").get_by_role("switch")
    switch.focus()
    page.keyboard.press("Space")
    expect(row(page, "tone").get_by_role("switch")).not_to_be_checked()
    expect(row(page, "tone").get_by_role("switch")).to_be_focused()
    found = stored(server, ids.moved)
    assert found["line"][:3] == ["main", "personaDescription", "tone"]
    assert "tone" not in found["on"]


def middle(page: Page, what: Locator, *, low: bool) -> tuple[float, float]:
    box = what.bounding_box()
    assert box is not None
    return box["x"] + 12, box["y"] + box["height"] * (0.8 if low else 0.2)


def drag(page: Page, prompt: str, onto: str, *, low: bool) -> None:
    handle = row(page, prompt).get_by_role("button", name="Move").first
    page.mouse.move(*middle(page, handle, low=False))
    page.mouse.down()
    to = middle(page, row(page, onto).locator("> div").first, low=low)
    page.mouse.move(to[0], to[1] - 5)
    page.mouse.move(*to)
    page.mouse.up()


def test_prompts_are_moved_by_the_handle_into_the_history_and_out(
    visit: Visits, server: Server, ids: Ids
) -> None:
    page = visit("ana")
    page.set_viewport_size({"width": 1280, "height": 1600})
    page.goto(entries(ids.moved, "jailbreak"))
    drag(page, "jailbreak", "main", low=False)
    expect(page.locator("#line > li > div > a").first).to_have_text("Jailbreak")
    drag(page, "jailbreak", "memory", low=True)
    expect(page.locator("#inside > li")).to_have_count(2)
    expect(page.get_by_label("In the history, at a depth")).to_be_checked()
    found = stored(server, ids.moved)
    assert found["inside"] == ["memory", "jailbreak"]
    page.get_by_label("Text", exact=True).fill("Its form is saved against what it is now.")
    expect(page.locator("#saved")).to_contain_text(SAVED)
    drag(page, "chatHistory", "memory", low=False)  # it cannot stand inside itself
    drag(page, "jailbreak", "main", low=True)
    expect(page.locator("#inside > li")).to_have_count(1)
    assert stored(server, ids.moved)["line"][:2] == ["main", "jailbreak"]


def test_a_prompt_is_deleted_and_brought_back_and_moved_to_a_place(
    visit: Visits, server: Server, ids: Ids
) -> None:
    page = visit("ana")
    page.goto(entries(ids.moved, "off"))
    page.get_by_label("Move to place").fill("1")
    page.get_by_role("button", name="Move", exact=True).click()
    expect(page.locator("#line > li > div > a").first).to_have_text("Off")
    page.get_by_role("button", name="Delete").click()
    expect(page.locator("#notices")).to_contain_text("“Off” is deleted")
    expect(row(page, "off")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#notices")).to_contain_text("“Off” is back.")
    assert stored(server, ids.moved)["line"][0] == "off"
    page.get_by_role("button", name="Take out of the order").click()
    expect(page.locator(f"#unused #p-{key_of('off')}")).to_have_count(1)
    page.get_by_role("button", name="Put into the order").click()
    expect(page.locator(f"#line > #p-{key_of('off')}")).to_be_visible()


def test_a_search_shows_what_it_finds(visit: Visits, ids: Ids) -> None:
    page = visit("ana")
    page.goto(entries(ids.harbour))
    page.keyboard.press("/")
    page.keyboard.type("lamps")
    expect(page.locator("#list li")).to_have_count(1)
    expect(page.locator("#list")).to_contain_text("Memory")
    page.get_by_label("Search the prompts").fill("")
    expect(page.locator("#list li")).to_have_count(12)
    page.get_by_label("Only what is on").check()
    expect(row(page, "off")).to_have_count(0)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.locator("#entry")).to_be_visible()


def test_two_people_choose_for_each_difference(visit: Visits, server: Server, ids: Ids) -> None:
    page = visit("ana")
    page.goto(entries(ids.both, "tone"))
    script = SAVES.format(preset=ids.both, fields={"content": "Theirs.", "role": "user"})
    server.manage("shell", "-v", "0", "-c", script)
    page.get_by_label("Text", exact=True).fill("Mine.")
    expect(page.locator("#saved")).to_contain_text("hal saved this")
    assert_sound(page)
    page.get_by_role("button", name="Look at both").click()
    expect(page.get_by_role("heading", name="Two versions of a prompt")).to_be_visible()
    assert_sound(page)
    page.get_by_role("group", name="Text").get_by_label("Both").check()
    page.get_by_role("group", name="Role").get_by_label("Theirs").check()
    page.get_by_role("button", name="Save what is chosen").click()
    expect(page.locator("#notices")).to_contain_text("Saved.")
    found = stored(server, ids.both)["prompts"]["tone"]
    assert (found["content"], found["role"]) == ("Theirs.\nMine.", "user")


def test_two_tabs_of_one_person(visit: Visits, ids: Ids) -> None:
    first, second = visit("ana"), visit("ana")
    first.goto(entries(ids.both, "main"))
    second.goto(entries(ids.both, "main"))
    first.get_by_label("Text", exact=True).fill("In the first tab.")
    expect(first.locator("#saved")).to_contain_text(SAVED)
    second.get_by_label("Text", exact=True).fill("In the second tab.")
    expect(second.locator("#saved")).to_contain_text("in another tab or window")
    expect(second.get_by_label("Text", exact=True)).to_have_value("In the second tab.")


def test_parameters_save_themselves_and_say_who_takes_them(visit: Visits, server: Server, ids: Ids) -> None:
    page = visit("ana", width=390)
    page.goto(f"/presets/{ids.typed}/params/")
    page.get_by_label("Temperature").fill("1.4")
    expect(page.locator("#takes-temperature")).to_contain_text("Anthropic: lowered to 1")
    page.get_by_label("Add a parameter").select_option("top_k")
    page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_label("Top K").fill("40")
    expect(page.locator("#takes-top_k")).to_contain_text("OpenAI: not sent")
    page.get_by_label("Temperature").fill("warm")
    expect(page.locator("#saved")).to_contain_text("Temperature")
    page.get_by_label("Temperature").fill("")
    expect(page.locator("#saved")).to_contain_text(SAVED)
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.get_by_label("Merge", exact=False).first.check()
    expect(page.locator("#bar")).to_contain_text("since version 1")
    found = stored(server, ids.typed)["settings"]
    assert (found["temperature"], found["top_k"], found["squash"]) == (None, 40, "merge")


def test_a_draft_is_discarded_and_brought_back(visit: Visits, ids: Ids) -> None:
    page = visit("ana")
    page.goto(entries(ids.chinese, "main"))
    page.get_by_label("Text", exact=True).fill("A draft.")
    expect(page.locator("#bar")).to_contain_text("since version 1")
    page.get_by_role("button", name="Discard").click()
    expect(page.locator("#notices")).to_contain_text("The draft is discarded")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#notices")).to_contain_text("The draft is back.")
    page.goto(entries(ids.chinese, "main"))
    expect(page.get_by_label("Text", exact=True)).to_have_value("A draft.")
    page.get_by_label("Note").fill("calmer")
    page.get_by_role("button", name="Make version").click()
    expect(page.locator("#notices")).to_contain_text("Version 2")
    page.goto(entries(ids.chinese))
    expect(page.locator("#bar")).to_be_empty()


def test_all_of_it_works_without_scripts(visit: Visits, server: Server, ids: Ids) -> None:
    visit("ana")
    context = visit.browser.new_context(
        base_url=server.address, java_script_enabled=False, storage_state=visit.signed_in["ana"]
    )
    visit.contexts.append(context)
    page = context.new_page()
    page.goto(entries(ids.harbour))
    row(page, "tone").get_by_role("switch").click()
    assert "#p-" in page.url
    row(page, "tone").get_by_role("link").click()
    page.get_by_label("Name", exact=True).fill("Plain")
    page.get_by_role("button", name="Save").click()
    assert "Saved." in page.locator("#notices").inner_text()
    page.get_by_role("button", name="Up", exact=True).click()
    found = stored(server, ids.harbour)
    assert found["line"][:2] == ["tone", "main"]
    assert found["prompts"]["tone"]["name"] == "Plain"
    assert "tone" not in found["on"]


def test_a_field_that_was_made_taller_breaks_no_rule_of_styles(visit: Visits, ids: Ids) -> None:
    """A browser notes a height that was dragged in `style`; the next form must not take that over as text."""
    page = visit("ana")
    page.goto(entries(ids.harbour, "tone"))
    field = page.locator("textarea[name=content]")
    box = field.bounding_box()
    assert box is not None
    corner = (box["x"] + box["width"] - 4, box["y"] + box["height"] - 4)
    page.mouse.move(*corner)
    page.mouse.down()
    page.mouse.move(corner[0], corner[1] + 80, steps=4)
    page.mouse.up()
    assert "height" in (field.get_attribute("style") or "")
    row(page, "main").locator("a").first.click()
    expect(page.locator("textarea[name=content]")).to_have_value(re.compile("Tell the story"))
    expect(page.locator(".htmx-settling, .htmx-swapping, .htmx-added")).to_have_count(0)
    # `visit` fails on what the browser complained about.
