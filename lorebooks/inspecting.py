"""A look at a file: read as an upload is, in a child process, and nothing kept of it."""

from __future__ import annotations

from formats.lorebook.model import WorldBook
from lorebooks.pipeline.books import model_of
from lorebooks.pipeline.import_report import ORIGINAL, ImportReport
from lorebooks.pipeline.reading import BOOK_NAME, read_in_child
from worlds.library.waiting import staging
from worlds.store.paths import new_token


def inspect_file(data: bytes, limit: int) -> tuple[ImportReport, WorldBook | None]:
    """What an upload of these bytes would give; the book where there is one.

    Raises:
        DomainError: `too-large`, `full`, `unavailable`.
    """
    room, upload_id = staging(), new_token()
    folder = room.begin(upload_id)
    try:
        with room.receive(upload_id, ORIGINAL, limit) as receiving:
            receiving.write(data)
        report = read_in_child(folder)
        book = model_of((folder / BOOK_NAME).read_bytes(), report.name) if report.verdict == "book" else None
    finally:
        room.discard(upload_id)
    return report, book
