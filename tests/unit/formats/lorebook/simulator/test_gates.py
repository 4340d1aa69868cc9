"""The gates before the keys, and what decorators say of an entry."""

from __future__ import annotations

from typing import Any

import pytest

from formats.lorebook.simulator import Scene, SceneCharacter, SceneMessage
from tests.support.scans import book_of, came_in, code_of, entry, only_for, scan, story

LINA = SceneCharacter(name="Lina", file_name="lina-2", tags=("t1",))


@pytest.mark.parametrize(("wanted", "code"), [
    (only_for("Lina"), ""),
    (only_for("lina-2", "Bo"), ""),
    (only_for("Bo"), "character"),
    (only_for("Lina", is_exclude=True), "character-excluded"),
    (only_for("Bo", is_exclude=True), ""),
    (only_for(tags=["t1", "t2"]), ""),
    (only_for(tags=["t2"]), "tag"),
    (only_for(tags=["t1"], is_exclude=True), "tag-excluded"),
    (only_for("Lina", tags=["t2"]), "tag"),
    (only_for("Bo", tags=["t1"]), "character"),
    (only_for(), ""),
])  # fmt: skip
def test_names_and_tags_are_two_gates(wanted: Any, code: str) -> None:
    activation = scan(book_of(entry(1, "fog", character_filter=wanted)), story("fog", character=LINA))
    assert code_of(activation, 1) == (code or "key-message")


def test_without_a_character_only_entries_for_nobody_in_particular_come_in() -> None:
    book = book_of(entry(1, "fog", character_filter=only_for("Lina")), entry(2, "fog"),
                   entry(3, "fog", character_filter=only_for("Lina", is_exclude=True)))  # fmt: skip
    assert came_in(scan(book, "fog")) == [2, 3]


@pytest.mark.parametrize(("triggers", "trigger", "woken"), [
    ((), "quiet", True), (("normal",), "normal", True), (("swipe", "quiet"), "normal", False),
])  # fmt: skip
def test_triggers(triggers: tuple[str, ...], trigger: str, woken: bool) -> None:
    activation = scan(book_of(entry(1, "fog", triggers=triggers)), story("fog", trigger=trigger))
    assert (came_in(activation) == [1]) is woken
    if not woken:
        assert (
            activation.verdict("b", "1@0").said.text
            == "Only for replies of the kind swipe, quiet; this one is normal."
        )


def test_an_entry_that_is_off_says_so_even_if_its_key_is_there() -> None:
    activation = scan(
        book_of(entry(1, "fog", enabled=False), entry(2, "fog", "@@activate", enabled=False)), "fog"
    )
    assert [verdict.code for verdict in activation.verdicts] == ["disabled", "disabled"]


def test_no_keys_and_vector_entries() -> None:
    book = book_of(entry(1), entry(2, "harbour", vectorized=True), entry(3, "fog", vectorized=True))
    activation = scan(book, "fog")
    assert [verdict.code for verdict in activation.verdicts] == ["no-keys", "vector", "key-message"]


LINES = [
    ("@@activate\nbody", "in"),
    ("@@activate\r\nbody", "in"),
    ("@@activate", "in"),
    ("@@unknown 1\n@@@activate\nbody", "in"),
    ("@@@activate\nbody", "key"),
    ("text @@activate", "key"),
    ("@@activate_not_known 5\nbody", "key"),
    ("@@dont_activate\nbody", "silent"),
    ("@@dont_activate\n@@activate\nbody", "in"),
    ("@@activate\n@@is_greeting 1\nbody", "greeting"),
    ("@@activate\n@@is_greeting 0\nbody", "in"),
    ("@@activate\n@@activate_only_after 2\nbody", "in"),
    ("@@activate\n@@activate_only_after 3\nbody", "replies"),
    ("@@activate\n@@activate_only_every 2\nbody", "in"),
    ("@@activate\n@@activate_only_every 3\nbody", "every"),
    ("@@activate\n@@activate_only_every 0\nbody", "in"),
]


@pytest.mark.parametrize(("content", "outcome"), LINES)
def test_lines_that_call_an_entry(content: str, outcome: str) -> None:
    messages = (
        SceneMessage("hi", role="assistant"),
        SceneMessage("oh", role="assistant"),
        SceneMessage("fog"),
    )
    book = book_of(entry(1, "harbour", content))
    activation = scan(book, Scene(messages=messages, greeting=0))
    verdict = activation.verdict("b", "1@0")
    assert (verdict.outcome if verdict.outcome == "in" else verdict.code) == outcome
    assert all(one.text == "body" for one in activation.placed.before_character)


