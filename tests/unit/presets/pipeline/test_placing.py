"""Moves in the list as people see it: up and down pass what stands in the history, and go into it and out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.errors import DomainError
from formats.preset.model import PresetPackage
from formats.preset.reader import read_file
from presets.pipeline.placing import put_at, put_beside, seen, stepped
from tests.support.preset_files import marker, presets, prompt, usual

pytestmark = pytest.mark.req("PRE-13")


def deep(identifier: str, depth: int, order: int = 100) -> dict[str, Any]:
    return prompt(identifier, "x", injection_position=1, injection_depth=depth, injection_order=order)


@pytest.fixture
def package() -> PresetPackage:
    """main a [old 8][one 2][two 2] b, then the history and what is around it; `two` stands before `a`."""
    value = usual(deep("two", 2), prompt("a", "A"), deep("one", 2, 50), deep("old", 8), prompt("b", "B"))
    return read_file(value)[0]


def ids(package: PresetPackage) -> tuple[str, ...]:
    return seen(package).line


def test_the_list_has_the_history_in_its_own_order(package: PresetPackage) -> None:
    assert ids(package)[:3] == ("main", "a", "b")
    assert seen(package).inside == ("old", "one", "two")


def test_a_step_passes_the_next_row_that_is_seen(package: PresetPackage) -> None:
    down = stepped(package, "a", 1)
    assert ids(down)[:3] == ("main", "b", "a"), "prompts of the history between them are no row there"
    assert ids(stepped(down, "a", -1)) == ids(package)
    assert stepped(package, "main", -1) is package
    assert stepped(package, "postTurn", 5) is package


def test_a_step_in_the_history_takes_the_depth_of_whom_it_passes(package: PresetPackage) -> None:
    up = stepped(package, "one", -1)
    assert seen(up).inside == ("one", "old", "two")
    place = up.by_id["one"].injection
    assert place is not None
    assert (place.depth, place.order) == (8, 100)
    same = stepped(put_beside(package, "two", "one", after=True), "two", -1)
    assert seen(same).inside == ("old", "two", "one")
    assert same.by_id["two"].injection == same.by_id["one"].injection


def test_into_the_history_and_out_of_it(package: PresetPackage) -> None:
    inside = put_beside(package, "a", "one")
    assert seen(inside).inside == ("old", "a", "one", "two")
    assert inside.by_id["a"].in_history
    outside = put_beside(inside, "a", "b", after=True)
    assert ids(outside)[:3] == ("main", "b", "a")
    assert not outside.by_id["a"].in_history


@pytest.mark.parametrize("what", ["chatHistory", "worldBookBefore", "currentTurn"])
def test_places_of_the_line_stay_out_of_the_history(package: PresetPackage, what: str) -> None:
    with pytest.raises(DomainError, match="in_history"):
        put_beside(package, what, "one")


def test_no_place_beside_oneself_or_beside_what_is_in_no_order(package: PresetPackage) -> None:
    for what, neighbour in (("a", "a"), ("a", "nobody")):
        with pytest.raises(DomainError):
            put_beside(package, what, neighbour)
    order = tuple(item for item in package.prompt_order if item.prompt_id != "b")
    with pytest.raises(DomainError):
        put_beside(replace(package, prompt_order=order), "a", "b")


def test_what_is_unused_comes_in_where_it_is_put(package: PresetPackage) -> None:
    order = tuple(item for item in package.prompt_order if item.prompt_id != "b")
    unused = replace(package, prompt_order=order)
    assert ids(put_beside(unused, "b", "main"))[0] == "b"
    assert ids(stepped(unused, "b", -1))[-2:] == ("b", "postTurn")


@given(presets(), st.integers(0, 30), st.integers(-3, 40))
def test_a_place_is_counted_in_what_is_seen(value: dict[str, Any], which: int, place: int) -> None:
    package = read_file(value)[0]
    line = ids(package)
    one = line[which % len(line)]
    moved = put_at(package, one, place)
    rest = [other for other in line if other != one]
    at = max(0, min(place - 1, len(rest)))
    assert list(ids(moved)) == [*rest[:at], one, *rest[at:]]
    assert seen(moved).inside == seen(package).inside


@given(presets(), st.integers(0, 30), st.integers(0, 30), st.booleans())
def test_a_prompt_stands_where_it_was_put(value: dict[str, Any], a: int, b: int, after: bool) -> None:
    package = read_file(value)[0]
    every = [*seen(package).line, *seen(package).inside]
    one, other = every[a % len(every)], every[b % len(every)]
    try:
        moved = put_beside(package, one, other, after=after)
    except DomainError:
        return
    part = seen(moved).beside(other)
    assert part.index(one) - part.index(other) == (1 if after else -1)


def test_a_marker_of_a_card_may_stand_in_the_history() -> None:
    package = read_file(usual(deep("one", 2), marker("personaDescription")))[0]
    moved = put_beside(package, "personaDescription", "one", after=True)
    assert seen(moved).inside == ("one", "personaDescription")
