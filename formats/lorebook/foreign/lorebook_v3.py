"""The V3 standalone lorebook: `{"spec": "lorebook_v3", "data": {…}}` around an ordinary character book."""

from __future__ import annotations

from typing import Any

from formats.lorebook.foreign_shape import ForeignShape


def recognise(value: dict[str, Any]) -> bool:
    return value.get("spec") == "lorebook_v3" and isinstance(value.get("data"), dict)


def to_book(value: dict[str, Any]) -> dict[str, Any]:
    return dict(value["data"])


SHAPE = ForeignShape("lorebook_v3", recognise, to_book)
