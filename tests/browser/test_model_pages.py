"""Model endpoints in a real browser: added, tested and put to use by keys alone, sound everywhere."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from llm.scripted import Line, Rule, ScriptedModel
from tests.browser.axe import assert_sound
from tests.browser.conftest import FOUR, Visits
from tests.browser.server import Server
from tests.support.endpoints import KEY, scripted_beside, sentences

PROSE = Line("The sky is blue.")
SCRIPT = sentences(
    Rule((Line(answer={"colour": "blue"}),), task="name_colour"),
    Rule((Line(fault="401"),), model="locked"),
    Rule((PROSE,)),
    models=("scripted", "mist-7b", "locked"),
)


@pytest.fixture(scope="module")
def model() -> Iterator[ScriptedModel]:
    with scripted_beside(SCRIPT) as served:
        yield served


@pytest.fixture(scope="module")
def listed(server: Server, model: ScriptedModel) -> str:
    """The address of the model, which the host has listed."""
    code = (
        "from portal.models import Person; from portal.endpoints import actions;"
        "hal = Person.objects.get(username='hal');"
        f"actions.save_rules(actor=hal, members_add=True, addresses=[{model.address!r}])"
    )
    server.manage("shell", "-v", "0", "-c", code)
    return model.address


def press_until(page: Page, css: str, key: str = "Tab", most: int = 60) -> None:
    """Press a key until an element has the focus."""
    for _step in range(most):
        if page.evaluate("css => document.activeElement.matches(css)", css):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{css} cannot be reached with {key}")


def add(page: Page, address: str, name: str, model: str = "", key: str = KEY) -> None:
    """Add an endpoint by keys alone, and have it tested."""
    page.goto("/settings/models/")
    page.keyboard.press("n")
    page.wait_for_url("**/settings/models/new/")
    for field, text in (("name", name), ("base_url", address), ("key", key), ("model", model)):
        press_until(page, f"[name={field}]")
        page.keyboard.type(text)
    press_until(page, "button[value=test]")
    page.keyboard.press("Enter")
    page.wait_for_url("**/settings/models/*/#tested")


def test_from_an_address_to_a_model_in_use(visit: Visits, listed: str) -> None:
    page = visit("ana")
    add(page, listed, "Fog")
    expect(page.locator("#tested")).to_contain_text("Works,")
    expect(page.locator("#tested .steps li")).to_have_count(4)
    expect(page.locator("[name=model]")).to_have_value("scripted")  # an untouched form is shown anew
    expect(page.locator("#models option")).to_have_count(3)
    expect(page.locator("[name=can_tools]")).to_contain_text("As found: yes")
    assert_sound(page)
    assert KEY not in page.content()
    page.goto("/settings/models/")
    press_until(page, "[name=use_story]")
    page.keyboard.press("ArrowDown")
    press_until(page, "form[action$='/use/'] button")
    page.keyboard.press("Enter")
    expect(page.locator("#notices")).to_contain_text("Saved.")
    expect(page.locator("[name=use_story] option:checked")).to_have_text("Fog")
    assert_sound(page)


def test_a_refusal_is_told_in_the_services_own_words(visit: Visits, listed: str) -> None:
    page = visit("ana", language="zh-CN", theme="dark", width=390)
    add(page, listed, "锁", model="locked")
    expect(page.locator("#tested")).to_contain_text("Incorrect API key provided.")
    expect(page.locator("#tested .tag").first).to_have_text("密钥被拒绝")
    assert_sound(page)
    page.locator("details.ask > summary").press("Enter")
    page.locator("details.ask button.danger").press("Enter")
    page.wait_for_url("**/settings/models/")
    expect(page.locator("#notices")).to_contain_text("锁")


def test_a_service_fills_in_its_address_until_somebody_wrote_one(visit: Visits) -> None:
    page = visit("ana")
    page.goto("/settings/models/new/")
    service, address = page.locator("[name=service]"), page.locator("[name=base_url]")
    service.select_option("anthropic")
    expect(address).to_have_value("https://api.anthropic.com")
    service.select_option("openrouter")
    expect(address).to_have_value("https://openrouter.ai/api/v1")
    address.fill("https://own.example/v1")
    service.select_option("deepseek")
    expect(address).to_have_value("https://own.example/v1")


def test_what_somebody_writes_while_a_test_runs_stays(visit: Visits, listed: str) -> None:
    page = visit("ana")
    add(page, listed, "Mist")
    expect(page.locator("#tested")).to_contain_text("Works,")
    page.locator("#tested form button").click()
    page.locator("[name=name]").fill("Mist, by the sea")
    expect(page.locator("#tested[data-fresh]")).to_have_count(0)
    expect(page.locator("#tested")).to_contain_text("Works,")
    expect(page.locator("[name=name]")).to_have_value("Mist, by the sea")


@pytest.mark.parametrize(("theme", "width", "language"), FOUR)
def test_the_form_is_sound_everywhere(visit: Visits, theme: str, width: int, language: str) -> None:
    page = visit("hal", theme=theme, width=width, language=language)
    page.goto("/settings/models/new/")
    page.locator("[name=base_url]").fill("http://127.0.0.1:1/v1")
    page.locator("#numbers > summary").click()
    page.locator("#abilities > summary").click()
    assert_sound(page)
    page.locator("button[value='']").click()
    expect(page.locator(".note.danger")).to_be_focused()
    assert_sound(page)


@pytest.mark.parametrize("where", ["/settings/models/", "/manage/models/"])
@pytest.mark.parametrize(("theme", "width", "language"), [("light", 1280, "en"), ("dark", 390, "zh-CN")])
def test_the_lists_are_sound(visit: Visits, where: str, theme: str, width: int, language: str) -> None:
    page = visit("hal", theme=theme, width=width, language=language)
    page.goto(where)
    assert_sound(page)
