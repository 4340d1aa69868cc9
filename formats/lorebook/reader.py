"""The contract's reading of a lorebook: `detect_format`, `validate`, `parse` and its two named forms.

The shape of `entries` says the format: an object is SillyTavern's own file, a list a character book. Files
with the mark of another program (NovelAI, Agnai, Risu, `lorebook_v3`, Backyard) are told before it, have a
format name of their own, and are read by way of the repair, since their entries are no entries of either
format (D16).

Values are read as they are. A raw object is kept by reference, never copied or changed: who wants to change a
value that was parsed makes a copy first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from formats.lorebook.diagnostics import LorebookError, Verdict, as_diagnostic, diagnostic, has_error
from formats.lorebook.entry_reader import CHARACTER_BOOK, SILLYTAVERN, Dialect, read_entry
from formats.lorebook.foreign import chub, sillytavern
from formats.lorebook.javascript import in_map_order, member
from formats.lorebook.model import BookSettings, BookSource, Diagnostic, Entry, WorldBook
from formats.lorebook.repair import foreign_shape, repair_book
from formats.lorebook.values import COUNT, MISSING, Values
from formats.stable_json import read_json

DIALECTS: Mapping[str, Dialect] = {dialect.name: dialect for dialect in (SILLYTAVERN, CHARACTER_BOOK)}
TOLD_BY_SHAPE = (chub.SHAPE, sillytavern.SHAPE)
"""Two of the shapes the repair knows are what the contract calls SillyTavern's format."""


def detect_format(value: Any) -> str | None:
    """The format of a JSON value or text by its shape alone; None where it has none. Never raises."""
    return _detected(_loaded(value))


def validate(value: Any, name: str | None = None) -> Verdict:
    """Everything that reading the value would tell; never raises for what is in it."""
    reading = _Reading(_loaded(value), name)
    return Verdict(not has_error(reading.told), reading.format, tuple(reading.told))


def parse(value: Any, name: str | None = None) -> WorldBook:
    """The book as a model. `name` goes before the name the book gives itself.

    Raises:
        LorebookError: the value is no lorebook, or an entry is no object; with everything that was found.
    """
    return _book(_Reading(_loaded(value), name))


def parse_sillytavern(value: Any, name: str | None = None) -> WorldBook:
    """`parse` for a value that must be SillyTavern's own file.

    Raises:
        LorebookError: as `parse`, and for any other format.
    """
    return _of_format(value, name, SILLYTAVERN)


def parse_character_book(value: Any, name: str | None = None) -> WorldBook:
    """`parse` for a value that must be the `character_book` of a card; whether the book is on is not asked.

    Raises:
        LorebookError: as `parse`, and for any other format.
    """
    return _of_format(value, name, CHARACTER_BOOK)


def _of_format(value: Any, name: str | None, dialect: Dialect) -> WorldBook:
    loaded = _loaded(value)
    found = _detected(loaded)
    if found not in (None, dialect.name):
        told = diagnostic("unexpected-format", "$.entries", found=found, expected=dialect.name)
        raise LorebookError([told], format=found)
    return _book(_Reading(loaded, name))


def _book(reading: _Reading) -> WorldBook:
    if reading.book is None:
        raise LorebookError(reading.told, format=reading.format)
    return reading.book


def _loaded(value: Any) -> Any:
    """The value of a JSON text; `MISSING` for a text that is no JSON. Other values as they are."""
    if not isinstance(value, str | bytes):
        return value
    try:
        return read_json(value)
    except ValueError:
        return MISSING


def _detected(value: Any) -> str | None:
    if not isinstance(value, dict):
        return None
    foreign = foreign_shape(value)
    if foreign and foreign not in TOLD_BY_SHAPE:
        return foreign.name
    entries = value.get("entries")
    if isinstance(entries, dict):
        return SILLYTAVERN.name
    return CHARACTER_BOOK.name if isinstance(entries, list) else None


