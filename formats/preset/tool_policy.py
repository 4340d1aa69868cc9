"""What becomes of the tools that a preset asks for: mapped onto ours, left out, or sent alone (PRE-8).

A host tool is one of ours with a `payload`: the argument that holds the story's text. Names of further
payload arguments come only from assignments in prompts and from declared parameters, a tool's description
only from what its author wrote in the declaration; the texts of prompts are never copied.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from formats.messages import gettext_noop
from formats.notes import Notes, Sentence
from formats.preset.model import DeclaredTool, PresetPackage
from formats.preset.tool_protocol import is_tool_protocol, payload_fields_in

TOOL_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""What every endpoint takes as the name of a tool."""

SENTENCES: Final = {
    "tools.no-host": Sentence(
        "info",
        gettext_noop(
            "The preset asks for the tool {tool}; none of ours here takes a text, so it is not sent."
        ),
    ),
    "tools.bad-name": Sentence(
        "warning",
        gettext_noop(
            "The preset declares the tool {tool}; no endpoint takes such a name, so it is not sent."
        ),
    ),
    "tools.none-declared": Sentence(
        "warning",
        gettext_noop("The preset is set to send its own tools only, and it declares none."),
    ),
}


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as a model is told of it; `payload` names the argument with the story's text, if any."""

    name: str
    description: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    payload: str = ""

    @property
    def properties(self) -> Mapping[str, Any]:
        """The arguments it takes."""
        found = self.parameters.get("properties")
        return found if isinstance(found, Mapping) else {}

    def to_json(self) -> dict[str, Any]:
        """As chat endpoints take it."""
        described = {"name": self.name, "description": self.description, "parameters": dict(self.parameters)}
        return {"type": "function", "function": described}


@dataclass(frozen=True, slots=True)
class Call:
    """A model's call; `dropped` are arguments that the host tool has no place for."""

    name: str
    arguments: Mapping[str, Any]
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolPlan:
    """The tools to send, the prompts to leave out, and how a call comes back to the host.

    `aliases` are the names whose calls are meant for the host; `fields` the arguments that may hold its text.
    """

    tools: tuple[Tool, ...] = ()
    left_out: frozenset[str] = frozenset()
    host: Tool | None = None
    aliases: frozenset[str] = frozenset()
    fields: tuple[str, ...] = ()

    def fold_call(self, name: str, arguments: Mapping[str, Any]) -> Call:
        """The call as one of the host tool; any other is given back as it is."""
        if self.host is None or name not in self.aliases:
            return Call(name, arguments)
        host, payload = self.host, self.host.payload
        kept = {key: value for key, value in arguments.items() if key in host.properties}
        source = next((one for one in (payload, *self.fields) if isinstance(arguments.get(one), str)), "")
        if source:
            kept[payload] = arguments[source]
        dropped = tuple(key for key in arguments if key not in kept and key != source)
        return Call(host.name, kept, dropped)


def tool_of(value: Tool | Mapping[str, Any]) -> Tool:
    """A tool from its JSON, in the chat endpoints' form or flat; `payload` stands beside either."""
    if isinstance(value, Tool):
        return value
    inner = value.get("function")
    described = inner if isinstance(inner, Mapping) else value
    return Tool(
        str(described.get("name", "")),
        str(described.get("description") or ""),
        described.get("parameters") or {},
        str(value.get("payload") or described.get("payload") or ""),
    )


def plan_tools(package: PresetPackage, tools: Sequence[Tool | Mapping[str, Any]], notes: Notes) -> ToolPlan:
    """The package's policy over our tools. Only prompts that take part are looked at."""
    ours = tuple(tool_of(value) for value in tools)
    mode = package.tool_policy.mode
    if mode == "app":
        asking = (prompt.id for prompt in package.enabled_prompts() if is_tool_protocol(prompt.content))
        return ToolPlan(ours, left_out=frozenset(asking))
    declared = [tool for tool in package.declared_tools if _can_be_named(tool, notes)]
    if mode == "preset":
        if not declared:
            notes.add("tools.none-declared", "toolPolicy")
        return ToolPlan(tuple(Tool(one.name, one.description, one.parameters) for one in declared))
    host = next((tool for tool in ours if tool.payload), None)
    if host is None:
        for one in declared:
            notes.add("tools.no-host", one.path, tool=one.name)
        return ToolPlan(ours)
    assigned = _assigned(package)
    return _adapted(ours, host, declared, assigned) if declared or assigned else ToolPlan(ours)


def _adapted(
    ours: tuple[Tool, ...], host: Tool, declared: Sequence[DeclaredTool], assigned: list[str]
) -> ToolPlan:
    names = {tool.name for tool in ours}
    same = [one for one in declared if one.name == host.name]
    beside = [one for one in declared if one.name not in names]
    widened = host
    for one in same:
        text = "\n\n".join(filter(None, (widened.description, one.description)))
        widened = replace(_with_fields(widened, _properties(one)), description=text)
    if not beside:
        widened = _with_fields(widened, _texts(assigned))
    hung = [_with_fields(Tool(one.name, one.description, one.parameters), _texts(assigned)) for one in beside]
    fields = [*assigned, *(name for one in (*same, *beside) for name in _properties(one))]
    return ToolPlan(
        (*(widened if tool is host else tool for tool in ours), *hung),
        host=host,
        aliases=frozenset({host.name, *(one.name for one in beside)}),
        fields=tuple(dict.fromkeys(name for name in fields if name not in host.properties)),
    )


def _assigned(package: PresetPackage) -> list[str]:
    prompts = package.enabled_prompts()
    found = (name for prompt in prompts for name in payload_fields_in(prompt.content))
    return list(dict.fromkeys(found))


def _with_fields(tool: Tool, fields: Mapping[str, Any]) -> Tool:
    """The tool with optional arguments added that it does not have."""
    added = {name: schema for name, schema in fields.items() if name not in tool.properties}
    if not added:
        return tool
    properties = {**tool.properties, **added}
    return replace(tool, parameters={"type": "object", **tool.parameters, "properties": properties})


def _texts(names: Iterable[str]) -> dict[str, Any]:
    return {name: {"type": "string"} for name in names}


def _properties(tool: DeclaredTool) -> Mapping[str, Any]:
    found = tool.parameters.get("properties")
    return found if isinstance(found, Mapping) else {}


def _can_be_named(tool: DeclaredTool, notes: Notes) -> bool:
    if TOOL_NAME.fullmatch(tool.name):
        return True
    notes.add("tools.bad-name", tool.path, tool=tool.name)
    return False
