"""The contract's exports: the model over the raw book, for any book and any change (WB-5)."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.lorebook import Entry, WorldBook, export_character_book, export_sillytavern, parse
from formats.lorebook.model import (
    LOGICS,
    POSITIONS,
    ROLES,
    CharacterFilter,
    Effects,
    Group,
    MatchSources,
    Recursion,
)
from tests.support.book_strategies import books

EXPORTS = [export_sillytavern, export_character_book]

changed_values: dict[str, st.SearchStrategy[Any]] = {
    "uid": st.integers(0, 9) | st.text(min_size=1, max_size=3),
    "keys": st.lists(st.text(max_size=3), max_size=2).map(tuple),
    "secondary_keys": st.lists(st.text(max_size=3), max_size=2).map(tuple),
    "comment": st.text(max_size=4),
    "content": st.text(max_size=4),
    "enabled": st.booleans(),
    "constant": st.booleans(),
    "selective": st.booleans(),
    "vectorized": st.booleans(),
    "insertion_order": st.integers(-9, 999),
    "position": st.sampled_from(POSITIONS),
    "depth": st.integers(0, 9),
    "role": st.sampled_from(ROLES),
    "selective_logic": st.sampled_from(LOGICS),
    "probability": st.integers(0, 100),
    "use_probability": st.booleans(),
    "scan_depth": st.none() | st.integers(0, 9),
    "case_sensitive": st.none() | st.booleans(),
    "match_whole_words": st.none() | st.booleans(),
    "use_group_scoring": st.none() | st.booleans(),
    "display_index": st.integers(0, 9),
    "outlet_name": st.text(max_size=3),
    "group": st.builds(Group, st.text(max_size=3), st.booleans(), st.integers(0, 9)),
    "recursion": st.builds(Recursion, st.booleans(), st.booleans(), st.booleans() | st.integers(0, 3)),
    "effects": st.builds(Effects, *[st.none() | st.integers(0, 3)] * 3),
    "automation_id": st.text(max_size=3),
    "ignore_budget": st.booleans(),
    "match_sources": st.builds(MatchSources, *[st.booleans()] * 6),
    "triggers": st.lists(st.sampled_from(["normal", "swipe"]), max_size=2).map(tuple),
    "character_filter": st.none() | st.just(CharacterFilter(True, ("ada",), (), {})),
}


def meaning(entry: Entry) -> Entry:
    """An entry without where it stood (a map goes by number) and what only its file knows."""
    told = entry.character_filter
    return replace(
        entry,
        source=replace(entry.source, key="", index=0, raw={}),
        extensions={},
        character_filter=replace(told, raw={}) if told else None,
    )


def meanings(model: WorldBook) -> list[Entry]:
    return [meaning(entry) for entry in model.entries]


@pytest.mark.req("WB-5")
@given(books(), st.sampled_from(EXPORTS), st.sampled_from(EXPORTS))
def test_what_is_exported_reads_back_as_the_same_book(book: Any, first: Any, second: Any) -> None:
    model = parse(book)
    before = copy.deepcopy(model.to_json())
    again = parse(first(model))
    assert model.to_json() == before, "an export changes nothing"
    if first is export_character_book or model.source.entry_container == "object-map":
        assert meanings(again) == meanings(model), "a list has any order, and a map stays one"
    assert sorted(map(repr, meanings(again))) == sorted(map(repr, meanings(model)))
    assert (again.name, again.description) == (model.name, model.description)
    assert again.settings == model.settings
    once_more = first(parse(second(again)))
    assert once_more == first(parse(second(parse(once_more)))), "idempotent across both formats"


@pytest.mark.req("WB-5")
@given(books(), st.sampled_from(EXPORTS))
def test_export_import_export_is_stable(book: Any, export: Any) -> None:
    once = export(parse(book))
    assert export(parse(once)) == once


@pytest.mark.req("WB-5")
@given(books(), st.sampled_from(EXPORTS), st.fixed_dictionaries({}, optional=changed_values))
def test_a_changed_value_wins_over_every_spelling(book: Any, export: Any, changes: dict[str, Any]) -> None:
    model = parse(book)
    changed = replace(model, entries=tuple(replace(entry, **changes) for entry in model.entries))
    for entry in parse(export(changed)).entries:
        told = {name: getattr(meaning(entry), name) for name in changes}
        assert told == changes


@pytest.mark.req("WB-5")
@given(books(), st.sampled_from(EXPORTS))
def test_unknown_fields_stay(book: Any, export: Any) -> None:
    model = parse(book)
    written = export(model)
    entries = written["entries"]
    listed = list(entries.values()) if isinstance(entries, dict) else entries
    for entry, exported in zip(model.entries, listed, strict=True):
        assert exported.get("x_unknown", "-") == entry.source.raw.get("x_unknown", "-")
    assert written.get("x_book", "-") == book.get("x_book", "-")


def test_settings_that_are_changed_or_taken_away() -> None:
    model = parse({"entries": [], "extensions": {}, "scan_depth": 4, "token_budget": "none"})
    changed = replace(model, name="New", settings=replace(model.settings, scan_depth=None, token_budget=90))
    for export in EXPORTS:
        written = export(changed)
        assert "scan_depth" not in written
        assert (written["name"], written["token_budget"]) == ("New", 90)


def test_repeated_uids_have_keys_of_their_own() -> None:
    entries = [{"id": uid, "content": str(place)} for place, uid in enumerate((0, 0, "0-1", 0, "0"))]
    written = export_sillytavern(parse({"entries": entries}))["entries"]
    assert len(written) == 5
    assert sorted(entry["content"] for entry in written.values()) == ["0", "1", "2", "3", "4"]


def test_a_card_has_the_shape_of_the_specification() -> None:
    """ST 5777: `entries` is a list, `extensions` is there, and the stale copy of a former book is not."""
    written = export_character_book(parse({"entries": {"0": {}}, "originalData": {"entries": []}}))
    assert isinstance(written["entries"], list)
    assert written["extensions"] == {}
    assert "originalData" not in written
    for name in ("keys", "content", "extensions", "enabled", "insertion_order"):
        assert name in written["entries"][0]


def test_decorators_stay_in_the_content() -> None:
    content = "@@depth 5\r\n@@@activate\r\nThe bell rings."
    model = parse({"entries": {"0": {"content": content}}})
    assert export_character_book(model)["entries"][0]["content"] == content
