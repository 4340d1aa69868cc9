"""A look at a file: read as an upload is, in a child process, and nothing kept of it."""

from __future__ import annotations

from formats.lorebook.model import WorldBook
from lorebooks.pipeline.books import model_of
from lorebooks.pipeline.import_report import ORIGINAL, ImportReport
from lorebooks.pipeline.reading import BOOK_NAME, read_in_child
from worlds.library.inspecting import staged_once


def inspect_file(data: bytes, limit: int) -> tuple[ImportReport, WorldBook | None]:
    """What an upload of these bytes would give; the book where there is one.

    Raises:
        DomainError: `too-large`, `full`, `unavailable`.
    """
    with staged_once(data, ORIGINAL, limit) as folder:
        report = read_in_child(folder)
        book = model_of((folder / BOOK_NAME).read_bytes(), report.name) if report.verdict == "book" else None
    return report, book
