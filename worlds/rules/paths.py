"""Paths of a world folder as the rules see them: which file is which document, and which are pictures."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from formats.text.names import safe_path
from worlds.rules.documents import FILE_KINDS, FOLDER_KINDS, KINDS
from worlds.store.paths import foreign_kind

_REMEMBERED: Final = 16_384
"""Paths whose answer is kept: a world asks for each of its paths several times."""


@lru_cache(_REMEMBERED)
def document_path(kind: str, id: str = "") -> str:
    """Where a document lies in its world folder; `id` for the kinds that have a folder.

    Raises:
        KeyError: no such kind.
        ValueError: the id cannot be part of a path.
    """
    place = KINDS[kind]
    if place.file:
        return place.file
    path = f"{place.folder}/{id}.json"
    if "/" in id or not safe_path(path):
        raise ValueError(f"{id!r} cannot name a file")
    return path


@lru_cache(_REMEMBERED)
def document_of(path: str) -> tuple[str, str] | None:
    """Kind and id of a path (id "" where the kind has one file), or None for any other file.

    A copy that a sync program made of two edits is no document: both would claim the same id.
    """
    if path in FILE_KINDS:
        return FILE_KINDS[path].name, ""
    folder, _, file = path.partition("/")
    if folder not in FOLDER_KINDS or not file.endswith(".json") or not safe_path(path):
        return None
    if "/" in file or foreign_kind(file) is not None:
        return None
    return FOLDER_KINDS[folder].name, file.removesuffix(".json")


def is_image_path(path: str) -> bool:
    """Whether a path may name a picture of the world: safe, and below `images/` (CARD-10)."""
    return path.startswith("images/") and safe_path(path)


def is_hidden(path: str) -> bool:
    """Whether a part of the path starts with a dot: import records, checks, trash, leftovers of programs."""
    return any(part.startswith(".") for part in path.split("/"))


def printable(path: str) -> str:
    """A path from a disk or an archive as text that can be shown and stored, cut to 200 characters."""
    return path.encode("utf-8", "backslashreplace").decode()[:200]


def place(where: str) -> tuple[str, str]:
    """File and key of a finding's `where`: `("characters/lina.json", "portrait.file")`."""
    file, _, key = where.partition(": ")
    return file, key
