"""Kinds of file that can hold a card. A new one is one file here, and its object in this list."""

from formats.card.container import Container
from formats.card.containers import charx, jpeg, json_file, other_picture, png, webp

CONTAINERS: tuple[Container, ...] = (
    png.CONTAINER,
    jpeg.CONTAINER,
    webp.CONTAINER,
    charx.CONTAINER,
    other_picture.CONTAINER,
    json_file.CONTAINER,
)
"""The first that recognises the bytes is used; the last recognises everything."""

__all__ = ["CONTAINERS"]
