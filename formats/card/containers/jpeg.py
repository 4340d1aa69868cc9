"""JPEG: a zip appended to the picture (Risu), or the card in EXIF or a comment."""

from __future__ import annotations

import re
from collections.abc import Iterator

from formats.card.charx import behind_picture
from formats.card.container import Container, Upload
from formats.card.cut_off import cut_off_picture
from formats.card.exif_text import exif_texts
from formats.card.payload import LAST_RESORT, Contents, Payload, may_be_card, ready
from formats.card.picture import Picture
from formats.notes import Notes

START_OF_SCAN = 0xDA
END_OF_IMAGE = 0xD9
APPLICATION_1 = 0xE1
COMMENT = 0xFE
WITHOUT_LENGTH = frozenset({0x01, *range(0xD0, 0xD9)})
MOST_SEGMENTS = 4_096
START = b"\xff\xd8\xff"
MARKER = re.compile(rb"\xff[^\x00\x01\xd0-\xd8\xff]")
"""What may follow pixels: neither an escaped byte of theirs nor a mark without length among them."""


def recognise(upload: Upload) -> bool:
    """A JPEG, or the first two bytes of one, which nothing else begins with."""
    head = upload.head(len(START))
    return len(head) > 1 and START.startswith(head)


def open_jpeg(upload: Upload, notes: Notes) -> Contents:
    """The zip first, since it holds the card's files too; EXIF and comments otherwise."""
    picture = Picture("image/jpeg", "jpg", ((0, len(upload.view)),), upload.source)
    payloads = []
    for marker, body in segments(upload.view):
        if marker == APPLICATION_1:
            payloads += [
                Payload("jpeg:exif", LAST_RESORT, ready(text))
                for text in exif_texts(body)
                if may_be_card(text)
            ]
        elif marker == COMMENT and may_be_card(bytes(body[:64])):
            payloads.append(Payload("jpeg:comment", LAST_RESORT, ready(bytes(body))))
    otherwise = cut_off_picture(upload, "jpeg", end_of_picture(upload.view), notes)
    return behind_picture(upload, "jpeg", Contents(payloads, picture, otherwise=otherwise), notes)


def segments(view: memoryview) -> Iterator[tuple[int, memoryview]]:
    """Marker and body of each segment before the pixels; stops where the structure breaks."""
    at = 2
    for _ in range(MOST_SEGMENTS):
        if at + 4 > len(view) or view[at] != 0xFF:
            return
        marker = view[at + 1]
        if marker == 0xFF:  # fill byte
            at += 1
            continue
        if marker in WITHOUT_LENGTH:
            at += 2
            continue
        length = int.from_bytes(view[at + 2 : at + 4], "big")
        if marker in (START_OF_SCAN, END_OF_IMAGE) or length < 2:
            return
        yield marker, view[at + 4 : at + 2 + length]
        at += 2 + length


def end_of_picture(view: memoryview) -> int | None:
    """Where the picture ends; None where its end is missing. Of too many segments the end of the file."""
    at = len(START) - 1
    for _ in range(MOST_SEGMENTS):
        found = MARKER.search(view, at)
        if found is None:
            return None
        at = found.end()
        if view[at - 1] == END_OF_IMAGE:
            return at
        at += max(2, int.from_bytes(view[at : at + 2], "big"))
        if at > len(view):
            return None
    return len(view)


CONTAINER = Container("jpeg", recognise, open_jpeg)
