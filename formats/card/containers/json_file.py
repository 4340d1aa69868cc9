"""A JSON file, or any other text: the last container, which takes what no other knows."""

from __future__ import annotations

from formats.card.container import Container, Upload
from formats.card.errors import CardError, other_file
from formats.card.limits import CARD_BYTES
from formats.card.other_kinds import LONGEST_BARE_VALUE, is_bare_value, kind_of_text
from formats.card.payload import Contents, Payload, ready
from formats.notes import Notes


def recognise(upload: Upload) -> bool:
    return True


def open_json_file(upload: Upload, notes: Notes) -> Contents:
    """The whole file is the card.

    Raises:
        CardError: `other-file` for what is no JSON at all, `not-a-card` for one bare value, `text-too-large`.
    """
    if is_bare_value(upload.head(LONGEST_BARE_VALUE)):
        raise CardError("not-a-card")
    kind = kind_of_text(upload.head(4096))
    if kind:
        raise other_file(kind)
    if len(upload.view) > CARD_BYTES:
        raise CardError("text-too-large", size=len(upload.view), limit=CARD_BYTES)
    return Contents([Payload("json", 0, ready(bytes(upload.view)), other_file("text"))])


CONTAINER = Container("json", recognise, open_json_file)
