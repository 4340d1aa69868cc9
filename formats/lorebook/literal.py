"""One plain key in one text: the rule, plainly written. `scan` gives the same answers for many keys at once.

The rules. A key is compared as written, blanks around it included; one of blanks alone never matches.
Unless case counts, both sides are lower-cased (JavaScript's `toLowerCase`, no folding: ß is not ss). Whole
words means that neither neighbour of the hit is an ASCII letter, digit or underscore, so a key of Han or Kana
is found within running text; a key that holds a blank anywhere, even at its ends, is taken as
several words and needs no bounds. Neighbours are those of the compared text: beside the lower-cased `İ`
stands an `i`.
"""

from __future__ import annotations

import re
import string
from bisect import bisect_right
from dataclasses import dataclass

from formats.lorebook.javascript import BLANKS
from formats.lorebook.patterns import Span

WORD_CHARACTERS = frozenset(string.ascii_letters + string.digits + "_")
BLANK = re.compile(f"[{BLANKS}]")


@dataclass(frozen=True, slots=True)
class Compared:
    """A text as it is compared, and how its places lie in the text as it was given."""

    text: str
    grown: tuple[int, ...] = ()

    def origin(self, start: int, length: int) -> Span:
        """The span in the given text of a hit in the compared one; half a letter counts as the letter."""
        return self._given(start), self._given(start + length - 1) + 1

    def _given(self, place: int) -> int:
        return place - bisect_right(self.grown, place) if self.grown else place


def compared(text: str, *, case_sensitive: bool) -> Compared:
    """The text as it is, or lower-cased: only `İ` grows by that, to two code points."""
    if case_sensitive:
        return Compared(text)
    lowered = text.lower()
    if len(lowered) == len(text):
        return Compared(lowered)
    dotted = (place for place, character in enumerate(text) if character == "İ")
    return Compared(lowered, tuple(place + before + 1 for before, place in enumerate(dotted)))


def is_blank(key: str) -> bool:
    """A key that never matches."""
    return not key.strip(BLANKS)


def needs_bounds(key: str) -> bool:
    """Whether whole words asks for bounds around this key: not where it is several words."""
    return BLANK.search(key) is None


def is_bounded(text: str, start: int, end: int) -> bool:
    """Whether no word goes on over either end of the span."""
    return (start == 0 or text[start - 1] not in WORD_CHARACTERS) and (
        end == len(text) or text[end] not in WORD_CHARACTERS
    )


def find_place(text: str, key: str, *, bounded: bool) -> int | None:
    """Where a key stands first in a compared text."""
    start = text.find(key)
    while bounded and start >= 0 and not is_bounded(text, start, start + len(key)):
        start = text.find(key, start + 1)
    return start if start >= 0 else None


def find_literal(
    text: str, key: str, *, case_sensitive: bool = False, whole_words: bool = False
) -> Span | None:
    """The first hit of a plain key, as a span of the text as it was given."""
    if is_blank(key):
        return None
    form = key if case_sensitive else key.lower()
    where = compared(text, case_sensitive=case_sensitive)
    start = find_place(where.text, form, bounded=whole_words and needs_bounds(key))
    return None if start is None else where.origin(start, len(form))
