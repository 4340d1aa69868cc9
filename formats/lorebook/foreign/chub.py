"""Chub's hybrid: entries as a map, as in SillyTavern, beside the settings of a character book."""

from __future__ import annotations

from typing import Any

from formats.lorebook.foreign_shape import ForeignShape, listed, without

MARKS = ("scan_depth", "token_budget", "recursive_scanning", "is_creation")


def recognise(value: dict[str, Any]) -> bool:
    return isinstance(value.get("entries"), dict) and any(mark in value for mark in MARKS)


def to_book(value: dict[str, Any]) -> dict[str, Any]:
    return {**without(value, "entries"), "entries": listed(value["entries"])}


SHAPE = ForeignShape("chub", recognise, to_book)
