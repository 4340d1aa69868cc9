"""Backyard lore: `{"loreItems": [{"key": "a, b", "value": "text", "order": "…"}]}` of a character archive."""

from __future__ import annotations

from typing import Any

from formats.lorebook.foreign_shape import ForeignShape, each_entry, listed, without


def recognise(value: dict[str, Any]) -> bool:
    return "loreItems" in value and "entries" not in value


def to_book(value: dict[str, Any]) -> dict[str, Any]:
    return {**without(value, "loreItems"), "entries": each_entry(listed(value["loreItems"]), _entry)}


def _entry(raw: dict[str, Any]) -> dict[str, Any]:
    """`order` is a sort text of that program, no number: the list's own order is kept instead."""
    kept = without(raw, "key", "value", "order", "id")
    return {**kept, "keys": raw.get("key"), "content": raw.get("value")}


SHAPE = ForeignShape("backyard", recognise, to_book)
