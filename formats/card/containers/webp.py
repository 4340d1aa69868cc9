"""WebP: the card in the EXIF chunk, often V1 as a list of byte numbers; or a zip behind the picture."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from formats.card.charx import behind_picture
from formats.card.container import Container, Upload
from formats.card.cut_off import cut_off_picture
from formats.card.exif_text import exif_texts
from formats.card.payload import LAST_RESORT, Contents, Payload, may_be_card, ready
from formats.card.picture import Picture
from formats.notes import Notes

MOST_CHUNKS = 4_096
FORM = b"WEBP"
FORM_AT = 8


def recognise(upload: Upload) -> bool:
    """A WebP, or the first bytes of one: the beginning of a RIFF file that may still become one."""
    head = upload.head(FORM_AT + len(FORM))
    return head[:4] == b"RIFF" and FORM.startswith(head[FORM_AT:])


def open_webp(upload: Upload, notes: Notes) -> Contents:
    picture = Picture("image/webp", "webp", ((0, len(upload.view)),), upload.source)
    payloads = [
        Payload("webp:exif", LAST_RESORT, ready(text))
        for kind, body in chunks(upload.view)
        if kind == b"EXIF"
        for text in exif_texts(body)
        if may_be_card(text)
    ]
    otherwise = cut_off_picture(upload, "webp", end_of_picture(upload.view), notes)
    contents = Contents(payloads, picture, otherwise=otherwise)
    return contents if payloads else behind_picture(upload, "webp", contents, notes)


def chunks(view: memoryview) -> Iterator[tuple[bytes, memoryview]]:
    """Type and body of each RIFF chunk; stops where the structure breaks."""
    at = 12
    for _ in range(MOST_CHUNKS):
        if at + 8 > len(view):
            return
        kind, length = struct.unpack_from("<4sI", view, at)
        yield kind, view[at + 8 : at + 8 + length]
        at += 8 + length + length % 2


def end_of_picture(view: memoryview) -> int | None:
    """Where the file's own length says that it ends; None where it should go on."""
    end = FORM_AT + int.from_bytes(view[4:FORM_AT], "little")
    return end if FORM_AT + len(FORM) <= len(view) and end <= len(view) else None


CONTAINER = Container("webp", recognise, open_webp)
