"""Trial runs, versions and test cases of presets in a browser: streaming, by keyboard, sound everywhere."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from llm.scripted import Line, Rule, Script, ScriptedModel
from tests.browser.axe import assert_sound
from tests.browser.conftest import FOUR, Visits
from tests.browser.server import Server
from tests.support.endpoints import scripted_beside

MAKE = """
import json
from portal.models import Person
from presets import actions, queries
from tests.support.endpoints import an_endpoint, list_address
from tests.support.preset_files import prompt, usual
from tests.support.preset_shelf import shelved_preset
from tests.support.presets import harbour_preset, large_preset
ana = Person.objects.get(username="ana")
list_address({address!r})
for name in ("Fog", "Mist"):
    an_endpoint(ana, {address!r}, name=name, model=name.lower(), context_length=16384,
        price_input=2, price_output=8)
made = {{}}
for name in ("harbour", "sound", "journey"):
    preset = shelved_preset(ana, harbour_preset(), name=name.title())
    for content in ("Write loudly. Rain is never far.", "Write softly. Rain is {{{{far::away}}}}."):
        etag = queries.prompt_row(preset, "tone").etag
        fields = {{"content": content}}
        actions.save_prompt(actor=ana, preset=preset, prompt_id="tone", fields=fields, if_match=etag)
        if "loudly" in content:
            actions.make_version(actor=ana, preset=preset, note="louder " + "and louder " * 8)
    made[name] = preset.pk
from presets.models import Preset
from presets.pipeline.cases import Case
from presets.pipeline.trial import TrialInputs
case = Case(id="calm", name="Calm " * 20, group="Moods", expected="No dialogue.", version=2,
    inputs=TrialInputs(current_turn="I knock."))
