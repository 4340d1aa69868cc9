"""Ids that a person need not think of: made from names where a form left them out."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from typing import Any

from anyascii import anyascii

from formats.text.names import element_id
from worlds.kinds import ElementKind

# Parts of a document with ids of their own: the list, what an id is made from, the word for a nameless one.
PARTS = {
    "location": ("exits", ("name", "to"), "way"),
    "plotline": ("stages", ("title",), "stage"),
}


def named(kind: ElementKind, value: Mapping[str, Any], taken: Container[str]) -> dict[str, Any]:
    """The value with every id it lacks. `taken` are the keys of this kind that are in use."""
    filled = with_part_ids(kind, value)
    if not kind.id_field or str(filled.get(kind.id_field, "")).strip():
        return filled
    if kind.id_field == "key":
        label = str(filled.get("label", ""))
        return {"key": variable_key(label, taken), **filled} if label.strip() else filled
    if kind.id_field != "id":
        return filled
    title = str(filled.get(kind.title_field, "") or "")
    return {**filled, "id": element_id(title, kind.name, 1, taken)}


def with_part_ids(kind: ElementKind, value: Mapping[str, Any]) -> dict[str, Any]:
    """The value with ids for its exits or stages that have none."""
    filled = dict(value)
    if kind.name not in PARTS:
        return filled
    field, sources, word = PARTS[kind.name]
    parts = [dict(part) for part in filled.get(field, ()) if isinstance(part, dict)]
    if len(parts) != len(filled.get(field, ())):
        return filled
    taken = {str(part["id"]) for part in parts if part.get("id")}
    for number, part in enumerate(parts, start=1):
        if not part.get("id"):
            name = " ".join(str(part.get(source, "")) for source in (*sources,))
            # Ids of ways are unique in the whole world, so the place they leave from is part of the name.
            whole = f"{value.get('name', '')} {name}" if word == "way" else name
            part["id"] = element_id(whole, word, number, taken)
            taken.add(part["id"])
    return {**filled, field: [_id_first(part) for part in parts]} if parts else filled


def variable_key(label: str, taken: Container[str]) -> str:
    """A variable's key from its label: lower-case ASCII with underscores, `_2` where it is taken (D10)."""
    base = re.sub(r"[^a-z0-9]+", "_", anyascii(label).lower()).strip("_") or "value"
    if base[0].isdigit():
        base = f"v_{base}"
    key, number = base, 2
    while key in taken:
        key, number = f"{base}_{number}", number + 1
    return key


def _id_first(part: dict[str, Any]) -> dict[str, Any]:
    return {"id": part["id"], **{key: value for key, value in part.items() if key != "id"}}
