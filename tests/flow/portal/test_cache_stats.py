"""What was cached: the first request of a group against the later ones (PRE-19)."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from portal.endpoints.usage import CacheLine, Span, cache_lines, calls_of, together
from tests.support.model_calls import a_call, a_failure
from tests.support.people import People, client_of

pytestmark = [pytest.mark.django_db, pytest.mark.req("PRE-19")]
SPAN = Span.of_days(30)


def told(*arguments: str) -> str:
    out = io.StringIO()
    call_command("cache_stats", *arguments, stdout=out)
    return out.getvalue()


def a_run(people: People) -> None:
    """A trial run of three requests on Fog, one on Pier beside it, and calls that do not count."""
    a_call(people.ana, group="run-1", days_ago=3, tokens_in=1000, tokens_cached=20)
    a_call(people.ana, group="run-1", days_ago=2, tokens_in=1500, tokens_cached=900)
    a_call(people.ana, group="run-1", days_ago=1, tokens_in=500, tokens_cached=500)
    a_call(people.ana, group="run-1", days_ago=1, tokens_in=800, tokens_cached=0, endpoint_name="Pier")
    a_call(people.ana, tokens_in=99, tokens_cached=99)  # in no group
    a_failure(people.ana, "unreachable", group="run-1")  # nothing was told


def test_first_and_later_requests_are_told_apart_for_each_endpoint(people: People) -> None:
    a_run(people)
    lines = cache_lines(calls_of(SPAN, people.ana))
    assert lines == [
        CacheLine("Fog", "scripted", False, 1, 1000, 20),
        CacheLine("Fog", "scripted", True, 2, 2000, 1400),
        CacheLine("Pier", "scripted", False, 1, 800, 0),
    ]
    assert [line.share for line in lines] == [0.02, 0.7, 0.0]
    first, later = together(lines)
    assert (first.calls, first.prompt, first.cached) == (2, 1800, 20)
    assert (later.calls, later.prompt, later.cached) == (2, 2000, 1400)


def test_a_group_that_began_before_these_days_has_no_first_request_in_them(people: People) -> None:
    a_call(people.ana, group="story", days_ago=40)
    a_call(people.ana, group="story", days_ago=1)
    assert [line.is_later for line in cache_lines(calls_of(SPAN, people.ana))] == [True]


def test_a_failed_first_request_leaves_its_place_to_the_next(people: People) -> None:
    a_failure(people.ana, "rate-limited", group="run", days_ago=2)
    a_call(people.ana, group="run", days_ago=1)
    assert [line.is_later for line in cache_lines(calls_of(SPAN, people.ana))] == [False]


def test_groups_of_two_people_with_one_name_are_two(people: People) -> None:
    a_call(people.ana, group="run", days_ago=2)
    a_call(people.ben, group="run", days_ago=1)
    assert [(line.is_later, line.calls) for line in cache_lines(calls_of(SPAN))] == [(False, 2)]


def test_of_two_requests_in_one_moment_one_is_the_first(people: People) -> None:
    call = a_call(people.ana, group="run")
    a_call(people.ana, group="run", at=call.at)
    assert [line.is_later for line in cache_lines(calls_of(SPAN))] == [False, True]


def test_the_command_writes_a_table(people: People) -> None:
    a_run(people)
    rows = [line.split() for line in told().splitlines()]
    assert rows[1:] == [
        ["Fog", "scripted", "first", "1", "1,000", "20", "2.0%"],
        ["Fog", "scripted", "later", "2", "2,000", "1,400", "70.0%"],
        ["Pier", "scripted", "first", "1", "800", "0", "0.0%"],
        ["all", "first", "2", "1,800", "20", "1.1%"],
        ["all", "later", "2", "2,000", "1,400", "70.0%"],
    ]
    assert "no request of a group" in told("--owner", people.ben.handle)
    assert "no request of a group" not in told("--owner", people.ana.handle)


def test_the_command_takes_days_and_writes_json(people: People) -> None:
    a_run(people)
    found: dict[str, Any] = json.loads(told("--json", "--days", "2", "--owner", people.ana.handle))
    assert found["owner"] == people.ana.handle
    assert found["lines"][0] == {
        "endpoint": "Fog",
        "model": "scripted",
        "which": "later",
        "calls": 1,
        "promptTokens": 500,
        "cachedTokens": 500,
        "cachedShare": 1.0,
    }
    assert [(one["which"], one["promptTokens"]) for one in found["together"]] == [
        ("first", 800),
        ("later", 500),
    ]


def test_the_command_refuses_what_cannot_be(people: People) -> None:
    with pytest.raises(SystemExit) as ended:
        call_command("cache_stats", "--owner", "nobody", stderr=io.StringIO())
    assert ended.value.code == 2
    for days in ("0", "-1", "99999", "x"):
        with pytest.raises(CommandError):
            told("--days", days)


def test_no_control_character_of_a_name_reaches_the_terminal(people: People) -> None:
    a_call(people.ana, group="run", endpoint_name="Fog\x1b[31m\nall")
    assert "Fog[31mall" in told()
    assert "\x1b" not in told()


def test_the_page_sets_the_first_against_the_later_ones(people: People) -> None:
    a_run(people)
    html = client_of(people.ana).get("/settings/usage/").content.decode()
    assert "20 (1 %)" in html
    assert "1,400 (70 %)" in html
    assert "the first request fills the cache" in html
