"""The usage page in a real browser: sound in every light, width and language, usable by keys alone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.axe import assert_sound
from tests.browser.conftest import FOUR, Visits
from tests.browser.server import Server

CALLS = """
from portal.models import Person
from tests.support.model_calls import a_call, a_failure
ana = Person.objects.get(handle="ana")
for number in range(12):
    a_call(ana, days_ago=number / 2, cost="0.0042", tokens_in=14_000, tokens_cached=number * 1000,
        tokens_out=650, group=f"run-{number // 4}", about=f"preset:fog-{number // 6}",
        endpoint_name="雾港 " + "long-name-of-a-service " * (number % 2), model="m" * (60 * (number % 2)))
a_call(ana, days_ago=1, currency="CNY", cost="12345.5", purpose="story", tokens_in=2_000_000)
a_call(ana, purpose="testing")
for outcome in ("key-refused", "rate-limited", "rate-limited", "stopped", "web-page"):
    a_failure(ana, outcome)
"""


@pytest.fixture(scope="module")
def calls(server: Server) -> None:
    """Two dozen calls of Ana's."""
    server.manage("shell", "-v", "0", "-c", CALLS)


@pytest.mark.usefixtures("calls")
@pytest.mark.parametrize(("theme", "width", "language"), FOUR)
def test_the_page_is_sound_everywhere(visit: Visits, theme: str, width: int, language: str) -> None:
    page = visit("ana", theme=theme, width=width, language=language)
    page.goto("/settings/usage/?by=endpoint")
    assert_sound(page)


@pytest.mark.usefixtures("calls")
def test_what_the_host_sees_and_what_is_empty_are_sound(visit: Visits) -> None:
    for where in ("/manage/usage/", "/settings/usage/"):
        page = visit("hal", theme="dark", width=390)
        page.goto(where)
        assert_sound(page)


@pytest.mark.usefixtures("calls")
def test_by_keys_alone_from_the_settings_to_a_table(visit: Visits) -> None:
    page = visit("ana")
    page.goto("/settings/models/")
    page.get_by_role("link", name="Usage").focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/settings/usage/$"))
    page.get_by_label("From", exact=True).focus()
    for _ in range(4):  # three parts of each day, then the next field
        page.keyboard.press("Tab")
    page.get_by_role("link", name="Endpoint").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("columnheader", name="Endpoint")).to_be_visible()
    expect(page.get_by_role("link", name="Endpoint")).to_have_attribute("aria-current", "true")
    with page.expect_download() as waited:
        page.get_by_role("link", name="Table (CSV)").focus()
        page.keyboard.press("Enter")
    assert waited.value.suggested_filename.startswith("usage-endpoint-")
    page.get_by_label("From", exact=True).fill("2026-01-01")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("first=2026-01-01.*by=endpoint"))
    expect(page.get_by_role("row", name="Altogether")).to_contain_text("19")
