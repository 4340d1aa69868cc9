"""Tools a preset asks for: mapped onto ours, left out, or sent alone; and a call folded back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from formats.notes import Notes
from formats.preset.model import DeclaredTool, PresetPackage, ToolMode, ToolPolicy
from formats.preset.tool_policy import SENTENCES, Call, Tool, ToolPlan, plan_tools, tool_of
from tests.support.assembling import package_of
from tests.support.preset_files import prompt

pytestmark = pytest.mark.req("PRE-8")

TEXT = {"type": "string"}
REPLY = Tool(
    "reply",
    "Answers.",
    {"type": "object", "properties": {"text": TEXT, "mood": TEXT}, "required": ["text"]},
    "text",
)
LOOK = Tool("look", "Looks.", {"type": "object", "properties": {"at": TEXT}})
WRITE = DeclaredTool(
    "write_scene",
    "Writes the scene.",
    {"type": "object", "properties": {"display_stream": TEXT, "mood": TEXT}},
    "b",
)
ASKING = "Always call %TOOL_NAME%. stream_target = display_stream"


def plan(
    *declared: DeclaredTool, text: str = "", mode: ToolMode = "adapt", ours: tuple[Tool, ...] = (LOOK, REPLY)
) -> tuple[ToolPlan, list[str]]:
    package = package_of(
        prompt("a", "Plain."), prompt("b", text), prompt("off", "payload_field: never", enabled=False)
    )
    package = replace(package, declared_tools=declared, tool_policy=ToolPolicy(mode))
    notes = Notes(SENTENCES)
    return plan_tools(package, ours, notes), [finding.code for finding in notes.findings()]


def schema(plan: ToolPlan, name: str) -> dict[str, Any]:
    [tool] = [one for one in plan.tools if one.name == name]
    return dict(tool.properties)


def test_a_preset_that_asks_for_nothing_changes_nothing() -> None:
    assert plan(text="A display_stream is a stream.") == (ToolPlan((LOOK, REPLY)), [])


def test_a_tool_of_our_name_widens_ours() -> None:
    found, told = plan(replace(WRITE, name="reply"), text=ASKING)
    assert [tool.name for tool in found.tools] == ["look", "reply"]
    assert found.tools[1].description == "Answers.\n\nWrites the scene."
    assert schema(found, "reply") == {"text": TEXT, "mood": TEXT, "display_stream": TEXT}
    assert found.tools[1].parameters["required"] == ["text"]
    assert told == []
    assert found.fold_call("reply", {"display_stream": "Once", "mood": "calm"}) == Call(
        "reply", {"text": "Once", "mood": "calm"}
    )


def test_a_tool_of_another_name_hangs_beside_and_its_call_is_folded_back() -> None:
    found, _ = plan(WRITE, text=ASKING)
    assert [tool.name for tool in found.tools] == ["look", "reply", "write_scene"]
    assert found.tools[1] == REPLY
    assert found.tools[2].description == "Writes the scene."
    call = found.fold_call("write_scene", {"display_stream": "Once", "mood": "calm", "count": 3})
    assert call == Call("reply", {"text": "Once", "mood": "calm"}, ("count",))
    assert found.fold_call("look", {"at": "quay"}) == Call("look", {"at": "quay"})


def test_our_own_argument_wins_over_the_presets() -> None:
    found, _ = plan(replace(WRITE, name="reply"))
    call = found.fold_call("reply", {"text": "ours", "display_stream": "theirs"})
    assert call == Call("reply", {"text": "ours"}, ("display_stream",))


def test_prose_alone_gives_the_host_its_fields_and_no_words() -> None:
    found, _ = plan(text=ASKING)
    assert schema(found, "reply") == {"text": TEXT, "mood": TEXT, "display_stream": TEXT}
    assert found.tools[1].description == "Answers."
    assert found.fold_call("reply", {"display_stream": "Once"}).arguments == {"text": "Once"}


def test_a_prompt_that_is_off_asks_for_nothing() -> None:
    assert "never" not in schema(plan(text=ASKING)[0], "reply")


def test_no_text_of_a_prompt_goes_into_a_tool() -> None:
    found, _ = plan(WRITE, text=ASKING)
    assert not any("TOOL_NAME" in str(tool.to_json()) for tool in found.tools)


def test_without_a_host_nothing_is_added_and_that_is_told() -> None:
    assert plan(WRITE, text=ASKING, ours=(LOOK,)) == (ToolPlan((LOOK,)), ["tools.no-host"])
    assert plan(text=ASKING, ours=()) == (ToolPlan(), [])


def test_app_sends_ours_and_leaves_out_the_prompts_that_ask() -> None:
    assert plan(WRITE, text=ASKING, mode="app") == (ToolPlan((LOOK, REPLY), frozenset({"b"})), [])


def test_preset_sends_the_declared_tool_only() -> None:
    found, _ = plan(WRITE, text=ASKING, mode="preset")
    assert [tool.to_json() for tool in found.tools] == [
        {
            "type": "function",
            "function": {
                "name": WRITE.name,
                "description": WRITE.description,
                "parameters": WRITE.parameters,
            },
        }
    ]
    assert found.left_out == frozenset()
    assert plan(text=ASKING, mode="preset") == (ToolPlan(), ["tools.none-declared"])


@pytest.mark.parametrize("mode", ["adapt", "preset"])
def test_a_name_that_no_endpoint_takes_is_told(mode: ToolMode) -> None:
    found, told = plan(replace(WRITE, name="写 场景"), mode=mode)
    assert "写 场景" not in [tool.name for tool in found.tools]
    assert told[0] == "tools.bad-name"


@pytest.mark.parametrize(
    "value",
    [
        REPLY,
        {"name": "reply", "description": "Answers.", "parameters": REPLY.parameters, "payload": "text"},
        REPLY.to_json() | {"payload": "text"},
    ],
)
def test_tools_come_in_the_endpoints_form_or_flat(value: Any) -> None:
    assert tool_of(value) == REPLY


@pytest.mark.req("PRE-17")
def test_no_preset_is_known_by_its_name() -> None:
    """The same declaration gives the same plan, whatever the package is called."""
    one = PresetPackage("a", "A", "native", declared_tools=(WRITE,))
    other = replace(one, id="b", name="B", source="sillytavern")
    assert plan_tools(one, [REPLY], Notes(SENTENCES)) == plan_tools(other, [REPLY], Notes(SENTENCES))
