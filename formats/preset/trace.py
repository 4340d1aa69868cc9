"""Where each message that leaves came from, also after messages were merged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from formats.preset.message import JOINER, Message, Origin, Zone


class TracedPart(NamedTuple):
    """One origin, and the span of the message's text that is of it."""

    origin: Origin
    start: int
    end: int

    def to_json(self) -> dict[str, Any]:
        """As stored."""
        return {**self.origin.to_json(), "start": self.start, "end": self.end}


@dataclass(frozen=True, slots=True)
class MessageTrace:
    """What is inside one message, in its order."""

    zone: Zone
    parts: tuple[TracedPart, ...]

    def to_json(self) -> dict[str, Any]:
        """As stored."""
        return {"zone": self.zone, "parts": [part.to_json() for part in self.parts]}


def traced(messages: Sequence[Message]) -> list[MessageTrace]:
    """One trace a message, in the order of the messages."""
    return [MessageTrace(message.zone, _spans(message)) for message in messages]


def _spans(message: Message) -> tuple[TracedPart, ...]:
    spans: list[TracedPart] = []
    start = 0
    for part in message.parts:
        end = start + len(part.text)
        spans.append(TracedPart(part.origin, start, end))
        start = end + len(JOINER)
    return tuple(spans)
