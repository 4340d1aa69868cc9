"""Assembly: holes, depth, variables over prompts, what is told, and where each text came from."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.errors import DomainError
from formats.preset import AssemblyContext, Insert, PresetError, assemble, read_preset
from formats.preset.depth import Placed, with_insertions
from formats.preset.message import JOINER, Message, Origin, Part
from formats.preset.model import Injection, PresetPackage, ToolMode, ToolPolicy
from formats.stable_json import canonical_json
from tests.support.assembling import HISTORY, codes, package_of, sent
from tests.support.preset_files import marker, place, presets, prompt
from tests.unit.formats.preset.test_shaping import ANSWER, CALL


def deep(identifier: str, depth: int | None, order: int | None = None, **fields: Any) -> dict[str, Any]:
    """A prompt for the history whose text is its identifier."""
    given_to_it = {"injection_depth": depth, "injection_order": order}
    known = {name: value for name, value in given_to_it.items() if value is not None}
    return prompt(identifier, identifier, injection_position=1, **known, **fields)


@pytest.mark.req("PRE-6")
def test_variables_are_built_up_over_prompts_in_the_order_of_the_list() -> None:
    """SillyTavern PR #5099: reset, additions, one reading. Depth prompts run at their place in the list."""
    package = package_of(
        prompt("reset", "{{setvar::rules::}}"),
        prompt("one", "{{addvar::rules::A}}"),
        prompt("off", "{{addvar::rules::X}}", enabled=False),
        deep("in-history", 0) | {"content": "{{addvar::rules::B}}[{{getvar::rules}}]"},
        prompt("read", "{{getvar::rules}}"),
        prompt("late", "{{addvar::rules::C}}"),
        marker("chatHistory"),
    )
    assert sent(package, history=HISTORY[:1]) == ["system: AB", "user: U1", "system: [AB]"]
    assembly = assemble(package, AssemblyContext(history=HISTORY[:1]))
    assert assembly.variables == {"rules": "ABC"}
    assert [one.to_json() for one in assembly.unsent][:2] == [
        {"promptId": "reset", "reason": "empty"},
        {"promptId": "one", "reason": "empty"},
    ]


@pytest.mark.req("PRE-6")
def test_variables_live_for_one_assembly() -> None:
    package = package_of(prompt("a", "[{{getvar::k}}]{{setvar::k::1}}"))
    assert sent(package) == sent(package) == ["system: []"]


@pytest.mark.req("PRE-6")
def test_history_inserts_and_the_turn_are_not_expanded() -> None:
    package = package_of(prompt("a", "{{lastUserMessage}}"), marker("chatHistory"))
    raw = "{{user}}{{setvar::k::1}}"
    assert sent(package, history=[{"role": "user", "content": raw}], world_before=[{"text": raw}]) == [
        f"system: {raw}",
        f"system: {raw}",
        f"user: {raw}",
    ]


@pytest.mark.req("PRE-6")
def test_macros_in_what_fills_a_place_are_named_and_left() -> None:
    package = package_of(marker("personaDescription"), marker("chatHistory"), prompt("end", "{{user}}"))
    filled: dict[str, Any] = {
        "persona": "{{user}} of {{ char }}, {{user}} and {{mystery}}",
        "world_before": [{"text": "{{roll:1d6}}"}],
        "history": [{"role": "user", "content": "{{// a note }}{{roll}}"}],
        "current_turn": "{{user",
    }
    assembly = assemble(package, AssemblyContext(**filled))
    told = {one.where: one.args["names"] for one in assembly.findings if one.code == "macro.in-filling"}
    assert told == {
        "prompts.personaDescription": "{{user}}, {{char}}",
        "prompts.worldBookBefore": "{{roll}}",
        "prompts.chatHistory": "{{//}}",
    }
    assert assembly.messages[0]["content"] == filled["persona"]


@pytest.mark.req("PRE-6")
def test_a_comment_or_a_macro_over_two_prompts_stays_as_written() -> None:
    package = package_of(prompt("a", "{{setvar::k::open"), prompt("b", "closed}}"))
    assert sent(package) == ["system: {{setvar::k::open", "system: closed}}"]


