"""The child process that reads one upload: `python -m lorebooks.pipeline.read_child FOLDER` (D42).

It reads `lorebook.json` there (a lorebook in any form, or a card with one) and writes `book.json` in the
form of the library, and `report.json` last. Of a card only its book is kept: it takes the card's place.
Whatever the file does to this process (memory, time, a crash), the parent lives and says so.
"""

from __future__ import annotations

import gc
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from formats.card import CardError, read_card
from formats.errors import DomainError
from formats.finding import Finding
from formats.lorebook.diagnostics import LorebookError
from formats.lorebook.intake import BookRead, read_book, read_book_value
from formats.lorebook.model import WorldBook
from formats.lorebook.reader import DIALECTS, entry_path
from formats.stable_json import write_json
from lorebooks.pipeline.book_file import write_book
from lorebooks.pipeline.books import content_hash, library_form, model_of
from lorebooks.pipeline.entry_facts import facts_bytes, facts_of
from lorebooks.pipeline.import_report import (
    BOOKLESS,
    ORIGINAL,
    RENAMED,
    ImportReport,
    counted,
    report_bytes,
)
from lorebooks.pipeline.reading import BOOK_NAME, FACTS_NAME, REPORT_NAME
from worlds.library.child import StoredError, limit_this_process
from worlds.store.atomic import atomic_write

CARDS: Final = ("card", "picture", "archive")
ENTRY_OF_PLACE: Final = re.compile(r'\$\.entries(?:\[\d+\]|\["(?:[^"\\]|\\.)*"\]|\.[^.\[]+)')
"""What of a place says which entry it is in."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A book that was read, and the card it was in."""

    read: BookRead
    from_card: str = ""
    value: bytes | None = None  # the book of the card, in place of the file


def read_upload(folder: Path) -> ImportReport:
    """Read the file of a folder and write what it holds; the report is stored last.

    Raises:
        OSError, MemoryError: the parent turns these into a sentence.
    """
    try:
        taken = take((folder / ORIGINAL).read_bytes())
        report, book, facts = reported(taken)
        if taken.value is not None:
            atomic_write(folder / ORIGINAL, taken.value)
        atomic_write(folder / BOOK_NAME, book)
        atomic_write(folder / FACTS_NAME, facts)
    except DomainError as error:
        report = refused(error)
    atomic_write(folder / REPORT_NAME, report_bytes(report))
    return report


def take(data: bytes, filename: str | None = None) -> Taken:
    """The book in a file, or in the card that the file is.

    Raises:
        DomainError: why there is none; for a file of another kind, `kind_of_file` says which.
    """
    try:
        return Taken(read_book(data, filename))
    except LorebookError as error:
        if error.code != "other-file" or error.kind_of_file not in CARDS:
            raise
        return _from_card(data, error)


def reported(taken: Taken) -> tuple[ImportReport, bytes, bytes]:
    """What is told of a book, the book as the library keeps it, and what its index will say."""
    read = taken.read
    value, renamed = library_form(read.model)
    book = write_book(value)
    model = model_of(book, read.model.name)
    facts = [facts_of(entry, entry.source.raw) for entry in model.entries]
    findings = [*read.findings, *_renamed(renamed)]
    report = ImportReport(
        verdict="book",
        name=read.model.name,
        from_card=taken.from_card,
        format=read.format_found,
        content_hash=content_hash(model.settings, (one.content_hash for one in facts)),
        named=named_entries(read.model, list(value["entries"]), findings),
        findings=[finding.to_json() for finding in findings],
        **counted(model),
    )
    return report, book, facts_bytes(book, facts)


def named_entries(model: WorldBook, keys: Sequence[str], findings: Iterable[Finding]) -> dict[str, str]:
    """Which entry, by its key in the library, the place of each finding is in; those in none are left out.

    `keys` are those of the model's entries, in its order. Places in a file of a foreign form say nothing.
    """
    dialect = DIALECTS.get(model.source.format)
    if dialect is None:
        return {}
    pairs = zip(model.entries, keys, strict=True)
    paths = {entry_path(entry.source.key, dialect): key for entry, key in pairs}
    by_place = {f"$.entries[{place}]": key for place, key in enumerate(keys)}
    found = {}
    for finding in findings:
        # A repeated uid is told by the place among the entries that were read, in either form.
        known = by_place if finding.code == "duplicate-uid" else paths
        stem = ENTRY_OF_PLACE.match(finding.where)
        if stem and stem[0] in known:
            found[finding.where] = known[stem[0]]
    return found


def refused(error: DomainError) -> ImportReport:
    """The verdict on a file that holds no lorebook."""
    kind = getattr(error, "kind_of_file", "")
    return ImportReport(verdict="other" if kind else "unreadable", error=StoredError.of(error), kind=kind)


def _from_card(data: bytes, refusal: LorebookError) -> Taken:
    try:
        card = read_card(data).card
    except CardError:
        raise refusal from None
    if not card.book or not card.entries:
        raise DomainError("unsupported", "card-without-book", "", BOOKLESS, args={"name": card.name})
    read = read_book_value(card.book)
    if not read.model.name.strip():
        read = replace(read, model=replace(read.model, name=f"{card.name} lorebook"))
    return Taken(read, card.name, write_json(card.book).encode("utf-8", "replace"))


def _renamed(number: int) -> list[Finding]:
    told = Finding("info", "entry-key-renamed", "$.entries", RENAMED, args={"count": number})
    return [told] if number else []


def main() -> int:
    gc.disable()  # a book is one tree, and this process ends with it: looking for cycles is time lost
    limit_this_process()
    read_upload(Path(sys.argv[1]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
