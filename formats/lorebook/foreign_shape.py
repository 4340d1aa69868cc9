"""What a foreign lorebook shape is: one file in this folder registers one `ForeignShape`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ForeignShape:
    """A form of lorebook other than the V2/V3 character book.

    `name` is the format name that is stored and shown; `recognise` looks at an object; `to_book` gives it
    as a character book whose entries may still need every repair. Both take untrusted values and never raise.
    """

    name: str
    recognise: Callable[[dict[str, Any]], bool]
    to_book: Callable[[dict[str, Any]], dict[str, Any]]


def listed(value: Any) -> list[Any]:
    """Entries as a list; the values of a map in numeric order of their keys, other keys last."""
    if isinstance(value, list):
        return value
    if isinstance(value, dict):
        order = sorted(value, key=lambda key: (0, int(key)) if _is_index(key) else (1, 0))
        return [value[key] for key in order]
    return []


def _is_index(key: str) -> bool:
    return key.isascii() and key.isdigit() and len(key) < 19


def each_entry(entries: Iterable[Any], convert: Callable[[dict[str, Any]], dict[str, Any]]) -> list[Any]:
    """Convert the entries that are objects; what is none goes on as it is, for the repair to name."""
    return [convert(entry) if isinstance(entry, dict) else entry for entry in entries]


def without(value: dict[str, Any], *names: str) -> dict[str, Any]:
    """The unknown fields: what is left when the named ones have been used."""
    return {name: item for name, item in value.items() if name not in names}


def mark_kept(value: dict[str, Any], shape: str, mark: str) -> dict[str, Any]:
    """The extensions of a book, with the field that told its shape kept under the shape's name.

    At its old place the mark would make the converted book look foreign again the next time it is read.
    """
    extensions = value.get("extensions")
    kept = dict(extensions) if isinstance(extensions, dict) else {}
    return {**kept, shape: {mark: value[mark]}}
