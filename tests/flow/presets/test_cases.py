"""The page of test cases: what it says of all of them, also of those on other pages."""

from __future__ import annotations

import pytest

from presets import actions, queries
from presets.models import Preset
from presets.pipeline.cases import Case
from presets.pipeline.trial import TrialInputs
from presets.views import cases as case_pages
from tests.flow.presets.test_trial import text_of
from tests.support.people import People, client_of

pytestmark = [pytest.mark.django_db, pytest.mark.req("PRE-13")]


def keep(people: People, preset: Preset, number: int, version: int = 1, turn: str = "I knock.") -> None:
    case = Case(
        id=f"case-{number:02}",
        name=f"Case {number}",
        inputs=TrialInputs(current_turn=turn),
        version=version,
        # One on a draft, whose messages are no longer what the preset sends.
        messages=() if version else ({"role": "user", "content": "Something else."},),
    )
    actions.save_case(actor=people.ana, preset=preset, case=case)


def twelve(people: People, preset: Preset, differing: int = 11) -> None:
    for number in range(12):
        keep(people, preset, number, version=0 if number == differing else 1)


def page_of(people: People, preset: Preset, rest: str = "") -> str:
    return client_of(people.ana).get(f"/presets/{preset.pk}/cases/{rest}").content.decode()


def test_a_case_that_differs_on_another_page_is_told(people: People, harbour: Preset) -> None:
    twelve(people, harbour)
    assert len(queries.cases_of(harbour)) == 12
    html = page_of(people, harbour)
    assert "1 of 12 sends something else than it did." in text_of(html)
    assert f"/presets/{harbour.pk}/cases/case-11/" in html
    second = page_of(people, harbour, "?page=2")
    assert "1 of 12 sends something else than it did." in text_of(second)
    assert "on other pages" not in text_of(second)


def test_cases_that_take_too_long_are_counted_as_not_looked_at(
    people: People, harbour: Preset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(case_pages, "MOST_SECONDS", 0)
    twelve(people, harbour)
    told = text_of(page_of(people, harbour))
    assert "All 10 cases send what they did." in told
    assert "2 cases of other pages were not looked at" in told
    second = text_of(page_of(people, harbour, "?page=2"))
    assert "1 of 2 sends something else than it did." in second
    assert "10 cases of other pages were not looked at" in second


def test_cases_of_which_nobody_knows_do_not_count_as_the_same(people: People, harbour: Preset) -> None:
    keep(people, harbour, 1)
    keep(people, harbour, 2, version=9)
    told = text_of(page_of(people, harbour))
    assert "1 case sends what it did." in told
    assert "Of 1 case nobody knows any more what it sent." in told
