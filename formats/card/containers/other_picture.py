"""GIF and AVIF: pictures that carry no card of their own, but may have a zip behind them."""

from __future__ import annotations

from formats.card.charx import behind_picture
from formats.card.container import Container, Upload
from formats.card.payload import Contents
from formats.card.picture import Picture, picture_type
from formats.notes import Notes


def recognise(upload: Upload) -> bool:
    return picture_type(upload.head(16)) is not None


def open_picture(upload: Upload, notes: Notes) -> Contents:
    kind = picture_type(upload.head(16))
    assert kind is not None
    picture = Picture(*kind, ((0, len(upload.view)),), upload.source)
    return behind_picture(upload, kind[1], Contents([], picture), notes)


CONTAINER = Container("other-picture", recognise, open_picture)