class _Reading:
    """One reading of a value: the book, None where there is an error, and what was told."""

    def __init__(self, value: Any, name: str | None) -> None:
        self.told: list[Diagnostic] = []
        self.format = _detected(value)
        self.book: WorldBook | None = None
        dialect = DIALECTS.get(self.format or "", CHARACTER_BOOK)
        if self.format is None:
            self.told.append(_why_none(value))
            return
        if self.format not in DIALECTS:
            value = self._converted(value)
        entries = list(self._entries(value, dialect))
        book = self._read(value, entries, dialect, name)
        if not has_error(self.told):
            self.book = book

    def _converted(self, value: dict[str, Any]) -> dict[str, Any]:
        repaired = repair_book(value, "$")
        self.told.append(diagnostic("converted-format", "$", format=self.format))
        self.told += [as_diagnostic(found) for found in repaired.findings if found.code != "book-foreign"]
        return repaired.value or {"entries": []}

    def _entries(self, value: Mapping[str, Any], dialect: Dialect) -> Iterator[Entry]:
        if "extensions" not in value and dialect.required:
            self.told.append(diagnostic("missing-required-field", "$.extensions", field="extensions"))
        place = 0
        for index, key, raw in listed_entries(value["entries"]):
            if not isinstance(raw, dict):
                self.told.append(diagnostic("invalid-entry", entry_path(key, dialect)))
                continue
            yield read_entry(
                raw,
                dialect,
                self.told,
                path=partial(entry_path, key, dialect),
                key=key,
                index=index,
                place=place,
            )
            place += 1

    def _read(
        self, value: Mapping[str, Any], entries: list[Entry], dialect: Dialect, name: str | None
    ) -> WorldBook:
        self.told += repeated_uids(entries)
        stated, description, settings = read_settings(value, name, self.told)
        source = BookSource(self.format or "", dialect.container, value)
        return WorldBook(stated, description, settings, tuple(entries), source, tuple(self.told))


def _why_none(value: Any) -> Diagnostic:
    if value is MISSING:
        return diagnostic("invalid-json", "$")
    if not isinstance(value, dict):
        return diagnostic("invalid-root", "$")
    return diagnostic("invalid-entries" if "entries" in value else "missing-entries", "$.entries")


def listed_entries(entries: Any) -> Iterator[tuple[int, str, Any]]:
    """Index, key and raw value of each entry, a map in the order in which JavaScript goes through it."""
    if isinstance(entries, dict):
        for index, key in enumerate(in_map_order(entries)):
            yield index, key, entries[key]
    else:
        for index, raw in enumerate(entries):
            yield index, str(index), raw


def entry_path(key: str, dialect: Dialect) -> str:
    """The path of an entry in its file."""
    return f"$.entries[{key}]" if dialect is CHARACTER_BOOK else member("$.entries", key)


def repeated_uids(entries: list[Entry]) -> Iterator[Diagnostic]:
    """A warning for each entry whose uid an earlier one has. The number 3 and the text "3" are two uids."""
    seen: set[tuple[type, int | str]] = set()
    for place, entry in enumerate(entries):
        uid = (type(entry.uid), entry.uid)
        if uid in seen:
            yield diagnostic("duplicate-uid", f"$.entries[{place}]", uid=entry.uid)
        seen.add(uid)


def read_settings(
    value: Mapping[str, Any], name: str | None, told: list[Diagnostic]
) -> tuple[str, str, BookSettings]:
    """Name, description and settings of a book; a book of either container may have all of them."""
    values = Values(lambda: "$", told)
    extensions = values.mapping(value.get("extensions", MISSING), "extensions")
    stated = values.text(value.get("name", MISSING), "name") if name is None else name
    description = values.text(value.get("description", MISSING), "description")
    depth, budget = (
        None if name not in value else values.number_or_unsaid(_said(value[name]), name, COUNT)
        for name in ("scan_depth", "token_budget")
    )
    recursive = values.truth_or_unsaid(value.get("recursive_scanning", MISSING), "recursive_scanning")
    return (
        stated,
        description,
        BookSettings(
            scan_depth=depth,
            token_budget=budget,
            recursive_scanning=recursive,
            extensions=extensions,
        ),
    )


def _said(value: Any) -> Any:
    """A book's numbers are given or absent; null is as wrong as a text that is no number."""
    return "" if value is None else value
