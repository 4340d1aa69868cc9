"""SillyTavern's own world files: entries as a map from number to entry, other field names."""

from __future__ import annotations

from typing import Any

from formats.lorebook.foreign_shape import ForeignShape, listed, without


def recognise(value: dict[str, Any]) -> bool:
    return isinstance(value.get("entries"), dict)


def to_book(value: dict[str, Any]) -> dict[str, Any]:
    """`originalData` is a stale copy of a card's book, and is left behind."""
    return {**without(value, "entries", "originalData"), "entries": listed(value["entries"])}


SHAPE = ForeignShape("sillytavern-world-info", recognise, to_book)
