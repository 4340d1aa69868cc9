"""`repair_book`: the leniencies for lorebooks in one step (D6), value in, value and findings out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from formats.finding import Finding
from formats.lorebook.entry_repair import RIGHT_TYPES, converted_value, repair_entry
from formats.lorebook.foreign import FOREIGN_SHAPES, ForeignShape
from formats.lorebook.foreign_shape import listed
from formats.lorebook.sentences import BOOK_SENTENCES
from formats.lorebook.spellings import BOOK_KINDS, BOOK_SPELLINGS
from formats.notes import Notes


@dataclass(frozen=True, slots=True)
class RepairedBook:
    """A book as every other part of the program expects it.

    `value`: V3 character-book form, None where there is no book. `foreign`: the name of the shape it came in,
    when that was another one.
    """

    value: dict[str, Any] | None
    findings: list[Finding] = field(default_factory=list)
    foreign: str | None = None


def repair_book(value: Any, where: str = "") -> RepairedBook:
    """Turn any known form of lorebook into V3 character-book form; never raises, changes nothing given to it.

    `where` is the path of the book in its file, for the findings. None and an empty list are no book; what
    cannot be read is no book either, with a finding. Unknown fields stay.
    """
    notes = Notes(BOOK_SENTENCES)
    if value is None or value == [] or value == {} or value == "":
        return RepairedBook(None)
    if isinstance(value, list):
        value = {"entries": value}
    if not isinstance(value, dict):
        notes.add("book-unreadable", where)
        return RepairedBook(None, notes.findings())
    shape = foreign_shape(value)
    if shape:
        notes.add("book-foreign", where, format=shape.name)
    book = _repaired(shape.to_book(value) if shape else value, where, notes)
    return RepairedBook(book, notes.findings(), shape.name if shape else None)


def foreign_shape(value: dict[str, Any]) -> ForeignShape | None:
    """The other program's form that this object has; None for a character book and for anything unknown."""
    return next((shape for shape in FOREIGN_SHAPES if shape.recognise(value)), None)


def _repaired(raw: dict[str, Any], where: str, notes: Notes) -> dict[str, Any]:
    book = {BOOK_SPELLINGS.get(name, name) if raw.get(name) is not None else name: raw[name] for name in raw}
    for name in [name for name in book if name in BOOK_KINDS]:
        repair_setting(book, name, _path(where, name), notes)
    book.setdefault("extensions", {})
    book["entries"] = _entries(book.get("entries"), _path(where, "entries"), notes)
    return book


def _path(where: str, name: str) -> str:
    return f"{where}.{name}" if where else name


def repair_setting(book: dict[str, Any], name: str, where: str, notes: Notes) -> None:
    """One setting of a book (a key of `BOOK_KINDS`) in its right type, or without it."""
    kind, value = BOOK_KINDS[name], book[name]
    if type(value) in RIGHT_TYPES[kind]:
        return
    converted = converted_value(kind, value)
    if converted is None:
        del book[name]
        if value is not None and value != "" and value != []:
            notes.add("book-field-dropped", where, field=name)
        return
    book[name] = converted
    notes.add("book-field-converted", where, field=name)


def _entries(raw: Any, where: str, notes: Notes) -> list[dict[str, Any]]:
    if isinstance(raw, dict):
        raw = listed(raw)
    if not isinstance(raw, list):
        if raw is not None and raw != "":
            notes.add("entries-unreadable", where)
        return []
    entries = []
    for index, entry in enumerate(raw):
        place = f"{where}[{index}]"
        if entry is None:
            notes.add("entry-empty", place)
        elif not isinstance(entry, dict):
            notes.add("entry-unreadable", place)
        else:
            entries.append(repair_entry(entry, place, notes))
    _make_ids_unique(entries, where, notes)
    return entries


def _make_ids_unique(entries: list[dict[str, Any]], where: str, notes: Notes) -> None:
    """Ids are labels only; a repeated or unusable one is replaced by the next free number."""
    known = [entry["id"] for entry in entries if _is_id(entry.get("id"))]
    free = max((number for number in known if isinstance(number, int)), default=-1) + 1
    seen: set[Any] = set()
    for index, entry in enumerate(entries):
        if "id" not in entry:
            continue
        if not _is_id(entry["id"]) or entry["id"] in seen:
            entry["id"], free = free, free + 1
            notes.add("entry-id-repeated", f"{where}[{index}].id")
        seen.add(entry["id"])


def _is_id(value: Any) -> bool:
    return isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool))
