"""Texts inside EXIF data, where some programs hide a card: user comment, description, Windows comment."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator

from formats.png_chunks import Buffer

EXIF_DIRECTORY = 0x8769
USER_COMMENT = 0x9286
DESCRIPTION = 0x010E
WINDOWS_COMMENT = 0x9C9C
TEXT_TAGS = frozenset({USER_COMMENT, DESCRIPTION, WINDOWS_COMMENT})
SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8}
MOST_FIELDS = 512
CHARSET_BYTES = 8
BYTE_LIST = re.compile(rb"\s*\[?\s*\d{1,3}(\s*,\s*\d{1,3})+\s*\]?\s*")
DECIMAL = re.compile(rb"\d+")


def exif_texts(data: Buffer) -> list[bytes]:
    """The texts of a TIFF structure (with or without the `Exif` mark before it) that may be a card.

    Each is given as it stands, or turned back into bytes where it is a list of byte numbers. Broken
    structures give what could be read; nothing is raised.
    """
    view = memoryview(data)
    if bytes(view[:6]) in (b"Exif\0\0", b"Exif\0\xff"):
        view = view[6:]
    order = {b"II": "<", b"MM": ">"}.get(bytes(view[:2]))
    if order is None or len(view) < 8:
        return []
    (first,) = struct.unpack_from(order + "I", view, 4)
    return [text for text in _directory_texts(view, order, first, nested=True) if text]


def _directory_texts(view: memoryview, order: str, offset: int, *, nested: bool) -> Iterator[bytes]:
    if offset + 2 > len(view):
        return
    (count,) = struct.unpack_from(order + "H", view, offset)
    for index in range(min(count, MOST_FIELDS)):
        at = offset + 2 + index * 12
        if at + 12 > len(view):
            return
        tag, kind, length, place = struct.unpack_from(order + "HHII", view, at)
        if tag == EXIF_DIRECTORY and nested:
            yield from _directory_texts(view, order, place, nested=False)
        elif tag in TEXT_TAGS:
            size = SIZES.get(kind, 1) * length
            start = at + 8 if size <= 4 else place
            yield _card_text(tag, bytes(view[start : start + size]), order)


def _card_text(tag: int, raw: bytes, order: str) -> bytes:
    """The text without the charset mark of a user comment; a list of byte numbers becomes the bytes."""
    if tag == USER_COMMENT and len(raw) > CHARSET_BYTES:
        charset, rest = raw[:CHARSET_BYTES], raw[CHARSET_BYTES:]
        if charset.startswith(b"UNICODE"):
            return _from_utf16(rest, order)
        if charset.rstrip(b"\0") in (b"", b"ASCII", b"JIS"):
            raw = rest
    if tag == WINDOWS_COMMENT:
        return _from_utf16(raw, "<")
    raw = raw.strip(b"\0 \r\n\t")
    if BYTE_LIST.fullmatch(raw):
        numbers = [int(number) for number in DECIMAL.findall(raw)]
        return bytes(numbers) if max(numbers) < 256 else b""
    return raw


def _from_utf16(raw: bytes, order: str) -> bytes:
    """UTF-16 as UTF-8. Writers disagree about its byte order; the one that gives ASCII first is right."""
    big = order == ">" if not (len(raw) > 1 and (raw[0] == 0) != (raw[1] == 0)) else raw[0] == 0
    text = raw.decode("utf-16-be" if big else "utf-16-le", errors="replace")
    return text.strip("\0\ufeff \r\n\t").encode("utf-8", errors="replace")
