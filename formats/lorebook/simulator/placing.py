"""Where the entries that came in go: eight places, each in ascending order, the last word nearest its end.

Entries of one order stand in the reverse of how they came in, as in SillyTavern. At one depth the order
decides, whatever the roles; a place for the author's note is used only in a turn that has the note.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from formats.lorebook.model import Number, Position, Role

Name = TypeVar("Name")


@dataclass(frozen=True, slots=True)
class PlacedEntry:
    """An entry in its place, with the text to send."""

    book: str
    key: str
    title: str
    text: str
    position: Position
    order: Number
    depth: Number
    role: Role
    outlet: str


@dataclass(frozen=True, slots=True)
class DepthPlace:
    """Entries inside the history, before the message `index` (the number of messages: after the last)."""

    depth: Number
    index: int
    entries: tuple[PlacedEntry, ...]


@dataclass(frozen=True, slots=True)
class Placed:
    """Everything that goes in, by place. `at_depth`: the deepest first, as they stand in the history."""

    before_character: tuple[PlacedEntry, ...] = ()
    after_character: tuple[PlacedEntry, ...] = ()
    before_note: tuple[PlacedEntry, ...] = ()
    after_note: tuple[PlacedEntry, ...] = ()
    before_examples: tuple[PlacedEntry, ...] = ()
    after_examples: tuple[PlacedEntry, ...] = ()
    at_depth: tuple[DepthPlace, ...] = ()
    outlets: dict[str, tuple[PlacedEntry, ...]] = field(default_factory=dict)


def place(entries: Iterable[PlacedEntry], messages: int) -> Placed:
    """Put the entries (in the order in which they came in) into their places; empty texts go nowhere."""
    told = [entry for entry in entries if entry.text.strip()]
    told.reverse()
    told.sort(key=lambda entry: entry.order)

    def at(position: Position) -> tuple[PlacedEntry, ...]:
        return tuple(entry for entry in told if entry.position == position)

    depths = _together(at("at_depth"), lambda entry: entry.depth)
    return Placed(
        before_character=at("before_character_definition"),
        after_character=at("after_character_definition"),
        before_note=at("before_author_note"),
        after_note=at("after_author_note"),
        before_examples=at("before_example_messages"),
        after_examples=at("after_example_messages"),
        at_depth=tuple(
            DepthPlace(depth, int(min(max(messages - depth, 0), messages)), depths[depth])
            for depth in sorted(depths, reverse=True)
        ),
        outlets=_together(at("outlet"), lambda entry: entry.outlet),
    )


def _together(
    entries: tuple[PlacedEntry, ...], name: Callable[[PlacedEntry], Name]
) -> dict[Name, tuple[PlacedEntry, ...]]:
    found: dict[Name, list[PlacedEntry]] = {}
    for entry in entries:
        found.setdefault(name(entry), []).append(entry)
    return {one: tuple(members) for one, members in found.items()}
