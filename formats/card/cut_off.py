"""Files that end too early: told from those that never held a card."""

from __future__ import annotations

from formats.card.archive import begins_zip, has_end_record
from formats.card.container import Upload
from formats.card.errors import CardError
from formats.notes import Notes

LONGEST_MARK = 8


def cut_off_picture(upload: Upload, label: str, end: int | None, notes: Notes) -> CardError | None:
    """The refusal of a picture in which no card is found, where that may be because it is cut off.

    `end` is where the picture ends, None where it should go on behind the last byte; then a note is added
    too, for a card that is found all the same.
    """
    if has_end_record(upload.view):
        return None
    if end is None:
        notes.add("picture-cut-short", label)
    return CardError("cut-off") if end is None or begins_zip(rest_of(upload, end)) else None


def rest_of(upload: Upload, end: int) -> bytes:
    """The first bytes behind the end of a picture."""
    return bytes(upload.view[end : end + LONGEST_MARK])
