"""Pseudo tool protocols: presets that ask in prose for a tool call (seed 4.7). Found here, never obeyed.

Two forms are known: a tool declared as data (`SPreset.ToolBindings`), and prompts that name a tool by a
placeholder (`%TOOL_NAME%`) and say by assignments which argument is shown (`stream_target = display_stream`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from formats.preset.model import DeclaredTool
from formats.stable_json import read_json

PLACEHOLDER: Final = re.compile(r"%([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)%")
OF_A_TOOL: Final = frozenset(
    {"TOOL", "TOOLS", "FUNCTION", "CALL", "STREAM", "PAYLOAD", "ARG", "ARGS", "ARGUMENT", "PARAM", "FIELD"}
)
"""A placeholder with one of these words stands for a tool or a part of one."""

ASSIGNMENT: Final = re.compile(
    r"(?<![\w.])(?:stream|display|output|payload|content|text)_(?:target|field|argument|param(?:eter)?|key)"
    r"""\s*(?:=|:=|:|：)\s*["'`“「]?([A-Za-z_][A-Za-z0-9_]{0,63})""",
    re.IGNORECASE,
)

DEPTH: Final = 6
"""How deep declared tools are looked for inside `ToolBindings`: the plug-in has nested them differently."""
LONGEST_SCHEMA: Final = 100_000
MOST_TOOLS: Final = 64


def placeholders_in(text: str) -> list[str]:
    """The placeholders to map, as written (`%TOOL_NAME%`), each once; other words between `%` are not."""
    if "%" not in text:
        return []
    found = (match[0] for match in PLACEHOLDER.finditer(text) if OF_A_TOOL & set(match[1].split("_")))
    return list(dict.fromkeys(found))


def payload_fields_in(text: str) -> list[str]:
    """The argument names that a prompt assigns, each once: a name merely mentioned is none."""
    return list(dict.fromkeys(match[1] for match in ASSIGNMENT.finditer(text)))


def is_tool_protocol(text: str) -> bool:
    """Whether a prompt's text asks for a tool call in prose."""
    return bool(placeholders_in(text) or payload_fields_in(text))


def declared_tools(bindings: Any, path: str) -> list[DeclaredTool]:
    """The tools declared in a `ToolBindings` value at `path`; each name once, the first counts.

    A binding holds a `form` with `name` and `parameters`, or these themselves.
    """
    found: dict[str, DeclaredTool] = {}
    for tool in _tools_in(bindings, path, DEPTH):
        if len(found) == MOST_TOOLS:
            break
        found.setdefault(tool.name, tool)
    return list(found.values())


def _tools_in(value: Any, path: str, depth: int) -> Iterator[DeclaredTool]:
    if depth == 0:
        return
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _tools_in(item, f"{path}[{index}]", depth - 1)
    elif isinstance(value, Mapping):
        tool = _tool_of(value, path)
        if tool is not None:
            yield tool
            return
        for name, item in value.items():
            if isinstance(item, list | Mapping):
                yield from _tools_in(item, f"{path}.{name}", depth - 1)


def _tool_of(binding: Mapping[str, Any], path: str) -> DeclaredTool | None:
    form = binding.get("form")
    if not isinstance(form, Mapping):
        form = binding.get("function")
    form = form if isinstance(form, Mapping) else binding
    name = form.get("name")
    if not isinstance(name, str) or not name.strip() or "parameters" not in form:
        return None
    description = form.get("description") or binding.get("description")
    return DeclaredTool(
        name.strip(),
        description if isinstance(description, str) else "",
        _schema_of(form["parameters"]),
        path,
    )


def _schema_of(parameters: Any) -> Mapping[str, Any]:
    """A JSON schema of the parameters: written so, as its text, as a list of fields, or as a map of them."""
    if isinstance(parameters, str) and len(parameters) <= LONGEST_SCHEMA:
        try:
            parameters = read_json(parameters)
        except ValueError:
            return {"type": "object", "properties": {}}
    if isinstance(parameters, list):
        named = {
            str(field["name"]): field
            for field in parameters
            if isinstance(field, Mapping) and field.get("name")
        }
        return _object_schema(named)
    if not isinstance(parameters, Mapping):
        return {"type": "object", "properties": {}}
    if isinstance(parameters.get("properties"), Mapping) or parameters.get("type") == "object":
        return {"type": "object", **parameters}
    return _object_schema({name: field for name, field in parameters.items() if isinstance(field, Mapping)})


def _object_schema(fields: Mapping[str, Any]) -> dict[str, Any]:
    properties = {
        name: {key: item for key, item in field.items() if key not in ("name", "required")}
        for name, field in fields.items()
    }
    required = [name for name, field in fields.items() if field.get("required") is True]
    return {"type": "object", "properties": properties, "required": required}
