"""`TrialInputs`: everything a trial run puts into a preset; what the page sets, and what a case keeps."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from formats.preset.assembly import Assembly, assemble
from formats.preset.context import AssemblyContext
from formats.preset.model import MessagePolicy, PresetPackage, Squash
from formats.preset.parameters import EndpointKind
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
            history=[turn.model_dump() for turn in self.history] or self.story,
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


def message_tokens(assembly: Assembly) -> list[int]:
    """The estimate for the text of each message, for the budget."""
    return [count_tokens(text) for text in map(_text, assembly.messages)]


def _text(message: dict[str, Any]) -> str:
    content = message.get("content")
    return content if isinstance(content, str) else ""


def _inserts(inserts: tuple[InsertText, ...]) -> list[dict[str, Any]]:
    return [insert.model_dump() for insert in inserts]
