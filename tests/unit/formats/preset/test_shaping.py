"""Squash: the five levels on the examples of the notes, and what holds for every list of messages."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.preset import AssemblyContext, assemble, squash
from formats.preset.model import SQUASHES, Squash
from formats.preset.shaping import OPENING
from tests.support.assembling import HISTORY, codes, package_of, sent
from tests.support.preset_files import marker, prompt

pytestmark = pytest.mark.req("PRE-7")

ROLES = {"S": "system", "U": "user", "A": "assistant"}
CALL: dict[str, Any] = {
    "role": "assistant",
    "content": None,
    "tool_calls": [{"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
}
ANSWER: dict[str, Any] = {"role": "tool", "content": "done", "tool_call_id": "1"}


def listed(short: str) -> list[dict[str, Any]]:
    """`Sa Ub` as messages."""
    return [{"role": ROLES[one[0]], "content": one[1:].replace("+", "\n\n")} for one in short.split()]


def shaped(short: str, mode: Squash, history: tuple[int, int] = (0, 0)) -> str:
    messages = squash(listed(short), mode, history=history)
    return " ".join(f"{one['role'][0].upper()}{one['content']}" for one in messages).replace("\n\n", "+")


@pytest.mark.parametrize(
    ("mode", "after"),
    [
        ("none", "Sa Sb Uc Ud Se Af"),
        ("merge", "Sa+b Uc+d Se Af"),
        ("semi", "Ua+b+c+d Ae+f"),
        ("strict", "Ua+b+c+d Ae+f"),
        ("single-user-turn", "Ua+b+c+d+e+f"),
    ],
)
def test_the_worked_example_of_the_notes(mode: Squash, after: str) -> None:
    assert shaped("Sa Sb Uc Ud Se Af", mode) == after


@pytest.mark.parametrize(
    ("before", "mode", "after"),
    [
        ("Sa", "semi", "Ua"),
        ("Sa Sb", "semi", "Ua+b"),
        ("Ua Sb", "semi", "Ua+b"),
        ("Aa Sb", "semi", "Aa+b"),
        ("Sa Ab", "semi", "Aa+b"),
        ("Aa Sb Uc", "semi", "Aa Ub+c"),
        ("Sa Ab", "strict", f"U{OPENING} Aa+b"),
        ("Aa Ub", "strict", f"U{OPENING} Aa Ub"),
        ("Ua Ab", "strict", "Ua Ab"),
        ("Aa", "single-user-turn", "Ua"),
    ],
)
def test_folding_without_a_history(before: str, mode: Squash, after: str) -> None:
    assert shaped(before, mode) == after


@pytest.mark.parametrize(
    ("before", "history", "mode", "after"),
    [
        ("Sa Ub Ac Sd Ue", (1, 4), "merge", "Sa Ub Ac Sd Ue"),
        ("Sa Ub Ac Sd Ue", (1, 4), "semi", "Ua+b Ac Sd Ue"),
        ("Sa Ub Uc Ad Ue", (1, 4), "semi", "Ua+b+c Ad Ue"),
        ("Sa Ub Uc Ad Ue", (1, 4), "strict", "Ua+b+c Ad Ue"),
        ("Sa Ub Uc Ad Ue", (1, 4), "single-user-turn", "Ua Ub Uc Ad Ue"),
        ("Sa Ab Uc Ad Se Uf Ag", (2, 4), "single-user-turn", "Ua+b Uc Ad Ue+f+g"),
        ("Ub Ac Sd", (0, 2), "strict", "Ub Ac Ud"),
        ("Ab Uc Sd", (0, 2), "strict", f"U{OPENING} Ab Uc+d"),
        ("Sa Sb Uc", (1, 3), "strict", "Ua Sb Uc"),
        ("Ub Ac Sd Ae", (0, 2), "semi", "Ub Ac+d+e"),
    ],
)
def test_the_history_is_merged_at_most(
    before: str, history: tuple[int, int], mode: Squash, after: str
) -> None:
    assert shaped(before, mode, history) == after


@pytest.mark.parametrize("mode", SQUASHES)
def test_a_request_with_a_tool_group_is_merged_at_most(mode: Squash) -> None:
    messages = [*listed("Sa Sb Uc"), CALL, ANSWER, ANSWER, *listed("Ad Ae Sf")]
    merged = [*listed("Sa+b Uc"), CALL, ANSWER, ANSWER, *listed("Ad+e Sf")]
    assert squash(messages, mode) == (messages if mode == "none" else merged)


def test_messages_with_more_than_role_and_text_are_never_merged() -> None:
    named = {"role": "user", "content": "b", "name": "Ana"}
    pictures = {"role": "user", "content": [{"type": "text", "text": "c"}]}
    messages = [*listed("Ua"), named, pictures, *listed("Ud Ue")]
    assert squash(messages, "strict") == [*messages[:3], *listed("Ud+e")]
    assert squash([named, *listed("Sa")], "semi") == [named, *listed("Ua")]


def test_nothing_stays_nothing() -> None:
    assert [squash([], mode) for mode in SQUASHES] == [[]] * len(SQUASHES)


def test_there_are_no_other_levels() -> None:
    with pytest.raises(ValueError, match="no level"):
        squash([], "loose")  # type: ignore[arg-type]


MESSAGES = st.lists(
    st.one_of(
        st.builds(
            lambda role, text: {"role": role, "content": text},
            st.sampled_from(list(ROLES.values())),
            st.text(st.characters(exclude_characters="\n"), max_size=5),
        ),
        st.sampled_from([CALL, ANSWER, {"role": "user", "content": "n", "name": "Ana"}]),
    ),
    max_size=12,
)
MODES = st.sampled_from(SQUASHES)


def texts(messages: list[dict[str, Any]]) -> str:
    return "".join((one["content"] or "").replace("\n\n", "") for one in messages)


@given(MESSAGES, MODES, st.tuples(st.integers(0, 12), st.integers(0, 12)))
def test_no_character_of_text_is_lost_or_moved(
    messages: list[dict[str, Any]], mode: Squash, history: tuple[int, int]
) -> None:
    assert texts(squash(messages, mode, history=history)).removeprefix(OPENING) == texts(messages)


@given(MESSAGES, MODES)
def test_tool_groups_stay_whole_and_in_place(messages: list[dict[str, Any]], mode: Squash) -> None:
    def tools(some: list[dict[str, Any]]) -> list[Any]:
        return [one for one in some if one in (CALL, ANSWER)]

    after = squash(messages, mode)
    assert tools(after) == tools(messages)
    for index, one in enumerate(messages[:-1]):
        if one == CALL and messages[index + 1] == ANSWER:
            assert any(pair == (CALL, ANSWER) for pair in pairwise(after))


@given(MESSAGES, MODES)
def test_shaping_twice_changes_nothing_more(messages: list[dict[str, Any]], mode: Squash) -> None:
    once = squash(messages, mode)
    assert squash(once, mode) == once


@given(st.lists(st.sampled_from(list(ROLES.values())), max_size=12), st.sampled_from(["semi", "strict"]))
def test_semi_and_strict_leave_users_and_assistants_in_turn(roles: list[str], mode: Squash) -> None:
    after = [one["role"] for one in squash([{"role": role, "content": "x"} for role in roles], mode)]
    assert "system" not in after
    assert all(one != other for one, other in pairwise(after))
    assert mode == "semi" or after[:1] in ([], ["user"])


@given(
    st.lists(st.sampled_from("SUA"), max_size=5),
    st.lists(st.sampled_from("SUA"), min_size=1, max_size=6),
    st.lists(st.sampled_from("SUA"), max_size=5),
    MODES,
)
def test_turns_of_the_history_keep_their_role_and_order(
    before: list[str], history: list[str], after: list[str], mode: Squash
) -> None:
    """Each turn is found again in a message of its own role, and no turn stands with one of another role."""
    kinds = [*before, *history, *after]
    messages = [{"role": ROLES[kind], "content": f"<{number}>"} for number, kind in enumerate(kinds)]
    span = (len(before), len(before) + len(history))
    result = squash(messages, mode, history=span)
    for number in range(*span):
        [home] = [one for one in result if f"<{number}>" in one["content"]]
        assert home["role"] == messages[number]["role"]
        if mode == "single-user-turn":
            assert home == messages[number]


def test_what_was_done_is_told_and_traced() -> None:
    package = package_of(
        prompt("a", "One", role="assistant"),
        prompt("b", "Two"),
        marker("chatHistory"),
        squash_system_messages="strict",
    )
    assembly = assemble(package, AssemblyContext(history=HISTORY[:2], current_turn="NOW"))
    assert [(one["role"], one["content"]) for one in assembly.messages] == [
        ("user", OPENING),
        ("assistant", "One\n\nTwo"),
        ("user", "U1"),
        ("assistant", "A1"),
        ("user", "NOW"),
    ]
    assert [finding.code for finding in assembly.findings] == ["squash.opening"]
    assert assembly.trace[0].to_json()["parts"] == [{"kind": "opening", "start": 0, "end": len(OPENING)}]
    assert assembly.trace[1].to_json() == {
        "zone": "before",
        "parts": [
            {"kind": "prompt", "id": "a", "start": 0, "end": 3},
            {"kind": "prompt", "id": "b", "start": 5, "end": 8},
        ],
    }
    assert [one.zone for one in assembly.trace] == ["before", "before", "history", "history", "after"]


def test_a_tool_group_in_the_history_is_told() -> None:
    package = package_of(prompt("a", "One"), marker("chatHistory"), squash_system_messages="strict")
    history = [HISTORY[0], CALL, ANSWER]
    assert sent(package, history=history) == ["system: One", "user: U1", "assistant: None", "tool: done"]
    assert codes(package, history=history) == ["squash.tools"]
