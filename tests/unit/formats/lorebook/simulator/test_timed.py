"""Timed effects with their state in and out; the clock is the length of the story."""

from __future__ import annotations

import json
from typing import Any

import pytest

from formats.lorebook.simulator import Activation, Book, Scene, SceneMessage, TimedEffect, TimedState
from tests.support.scans import book_of, came_in, code_of, entry, scan, story


def at(length: int, text: str = "harbour") -> Scene:
    return Scene(messages=(SceneMessage(text),), chat_length=length)


def play(book: Any, texts: list[str]) -> list[str]:
    """Scan after each message, the state handed on; what became of entry 1 each time."""
    state, codes = TimedState(), []
    for number, text in enumerate(texts, start=1):
        activation = scan(
            book, at(number, text), TimedState.from_json(json.loads(json.dumps(state.to_json())))
        )
        state = activation.state
        codes.append(code_of(activation, 1))
    return codes


def test_documented_example() -> None:
    """Sticky 3, cooldown 2, delay 2: message 0 blocked, 1 active, 2 to 4 sticky, 5 and 6 rest, 7 free."""
    book = book_of(entry(1, "harbour", effects={"sticky": 3, "cooldown": 2, "delay": 2}))
    assert play(book, ["harbour"] * 8) == [
        "delay", "key-message", "sticky", "sticky", "sticky", "cooldown", "cooldown", "key-message",
    ]  # fmt: skip


def test_rest_alone_lasts_as_many_messages() -> None:
    book = book_of(entry(1, "harbour", effects={"cooldown": 2}))
    assert play(book, ["harbour"] * 5) == ["key-message", "cooldown", "cooldown", "key-message", "cooldown"]


def test_sticky_entry_needs_no_key_no_roll_and_no_recursion() -> None:
    fields: dict[str, Any] = {"probability": 50, "recursion": {"exclude": True, "delay_until": False}}
    book = book_of(entry(1, "harbour", effects={"sticky": 2}, **fields), entry(2, "fog", "more"))
    first = scan(book, at(1), rolls={1: 0.1})
    later = scan(book, at(2, "fog"), first.state, rolls={1: 0.9})
    assert came_in(later) == [1, 2]
    assert later.verdict("b", "1@0").said.args == {"count": 2}


def test_numbers_of_delay_and_rest() -> None:
    book = book_of(entry(1, "harbour", effects={"delay": 7, "cooldown": 5}))
    assert (
        scan(book, at(3)).verdict("b", "1@0").said.text == "Waits until the story has 7 messages; it has 3."
    )
    rested = scan(book, at(8), scan(book, at(7)).state)
    assert rested.verdict("b", "1@0").said.args == {"count": 5}


def test_the_same_message_told_again_is_judged_afresh() -> None:
    book = book_of(entry(1, "harbour", effects={"sticky": 5}), entry(2, "harbour", effects={"cooldown": 5}))
    first = scan(book, at(4))
    again = scan(book, at(4), first.state)
    assert came_in(again) == [1, 2]
    assert came_in(scan(book, at(4, "fog"), first.state)) == []
    assert again.state == first.state


def test_rest_that_began_by_itself_stays_when_the_message_is_told_again() -> None:
    book = book_of(entry(1, "harbour", effects={"sticky": 1, "cooldown": 3}))
    ended = scan(book, at(3), scan(book, at(1)).state)
    assert code_of(ended, 1) == "cooldown"
    [effect] = ended.state.effects
    assert (effect.kind, effect.protected, effect.start, effect.end) == ("cooldown", True, 2, 5)
    again = scan(book, at(3), ended.state)
    assert (code_of(again, 1), again.state) == ("cooldown", ended.state)


def test_effect_ends_with_a_change_of_the_entry_but_not_of_its_place() -> None:
    one = entry(1, "harbour", effects={"sticky": 5})
    state = scan(book_of(one), at(1)).state
    moved = entry(1, "harbour", effects={"sticky": 5}, index=9, display_index=4)
    later = scan(book_of(entry(2, "x"), moved), at(2, "fog"), state)
    assert [verdict.code for verdict in later.verdicts] == ["key", "sticky"]
    changed = entry(1, "harbour", "another text", effects={"sticky": 5})
    after = scan(book_of(changed), at(2, "fog"), state)
    assert (came_in(after), after.state) == ([], TimedState())


def test_effects_of_books_that_are_away_are_kept_until_they_end() -> None:
    state = scan([Book("away", book_of(entry(1, "harbour", effects={"sticky": 3})))], at(1)).state
    other = book_of(entry(2, "fog"))
    assert scan(other, at(4), state).state == state
    assert scan(other, at(5), state).state == TimedState()


def test_a_number_and_its_spelling_are_two_entries() -> None:
    book = book_of(
        entry(0, "harbour", effects={"sticky": 3}), entry("0", "fog", index=1, effects={"sticky": 3})
    )
    later = scan(book, at(2, "rain"), scan(book, at(1)).state)
    assert [verdict.key for verdict in later.accepted] == ["0@0"]


@pytest.mark.parametrize(("line", "codes"), [
    ("@@keep_activate_after_match", ["key", "key-message", "sticky-ever", "sticky-ever"]),
    ("@@dont_activate_after_match", ["key", "key-message", "one-shot", "one-shot"]),
])  # fmt: skip
def test_lines_for_ever(line: str, codes: list[str]) -> None:
    book = book_of(entry(1, "harbour", f"{line}\nbody"), entry(2, "fog", effects={"sticky": 0}))
    assert play(book, ["fog", "harbour", "harbour", "fog harbour"]) == codes


def test_entries_that_did_not_come_in_begin_nothing() -> None:
    book = book_of(
        entry(1, "harbour", "x" * 50, effects={"sticky": 3}), entry(2, "fog", effects={"cooldown": 3})
    )
    assert scan(book, at(1), budget_tokens=10).state == TimedState()


def test_state_is_an_argument_and_is_not_changed() -> None:
    book = book_of(entry(1, "harbour", effects={"sticky": 1}))
    state = scan(book, at(1)).state
    before = state.to_json()
    results: list[Activation] = [scan(book, at(9), state) for _ in range(2)]
    assert (state.to_json(), results[0]) == (before, results[1])


GOOD = TimedEffect("sticky", "b", 1, "h", 1, 3).to_json()


@pytest.mark.parametrize("value", [
    None, {}, [1], [[]], [{}], [{**GOOD, "kind": "delay"}], [{**GOOD, "uid": True}], [{**GOOD, "start": "1"}],
    [{**GOOD, "end": "3"}], [{**GOOD, "protected": None}], [{**GOOD, "book": 5}], [{"kind": "sticky"}],
])  # fmt: skip
def test_stored_state_that_is_none_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="a stored"):
        TimedState.from_json(value)


def test_story_of_which_only_the_end_is_given() -> None:
    book = book_of(entry(1, "harbour", effects={"delay": 40}))
    assert came_in(scan(book, at(40))) == [1]
    assert came_in(scan(book, story("harbour"))) == []