@pytest.mark.req("PRE-5")
@pytest.mark.parametrize(
    ("prompts", "at"),
    [
        ([deep("x", 0)], ["U1", "A1", "U2", "A2", "x"]),
        ([deep("x", 1)], ["U1", "A1", "U2", "x", "A2"]),
        ([deep("x", 4)], ["x", "U1", "A1", "U2", "A2"]),
        ([deep("x", 6), deep("y", 9999)], ["y", "x", "U1", "A1", "U2", "A2"]),
        ([deep("x", None)], ["x", "U1", "A1", "U2", "A2"]),
        ([deep("x", 1, 201), deep("y", 1, 0), deep("z", 1, 100)], ["U1", "A1", "U2", "y", "z", "x", "A2"]),
        ([deep("x", 1, 100), deep("y", 1)], ["U1", "A1", "U2", "y", "x", "A2"]),
        (
            [deep("x", 1, 5, role="user"), deep("y", 1, 5), deep("z", 1, 5, role="assistant")],
            ["U1", "A1", "U2", "x", "y", "z", "A2"],
        ),
        ([deep("x", 1) | {"injection_position": 2}], ["x", "U1", "A1", "U2", "A2"]),
        ([deep("x", 1) | {"injection_position": 0}], ["x", "U1", "A1", "U2", "A2"]),
    ],
)
def test_depth(prompts: list[dict[str, Any]], at: list[str]) -> None:
    package = package_of(*prompts, marker("chatHistory"))
    assert [line.split(": ")[1] for line in sent(package, history=HISTORY)] == at


@pytest.mark.req("PRE-5")
def test_without_a_history_depth_prompts_stand_at_the_end_as_collected() -> None:
    prompts = (deep("x", 0), deep("y", 9, 5), prompt("main", "M"), marker("chatHistory"), prompt("end", "E"))
    lines = ["system: M", "user: NOW", "system: E", "system: x", "system: y"]
    assert sent(package_of(*prompts), current_turn="NOW") == lines
    off = package_of(*prompts, order=["x", "y", "main", place("chatHistory", False), "end"])
    assert sent(off, history=HISTORY) == ["system: M", "system: E", "system: x", "system: y"]


@pytest.mark.req("PRE-5")
def test_prompts_for_a_history_that_is_not_there_are_named() -> None:
    prompts = (deep("x", 0), deep("y", 9, 5), deep("z", 1), prompt("main", "M"), marker("chatHistory"))
    package = package_of(*prompts[:2], prompt("z", "{{trim}}"), *prompts[3:])
    told = [one for one in assemble(package).findings if one.code == "assembly.no-history-yet"]
    assert [(one.severity, one.where) for one in told] == [("info", "prompts.chatHistory")]
    assert told[0].text.startswith("No history is sent yet, so 2 prompts")
    assert "X, Y" in told[0].text
    assert "assembly.no-history-yet" not in codes(package, history=HISTORY)
    assert "assembly.no-history-yet" not in codes(package_of(*prompts[3:]))


@pytest.mark.req("PRE-5", "PRE-7")
def test_nothing_comes_between_a_call_and_its_answer() -> None:
    history = [HISTORY[0], CALL, ANSWER, ANSWER]
    for depth in (1, 2, 3):
        package = package_of(deep("x", depth), marker("chatHistory"))
        assert [line.split(": ")[1] for line in sent(package, history=history)][:3] == ["U1", "x", "None"]


@pytest.mark.req("PRE-5")
def test_a_persona_can_stand_in_the_history() -> None:
    hole = marker("personaDescription", injection_position=1, injection_depth=1, role="user")
    assert sent(package_of(hole, marker("chatHistory")), history=HISTORY[:2], persona="P") == [
        "user: U1",
        "user: P",
        "assistant: A1",
    ]


@pytest.mark.req("PRE-4")
def test_empty_markers_stay_empty_whatever_their_file_holds() -> None:
    names = (
        "worldInfoBefore",
        "charDescription",
        "charPersonality",
        "scenario",
        "worldInfoAfter",
        "dialogueExamples",
    )
    package = package_of(*(marker(name, content="never", role="system") for name in names))
    assembly = assemble(package, AssemblyContext(persona="P", world_before=[Insert("T", "text")]))
    assert [one["content"] for one in assembly.messages] == ["T\ntext"]
    assert {(one.prompt_id, one.reason) for one in assembly.unsent} >= {
        (name, "hole-not-filled") for name in names
    }


