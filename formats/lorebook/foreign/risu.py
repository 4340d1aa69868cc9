"""Risu lorebooks: `type: "risu"`, a list under `data`, keys as one comma text."""

from __future__ import annotations

from typing import Any

from formats.lorebook.foreign_shape import ForeignShape, each_entry, listed, mark_kept, without

PLACES_OF_MODE = {"constant": True}


def recognise(value: dict[str, Any]) -> bool:
    return value.get("type") == "risu" and isinstance(value.get("data"), list | dict)


def to_book(value: dict[str, Any]) -> dict[str, Any]:
    return {
        **without(value, "data", "type"),
        "extensions": mark_kept(value, "risu", "type"),
        "entries": each_entry(listed(value["data"]), _entry),
    }


def _entry(raw: dict[str, Any]) -> dict[str, Any]:
    """`key`, `secondkey`, `insertorder` and `alwaysActive` are spellings that the entry repair knows."""
    always = raw.get("alwaysActive", PLACES_OF_MODE.get(str(raw.get("mode"))))
    return {**without(raw, "alwaysActive"), "constant": always}


SHAPE = ForeignShape("risu", recognise, to_book)
