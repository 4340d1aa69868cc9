"""Flat fields of an entry: what is read off is written back, and nothing else changes."""

from __future__ import annotations

from typing import Any

import pytest

from formats.errors import DomainError
from lorebooks.pipeline.books import raw_of, read_entry
from lorebooks.pipeline.entry_fields import CHECKS, fields_of, with_fields
from tests.support.lorebooks import fog_book

OTHERS: dict[str, Any] = {
    "comment": "New",
    "content": "New text",
    "keys": ["a", "b"],
    "secondary_keys": ["c"],
    "enabled": True,
    "strategy": "vectorized",
    "selective": False,
    "selective_logic": "and_all",
    "insertion_order": 7,
    "position": "outlet",
    "depth": 2,
    "role": "assistant",
    "outlet_name": "here",
    "probability": 40,
    "use_probability": False,
    "scan_depth": 9,
    "case_sensitive": True,
    "match_whole_words": False,
    "use_group_scoring": True,
    "group": "tide, storm",
    "group_override": True,
    "group_weight": 5,
    "exclude_recursion": True,
    "prevent_recursion": True,
    "delay_until_recursion": 2,
    "sticky": 1,
    "cooldown": 2,
    "delay": 3,
    "ignore_budget": True,
    "match_persona_description": True,
    "match_character_description": True,
    "match_character_personality": True,
    "match_character_depth_prompt": True,
    "match_scenario": True,
    "match_creator_notes": True,
    "triggers": ["normal"],
    "character_names": ["Lin"],
    "character_tags": ["sea"],
    "character_exclude": True,
    "automation_id": "x",
}


@pytest.mark.req("WB-5")
@pytest.mark.parametrize("name", sorted(CHECKS))
def test_a_field_goes_into_the_file_and_comes_back_alone(name: str) -> None:
    meant_for = {"isExclude": False, "names": ["Ana"], "tags": []}
    entry = read_entry("3", fog_book()["entries"]["3"] | {"odd": 1, "characterFilter": meant_for})
    before = fields_of(entry)
    assert OTHERS[name] != before[name]
    raw = raw_of(with_fields(entry, {name: OTHERS[name]}))
    assert fields_of(read_entry("3", raw)) == {**before, name: OTHERS[name]}
    assert (raw["odd"], raw["myth"]) == (1, 7)


@pytest.mark.parametrize("name", sorted(CHECKS))
def test_a_field_refuses_what_it_cannot_hold(name: str) -> None:
    entry = read_entry("0", fog_book()["entries"]["0"])
    for value in (object(), {}, [1], float("inf"), "no such word" * 1_000_000):
        with pytest.raises(DomainError) as caught:
            with_fields(entry, {name: value})
        assert caught.value.where == name


def test_an_always_on_entry_keeps_its_mark_for_vectors() -> None:
    entry = read_entry("0", {**fog_book()["entries"]["0"], "constant": True, "vectorized": True})
    same = with_fields(entry, fields_of(entry))
    assert same == entry
    assert with_fields(entry, {"strategy": "selective"}).vectorized is False
