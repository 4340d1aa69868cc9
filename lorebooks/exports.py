"""The forms in which a book leaves the library."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from formats.finding import Finding
from formats.lorebook.download import download_character_book, download_sillytavern
from formats.lorebook.model import WorldBook
from formats.lorebook.table import HEADINGS, book_table
from formats.text.names import download_name
from lorebooks import queries
from lorebooks.models import Lorebook
from lorebooks.pipeline.import_report import ORIGINAL
from lorebooks.shelves import folder_of
from lorebooks.words import Word
from worlds.library.files.import_report import RECORDS


@dataclass(frozen=True, slots=True)
class Form:
    """A file format: how it is called, whom it is for, how it is written, and what it cannot hold."""

    name: str
    label: Word
    about: Word
    ending: str
    kind: str
    write: Callable[[WorldBook], bytes]
    losses: Callable[[WorldBook], Sequence[Finding]]


@dataclass(frozen=True, slots=True)
class Original:
    """The very file that was uploaded, or the lorebook of the card that was."""

    lorebook: Lorebook
    filename: str
    of_card: bool = False

    def read(self) -> bytes:
        """Its bytes, as they came."""
        return folder_of(self.lorebook).read(f"{RECORDS}/{ORIGINAL}")


def original_of(lorebook: Lorebook) -> Original | None:
    """The file a book came from; None for a book that was made here or copied."""
    if not folder_of(lorebook).has(f"{RECORDS}/{ORIGINAL}"):
        return None
    source = queries.item_of(lorebook).source
    if source.kind != "card":
        return Original(lorebook, source.filename or ORIGINAL)
    # Of a card only its lorebook is kept, as JSON.
    return Original(
        lorebook, download_name(PurePath(source.filename).stem or lorebook.name, "json"), of_card=True
    )


def _json(value: object) -> bytes:
    # What UTF-8 cannot hold (half of a pair) becomes an escape, which JSON has for it.
    return json.dumps(value, ensure_ascii=False, indent=2).encode("utf-8", "backslashreplace")


def _table(model: WorldBook) -> bytes:
    return book_table(model, [gettext(heading) for heading in HEADINGS]).encode("utf-8", "replace")


_IN_A_TABLE: Final = Finding(
    "info",
    "table-is-for-people",
    "",
    gettext_noop("A table holds ten things of each entry: title, keys, when and where, and the text."),
    gettext_noop("It is for reading and counting; it cannot be imported again."),
)
_FORMS: Final = (
    Form(
        "sillytavern",
        "SillyTavern (JSON)",
        _("For the World Info of SillyTavern. This library reads it back as it was."),
        "json",
        "application/json",
        lambda model: _json(download_sillytavern(model).value),
        lambda model: download_sillytavern(model).findings,
    ),
    Form(
        "character-book",
        _("Character book (JSON)"),
        _("The form in which cards of the V2 and V3 specification carry a lorebook."),
        "json",
        "application/json",
        lambda model: _json(download_character_book(model).value),
        lambda model: download_character_book(model).findings,
    ),
    Form(
        "csv",
        _("Table (CSV)"),
        _("One line for each entry, for a spreadsheet."),
        "csv",
        "text/csv; charset=utf-8",
        _table,
        lambda model: [_IN_A_TABLE],
    ),
)
FORMS: Final[Mapping[str, Form]] = {form.name: form for form in _FORMS}