@pytest.mark.req("PRE-4")
def test_the_history_and_the_turn_are_sent_once_whatever_the_order_says() -> None:
    package = package_of(marker("chatHistory"))
    again = replace(package, prompt_order=package.prompt_order * 2)
    assert sent(again, history=HISTORY[:1], current_turn="NOW") == ["user: U1", "user: NOW"]
    assert {one.reason for one in assemble(again, AssemblyContext()).unsent} == {"hole-empty", "hole-twice"}


def test_blanks_alone_are_nothing() -> None:
    package = package_of(prompt("a", " \n"), marker("personaDescription"), marker("chatHistory"))
    blanks: dict[str, Any] = {"current_turn": " ", "persona": "\n", "world_before": [{"text": " "}]}
    assert sent(package, **blanks, history=[{"role": "user", "content": "\t"}]) == []


def test_what_has_no_place_is_named() -> None:
    package = PresetPackage("p", "P", "native")
    given_to_it = {"current_turn": "x", "world_before": [{"text": "x"}], "history": HISTORY}
    assembly = assemble(package, AssemblyContext(**given_to_it))  # type: ignore[arg-type]
    assert assembly.messages == []
    assert [(one.code, one.where) for one in assembly.findings] == [
        ("assembly.no-place", "worldBookBefore"),
        ("assembly.no-place", "currentTurn"),
        ("assembly.no-place", "chatHistory"),
    ]
    assert codes(package) == []


def test_macros_that_are_left_are_named_by_prompt() -> None:
    package = package_of(prompt("a", "{{time}} {{time}} {{roll:9999d6}}"), prompt("b", "{{roll:x}}."))
    findings = assemble(package, AssemblyContext()).findings
    assert [(one.code, one.where) for one in findings] == [
        ("macro.too-many-dice", "prompts.a"),
        ("macro.left", "prompts.a"),
        ("macro.no-dice", "prompts.b"),
    ]


def test_macros_of_all_prompts_share_one_bound() -> None:
    doubling = "{{setvar::a::{{getvar::a}}{{getvar::a}}}}" * 8
    filling = [prompt(f"p{n}", "{{getvar::a}}" * 40) for n in range(20)]
    package = package_of(prompt("first", "{{setvar::a::" + "x" * 4000 + "}}" + doubling), *filling)
    assembly = assemble(package, AssemblyContext())
    assert "macro.too-much" in {finding.code for finding in assembly.findings}
    assert sum(len(one["content"]) for one in assembly.messages) < 20_000_000


@pytest.mark.req("PRE-16")
def test_one_seed_gives_one_set_of_messages() -> None:
    package = package_of(*(prompt(f"p{n}", "{{roll:3d20}}") for n in range(5)))
    assert sent(package, seed="a") == sent(package, seed="a") != sent(package, seed="b")


@pytest.mark.req("PRE-15")
@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("## 用户\n\n## 助手\nA", ["assistant: A"]),
        ("Once.\n## 用户\r\nB\r\n", ["assistant: Once.", "user: B"]),
        ("## 用户\nA\n### 用户\nB\n## 用户们\nC", ["user: A\n### 用户\nB\n## 用户们\nC"]),
        ("## User\nA\n## Assistant\nB", ["user: A", "assistant: B"]),
        ("## 用户\nA\n## 用户\nB", ["user: A", "user: B"]),
    ],
)
def test_stored_conversations(text: str, lines: list[str]) -> None:
    assert sent(package_of(marker("chatHistory")), history=text) == lines


@pytest.mark.req("PRE-15")
def test_a_turn_keeps_what_an_endpoint_needs_and_nothing_of_the_store() -> None:
    turn = {**CALL, "name": "Ana", "id": 7, "created": "now"}
    package = package_of(marker("chatHistory"))
    assert assemble(package, AssemblyContext(history=[turn])).messages == [CALL]
    with pytest.raises(DomainError) as refused:
        assemble(package, AssemblyContext(history=[{"role": "wizard", "content": "x"}]))
    assert (refused.value.code, refused.value.where) == ("history.role", "history[0].role")


