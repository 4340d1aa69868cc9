"""Two states of a book compared: entries that came, went or changed, field by field."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from formats.lorebook.model import Entry, WorldBook
from lorebooks.pipeline.entry_fields import fields_of
from worlds.library.files.changes import FieldChange, FieldChanges, differing

BOOK_FIELDS = ("description", "scan_depth", "token_budget", "recursive_scanning")


@dataclass(frozen=True, slots=True)
class EntryChange(FieldChanges):
    """One entry that is in both states and not the same; a field without a flat name has the file's."""

    key: str
    title: str


@dataclass(frozen=True, slots=True)
class BookDiff:
    """What differs between two states of a book, in the order of the newer one."""

    added: tuple[Entry, ...]
    removed: tuple[Entry, ...]
    changed: tuple[EntryChange, ...]
    settings: tuple[FieldChange, ...]
    same: int

    @property
    def differs(self) -> bool:
        """Whether anything is not the same."""
        return bool(self.added or self.removed or self.changed or self.settings)


def diff_books(old: WorldBook, new: WorldBook) -> BookDiff:
    """Compare two states; entries are paired by their key in the book file."""
    before = {entry.source.key: entry for entry in old.entries}
    after = {entry.source.key: entry for entry in new.entries}
    pairs = [(before[key], entry) for key, entry in after.items() if key in before]
    changes = [change for pair in pairs if (change := _changed(*pair)) is not None]
    return BookDiff(
        added=tuple(entry for key, entry in after.items() if key not in before),
        removed=tuple(entry for key, entry in before.items() if key not in after),
        changed=tuple(changes),
        settings=differing(_settings(old), _settings(new)),
        same=len(pairs) - len(changes),
    )


def _changed(old: Entry, new: Entry) -> EntryChange | None:
    if old.source.raw == new.source.raw:
        return None
    fields = differing(fields_of(old), fields_of(new)) or differing(old.source.raw, new.source.raw)
    return EntryChange(fields, new.source.key, new.comment or ", ".join(new.keys)) if fields else None


def _settings(book: WorldBook) -> dict[str, Any]:
    stated = book.settings
    values = (book.description, stated.scan_depth, stated.token_budget, stated.recursive_scanning)
    return dict(zip(BOOK_FIELDS, values, strict=True))
