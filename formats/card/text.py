"""Bytes of unknown encoding become text; characters that no store accepts are taken out."""

from __future__ import annotations

import re
from typing import NamedTuple

from formats import decoding
from formats.card.errors import CardError
from formats.notes import Notes

HALF_CHARACTER = re.compile("[\ud800-\udfff]")


class CleanText(NamedTuple):
    """A text that every store accepts, and how many NULs and lone surrogates it had."""

    text: str
    nuls: int
    halves: int


def decode_text(data: bytes, where: str, notes: Notes) -> str:
    """Text from the bytes of a card.

    Raises:
        CardError: `unreadable-text`.
    """
    try:
        return decoding.decode_text(data, where, notes)
    except decoding.Undecodable:
        raise CardError("unreadable-text", where) from None


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
        text, halves = HALF_CHARACTER.subn(decoding.REPLACEMENT, text)
        return CleanText(text, nuls, halves)
    return CleanText(text, nuls, 0)
