"""What a file is when it is no card: lorebook, preset, chat, web page and the like, so that we can say it.

Told by content, never by file name. The names are the keys of `errors.OTHER_KINDS`.
"""

from __future__ import annotations

import json
import re
from typing import Any

from formats import kinds
from formats.card.payload import is_wide, looks_like_json, may_be_card
from formats.lorebook.repair import foreign_shape

HTML = re.compile(
    rb"\s*(<!--.{0,400}?-->\s*)*<(!doctype\s+html|html|head|body|script|div|meta|title)\b", re.I | re.S
)
BINARY_STARTS = (b"%PDF", b"Rar!", b"7z\xbc\xaf", b"\x1f\x8b", b"ID3", b"OggS", b"SQLite format 3")
CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")

LONGEST_BARE_VALUE = 4096
"""A longer text without brackets is not looked at as JSON."""


def kind_of_text(head: bytes) -> str | None:
    """What a file with these first bytes is; None where it may be JSON, plain or in base64."""
    if head.startswith(BINARY_STARTS):
        return "binary"
    if HTML.match(head.removeprefix(b"\xef\xbb\xbf")):
        return "html"
    if may_be_card(head) or is_wide(head):
        return None
    if head.startswith((b"//", b"/*")):
        return None
    return "binary" if CONTROL.search(head[:512]) else "text"


def is_bare_value(text: bytes) -> bool:
    """True for a file that is one JSON number, text, `true`, `null` or `NaN`, which no card is."""
    if len(text) >= LONGEST_BARE_VALUE or looks_like_json(text):
        return False
    try:
        json.loads(text.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return False
    return True


def kind_of_lines(text: str) -> str | None:
    """`chat` for a file of one JSON object a line whose first line is the head of a chat or a message."""
    first, _, rest = text.lstrip("\ufeff \r\n\t").partition("\n")
    if not rest.strip() or len(first) > 1_000_000:
        return None
    try:
        return "chat" if kinds.is_chat(json.loads(first)) else None
    except (ValueError, RecursionError):
        return None


def kind_of_value(value: Any) -> str | None:
    """What a JSON value without a card in it is; None where it is nothing known."""
    return kinds.kind_of_value(value) or ("lorebook" if _is_lorebook(value) else None)


def _is_lorebook(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    return foreign_shape(value) is not None or isinstance(value.get("entries"), list)
