"""What fits, and where it goes."""

from __future__ import annotations

from typing import Any

import pytest

from formats.lorebook.model import POSITIONS
from formats.lorebook.simulator import Book
from tests.support.scans import book_of, came_in, code_of, entry, scan, story


@pytest.mark.parametrize(("settings", "context", "limit"), [
    ({}, None, None),
    ({}, 1000, 250),
    ({"budget_percent": 50}, 4095, 2048),
    ({"budget_percent": 0}, 4000, 1),
    ({"budget_cap": 100}, 1000, 100),
    ({"budget_cap": 900}, 1000, 250),
    ({"budget_cap": 900}, None, 900),
    ({"budget_tokens": 40, "budget_cap": 10}, 1000, 40),
    ({"budget_tokens": 0}, 1000, 0),
])  # fmt: skip
def test_limit(settings: dict[str, Any], context: int | None, limit: int | None) -> None:
    activation = scan(book_of(entry(1, "fog")), story("fog", context_size=context), **settings)
    assert activation.budget.limit == limit


def test_first_that_does_not_fit_ends_it_and_must_stay_below() -> None:
    book = book_of(
        entry(1, "fog", "12345", insertion_order=9),
        entry(2, "fog", "12345", insertion_order=8),
        entry(3, "fog", "1", insertion_order=7),
        entry(4, "fog", "123", insertion_order=6, ignore_budget=True),
    )
    activation = scan(book, "fog", budget_tokens=10)
    assert came_in(activation) == [1, 4]
    assert [verdict.code for verdict in activation.verdicts] == [
        "key-message", "budget", "budget-closed", "key-message",
    ]  # fmt: skip
    assert [verdict.outcome for verdict in activation.verdicts] == ["in", "cut", "cut", "in"]
    assert activation.verdict("b", "2@0").said.text == "5 tokens would reach the budget of 10; 5 are used."
    use = activation.budget
    assert (use.used, use.free, use.overflowed, use.books) == (5, 3, True, {"b": 5})


def test_entry_that_wakes_nobody_counts_like_any_other_and_each_counts_once() -> None:
    book = book_of(
        entry(1, "fog", "guard56", recursion={"prevent": True}),
        entry(2, "fog", "clock67"),
        entry(3, "clock67", "1234567"),
    )
    assert came_in(scan(book, "fog", budget_tokens=22)) == [1, 2, 3]
    assert came_in(scan(book, "fog", budget_tokens=21)) == [1, 2]


def test_a_books_own_budget_holds_for_its_entries_unless_the_page_says_another() -> None:
    books = [
        Book("small", book_of(entry(1, "fog", "12345"), entry(2, "fog", "12345"), token_budget=8)),
        Book("large", book_of(entry(3, "fog", "12345"))),
    ]
    activation = scan(books, "fog")
    assert came_in(activation) == [1, 3]
    assert code_of(activation, 2, "small") == "book-budget"
    assert activation.verdict("small", "2@0").outcome == "cut"
    assert came_in(scan(books, "fog", budget_tokens=100)) == [1, 2, 3]


def test_nothing_wakes_by_recursion_once_the_budget_is_reached() -> None:
    book = book_of(entry(1, "fog", "guard", insertion_order=200), entry(2, "fog", "x" * 50),
                   entry(3, "guard", "", ignore_budget=True))  # fmt: skip
    activation = scan(book, "fog", budget_tokens=20)
    assert (came_in(activation), len(activation.steps)) == ([1], 1)


def test_eight_places_each_in_ascending_order() -> None:
    entries = [
        entry(f"{position}-{order}", "fog", position=position, insertion_order=order, outlet_name="Docks")
        for position in POSITIONS
        for order in (30, 10, 20)
    ]
    placed = scan(book_of(*entries), story("rain", "sun", "sea", "ship", "lamp", "fog")).placed
    [at_depth] = placed.at_depth
    assert (at_depth.depth, at_depth.index) == (4, 2)
    buckets = [
        placed.before_character, placed.after_character, placed.before_note, placed.after_note,
        at_depth.entries, placed.before_examples, placed.after_examples, placed.outlets["Docks"],
    ]  # fmt: skip
    for position, bucket in zip(POSITIONS, buckets, strict=True):
        assert [one.key for one in bucket] == [f"{position}-{order}@0" for order in (10, 20, 30)]


def test_equal_orders_stand_in_reverse_and_empty_texts_nowhere() -> None:
    book = book_of(entry(1, "fog"), entry(2, "fog"), entry(3, "fog", "@@activate\n"), entry(4, "fog", "  \n"))
    activation = scan(book, "fog")
    assert came_in(activation) == [1, 2, 3, 4]
    assert [one.key for one in activation.placed.before_character] == ["2@0", "1@0"]


@pytest.mark.parametrize(("depth", "index"), [(0, 3), (1, 2), (3, 0), (4, 0), (9999, 0), (-2, 3), (1.5, 1)])
def test_index_of_a_depth(depth: float, index: int) -> None:
    book = book_of(entry(1, "fog", position="at_depth", depth=depth))
    [place] = scan(book, story("fog", "rain", "sun")).placed.at_depth
    assert place.index == index


def test_depths_stand_as_in_the_history() -> None:
    book = book_of(*(entry(depth, "fog", position="at_depth", depth=depth) for depth in (0, 4, 1)))
    placed = scan(book, story("fog", "rain", "sun", "sea")).placed
    assert [(one.depth, one.index) for one in placed.at_depth] == [(4, 0), (1, 3), (0, 4)]


@pytest.mark.parametrize(("probability", "roll", "woken"), [
    (10, 0.05, True), (10, 0.1, False), (0, 0.0, False),
    (100, 0.999, True), (0.5, 0.004, True), (150, 0.99, True),
])  # fmt: skip
def test_roll_must_be_below(probability: float, roll: float, woken: bool) -> None:
    book = book_of(
        entry(1, "fog", probability=probability), entry(2, "fog", probability=0, use_probability=False)
    )
    assert came_in(scan(book, "fog", rolls={1: roll})) == ([1, 2] if woken else [2])


def test_a_depth_below_one_goes_after_the_last_message() -> None:
    """V3 specification, `@@depth`."""
    texts = ["@@depth -3\nA", "@@depth 0\nB", "@@depth -1\n@@@depth 2\nC"]
    book = book_of(*(entry(number, "harbour", text) for number, text in enumerate(texts)))
    [place] = scan(book, story("fog", "harbour")).placed.at_depth
    assert (place.depth, place.index, len(place.entries)) == (0, 2, 3)
