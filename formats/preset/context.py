"""What a preset is assembled with: the story so far, the turn, the inserts, and who is who."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from formats.preset.conversation import History
from formats.preset.parameters import EndpointKind
from formats.preset.tool_policy import Tool

NO_WORK: Final = "作品"
"""What `{{char}}` is where no work is bound (PRE-16)."""
NO_USER: Final = "用户"


@dataclass(frozen=True, slots=True)
class Insert:
    """A text for one of the holes: what a world's entries and rules say at this moment."""

    title: str = ""
    text: str = ""
    id: str = ""

    @property
    def written(self) -> str:
        """The title's line, then the text; a text without a title alone (D21)."""
        return "\n".join(filter(None, (self.title, self.text)))


Inserts = Sequence[Insert | Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class AssemblyContext:
    """All that is not in the preset. `seed` makes the dice; `endpoint` says which parameters are taken.

    `history`: a list of turns, or stored text with a heading for each.
    """

    history: History = ()
    current_turn: str = ""
    world_before: Inserts = ()
    world_after: Inserts = ()
    post_turn: Inserts = ()
    user: str = ""
    char: str = ""
    persona: str = ""
    seed: int | str = 0
    tools: Sequence[Tool | Mapping[str, Any]] = ()
    endpoint: EndpointKind = "openai-compatible"


def insert_of(value: Insert | Mapping[str, Any]) -> Insert:
    """An insert from its JSON."""
    if isinstance(value, Insert):
        return value
    return Insert(*(str(value.get(name) or "") for name in ("title", "text", "id")))
