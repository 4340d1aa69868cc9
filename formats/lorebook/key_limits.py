"""How many keys a book may have: all of them are looked for at every turn of every story that uses it.

An upload is cut to the limits here; who writes entries asks the same limits (`lorebooks.actions.keys`).
"""

from __future__ import annotations

from dataclasses import replace

from formats.finding import Finding
from formats.lorebook.diagnostics import as_diagnostic
from formats.lorebook.entry_reader import CHARACTER_BOOK, Dialect
from formats.lorebook.model import Entry, WorldBook
from formats.lorebook.reader import DIALECTS, entry_path
from formats.lorebook.refusals import refused
from formats.lorebook.rescue import grouped
from formats.lorebook.sentences import BOOK_SENTENCES
from formats.notes import Notes

KEYS_OF_AN_ENTRY = 1_000
"""Of either list of an entry: its keys, and its second keys."""
KEYS_OF_A_BOOK = 60_000
"""Of all its entries, of both lists."""


def count_keys(entry: Entry) -> int:
    """How many keys an entry counts for in its book."""
    return len(entry.keys) + len(entry.secondary_keys)


def with_bounded_keys(model: WorldBook) -> tuple[WorldBook, list[Finding]]:
    """The book with the first keys of every entry, and a finding where there were more.

    Raises:
        LorebookError: `too-many-keys`, the whole book has too many even so.
    """
    found: list[Finding] = []
    dialect = DIALECTS.get(model.source.format, CHARACTER_BOOK)  # other programs' books are read as one
    entries = tuple(_bounded(entry, dialect, found) for entry in model.entries)
    count = sum(map(count_keys, entries))
    if count > KEYS_OF_A_BOOK:
        raise refused("too-many-keys", "$.entries", count=count, limit=KEYS_OF_A_BOOK)
    if not found:
        return model, []
    told = grouped(found)
    diagnostics = (*model.diagnostics, *map(as_diagnostic, told))
    return replace(model, entries=entries, diagnostics=diagnostics), told


def _bounded(entry: Entry, dialect: Dialect, found: list[Finding]) -> Entry:
    keys, secondary = entry.keys[:KEYS_OF_AN_ENTRY], entry.secondary_keys[:KEYS_OF_AN_ENTRY]
    over = count_keys(entry) - len(keys) - len(secondary)
    if not over:
        return entry
    notes = Notes(BOOK_SENTENCES)
    where = entry_path(entry.source.key, dialect)
    notes.add("entry-keys-left-out", where, limit=KEYS_OF_AN_ENTRY, over=over)
    found += notes.findings()
    return replace(entry, keys=keys, secondary_keys=secondary)
