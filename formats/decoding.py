"""Bytes of unknown encoding become text."""

from __future__ import annotations

import codecs

from formats.notes import Notes

MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16: its mark begins with the shorter one
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
REPLACEMENT = "\ufffd"
MOST_LOST_SHARE = 10
"""One character in so many may be lost before a reading counts as wrong."""


class Undecodable(Exception):
    """The bytes are text in no encoding we know."""


def decode_text(data: bytes, where: str, notes: Notes) -> str:
    """Text from bytes: by byte order mark, else UTF-8, else the width its NULs give away, else by trial.

    What was odd is noted as `byte-order-mark`, `not-utf8`, `characters-lost`: each reader has its own
    sentences.

    Raises:
        Undecodable: too many characters would be lost.
    """
    for mark, encoding in MARKS:
        if data.startswith(mark):
            notes.add("byte-order-mark", where)
            return _decode(data[len(mark) :], encoding, where, notes)
    if _looks_wide(data):
        return _decode(data, _width(data), where, notes)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return _decode_unmarked(data, where, notes)


def _looks_wide(data: bytes) -> bool:
    """JSON starts with ASCII: a NUL among its first bytes means two or four bytes a character (RFC 4627)."""
    return b"\0" in data[:2] and len(data) >= 4


def _width(data: bytes) -> str:
    if data[0] == 0:
        return "utf-32-be" if data[1] == 0 else "utf-16-be"
    return "utf-32-le" if data[2:4] == b"\0\0" else "utf-16-le"


def _decode(data: bytes, encoding: str, where: str, notes: Notes) -> str:
    """Text in a known encoding; what is no character in it is replaced and counted."""
    text = data.decode(encoding, errors="replace")
    if encoding != "utf-8":
        notes.add("not-utf8", where, encoding=encoding)
    _note_losses(text, where, notes)
    return text


def _decode_unmarked(data: bytes, where: str, notes: Notes) -> str:
    """Damaged UTF-8, GB18030 or Latin-1.

    Damaged UTF-8 comes first: Chinese text in UTF-8 with one bad byte would often pass as GB18030, and every
    sentence of it would be wrong. Text in another encoding gives hardly any character in UTF-8.
    """
    text = data.decode("utf-8", errors="replace")
    lost = text.count(REPLACEMENT)
    characters = len(text) - len(text.encode("ascii", errors="ignore")) - lost
    if lost * MOST_LOST_SHARE <= characters:
        _note_losses(text, where, notes)
        return text
    try:
        text, encoding = data.decode("gb18030"), "gb18030"
    except UnicodeDecodeError:
        text, encoding = data.decode("latin-1"), "latin-1"
    notes.add("not-utf8", where, encoding=encoding)
    return text


def _note_losses(text: str, where: str, notes: Notes) -> None:
    lost = text.count(REPLACEMENT)
    if lost * MOST_LOST_SHARE > len(text):
        raise Undecodable
    if lost:
        notes.add("characters-lost", where, count=lost)
