"""Pseudo tool protocols: what asks for a tool, and what only looks like it."""

from __future__ import annotations

import pytest

from formats.preset.tool_protocol import declared_tools, is_tool_protocol, payload_fields_in, placeholders_in

FORM = {
    "name": "write_scene",
    "description": "Writes the scene.",
    "parameters": {"type": "object", "properties": {"display_stream": {"type": "string"}}},
}


@pytest.mark.req("PRE-10")
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Call %TOOL_NAME% now, then %TOOL_NAME%.", ["%TOOL_NAME%"]),
        ("%STREAM_FIELD% and %FUNCTION%", ["%STREAM_FIELD%", "%FUNCTION%"]),
        ("50% of %APPDATA% or %E4%BD%A0", []),
        ("%tool_name%", []),
    ],
)
def test_placeholders_name_a_tool(text: str, found: list[str]) -> None:
    assert placeholders_in(text) == found


@pytest.mark.req("PRE-8")
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("stream_target = display_stream", ["display_stream"]),
        ('Stream_Target: "body_text"', ["body_text"]),
        ("The field display_stream is shown; stream_target says which.", []),
        ("my_stream_target = other", []),
    ],
)
def test_only_assigned_names_are_fields(text: str, found: list[str]) -> None:
    assert payload_fields_in(text) == found
    assert is_tool_protocol(text) == bool(found)


@pytest.mark.req("PRE-8", "PRE-10")
@pytest.mark.parametrize(
    ("bindings", "path"),
    [
        ([{"form": FORM}], "T[0]"),
        ({"tools": [{"form": FORM, "enabled": True}]}, "T.tools[0]"),
        ({"write": {"type": "function", "function": FORM}}, "T.write"),
        (FORM, "T"),
    ],
)
def test_tools_are_found_where_the_plug_in_has_put_them(bindings: object, path: str) -> None:
    (tool,) = declared_tools(bindings, "T")
    assert (tool.name, tool.description, tool.path) == ("write_scene", "Writes the scene.", path)
    assert tool.parameters == FORM["parameters"]


@pytest.mark.parametrize(
    "parameters",
    [
        '{"display_stream": {"type": "string", "required": true}}',
        [{"name": "display_stream", "type": "string", "required": True}],
        {"display_stream": {"type": "string", "required": True}},
    ],
)
def test_parameters_become_a_schema(parameters: object) -> None:
    (tool,) = declared_tools([{"form": {"name": "w", "parameters": parameters}}], "T")
    assert tool.parameters == {
        "type": "object",
        "properties": {"display_stream": {"type": "string"}},
        "required": ["display_stream"],
    }


@pytest.mark.parametrize("bindings", [None, "x", 4, [], {"enabled": True}, [{"form": {"name": ""}}]])
def test_nothing_is_made_up(bindings: object) -> None:
    assert declared_tools(bindings, "T") == []


def test_a_name_counts_once_and_nesting_is_bounded() -> None:
    deep: object = {"form": FORM}
    for _ in range(50):
        deep = {"in": deep}
    assert declared_tools(deep, "T") == []
    assert len(declared_tools([{"form": FORM}, {"form": FORM}], "T")) == 1
