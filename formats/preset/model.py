"""`PresetPackage`: a preset as one frozen value, the only form of it inside the program (PRE-14).

Names here are snake_case; `to_json()` gives the contract's camelCase spelling, and what this program knows
besides (a prompt's triggers, the chosen order, declared tools) under names of the same kind. Values the file
does not give are None and are not written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, Final, Literal, get_args

Role = Literal["system", "user", "assistant"]
Source = Literal["native", "sillytavern"]
Squash = Literal["none", "merge", "semi", "strict", "single-user-turn"]
ToolMode = Literal["adapt", "app", "preset"]
Number = int | float

ROLES: Final[tuple[Role, ...]] = get_args(Role)
SQUASHES: Final[tuple[Squash, ...]] = get_args(Squash)
"""In the order of their ordinals (D20)."""
TOOL_MODES: Final[tuple[ToolMode, ...]] = get_args(ToolMode)

DEFAULT_SQUASH: Final[Squash] = "strict"
"""What applies at run time to a preset that says nothing."""

HISTORY: Final = "chatHistory"
PERSONA: Final = "personaDescription"
WORLD_BEFORE: Final = "worldBookBefore"
WORLD_AFTER: Final = "worldBookAfter"
CURRENT_TURN: Final = "currentTurn"
POST_TURN: Final = "postTurn"
OUR_HOLES: Final = (WORLD_BEFORE, WORLD_AFTER, CURRENT_TURN, POST_TURN)
"""The holes this program adds around the history; no other program knows them."""
EMPTY_MARKERS: Final = (
    "worldInfoBefore",
    "charDescription",
    "charPersonality",
    "scenario",
    "worldInfoAfter",
    "dialogueExamples",
)
"""Markers of SillyTavern that stay where they are and are never filled."""
HOLES: Final = frozenset({HISTORY, PERSONA, *OUR_HOLES, *EMPTY_MARKERS})
FIXED_HOLES: Final = frozenset({HISTORY, *OUR_HOLES})
"""Holes that are places of the line itself, so that nothing can move them into the history."""

IN_HISTORY: Final = 1
"""The injection position of a prompt that leaves the line and goes into the history."""
DEFAULT_DEPTH: Final = 4
"""Of a prompt for the history that names no depth: what SillyTavern's own form begins with."""
DEFAULT_ORDER: Final = 0


@dataclass(frozen=True, slots=True)
class Injection:
    """Where a prompt wants to stand; None is what its file does not say."""

    position: Number | None = None
    depth: Number | None = None
    order: Number | None = None

    @property
    def in_history(self) -> bool:
        """Whether the prompt leaves the line; a position other than 0 and 1 is an ordinary place."""
        return self.position == IN_HISTORY

    @property
    def depth_used(self) -> int:
        """How many messages of the history stand after it, never below zero."""
        return max(0, int(DEFAULT_DEPTH if self.depth is None else self.depth))

    @property
    def order_used(self) -> Number:
        """Its rank among the prompts of one depth: larger is later."""
        return DEFAULT_ORDER if self.order is None else self.order

    def to_json(self) -> dict[str, Any]:
        """The contract's form."""
        return _given(self)


@dataclass(frozen=True, slots=True)
class PresetPrompt:
    """One prompt of the manager.

    `id` is unique in the package: the identifier of the file, `identifier#2` for a later one of the same
    identifier, `prompt-<n>` where there is none. `raw_index` is the prompt's place in the list it was read
    from; None for what this program (or an editor) added.
    """

    id: str
    name: str
    content: str = ""
    role: Role = "system"
    enabled: bool = True
    marker: bool = False
    source_identifier: str = ""
    injection: Injection | None = None
    system_prompt: bool | None = None
    forbid_overrides: bool | None = None
    triggers: tuple[str, ...] = ()
    raw_index: int | None = None

    @property
    def is_hole(self) -> bool:
        """Whether it is filled at run time (or left empty), whatever text it holds.

        A marker of an unknown name is an ordinary prompt: nobody would fill it.
        """
        return self.marker and self.source_identifier in HOLES

    @property
    def in_history(self) -> bool:
        """Whether it leaves the line and is inserted into the history."""
        moved = self.injection is not None and self.injection.in_history
        return moved and not (self.is_hole and self.source_identifier in FIXED_HOLES)

    @property
    def is_our_hole(self) -> bool:
        """Whether it is one of the four holes this program fills."""
        return self.source_identifier in OUR_HOLES

    @property
    def was_added(self) -> bool:
        """Whether it is a hole that reading put in, since the file has no prompt for it."""
        return self.raw_index is None and self.is_hole

    def to_json(self) -> dict[str, Any]:
        """The contract's form."""
        written: dict[str, Any] = {
            "id": self.id,
            "name": self.name,
            "enabled": self.enabled,
            "role": self.role,
            "content": self.content,
            "marker": self.marker,
            "sourceIdentifier": self.source_identifier,
        }
        if self.injection is not None:
            written["injection"] = self.injection.to_json()
        if self.system_prompt is not None:
            written["systemPrompt"] = self.system_prompt
        if self.forbid_overrides is not None:
            written["forbidOverrides"] = self.forbid_overrides
        if self.triggers:
            written["triggers"] = list(self.triggers)
        if self.raw_index is not None:
            written["rawIndex"] = self.raw_index
        return written


@dataclass(frozen=True, slots=True)
class OrderItem:
    """One place of the order; `prompt_id` always names a prompt of the package."""

    prompt_id: str
    enabled: bool
    index: int

    def to_json(self) -> dict[str, Any]:
        """The contract's form."""
        return {"promptId": self.prompt_id, "enabled": self.enabled, "orderIndex": self.index}


