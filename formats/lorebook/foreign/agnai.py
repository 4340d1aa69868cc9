"""Agnai memory books: `kind: "memory"`, entries with `entry`, `keywords`, `weight`, `priority`."""

from __future__ import annotations

from typing import Any

from formats.lorebook.foreign_shape import ForeignShape, each_entry, listed, mark_kept, without


def recognise(value: dict[str, Any]) -> bool:
    return value.get("kind") == "memory" and "entries" in value


def to_book(value: dict[str, Any]) -> dict[str, Any]:
    return {
        **without(value, "entries", "kind"),
        "extensions": mark_kept(value, "agnai", "kind"),
        "entries": each_entry(listed(value["entries"]), _entry),
    }


def _entry(raw: dict[str, Any]) -> dict[str, Any]:
    title = raw.get("comment") or raw.get("name")
    return {
        **without(raw, "entry", "keywords", "weight"),
        "content": raw.get("entry"),
        "keys": raw.get("keywords"),
        "comment": title,
        "insertion_order": raw.get("weight"),
    }


SHAPE = ForeignShape("agnai", recognise, to_book)
