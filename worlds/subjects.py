"""What a change was about, as people call it: titles of elements where the record has paths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from formats.errors import DomainError
from formats.stable_json import read_json
from worlds.element_list import prompt_title
from worlds.file_words import meaning_of
from worlds.kinds import BY_DOCUMENT, BY_NAME
from worlds.models import Element, World
from worlds.queries import folder_of
from worlds.rules.paths import document_of, is_image_path
from worlds.rules.prompts import prompt_of
from worlds.store.record import ChangeRecord

LONGEST = 120
NO_CHANGE = ChangeRecord("", "", "", "")


@dataclass(frozen=True, slots=True)
class Subject:
    """One file of a change: what it is called, and where it lies."""

    title: str
    path: str


def subjects_of(world: World, shown: Sequence[tuple[ChangeRecord, list[str]]]) -> list[list[Subject]]:
    """The titles of the shown files of each change; one query, however many changes."""
    keys = {name[1] for _record, paths in shown for path in paths if (name := document_of(path))}
    keys |= {record.note.partition(": ")[2] for record, _paths in shown}
    titles = _titles(world, keys - {""})
    return [[Subject(_title(world, record, path, titles), path) for path in paths] for record, paths in shown]


def subject_of(world: World, path: str) -> Subject:
    """What a file is called, whatever changed it."""
    name = document_of(path)
    return Subject(_title(world, NO_CHANGE, path, _titles(world, {name[1]} if name else set())), path)


def _titles(world: World, keys: set[str]) -> dict[tuple[str, str], str]:
    """Kind and key → title, as the index has them."""
    rows = Element.objects.filter(world=world, key__in=keys)
    return {(kind, key): title for kind, key, title in rows.values_list("kind", "key", "title")}


def _title(world: World, record: ChangeRecord, path: str, titles: dict[tuple[str, str], str]) -> str:
    name, prompt = document_of(path), prompt_of(path)
    if prompt:
        return prompt_title(".".join(prompt))
    if path == "world.json":
        return _("The world itself")
    if name is None:
        return _("A picture") if is_image_path(path) and not path.endswith(".json") else meaning_of(path)
    if name[1]:
        return titles.get(name) or _former_title(world, record, path) or name[1]
    kind = BY_DOCUMENT[name[0]]
    key = record.note.partition(": ")[2] if record.note.startswith(f"{path}: ") else ""
    return f"{kind.plural}: {titles.get((kind.name, key), key)[:LONGEST]}" if key else str(kind.plural)


def _former_title(world: World, record: ChangeRecord, path: str) -> str:
    """What a document that is gone by now was called, from the bytes this change kept."""
    name = document_of(path)
    if name is None or name[0] not in BY_NAME:
        return ""
    try:
        value = read_json(folder_of(world).former(record.id, path))
    except (DomainError, ValueError):
        return ""
    title = value.get(BY_NAME[name[0]].title_field) if isinstance(value, dict) else ""
    return title[:LONGEST] if isinstance(title, str) else ""
