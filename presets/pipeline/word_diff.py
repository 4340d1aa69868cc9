"""A difference of two texts down to the words, with long stretches that stayed the same folded.

`diff_text` compares by sentence; where a sentence took the place of another, the words of both are compared.
Signs of scripts without spaces count as words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Final

from formats.text.diff import Change, ChangeKind, TextDiff, diff_text

WORD: Final = re.compile(r"[\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef]|\w+|\s+|.", re.DOTALL)
LONGEST: Final = 6_000
"""Characters of a sentence pair that are compared word by word."""
ALIKE: Final = 0.4
"""Texts less alike than this are shown one after the other: mixed, nobody could read them."""
AROUND: Final = 120
GAP: Final = " … "


def diff_words(old: str, new: str) -> TextDiff:
    """The difference of two texts, by sentence and then by word; what is far from any change is folded."""
    diff = diff_text(old, new)
    return TextDiff(tuple(_folded(tuple(_worded(diff.changes)))), diff.uncompared)


def _worded(changes: tuple[Change, ...]) -> Iterator[Change]:
    place = 0
    while place < len(changes):
        pair = changes[place : place + 2]
        kinds = tuple(change.kind for change in pair)
        if kinds in (("removed", "added"), ("added", "removed")):
            before, after = (
                next(one.text for one in pair if one.kind == kind) for kind in ("removed", "added")
            )
            yield from _pair(before, after)
            place += 2
        else:
            yield changes[place]
            place += 1


def _pair(old: str, new: str) -> Iterator[Change]:
    before, after = WORD.findall(old), WORD.findall(new)
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    if max(len(old), len(new)) > LONGEST or matcher.quick_ratio() < ALIKE or matcher.ratio() < ALIKE:
        yield Change("removed", old)
        yield Change("added", new)
        return
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal":
            yield Change("same", "".join(before[a:b]))
            continue
        parts: tuple[tuple[ChangeKind, str], ...] = (
            ("removed", "".join(before[a:b])),
            ("added", "".join(after[c:d])),
        )
        yield from (Change(kind, text) for kind, text in parts if text)


def _folded(changes: tuple[Change, ...]) -> Iterator[Change]:
    for place, change in enumerate(changes):
        text = change.text
        if change.kind == "same" and len(text) > 3 * AROUND:
            start = text[:AROUND] if place else ""
            end = text[-AROUND:] if place < len(changes) - 1 else ""
            text = f"{start}{GAP}{end}"
        yield Change(change.kind, text)