@dataclass(frozen=True, slots=True)
class Generation:
    """The generation parameters, as the file gives them: values that mean "not set" too (D24).

    `reasoning_effort` is read and kept, and never sent: how long to think is set on the endpoint alone.
    """

    temperature: Number | None = None
    top_p: Number | None = None
    top_k: Number | None = None
    min_p: Number | None = None
    frequency_penalty: Number | None = None
    presence_penalty: Number | None = None
    repetition_penalty: Number | None = None
    max_context_tokens: Number | None = None
    max_output_tokens: Number | None = None
    stream: bool | None = None
    verbosity: str | None = None
    seed: Number | None = None
    variants: Number | None = None
    reasoning_effort: str | None = None

    def given(self) -> dict[str, Any]:
        """What the file gives, by the names of the fields here."""
        return {name: value for name in PARAMETERS if (value := getattr(self, name)) is not None}

    def meant(self) -> dict[str, Any]:
        """What is to be sent where an endpoint takes it: given, not a value for "not set", no effort."""
        return {
            name: value
            for name, value in self.given().items()
            if name != "reasoning_effort" and NOT_SET.get(name) != value
        }

    def to_json(self) -> dict[str, Any]:
        """The contract's form."""
        return {camel(name): value for name, value in self.given().items()}


PARAMETERS: Final = tuple(one.name for one in fields(Generation))
NOT_SET: Final[Mapping[str, Any]] = {
    "seed": -1,
    "top_k": 0,
    "min_p": 0,
    "repetition_penalty": 1,
    "variants": 1,
    "verbosity": "auto",
}
"""Values by which a parameter is switched off."""


@dataclass(frozen=True, slots=True)
class Unsupported:
    """A section of the file that has no effect here: its path, and why (an English template, translated)."""

    path: str
    reason: str

    def to_json(self) -> dict[str, Any]:
        """The contract's form."""
        return {"path": self.path, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class MessagePolicy:
    """How the messages are shaped before they are sent."""

    squash: Squash

    def to_json(self) -> dict[str, Any]:
        """The contract's form."""
        return {"squash": self.squash}


@dataclass(frozen=True, slots=True)
class DeclaredTool:
    """A tool the preset declares (`SPreset.ToolBindings`): what its author wrote, and the path of it."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    path: str = ""

    def to_json(self) -> dict[str, Any]:
        """As stored: the parameters are a JSON schema."""
        return {
            "name": self.name,
            "description": self.description,
            "parameters": dict(self.parameters),
            "path": self.path,
        }


@dataclass(frozen=True, slots=True)
class ToolPolicy:
    """What becomes of the tools a preset asks for."""

    mode: ToolMode = "adapt"

    def to_json(self) -> dict[str, Any]:
        """As stored."""
        return {"mode": self.mode}


@dataclass(frozen=True)
class PresetPackage:
    """A preset. `raw` is the file as it came, without its secrets; it is never changed.

    `message_policy` is None where the file says nothing (then `squash` is `strict`).
    `order_character_id` says which of the file's orders was taken; None where the file has no order.
    """

    id: str
    name: str
    source: Source
    prompts: tuple[PresetPrompt, ...] = ()
    prompt_order: tuple[OrderItem, ...] = ()
    generation: Generation = field(default_factory=Generation)
    unsupported: tuple[Unsupported, ...] = ()
    message_policy: MessagePolicy | None = None
    tool_policy: ToolPolicy = field(default_factory=ToolPolicy)
    declared_tools: tuple[DeclaredTool, ...] = ()
    order_character_id: int | str | None = None
    raw: Mapping[str, Any] | None = None

    @cached_property
    def by_id(self) -> Mapping[str, PresetPrompt]:
        """The prompts by their ids."""
        return {prompt.id: prompt for prompt in self.prompts}

    @property
    def squash(self) -> Squash:
        """The level that applies."""
        return self.message_policy.squash if self.message_policy else DEFAULT_SQUASH

    def enabled_prompts(self) -> list[PresetPrompt]:
        """The prompts that take part, in their order: switched on in the order and in themselves (PRE-2)."""
        placed = ((item, self.by_id.get(item.prompt_id)) for item in self.prompt_order if item.enabled)
        return [prompt for _, prompt in placed if prompt is not None and prompt.enabled]

    def to_json(self) -> dict[str, Any]:
        """The contract's form, with what this program keeps besides."""
        written: dict[str, Any] = {
            "id": self.id,
            "name": self.name,
            "source": self.source,
            "prompts": [prompt.to_json() for prompt in self.prompts],
            "promptOrder": [item.to_json() for item in self.prompt_order],
            "generation": self.generation.to_json(),
            "unsupported": [one.to_json() for one in self.unsupported],
        }
        if self.message_policy is not None:
            written["messagePolicy"] = self.message_policy.to_json()
        written["toolPolicy"] = self.tool_policy.to_json()
        if self.declared_tools:
            written["declaredTools"] = [tool.to_json() for tool in self.declared_tools]
        if self.order_character_id is not None:
            written["orderCharacterId"] = self.order_character_id
        if self.raw is not None:
            written["raw"] = dict(self.raw)
        return written


def camel(name: str) -> str:
    """`top_p` as the contract spells it: `topP`."""
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


def _given(value: Injection) -> dict[str, Any]:
    return {one.name: given for one in fields(value) if (given := getattr(value, one.name)) is not None}