actions.save_case(actor=ana, preset=Preset.objects.get(pk=made["sound"]), case=case)
made["large"] = shelved_preset(ana, large_preset(390), name="A hundred and thirty prompts").pk
print(json.dumps(made))
"""
SLOW = "The fog comes in over the quay, and nobody answers. "
SCRIPT = Script(
    (
        Rule((Line(SLOW * 3, fault="drip", seconds=0.0005),), contains="slowly"),
        Rule((Line(SLOW, fault="silent-after-start", seconds=60),), contains="for ever"),
        Rule((Line(fault="401"),), contains="refuse"),
        Rule((Line("Nobody answers."),)),
    ),
    models=("fog", "mist"),
)


@pytest.fixture(scope="module")
def model() -> Iterator[ScriptedModel]:
    with scripted_beside(SCRIPT) as scripted:
        yield scripted


@pytest.fixture(scope="module")
def presets(server: Server, model: ScriptedModel) -> dict[str, str]:
    said = server.manage("shell", "-v", "0", "-c", MAKE.format(address=model.address))
    found: dict[str, str] = json.loads(said.splitlines()[-1])
    return found


def open_trial(page: Page, preset: str) -> None:
    page.goto(f"/presets/{preset}/trial/")


def set_up(page: Page, turn: str, *endpoints: str) -> None:
    """Type a turn, choose endpoints, assemble."""
    if not page.locator("#what[open]").count():
        page.locator("#what > summary").click()
    page.fill("#id_current_turn", turn)
    for name in ("Fog", "Mist"):
        page.get_by_label(f"{name} ·").set_checked(name in endpoints)
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.get_by_role("button", name="Assemble").click()
    expect(page.locator("#result .msg", has_text=turn)).to_be_visible()


def send(page: Page) -> None:
    page.get_by_role("link", name="Send it for real").click()
    page.get_by_role("button", name="Send", exact=True).click()
    page.wait_for_url("**/trial/runs/**")


@pytest.mark.parametrize(("theme", "width", "language"), FOUR)
def test_a_trial_is_sound_everywhere(
    visit: Visits, presets: dict[str, str], theme: str, width: int, language: str
) -> None:
    page = visit("ana", theme=theme, width=width, language=language)
    preset = presets["sound"]
    open_trial(page, preset)
    if not page.locator("#what[open]").count():
        page.locator("#what > summary").click()
    page.locator("form[action$='/fill/'] button").first.click()
    page.locator("#what > summary").click()
    for summary in page.locator("#what details > summary").all():
        summary.click()
    assert_sound(page)
    for box in page.locator("[name=endpoints]").all():
        box.check()
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.locator("#trial-form button.primary").click()
    expect(page.locator("#result mark")).to_have_count(1)
    page.evaluate("scrollTo(0, 0)")
    assert_sound(page)
    page.goto(f"/presets/{preset}/trial/send/")
    assert_sound(page)
    page.locator("main form button.primary").click()
    expect(page.locator(".answers .tag.ok").first).to_be_visible()
    expect(page.locator(".answers [hx-trigger]")).to_have_count(0)
    assert_sound(page)
    page.locator("a[href$='/sent/']").first.click()
    assert_sound(page)


@pytest.mark.parametrize(("theme", "width", "language"), FOUR)
def test_what_stands_around_it_is_sound_everywhere(
    visit: Visits, presets: dict[str, str], theme: str, width: int, language: str
) -> None:
    page = visit("ana", theme=theme, width=width, language=language)
    preset = presets["sound"]
    for rest in ("copy/?form=curl", "compare/?old=1&new=draft", "messages/1/"):
        page.goto(f"/presets/{preset}/trial/{rest}")
        assert_sound(page)
    for rest in ("versions/", "versions/compare/?old=1&new=draft", "cases/", "cases/calm/?state=1"):
        page.goto(f"/presets/{preset}/{rest}")
        assert_sound(page)


def test_two_endpoints_answer_side_by_side_while_one_watches(visit: Visits, presets: dict[str, str]) -> None:
    page = visit("ana")
    open_trial(page, presets["harbour"])
    expect(page.locator("[name=endpoints]:checked")).to_have_count(1)  # the one that stories use
    set_up(page, "I walk slowly.", "Fog", "Mist")
    page.get_by_role("link", name="Send it for real").click()
    expect(page.locator("main")).to_contain_text("Send 2 requests?")
    expect(page.locator("main")).to_contain_text("USD")
    page.get_by_role("button", name="Send", exact=True).click()
    answers = page.locator(".answers > article")
    expect(answers).to_have_count(2)
    expect(answers.first).to_contain_text("The fog comes")  # before its end: it is still being answered
    expect(answers.first.get_by_role("button", name="Stop")).to_be_visible()
    page.reload()  # in the middle: nothing is lost
    expect(answers.first).to_contain_text("The fog comes")
    for place in (0, 1):
        expect(answers.nth(place)).to_contain_text("Finished", timeout=60_000)
        expect(answers.nth(place).locator("pre")).to_have_text((SLOW * 3).strip())
        expect(answers.nth(place)).to_contain_text("out")
    expect(page.locator("#said")).to_contain_text("Finished")


def test_a_reply_is_stopped_with_what_has_come_and_tried_again(
    visit: Visits, presets: dict[str, str]
) -> None:
    page = visit("ana")
    open_trial(page, presets["harbour"])
    set_up(page, "I wait for ever.", "Fog")
    send(page)
    answer = page.locator(".answers > article")
    expect(answer).to_contain_text("The fog comes")
    answer.get_by_role("button", name="Stop").click()
    expect(answer).to_contain_text("Stopped")
    expect(answer).to_contain_text("The fog comes")
    answer.get_by_role("button", name="Try again").click()
    expect(answer).to_contain_text("The fog comes")
    answer.get_by_role("button", name="Stop").click()
    expect(answer).to_contain_text("Stopped")
    page.get_by_role("link", name=re.compile("What was sent")).click()
    expect(page.locator("pre")).to_contain_text("I wait for ever.")


def test_a_fault_is_told_in_words(visit: Visits, presets: dict[str, str]) -> None:
    page = visit("ana", width=390)
    open_trial(page, presets["harbour"])
    set_up(page, "I refuse.", "Mist")
    send(page)
    expect(page.locator(".answers")).to_contain_text("The key was refused.")
    assert_sound(page)


def test_by_keyboard_alone_from_a_turn_to_a_reply(visit: Visits, presets: dict[str, str]) -> None:
    page = visit("ana")
    open_trial(page, presets["journey"])
    page.focus("#id_current_turn")
    page.keyboard.type("I light the lamp.")
    page.get_by_label("Mist ·").focus()
    page.keyboard.press("Space")
    page.focus("#id_current_turn")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#result .msg", has_text="I light the lamp.")).to_be_visible()
    expect(page.locator("#assembled")).to_contain_text("messages will be sent")
    page.get_by_role("link", name="Send it for real").press("Enter")
    page.get_by_role("button", name="Send", exact=True).press("Enter")
    expect(page.locator(".answers")).to_contain_text("Nobody answers.")
    page.get_by_role("link", name="Change and try again").press("Enter")
    expect(page.locator("#runs")).to_be_visible()
    page.locator("#keep > summary").press("Enter")
    page.focus("#case-name")
    page.keyboard.type("The lamp")
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="The lamp")).to_be_visible()
    assert_sound(page)


def test_versions_are_made_compared_and_brought_back(visit: Visits, presets: dict[str, str]) -> None:
    page = visit("ana")
    page.goto(f"/presets/{presets['journey']}/versions/")
    page.get_by_role("link", name="What changed").click()
    expect(page.locator("ins").first).to_have_text("added: softly")
    expect(page.locator("del").first).to_have_text("removed: loudly")
    page.go_back()
    page.focus("#note")
    page.keyboard.type("softer")
    page.keyboard.press("Enter")
    expect(page.locator(".notices")).to_contain_text("Version 3 is made and in force.")
    page.get_by_role("button", name=re.compile("Bring back.*Version 1$")).click()
    expect(page.locator(".tree > li")).to_have_count(4)
    expect(page.locator(".tree > li").first).to_contain_text("as version 1")
    page.get_by_role("button", name=re.compile("Branch off.*Version 2$")).click()
    expect(page.locator("main")).to_contain_text("Edits since version 2")
    page.get_by_role("button", name="Discard the draft").click()
    expect(page.locator("main")).to_contain_text("There are no edits")
    page.locator(".notices").get_by_role("button", name="Undo").click()
    expect(page.locator("main")).to_contain_text("Edits since version 2")
    assert_sound(page)


@pytest.mark.parametrize(("width", "language"), [(1280, "en"), (390, "zh-CN")])
def test_a_hundred_and_thirty_prompts_can_be_read_and_searched(
    visit: Visits, presets: dict[str, str], width: int, language: str
) -> None:
    page = visit("ana", width=width, language=language)
    open_trial(page, presets["large"])
    expect(page.locator(".msg")).to_have_count(40)
    page.focus("#find")
    page.keyboard.type("P384", delay=5)
    expect(page.locator(".msg")).to_have_count(1)
    expect(page.locator("#find")).to_be_focused()
    page.goto(f"/presets/{presets['large']}/trial/")
    page.locator("#what:not([open]) > summary").or_(page.locator("#id_policy")).first.wait_for()
    if not page.locator("#what[open]").count():
        page.locator("#what > summary").click()
    page.select_option("#id_policy", "strict")
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.locator("#trial-form button.primary").click()
    first = page.locator("#m-1, #m-2").filter(has=page.locator(".part-of")).first
    expect(first.locator(".part-of")).to_have_count(24)
    first.locator(".rest a").click()
    expect(first.locator(".part-of")).to_have_count(132)
    page.evaluate("scrollTo(0, 0)")
    assert_sound(page)
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.select_option("#id_policy", "")
        page.locator("#trial-form button.primary").click()


def test_without_scripts_it_is_a_form(visit: Visits, presets: dict[str, str]) -> None:
    page = visit("ana")
    page.route("**/*.js", lambda route: route.abort())
    page.on("console", lambda _told: visit.complaints.clear())  # the scripts that were kept away
    open_trial(page, presets["sound"])
    if not page.locator("#what[open]").count():
        page.locator("#what > summary").click()
    page.fill("#id_current_turn", "I knock.")
    page.get_by_label("Fog ·").check()
    page.get_by_role("button", name="Assemble").click()
    expect(page.locator("#result .msg", has_text="I knock.")).to_be_visible()
    page.get_by_role("link", name="Send it for real").click()
    expect(page.get_by_role("button", name="Send", exact=True)).to_be_visible()
    visit.complaints.clear()
