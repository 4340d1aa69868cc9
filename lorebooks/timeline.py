"""The states of a book that are kept: now, versions somebody wanted, and what came before each change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from formats.lorebook.model import WorldBook
from lorebooks import queries
from lorebooks.models import Lorebook
from lorebooks.pipeline.book_file import BOOK_FILE
from lorebooks.pipeline.books import model_of
from lorebooks.pipeline.differences import BookDiff, diff_books
from lorebooks.shelves import folder_of
from portal.models import Person
from worlds.changes import names_of

NOW: Final = "now"
MOST_STEPS: Final = 100
WHAT: Final[Mapping[str, str | Promise]] = {
    "autosave": _("Entries written"),
    "add": _("Entry added"),
    "delete": _("Entries deleted"),
    "put-back": _("Entries put back"),
    "bulk": _("Many entries changed"),
    "settings": _("Settings"),
    "restore": _("An earlier state brought back"),
}


@dataclass(frozen=True, slots=True)
class KeptVersion:
    """A version somebody wanted; `id` names it in addresses."""

    id: str
    number: int
    at: datetime | None
    who: str
    note: str
    entries: int


@dataclass(frozen=True, slots=True)
class Step:
    """A change of the history; `id` names the state from before it."""

    id: str
    at: datetime
    who: str
    what: str | Promise


def kept_versions(lorebook: Lorebook) -> list[KeptVersion]:
    """The versions somebody wanted, newest first."""
    return [
        KeptVersion(
            str(version.number), version.number, _time(version.at), version.by, version.note, version.entries
        )
        for version in queries.version_rows(lorebook)
    ]


def steps_of(lorebook: Lorebook, reader: Person) -> list[Step]:
    """The changes whose former book is kept, newest first."""
    touching = (
        record
        for record in folder_of(lorebook).history()
        if BOOK_FILE in record.changed and record.files[BOOK_FILE].before
    )
    records = list(islice(touching, MOST_STEPS))
    names = names_of({record.by for record in records}, reader)
    return [
        Step(
            record.id,
            datetime.fromisoformat(record.at),
            names.get(record.by, record.by),
            WHAT.get(record.what, record.what),
        )
        for record in records
    ]


def state_of(lorebook: Lorebook, name: str) -> WorldBook:
    """The book in one of its states: `now`, the number of a version, or the id of a change: before it.

    Raises:
        DomainError: `not-found` for a state that is not kept; `invalid` where a hand has spoilt a file.
    """
    if name == NOW:
        return queries.book_model(lorebook)
    if name.isascii() and name.isdigit() and len(name) < 6:
        return queries.version_model(lorebook, int(name) or -1)
    return model_of(folder_of(lorebook).former(name, BOOK_FILE), lorebook.name)


def compared(lorebook: Lorebook, old: str, new: str) -> BookDiff:
    """What differs between two states. Raises as `state_of`."""
    return diff_books(state_of(lorebook, old), state_of(lorebook, new))


def _time(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None
