"""A message on its way to a model: its text in parts, and where each part came from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple

Zone = Literal["before", "history", "after"]
OriginKind = Literal["prompt", "persona", "insert", "history", "turn", "opening", "message"]

JOINER: Final = "\n\n"
"""Merged texts are joined by a blank line (D21), so that a heading stays a heading."""


class Origin(NamedTuple):
    """Where a part came from.

    `id` is a prompt's id (of a prompt that was placed, or of the hole that was filled), `title` an insert's
    title, `number` a place in the list of inserts or in the history, `depth` that of a prompt put into it.
    """

    kind: OriginKind
    id: str = ""
    title: str = ""
    number: int | None = None
    depth: int | None = None

    def to_json(self) -> dict[str, Any]:
        """As stored: what is empty is not written."""
        return {name: value for name, value in self._asdict().items() if value not in ("", None)}


class Part(NamedTuple):
    """A piece of text with its origin."""

    text: str
    origin: Origin


class Message(NamedTuple):
    """One message. `extra` holds what it has besides role and text: tool calls, their ids, a name.

    A message with `extra` and the answer of a tool are never merged, folded or moved.
    """

    role: str
    parts: tuple[Part, ...]
    zone: Zone = "before"
    extra: Mapping[str, Any] = MappingProxyType({})

    @property
    def is_fixed(self) -> bool:
        """Whether nothing may be merged into it."""
        return bool(self.extra) or self.role == "tool"

    @property
    def is_of_tools(self) -> bool:
        """Whether it belongs to a tool group: a call, or the answer to one."""
        return self.role in ("tool", "function") or bool(self.extra.get("tool_calls"))

    @property
    def text(self) -> str:
        """Its parts, joined."""
        return self.parts[0].text if len(self.parts) == 1 else JOINER.join(part.text for part in self.parts)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to send: blanks alone are refused by endpoints."""
        return not self.extra and not any(part.text.strip() for part in self.parts)

    def to_json(self) -> dict[str, Any]:
        """As an endpoint takes it."""
        return {"role": self.role, "content": self.text, **self.extra}


def merged(messages: Iterable[Message], role: str | None = None) -> Message:
    """Messages as one, in the role of the first or the given one; no blank line for parts without text."""
    first, *others = messages
    parts = [*first.parts, *(part for one in others for part in one.parts)]
    full = tuple(part for part in parts if part.text) or tuple(parts[:1])
    return first._replace(role=role or first.role, parts=full)
