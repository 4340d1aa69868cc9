"""Long texts cut at the bounds of paragraphs and sentences, in Chinese, Japanese and Western writing (D8)."""

from __future__ import annotations

import re
import unicodedata

PIECE_LIMIT = 6000
"""At most so many characters in a piece of a card."""

_CLOSING = r"[」』”’\"'）)】》〉\]*_~]*"
_SENTENCE_END = re.compile(
    rf"[。！？；｡]+(?:…+)?{_CLOSING}[ \t　]*"
    rf"|…+{_CLOSING}[ \t　]*"
    rf"|(?<![.!?])[.!?]++{_CLOSING}+(?=\s)[ \t　]*"
    r"|\n+"
)
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\"'])(?:[A-Za-z]|Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|vs|etc|e\.g|i\.e|No|Vol|cf|approx|Capt|Lt|Sgt)$"
)
_LINE = re.compile(r"\n+")
_BLANK_LINE = re.compile(r"\n[ \t\r]*\n[ \t\r\n]*")
_ZERO_WIDTH_JOINER = "\u200d"
_OPENING_SIGNS = re.compile(r"\{\{[^{}\s]{0,40}$|</?[A-Za-z]{0,20}$")


def split_text(text: str, limit: int = PIECE_LIMIT) -> list[str]:
    """Parts of at most `limit` characters that joined give the text back; the empty text is one empty part.

    A part ends at the last paragraph bound within the limit (a blank line in its second half, else the end
    of a line), else at the last end of a sentence, else where the limit falls, but never inside a letter with
    its marks, an emoji sequence, a line break of two characters, or a short macro or tag.

    Raises:
        ValueError: the limit is less than 2.
    """
    if limit < 2:
        raise ValueError("a part needs room for two characters")
    parts: list[str] = []
    start = 0
    while len(text) - start > limit:
        end = _part_end(text, start, start + limit)
        parts.append(text[start:end])
        start = end
    return [*parts, text[start:]]


def sentences(text: str) -> list[str]:
    """The sentences of a text, line breaks with the sentence before them; joined they give the text back."""
    parts: list[str] = []
    start = 0
    for end in _sentence_ends(text, 0, len(text)):
        parts.append(text[start:end])
        start = end
    return [*parts, text[start:]] if start < len(text) else parts


def _part_end(text: str, start: int, latest: int) -> int:
    blank = _last_end(_BLANK_LINE, text, start + (latest - start) // 2, latest)
    if blank:
        return blank
    line = _last_end(_LINE, text, start, latest)
    if line:
        return line
    ends = _sentence_ends(text, start, latest)
    return ends[-1] if ends else _hard_end(text, start, latest)


def _last_end(pattern: re.Pattern[str], text: str, start: int, latest: int) -> int:
    end = 0
    for found in pattern.finditer(text, start, latest):
        end = found.end()
    return end


def _sentence_ends(text: str, start: int, latest: int) -> list[int]:
    # One character more is looked at: a full stop ends a sentence only before white space.
    found = _SENTENCE_END.finditer(text, start, min(latest + 1, len(text)))
    return [
        min(end.end(), latest)
        for end in found
        if end.start() < latest and not (end[0].startswith(".") and _is_abbreviated(text, end.start()))
    ]


def _is_abbreviated(text: str, stop: int) -> bool:
    return bool(_ABBREVIATION.search(text, max(0, stop - 8), stop))


def _hard_end(text: str, start: int, latest: int) -> int:
    opening = _OPENING_SIGNS.search(text, max(start + 1, latest - 44), latest)
    end = opening.start() if opening else latest
    while end > start + 1 and not _parts_cleanly(text[end - 1], text[end]):
        end -= 1
    return end if end > start + 1 or _parts_cleanly(text[start], text[start + 1]) else latest


def _parts_cleanly(before: str, after: str) -> bool:
    if unicodedata.category(after)[0] == "M" or _ZERO_WIDTH_JOINER in (before, after):
        return False
    if "\U0001f3fb" <= after <= "\U0001f3ff":  # skin tones
        return False
    halves = "\ud800" <= before <= "\udbff" and "\udc00" <= after <= "\udfff"
    return not halves and (before, after) != ("\r", "\n")
