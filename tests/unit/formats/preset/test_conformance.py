"""What a preset declares is what leaves: exact messages for every row of the contract's table 7.1."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.preset import AssemblyContext, PresetPackage, assemble, read_preset
from formats.preset.model import MessagePolicy, OrderItem, PresetPrompt
from formats.text.macros import MacroContext, expand
from tests.support.assembling import HISTORY, codes, package_of, sent
from tests.support.preset_files import marker, place, preset, prompt, usual

pytestmark = pytest.mark.req("PRE-20")


@pytest.mark.req("PRE-4", "PRE-6")
def test_row_content_goes_in_as_written_with_its_macros_expanded() -> None:
    package = package_of(prompt("a", "  One {{user}}.\n"), prompt("b", "<user>{{time}}</user>"))
    assert sent(package, user="Ana") == ["system:   One Ana.\n", "system: <user>{{time}}</user>"]


@pytest.mark.req("PRE-4")
def test_row_role_is_kept_prompt_by_prompt() -> None:
    roles = ("system", "user", "assistant", "user")
    package = package_of(*(prompt(f"p{n}", f"T{n}", role=role) for n, role in enumerate(roles)))
    assert sent(package) == ["system: T0", "user: T1", "assistant: T2", "user: T3"]


@pytest.mark.parametrize(
    ("in_prompt", "in_order", "messages"),
    [
        ({}, True, ["system: T"]),
        ({"enabled": True}, True, ["system: T"]),
        ({"enabled": False}, True, []),
        ({"enabled": True}, False, []),
        ({"enabled": False}, False, []),
    ],
)
@pytest.mark.req("PRE-2")
def test_row_both_switches_have_to_be_on(
    in_prompt: dict[str, bool], in_order: bool, messages: list[str]
) -> None:
    one = {**{k: v for k, v in prompt("a", "T").items() if k != "enabled"}, **in_prompt}
    assert sent(package_of(one, order=[place("a", in_order)])) == messages


@pytest.mark.req("PRE-2")
def test_row_the_order_decides_and_the_list_of_prompts_means_nothing() -> None:
    package = package_of(prompt("a", "A"), prompt("b", "B"), prompt("c", "C"), order=["c", "a", "b"])
    assert sent(package) == ["system: C", "system: A", "system: B"]


@pytest.mark.req("PRE-2")
def test_row_of_several_orders_100001_is_taken_else_the_one_with_most_content() -> None:
    orders = [
        {"character_id": 100000, "order": [place("b"), place("a")]},
        {"character_id": 100001, "order": [place("a")]},
    ]
    file = preset([prompt("a", "A"), prompt("b", "B")], [])
    assert sent(read_preset({**file, "prompt_order": orders})[0]) == ["system: A"]
    orders[1] = {"character_id": 7, "order": [place("a")]}
    assert sent(read_preset({**file, "prompt_order": orders})[0]) == ["system: B", "system: A"]


@pytest.mark.req("PRE-2")
def test_row_what_is_not_in_the_order_is_not_sent_and_is_kept() -> None:
    package = package_of(prompt("a", "A"), prompt("b", "B"), order=["a"])
    assert sent(package) == ["system: A"]
    assert package.by_id["b"].content == "B"


@pytest.mark.req("PRE-5")
def test_row_depth_prompts_go_into_the_history_from_its_end() -> None:
    def deep(identifier: str, depth: int, order: int, role: str = "system") -> dict[str, Any]:
        place_of_it = {"injection_position": 1, "injection_depth": depth, "injection_order": order}
        return prompt(identifier, identifier, role=role, **place_of_it)

    package = package_of(
        deep("d0", 0, 0),
        deep("d1-late", 1, 200),
        deep("d1", 1, 100, role="user"),
        prompt("main", "M"),
        deep("far", 99, 0, role="assistant"),
        marker("chatHistory"),
        prompt("end", "E"),
    )
    assert sent(package, history=HISTORY, current_turn="NOW", world_after=[{"text": "W"}]) == [
        "system: M",
        "assistant: far",
        "user: U1",
        "assistant: A1",
        "user: U2",
        "user: d1",
        "system: d1-late",
        "assistant: A2",
        "system: d0",
        "system: W",
        "user: NOW",
        "system: E",
    ]


@pytest.mark.req("PRE-15")
def test_row_the_history_opens_into_real_turns() -> None:
    package = package_of(prompt("a", "A"), marker("chatHistory"))
    text = "## 用户\n第一句\n\n第二段\n## 助手\n回答\n## 用户\n再来"
    opened = ["system: A", "user: 第一句\n\n第二段", "assistant: 回答", "user: 再来"]
    assert sent(package, history=text) == opened
    turns = [{"role": line.split(": ")[0], "content": line.split(": ", 1)[1]} for line in opened[1:]]
    assert sent(package, history=turns) == opened


@pytest.mark.req("PRE-4")
def test_row_persona_description_is_the_persona() -> None:
    package = package_of(prompt("a", "A"), marker("personaDescription"), prompt("b", "B"))
    assert sent(package, persona="A {{user}} painter.") == [
        "system: A",
        "system: A {{user}} painter.",
        "system: B",
    ]
    assert sent(package) == ["system: A", "system: B"]


@pytest.mark.req("PRE-6", "PRE-16")
def test_row_macros() -> None:
    texts = [
        "{{// gone\naltogether }}{{trim}}  x  ",
        "{{user}}/{{char}}/{{persona}}/{{lastUserMessage}}",
        "{{setvar::k::1}}",
        "{{addvar::k::2}}{{addvar::l::a}}{{addvar::l::b}}",
        "{{getvar::k}}{{getvar::l}}{{roll:2d1+3}}{{roll 1}}",
    ]
    package = package_of(*(prompt(f"p{n}", text) for n, text in enumerate(texts)), marker("chatHistory"))
    names = {"user": "Ana", "char": "Lina", "persona": "P", "current_turn": "Hi"}
    assert sent(package, **names) == ["system: x", "system: Ana/Lina/P/Hi", "system: 3ab51", "user: Hi"]
    assert sent(package)[1] == "system: 用户/作品//"


@pytest.mark.req("PRE-11")
def test_row_generation_parameters() -> None:
    given_to_it: dict[str, Any] = {
        "temperature": 0.7,
        "top_p": 0.9,
        "top_k": 40,
        "min_p": 0.05,
        "frequency_penalty": 0.1,
        "presence_penalty": 0.2,
        "repetition_penalty": 1.1,
        "openai_max_context": 8000,
        "openai_max_tokens": 500,
        "stream_openai": True,
        "verbosity": "low",
        "seed": 5,
        "n": 2,
        "reasoning_effort": "high",
    }
    package = package_of(prompt("a", "A"), **given_to_it)
    assert assemble(package, AssemblyContext()).parameters == {
        "temperature": 0.7,
        "top_p": 0.9,
        "top_k": 40,
        "min_p": 0.05,
        "frequency_penalty": 0.1,
        "presence_penalty": 0.2,
        "repetition_penalty": 1.1,
        "max_tokens": 500,
        "stream": True,
        "verbosity": "low",
        "seed": 5,
        "n": 2,
    }
    assert codes(package) == ["generation.effort"]


@pytest.mark.parametrize(
    ("value", "messages"),
    [
        (False, ["system: A", "system: B", "user: NOW"]),
        (True, ["system: A\n\nB", "user: NOW"]),
        ("none", ["system: A", "system: B", "user: NOW"]),
        (2, ["user: A\n\nB\n\nNOW"]),
        ("strict", ["user: A\n\nB\n\nNOW"]),
        (4, ["user: A\n\nB\n\nNOW"]),
        (None, ["user: A\n\nB\n\nNOW"]),
    ],
)
@pytest.mark.req("PRE-7")
def test_row_squash(value: Any, messages: list[str]) -> None:
    file = preset([prompt("a", "A"), prompt("b", "B"), marker("chatHistory")])
    file.pop("squash_system_messages")
    if value is not None:
        file["squash_system_messages"] = value
    assert sent(read_preset(file)[0], current_turn="NOW") == messages


HOST = {"name": "reply", "description": "Answers.", "payload": "text"} | {
    "parameters": {"type": "object", "properties": {"text": {"type": "string"}}}
}


@pytest.mark.parametrize(
    ("mode", "messages", "tools"),
    [
        ("adapt", ["system: A", "system: stream_target = display_stream"], ["reply", "write_scene"]),
        ("app", ["system: A"], ["reply"]),
        ("preset", ["system: A", "system: stream_target = display_stream"], ["write_scene"]),
    ],
)
@pytest.mark.req("PRE-8")
def test_row_pseudo_tool_protocol(mode: Any, messages: list[str], tools: list[str]) -> None:
    form = {"name": "write_scene", "parameters": {"properties": {"display_stream": {"type": "string"}}}}
    package = package_of(
        prompt("a", "A"),
        prompt("b", "stream_target = display_stream"),
        extensions={"SPreset": {"ToolBindings": [{"form": form}]}},
    )
    package = replace(package, tool_policy=replace(package.tool_policy, mode=mode))
    assembly = assemble(package, AssemblyContext(tools=[HOST]))
    assert [f"{one['role']}: {one['content']}" for one in assembly.messages] == messages
    assert [one["function"]["name"] for one in assembly.tools] == tools


@pytest.mark.req("PRE-3", "PRE-4")
def test_the_six_parts_of_the_sandwich() -> None:
    file = usual(
        marker("worldInfoBefore"),
        marker("charDescription", content="Never sent."),
        marker("worldInfoAfter"),
        marker("dialogueExamples"),
        after=[prompt("late", "Late.", role="assistant")],
    )
    package, _ = read_preset(file)
    assert sent(
        package,
        history=HISTORY[:2],
        current_turn="NOW {{user}}",
        world_before=[{"title": "Quay", "text": "Old."}, {"title": "", "text": "{{char}}"}],
        world_after=[{"title": "Order", "text": "Two fish."}],
        post_turn=[{"text": "Write."}, {"title": "", "text": ""}],
    ) == [
        "system: Tell the story of the harbour.",
        "system: Quay\nOld.",
        "system: {{char}}",
        "user: U1",
        "assistant: A1",
        "system: Order\nTwo fish.",
        "user: NOW {{user}}",
        "assistant: Late.",
        "system: Stay in the story.",
        "system: Write.",
    ]


PROMPTS = st.builds(
    PresetPrompt,
    id=st.uuids().map(str),
    name=st.just("P"),
    content=st.sampled_from(
        ["", " ", "{{setvar::k::1}}\n", "x", "{{getvar::k}}", "{{user}}", "{{nope}}", " y\n"]
    )
    | st.text(max_size=20),
    role=st.sampled_from(["system", "user", "assistant"]),
    enabled=st.booleans(),
)


@given(st.lists(st.tuples(PROMPTS, st.booleans()), max_size=8))
def test_with_nothing_but_prompts_their_expanded_texts_leave_in_order(
    prompts: list[tuple[PresetPrompt, bool]],
) -> None:
    order = tuple(OrderItem(one.id, on, index) for index, (one, on) in enumerate(prompts))
    package = PresetPackage("p", "P", "native", tuple(one for one, _ in prompts), order)
    package = replace(package, message_policy=MessagePolicy("none"))
    shared = MacroContext(user="Ana", char="Lina")
    on = [one for one, in_order in prompts if in_order and one.enabled]
    texts = [(one.role, expand(one.content, shared).text) for one in on]
    assert sent(package, user="Ana", char="Lina") == [
        f"{role}: {text}" for role, text in texts if text.strip()
    ]
