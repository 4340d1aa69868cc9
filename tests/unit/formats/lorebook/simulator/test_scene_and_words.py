"""Names in macros, dice that fall the same way, and that every sentence has its words."""

from __future__ import annotations

import copy
import pickle
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.finding import FIELD
from formats.lorebook.simulator import fixed_dice, name_macros
from formats.lorebook.simulator.reasons import LONGEST_QUOTE, Reason, quote
from formats.lorebook.simulator.scene import hidden_keys
from formats.lorebook.simulator.sentences import CUT_SHORT, GATES, RANK, REASONS
from tests.support.scans import book_of, came_in, entry, scan


@pytest.mark.parametrize(("text", "expected"), [
    ("{{user}} and {{ Char }}, {{bot}}", "Ana and Lina, Lina"),
    ("{{// {{user}} is shy}}x{{comment: y}}", "x"),
    ("{{hidden_key:z}}", ""),
    ("{{random::{{user}},b}} {{user::x}} {{us", "{{random::Ana,b}} {{user::x}} {{us"),
])  # fmt: skip
def test_name_macros(text: str, expected: str) -> None:
    assert name_macros("Ana", "Lina")(text) == expected


def test_names_that_look_like_macros_are_not_filled_again() -> None:
    assert name_macros("{{char}}", "Lina")("{{user}}") == "{{char}}"


def test_hidden_keys() -> None:
    assert hidden_keys("a {{hidden_key: one }} b {{Hidden_Key:two:2}} {{x}}") == ["one", "two:2"]


@given(st.text(), st.text(), st.text())
def test_fixed_dice_fall_the_same_way_within_bounds(seed: str, book: str, key: str) -> None:
    roll = fixed_dice(seed).for_entry(book, key)
    assert 0 <= roll < 1
    assert roll == fixed_dice(seed).for_entry(book, key)


def test_fixed_dice_differ_by_seed_and_name_and_said_rolls_win() -> None:
    dice = fixed_dice("one", {("b", "1@0"): 0.0}, {"g": 0.5})
    assert (dice.for_entry("b", "1@0"), dice.for_group("g")) == (0.0, 0.5)
    rolls = {dice.for_entry("b", f"{n}@0") for n in range(2, 50)} | {
        dice.for_group(str(n)) for n in range(50)
    }
    assert len(rolls) == 98
    assert fixed_dice("two").for_group("h") != dice.for_group("h")


def test_every_code_has_one_sentence_and_gates_have_a_rank() -> None:
    assert not GATES.keys() & REASONS.keys()
    assert list(RANK) == list(GATES)
    for template in [*GATES.values(), *REASONS.values(), CUT_SHORT]:
        assert template[0].isupper() or template[0] == "{"
        assert template.endswith(".")
        assert re.findall(r"[{}]", template) == ["{", "}"] * len(FIELD.findall(template))


def test_quotes_are_one_short_line() -> None:
    assert quote("a\n b\t c") == "a b c"
    assert len(quote("x" * 500)) == LONGEST_QUOTE
    assert (
        Reason("key-entry", {"key": "{title}", "title": "T"}).said("1@0").text
        == "Key {title} in the text of T."
    )


@pytest.mark.req("WB-1")
def test_book_that_was_scanned_can_be_copied_and_sent() -> None:
    book = book_of(entry(1, "harbour"))
    scan(book, "harbour")
    for twin in (copy.deepcopy(book), pickle.loads(pickle.dumps(book))):
        assert twin == book
        assert came_in(scan(twin, "harbour")) == [1]
