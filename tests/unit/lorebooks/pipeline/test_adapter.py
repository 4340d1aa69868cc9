"""Which books take part, by which binding, and what one match over all of them gives the loader."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from formats.errors import DomainError
from formats.lorebook import parse, parse_character_book
from formats.lorebook.model import WorldBook
from formats.lorebook.patterns import PatternOutcome
from formats.lorebook.simulator import SceneMessage
from lorebooks.pipeline.adapter import (
    MOST_BOOKS,
    MOST_CHARACTERS,
    ActivationContext,
    Matching,
    Resolved,
    Selection,
    resolve,
)
from tests.support.lorebooks import large_book
from tests.support.timing import assert_within
from tests.unit.formats.lorebook.test_patterns import Engine

pytestmark = pytest.mark.req("WB-8")

NOW = ActivationContext("The harbour at dusk.")


def book(*entries: dict[str, Any], name: str = "b") -> WorldBook:
    """A book whose entries have uids from 0 on and wake at `harbour`, unless they say otherwise."""
    told = {
        str(i): {"uid": i, "key": ["harbour"], "content": f"{name}{i}", **e} for i, e in enumerate(entries)
    }
    return parse({"name": name, "entries": told})


def shelf(**books: WorldBook) -> Callable[[str], WorldBook]:
    """Reads these books and refuses every other id."""

    def read(one: str) -> WorldBook:
        if one not in books:
            raise DomainError(
                "not-found", "lorebook.not-found", one, "There is no {thing}.", args={"thing": one}
            )
        return books[one]

    return read


def contents(found: Resolved) -> list[str]:
    return [entry.content for entry in found.result.lore_entries]


def origins(found: Resolved) -> Mapping[str, tuple[str, ...]]:
    return {one.id: one.bindings for one in found.books}


def test_books_come_in_the_order_of_the_bindings_and_say_which_one_it_was() -> None:
    books = {one: book({}, name=one) for one in ("own", "users", "presets", "cards")}
    found = resolve(
        selection=Selection(character=("cards",), preset=("presets",), user=("users",), session=("own",)),
        read_book=shelf(**books),
        activation_context=NOW,
        embedded=book({}, name="inside"),
    )
    assert list(origins(found).items()) == [
        ("own", ("session",)),
        ("users", ("user",)),
        ("presets", ("preset",)),
        ("cards", ("character",)),
        ("character_book", ("embedded",)),
    ]
    assert contents(found) == ["own0", "users0", "presets0", "cards0", "inside0"]
    assert [one.id for one in found.result.resources] == list(origins(found))


def test_the_order_within_a_binding_is_the_chosen_one() -> None:
    read = shelf(a=book({}, name="a"), b=book({}, name="b"), c=book({}, name="c"))
    found = resolve(selection=Selection(user=("c", "a", "b")), read_book=read, activation_context=NOW)
    assert contents(found) == ["c0", "a0", "b0"]


def test_a_book_that_several_name_is_read_once_where_it_is_named_first() -> None:
    read: list[str] = []

    def count(one: str) -> WorldBook:
        read.append(one)
        return book({}, name=one)

    chosen = Selection(session=("b",), user=("a", "b"), preset=("a", "a"), character=("b", "c"))
    found = resolve(selection=chosen, read_book=count, activation_context=NOW)
    assert read == ["b", "a", "c"]
    assert origins(found) == {
        "b": ("session", "user", "character"),
        "a": ("user", "preset"),
        "c": ("character",),
    }
    assert contents(found) == ["b0", "a0", "c0"]


def test_the_budget_is_one_over_all_books_and_the_better_entry_wins_whatever_its_book() -> None:
    read = shelf(a=book({"order": 10}, {"order": 30}, name="a"), b=book({"order": 40}, name="b"))
    found = resolve(
        selection=Selection(user=("a", "b")),
        read_book=read,
        activation_context=NOW,
        embedded=book({"order": 20}, name="inside"),
        matching=Matching(token_budget=4),  # inside0 costs two, the others one each
    )
    assert contents(found) == ["a1", "b0", "inside0"]
    assert (found.candidates.budget.used, found.candidates.budget.remaining) == (4, 0)
    assert [(one.entry.uid, one.reason) for one in found.candidates.rejected] == [("a:0", "budget-exceeded")]


def test_of_equal_entries_the_earlier_book_wins_wherever_they_stand_in_it() -> None:
    late = book({"key": ["nowhere"]}, {"key": ["nowhere"]}, {}, name="first")
    for budget, texts in ((1, ["first2"]), (2, ["first2", "second0"])):
        found = resolve(
            selection=Selection(session=("first",), character=("second",)),
            read_book=shelf(first=late, second=book({}, name="second")),
            activation_context=NOW,
            matching=Matching(token_budget=budget, token_costs={"first:2": 1, "second:0": 1}),
        )
        assert contents(found) == texts


def test_a_group_is_contested_by_all_books_together() -> None:
    read = shelf(a=book({"group": "weather", "order": 10}, name="a"))
    inside = book({"group": "weather", "order": 20, "groupOverride": True}, name="inside")
    found = resolve(selection=Selection(user=("a",)), read_book=read, activation_context=NOW, embedded=inside)
    assert contents(found) == ["inside0"]
    assert [one.reason for one in found.candidates.rejected] == ["inclusion-group-loser"]


def test_what_the_caller_says_of_an_entry_is_for_that_book_alone() -> None:
    both = book({"probability": 50, "useProbability": True}, {"vectorized": True, "key": []}, name="x")
    found = resolve(
        selection=Selection(user=("a", "b")),
        read_book=shelf(a=both, b=both),
        activation_context=NOW,
        matching=Matching(probability_rolls={"a:0": 0.9, "b:0": 0.1}, vector_matches={"a:1": True}),
    )
    assert [one.id for one in found.result.lore_entries] == ["a:1", "b:0"]


def test_entries_keep_their_uids_their_place_in_the_file_and_what_is_told_of_them() -> None:
    hung = book({}, {"position": 4}, {"position": 7, "outletName": "o"}, name="b")
    found = resolve(
        selection=Selection(user=("a", "b")), read_book=shelf(a=book({}), b=hung), activation_context=NOW
    )
    assert [one.to_json() for one in found.result.lore_entries if one.id.startswith("b:")] == [
        {"id": "b:0", "uid": 0, "content": "b0", "position": "before"},
        {"id": "b:1", "uid": 1, "content": "b1", "position": "after"},
    ]
    assert [(one.code, one.where) for one in found.result.diagnostics] == [
        ("WORLD_BOOK_POSITION_APPROXIMATED", "$.entries[1]"),
        ("WORLD_BOOK_OUTLET_SKIPPED", "$.entries[2]"),
    ]
    [second] = [one for one in found.books if one.id == "b"]
    assert [one.entry for one in second.accepted] == list(hung.entries)


def test_a_book_that_cannot_be_read_is_told_and_stops_nothing() -> None:
    found = resolve(
        selection=Selection(session=("gone",), user=("a",)),
        read_book=shelf(a=book({}, name="a")),
        activation_context=NOW,
        embedded=book({}, name="inside"),
    )
    assert contents(found) == ["a0", "inside0"]
    assert list(origins(found)) == ["a", "character_book"]
    [told] = found.result.diagnostics
    assert (told.code, told.severity, told.where) == ("WORLD_BOOK_UNREADABLE", "warning", "gone")
    assert (told.text, told.args["code"]) == ("There is no gone.", "lorebook.not-found")


def test_a_mistake_of_the_program_is_no_unreadable_book() -> None:
    def broken(one: str) -> WorldBook:
        raise KeyError(one)

    with pytest.raises(KeyError):
        resolve(selection=Selection(user=("a",)), read_book=broken, activation_context=NOW)


def test_the_cards_own_book_goes_through_the_same_match_as_the_same_book_on_a_shelf() -> None:
    value = {
        "entries": [
            {
                "keys": ["harbour"],
                "content": "Salt.",
                "enabled": True,
                "insertion_order": 1,
                "extensions": {},
            },
            {
                "keys": ["/dusk/"],
                "content": "Late.",
                "enabled": True,
                "insertion_order": 2,
                "extensions": {},
            },
        ]
    }
    model = parse_character_book(value, "Card lorebook")
    late = Engine(dusk=PatternOutcome("ran", ((15, 19),)))
    inside = resolve(
        selection=Selection(),
        read_book=shelf(),
        activation_context=NOW,
        embedded=model,
        run_patterns=late,
    )
    outside = resolve(
        selection=Selection(user=("x",)),
        read_book=shelf(x=model),
        activation_context=NOW,
        run_patterns=late,
    )
    assert contents(inside) == contents(outside) == ["Late.", "Salt."]
    assert inside.result.resources[0].name == "Card lorebook"


@pytest.mark.req("WB-11")
def test_the_chosen_frames_are_matched_and_the_text_is_the_conversations() -> None:
    moment = ActivationContext(
        "Once at the lighthouse.\nThe harbour.",
        frames=(SceneMessage("At the har"), SceneMessage("The harbour.", "Ana", "user")),
    )
    read = shelf(a=book({}, {"key": ["lighthouse"]}, {"key": ["Ana"]}, name="a"))
    found = resolve(
        selection=Selection(user=("a",)),
        read_book=read,
        activation_context=moment,
        conversation_text="lighthouse",
    )
    assert contents(found) == ["a0"]
    assert found.conversation_text == "Once at the lighthouse.\nThe harbour."
    assert found.match_text == "At the har\nThe harbour."


@pytest.mark.req("WB-11")
def test_a_mere_text_is_matched_as_it_is() -> None:
    read = shelf(a=book({}, name="a"))
    found = resolve(selection=Selection(user=("a",)), read_book=read, conversation_text="harbour")
    assert (contents(found), found.conversation_text, found.match_text) == (["a0"], "harbour", "harbour")


def test_of_a_text_without_end_the_last_part_is_searched() -> None:
    read = shelf(a=book({}, {"key": ["lighthouse"]}, name="a"))
    text = "harbour " + "x" * MOST_CHARACTERS + " lighthouse"
    found = resolve(selection=Selection(user=("a",)), read_book=read, conversation_text=text)
    assert contents(found) == ["a1"]
    assert [one.code for one in found.result.diagnostics] == ["WORLD_BOOK_TEXT_CUT"]
    assert len(found.match_text) == MOST_CHARACTERS


def test_books_without_end_are_not_read() -> None:
    read: list[str] = []

    def count(one: str) -> WorldBook:
        read.append(one)
        return book({}, name="b")

    chosen = Selection(session=tuple(map(str, range(MOST_BOOKS + 5))))
    found = resolve(
        selection=chosen, read_book=count, activation_context=NOW, embedded=book({}, name="inside")
    )
    assert read == list(chosen.session[:MOST_BOOKS])
    assert contents(found)[-1] == "inside0"
    assert [one.code for one in found.result.diagnostics] == ["WORLD_BOOK_TOO_MANY"]


@pytest.mark.req("WB-10")
def test_what_stood_in_the_file_is_not_asked_again() -> None:
    model = book({}, name="a")
    blind = replace(
        model,
        entries=tuple(
            replace(one, content="Normalised.", source=replace(one.source, raw={"content": "Raw."}))
            for one in model.entries
        ),
    )
    found = resolve(selection=Selection(user=("a",)), read_book=shelf(a=blind), activation_context=NOW)
    assert contents(found) == ["Normalised."]


def test_the_largest_book_is_matched_within_a_second() -> None:
    model = parse(large_book(10_000))
    read_book = shelf(a=model)
    assert_within(
        1,
        lambda: resolve(selection=Selection(user=("a",)), read_book=read_book, activation_context=NOW),
    )