def test_an_assembly_is_json() -> None:
    package = package_of(prompt("a", "{{nope}}"), marker("scenario"), deep("d", 1), marker("chatHistory"))
    written = assemble(package, AssemblyContext(history=HISTORY[:2], tools=[{"name": "f"}])).to_json()
    assert written["trace"][2] == {
        "zone": "history",
        "parts": [{"kind": "prompt", "id": "d", "depth": 1, "start": 0, "end": 1}],
    }
    assert written["trace"][3]["parts"] == [{"kind": "history", "number": 1, "start": 0, "end": 2}]
    assert written["unsent"][0] == {"promptId": "scenario", "reason": "hole-not-filled"}
    assert [one["code"] for one in written["findings"]] == ["macro.left"]
    assert written["tools"][0]["function"]["name"] == "f"


@given(st.data())
def test_every_span_of_the_trace_is_the_text_of_its_origin(data: st.DataObject) -> None:
    level = data.draw(st.sampled_from(["none", "merge", "semi", "strict", "single-user-turn"]))
    roles = data.draw(st.lists(st.sampled_from(["system", "user", "assistant"]), min_size=1, max_size=6))
    prompts = [prompt(f"p{n}", f"text of p{n}", role=role) for n, role in enumerate(roles)]
    package = package_of(*prompts, deep("d", 1), marker("chatHistory"), squash_system_messages=level)
    assembly = assemble(package, AssemblyContext(history=HISTORY, current_turn="NOW"))
    said = {one["id"]: one["content"] for one in (p.to_json() for p in package.prompts)}
    seen = []
    for message, trace in zip(assembly.messages, assembly.trace, strict=True):
        for origin, start, end in trace.parts:
            text = message["content"][start:end]
            if origin.kind == "prompt":
                assert text == said[origin.id]
                seen.append(origin.id)
            elif origin.kind == "history":
                assert text == HISTORY[origin.number or 0]["content"]
        assert trace.parts[-1].end == len(message["content"])
        assert sum(end - start for _, start, end in trace.parts) == len(message["content"]) - len(JOINER) * (
            len(trace.parts) - 1
        )
    assert sorted(seen) == sorted([f"p{n}" for n in range(len(roles))] + ["d"])


@given(
    st.integers(0, 8),
    st.lists(st.tuples(st.integers(0, 12), st.integers(-3, 3)), max_size=8),
)
def test_insertion_keeps_every_message_and_each_depth(turns: int, wishes: list[tuple[int, int]]) -> None:
    history = [
        Message("user", (Part(f"h{n}", Origin("history", number=n)),), "history") for n in range(turns)
    ]
    placed = [
        Placed(Message("system", (Part(f"x{n}", Origin("prompt")),)), Injection(1, depth, order))
        for n, (depth, order) in enumerate(wishes)
    ]
    result = [message.text for message in with_insertions(history, placed)]
    assert [text for text in result if text[0] == "h"] == [message.text for message in history]
    assert sorted(text for text in result if text[0] == "x") == sorted(one.message.text for one in placed)
    for one in placed:
        after = result[result.index(one.message.text) :]
        assert sum(text[0] == "h" for text in after) == min(turns, one.injection.depth_used)


@given(presets(), st.sampled_from(["app", "adapt", "preset"]))
def test_whatever_can_be_read_can_be_assembled(file: dict[str, Any], mode: ToolMode) -> None:
    try:
        package, _ = read_preset(file)
    except PresetError:
        return
    package = replace(package, tool_policy=ToolPolicy(mode))
    given_to_it = AssemblyContext(
        history=HISTORY, current_turn="NOW", tools=[{"name": "reply", "payload": "text"}]
    )
    assembly = assemble(package, given_to_it)
    assert len(assembly.trace) == len(assembly.messages)
    assert all(message["content"].strip() for message in assembly.messages)
    canonical_json(assembly.to_json())