def test_key_lines_ask_for_more_and_keep_out() -> None:
    book = book_of(
        entry(1, "fog", "@@additional_keys lamp, ship\n@@additional_keys rain\nbody"),
        entry(2, "fog", "@@additional_keys lamp\n@@additional_keys sun\nbody"),
        entry(3, "fog", "@@exclude_keys rain\nbody"),
        entry(4, "fog", "@@exclude_keys sun\nbody"),
    )
    activation = scan(book, "fog, rain and a ship")
    assert came_in(activation) == [1, 4]
    assert activation.verdict("b", "2@0").said.args == {"key": "fog", "missing": "lamp"}
    assert activation.verdict("b", "3@0").said.args == {"key": "fog", "found": "rain"}


def test_lines_that_place_an_entry() -> None:
    book = book_of(
        entry(1, "fog", "@@depth 2\n@@role assistant\nbody"),
        entry(2, "fog", "@@position after_desc\nbody"),
        entry(3, "fog", "@@position before_desc\nbody", position="outlet"),
        entry(4, "fog", "@@position somewhere\nbody", position="after_author_note"),
        entry(5, "fog", "@@position scenario\nbody"),
    )
    placed = scan(book, story("fog", "rain", "sun")).placed
    [at_depth] = placed.at_depth
    assert (at_depth.index, [(one.key, one.role) for one in at_depth.entries]) == (1, [("1@0", "assistant")])
    assert [one.key for one in placed.after_character] == ["5@0", "2@0"]
    assert [one.key for one in placed.before_character] == ["3@0"]
    assert [one.key for one in placed.after_note] == ["4@0"]


@pytest.mark.parametrize("lines", [
    "@@position weird\n@@@depth 1", "@@position pt_x\n@@@depth 1", "@@depth one\n@@@depth 1",
    "@@position before_desc, after_desc\n@@@position pt_y\n@@@depth 1", "@@reverse_depth 2\n@@@depth 1",
])  # fmt: skip
def test_a_place_that_is_none_here_leaves_it_to_the_lines_below(lines: str) -> None:
    placed = scan(book_of(entry(1, "fog", f"{lines}\nbody")), story("rain", "fog")).placed
    assert [(place.depth, place.entries[0].text) for place in placed.at_depth] == [(1, "body")]


@pytest.mark.parametrize("line", ["activate_only_every -2", "is_greeting -1", "scan_depth -1", "depth --4"])
def test_a_number_that_says_nothing_is_as_if_it_were_not_there(line: str) -> None:
    activation = scan(book_of(entry(1, "fog", f"@@{line}\n@@@position after_desc\nbody")), story("fog"))
    assert [one.key for one in activation.placed.after_character] == ["1@0"]


def test_line_for_the_scan_depth_wins_over_the_field() -> None:
    book = book_of(entry(1, "fog", "@@scan_depth 1\nbody", scan_depth=3), entry(2, "fog", scan_depth=3))
    assert came_in(scan(book, story("fog", "rain"))) == [2]


def test_an_entry_that_yields_is_the_first_to_go_without() -> None:
    book = book_of(
        entry(1, "fog", "@@ignore_on_max_context\n123456", insertion_order=300),
        entry(2, "fog", "123456"),
    )
    activation = scan(book, "fog", budget_tokens=10)
    assert (came_in(activation), code_of(activation, 1)) == ([2], "budget")


@pytest.mark.parametrize(("second", "logic", "text", "code"), [
    ("a|b", "and_any", "fog a", "key-message"),
    ("a|b", "and_any", "fog", "second-any"),
    ("a|b", "not_all", "fog a", "key-message"),
    ("a|b", "not_all", "fog a b", "second-not-all"),
    ("a|b", "not_any", "fog", "key-message"),
    ("a|b", "not_any", "fog b", "second-not-any"),
    ("a|b", "and_all", "fog b a", "key-message"),
    ("a|b", "and_all", "fog b", "second-all"),
    ("", "and_all", "fog", "key-message"),
    (" ", "and_all", "fog", "key-message"),
    ("a|b", "and_all", "a b", "key"),
])  # fmt: skip
def test_logics_of_second_keys(second: str, logic: str, text: str, code: str) -> None:
    activation = scan(book_of(entry(1, "fog", second=second, selective_logic=logic)), text)
    assert code_of(activation, 1) == code
    idle = entry(1, "fog", second=second, selective_logic=logic, selective=False)
    assert came_in(scan(book_of(idle), text)) == ([1] if "fog" in text else [])
