"""An import with a model in a browser: chosen, watched, halted, gone on with, read again."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from llm.scripted import Line, Rule, ScriptedModel
from tests.browser.axe import assert_sound
from tests.browser.conftest import FOUR, Visits
from tests.browser.server import Server
from tests.support.endpoints import scripted_beside
from tests.support.import_model import reading_script

MAKE = """
import json
from portal.jobs import run_here
from portal.models import Job, Person
from importer import actions
from tests.support.cards import json_bytes
from tests.support.endpoints import an_endpoint, list_address
from tests.support.import_model import model_world
from tests.support.importing import ready
from tests.support.invented import invented
from worlds.authoring.rows import conversations_of
ana = Person.objects.get(username="ana")
made = {{}}
for name, address in (("done", {good!r}), ("halted", {bad!r})):
    world = model_world(ana, address, name=name.title())
    run_here(Job.objects.get(subject=world.pk, kind="import-structure"))
    made[name] = world.pk
    made[name + "_chat"] = conversations_of(world).get().pk
made["card"] = ready(ana, json_bytes(invented("several", 6, "en").to_v3())).pk
made["journey"] = ready(ana, json_bytes(invented("rules", 6, "en").to_v3())).pk
print(json.dumps(made))
"""
BROKEN = Rule((Line(answer={"roles": "none"}),), task="classify")


@pytest.fixture(scope="module")
def models() -> Iterator[tuple[ScriptedModel, ScriptedModel]]:
    with scripted_beside(reading_script("en")) as good, scripted_beside(reading_script("en", BROKEN)) as bad:
        yield good, bad


@pytest.fixture(scope="module")
def made(server: Server, models: tuple[ScriptedModel, ScriptedModel]) -> dict[str, str]:
    good, bad = models
    said = server.manage("shell", "-v", "0", "-c", MAKE.format(good=good.address, bad=bad.address))
    found: dict[str, str] = json.loads(said.splitlines()[-1])
    return found


def pages(made: dict[str, str]) -> dict[str, str]:
    return {
        "choices": f"/import/{made['card']}/",
        "halted": f"/import/{made['halted']}/run/",
        "result": f"/import/{made['done']}/result/",
        "conversation": f"/w/{made['done']}/chat/{made['done_chat']}/",
    }


@pytest.mark.parametrize(("theme", "width", "language"), FOUR)
def test_every_page_is_sound(
    visit: Visits, made: dict[str, str], theme: str, width: int, language: str
) -> None:
    page = visit("ana", theme=theme, width=width, language=language)
    for name, address in pages(made).items():
        page.goto(address)
        if name == "conversation":
            page.locator("#rows summary").first.click()
        assert_sound(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def start(page: Page, upload: str) -> None:
    page.goto(f"/import/{upload}/")
    page.get_by_role("radio", name="A model reads the card").check()
    expect(page.locator("#saved")).to_contain_text("Saved")
    page.get_by_role("button", name="Start the import").click()


def test_a_card_is_read_watched_and_read_again(visit: Visits, made: dict[str, str]) -> None:
    page = visit("ana")
    page.goto(f"/import/{made['journey']}/")
    expect(page.locator("#estimate")).to_contain_text(re.compile(r"About \d+ requests"))
    page.get_by_label("Read with").select_option(label="Done")
    start(page, made["journey"])
    page.wait_for_url("**/result/", timeout=60_000)
    expect(page.get_by_role("heading", name="What the model did")).to_be_visible()
    page.get_by_role("link", name="The conversation of this import").click()
    expect(page.locator("#rows")).to_contain_text("import_finish")
    page.locator("#rows summary").first.click()
    expect(page.locator("#rows")).to_contain_text("merged_by")


def test_what_halted_goes_on_with_another_model(visit: Visits, made: dict[str, str]) -> None:
    page = visit("ana")
    page.goto(f"/import/{made['halted']}/run/")
    expect(page.locator("#run")).to_contain_text("Without a usable answer")
    page.locator("#endpoint").select_option(label="Done")
    page.get_by_role("button", name="Change model and continue").click()
    page.wait_for_url("**/result/", timeout=60_000)
    expect(page.get_by_role("heading", name="What the model did")).to_be_visible()
