"""What goes into the holes of a preset: inserts, the persona, the history and the turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from formats.preset.context import AssemblyContext, insert_of
from formats.preset.message import Message, Origin, Part
from formats.preset.model import CURRENT_TURN, PERSONA, POST_TURN, WORLD_AFTER, WORLD_BEFORE, PresetPrompt

Filling = Callable[[PresetPrompt, AssemblyContext], list[Message]]
"""Messages for a hole; empty ones are left out by whoever asks."""


def _inserts(field: str) -> Filling:
    """One system message an insert (D21)."""

    def fill(hole: PresetPrompt, context: AssemblyContext) -> list[Message]:
        inserts = map(insert_of, getattr(context, field))
        return [
            _message("system", insert.written, Origin("insert", hole.id, insert.title or insert.id, number))
            for number, insert in enumerate(inserts)
        ]

    return fill


def _persona(hole: PresetPrompt, context: AssemblyContext) -> list[Message]:
    return [_message(hole.role, context.persona, Origin("persona", hole.id))]


def _turn(hole: PresetPrompt, context: AssemblyContext) -> list[Message]:
    return [_message("user", context.current_turn, Origin("turn", hole.id))]


def _message(role: str, text: str, origin: Origin) -> Message:
    return Message(role, (Part(text, origin),))


FILLINGS: Final[Mapping[str, Filling]] = {
    WORLD_BEFORE: _inserts("world_before"),
    WORLD_AFTER: _inserts("world_after"),
    POST_TURN: _inserts("post_turn"),
    CURRENT_TURN: _turn,
    PERSONA: _persona,
}
"""By the identifier of the hole. The history is not here: it takes insertions first."""

GIVEN: Final[Mapping[str, str]] = {
    WORLD_BEFORE: "world_before",
    WORLD_AFTER: "world_after",
    POST_TURN: "post_turn",
    CURRENT_TURN: "current_turn",
}
"""The field of the context that each hole is for; what has no hole is not sent, and is named."""
