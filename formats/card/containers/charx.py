"""CharX: a zip with `card.json` at its top and the card's files under `assets/` (V3); Backyard too."""

from __future__ import annotations

from formats.card.charx import open_zip
from formats.card.container import Container, Upload
from formats.card.payload import Contents
from formats.notes import Notes

FIRST_MEMBER = b"PK\x03\x04"
EMPTY_ARCHIVE = b"PK\x05\x06"


def recognise(upload: Upload) -> bool:
    head = upload.head(4)
    return head in (FIRST_MEMBER, EMPTY_ARCHIVE)


def open_charx(upload: Upload, notes: Notes) -> Contents:
    """The card and its listed files; a damaged archive is refused with its reason."""
    return open_zip(upload, "charx", None, notes)


CONTAINER = Container("charx", recognise, open_charx)
