"""`TrialInputs`: everything a trial run puts into a preset; what the page sets, and what a case keeps."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from formats.preset.assembly import Assembly, assemble
from formats.preset.context import AssemblyContext
from formats.preset.model import MessagePolicy, PresetPackage, Squash
from formats.preset.parameters import EndpointKind
from formats.preset.trace import MessageTrace
from formats.text.tokens import count_tokens

MOST_CHARACTERS: Final = 2_000_000
MOST_TURNS: Final = 2_000
MOST_INSERTS: Final = 1_000

Text = Annotated[str, Field(max_length=MOST_CHARACTERS)]
Name = Annotated[str, Field(max_length=300)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Turn(_Part):
    """One message of the story so far."""

    role: Literal["system", "user", "assistant", "tool"]
    content: Text = ""
    tool_calls: Annotated[tuple[dict[str, Any], ...], Field(max_length=100)] = ()
    tool_call_id: Name = ""

    def as_history(self) -> dict[str, Any]:
        """As assembling takes it: what is empty is not said."""
        turn: dict[str, Any] = {"role": self.role, "content": self.content}
        if self.tool_calls:
            turn["tool_calls"] = list(self.tool_calls)
        if self.tool_call_id:
            turn["tool_call_id"] = self.tool_call_id
        return turn


class InsertText(_Part):
    """A text for one of the holes."""

    title: Name = ""
    text: Text = ""


Inserts = Annotated[tuple[InsertText, ...], Field(max_length=MOST_INSERTS)]


class TrialInputs(_Part):
    """The story, the turn, the inserts and the people. `policy` overrides the preset's own level of merging.

    `story` is the history as text with headings (PRE-15); it counts where there is no `history`.
    """

    history: Annotated[tuple[Turn, ...], Field(max_length=MOST_TURNS)] = ()
    story: Text = ""
    current_turn: Text = ""
    world_before: Inserts = ()
    world_after: Inserts = ()
    post_turn: Inserts = ()
    user: Name = ""
    char: Name = ""
    persona: Text = ""
    seed: int = 0
    endpoint: EndpointKind = "openai-compatible"
    policy: Squash | None = None

    def context(self) -> AssemblyContext:
        """As assembling takes it."""
        return AssemblyContext(
            history=[turn.as_history() for turn in self.history] or self.story,
            current_turn=self.current_turn,
            world_before=_inserts(self.world_before),
            world_after=_inserts(self.world_after),
            post_turn=_inserts(self.post_turn),
            user=self.user,
            char=self.char,
            persona=self.persona,
            seed=self.seed,
            endpoint=self.endpoint,
        )


def assembled(package: PresetPackage, inputs: TrialInputs) -> Assembly:
    """The messages that would leave; nothing is sent."""
    if inputs.policy is not None:
        package = replace(package, message_policy=MessagePolicy(inputs.policy))
    return assemble(package, inputs.context())


def text_of(message: Mapping[str, Any]) -> str:
    """The text of a message; empty where it is none."""
    content = message.get("content")
    return content if isinstance(content, str) else ""


def part_tokens(assembly: Assembly) -> list[list[int]]:
    """The estimate for each part of each message, in the order of the trace: whatever is added up, adds up.

    What a message has besides its text, such as calls of tools, counts with its last part.
    """
    return [_parts(message, trace) for message, trace in zip(assembly.messages, assembly.trace, strict=True)]


def message_tokens(assembly: Assembly) -> list[int]:
    """The estimate for each message."""
    return [sum(parts) for parts in part_tokens(assembly)]


def _parts(message: Mapping[str, Any], trace: MessageTrace) -> list[int]:
    text = text_of(message)
    counts = [count_tokens(text[part.start : part.end]) for part in trace.parts]
    beside = {name: value for name, value in message.items() if name not in ("role", "content")}
    if not isinstance(message.get("content"), str | None):
        beside["content"] = message["content"]
    if beside and counts:
        counts[-1] += count_tokens(json.dumps(beside, ensure_ascii=False))
    return counts


def _inserts(inserts: tuple[InsertText, ...]) -> list[dict[str, Any]]:
    return [insert.model_dump() for insert in inserts]
