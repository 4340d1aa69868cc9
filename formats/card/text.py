"""Bytes of unknown encoding become text; characters that no store accepts are taken out."""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

from formats.card.errors import CardError
from formats.notes import Notes

MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16: its mark begins with the shorter one
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
HALF_CHARACTER = re.compile("[\ud800-\udfff]")
REPLACEMENT = "\ufffd"


class CleanText(NamedTuple):
    """A text that every store accepts, and how many NULs and lone surrogates it had."""

    text: str
    nuls: int
    halves: int


def decode_text(data: bytes, where: str, notes: Notes) -> str:
    """Text from bytes: by byte order mark, else UTF-8, else the encoding its NULs give away, else GB18030.

    Raises:
        CardError: `unreadable-text`, when nothing fits even with some characters lost.
    """
    for mark, encoding in MARKS:
        if data.startswith(mark):
            notes.add("byte-order-mark", where)
            return _decode(data[len(mark) :], encoding, where, notes)
    try:
        return data.decode("utf-8") if not _looks_wide(data) else _decode(data, _wide(data), where, notes)
    except UnicodeDecodeError:
        return _decode(data, "gb18030", where, notes)


def _looks_wide(data: bytes) -> bool:
    """JSON starts with ASCII: a NUL among its first bytes means two or four bytes a character (RFC 4627)."""
    return b"\0" in data[:2] and len(data) >= 4


def _wide(data: bytes) -> str:
    if data[0] == 0:
        return "utf-32-be" if data[1] == 0 else "utf-16-be"
    return "utf-32-le" if data[2:4] == b"\0\0" else "utf-16-le"


def _decode(data: bytes, encoding: str, where: str, notes: Notes) -> str:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return _decode_with_losses(data, encoding, where, notes)
    if encoding != "utf-8":
        notes.add("not-utf8", where, encoding=encoding)
    return text


def _decode_with_losses(data: bytes, encoding: str, where: str, notes: Notes) -> str:
    fallback = "utf-8" if encoding == "gb18030" else encoding
    text = data.decode(fallback, errors="replace")
    lost = text.count(REPLACEMENT)
    if lost * 10 > len(text):
        raise CardError("unreadable-text", where)
    notes.add("characters-lost", where, count=lost)
    return text


def clean_text(text: str) -> CleanText:
    """Remove NULs and replace lone surrogates: databases and UTF-8 files refuse both."""
    nuls = text.count("\0")
    if nuls:
        text = text.replace("\0", "")
    if text.isascii():
        return CleanText(text, nuls, 0)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        text, halves = HALF_CHARACTER.subn(REPLACEMENT, text)
        return CleanText(text, nuls, halves)
    return CleanText(text, nuls, 0)
