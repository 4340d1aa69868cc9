"""EJS tags (`<% … %>`) in card text: found, never run (CARD-7)."""

from __future__ import annotations

import re
from itertools import pairwise

# `<%%` and `%%>` are how EJS writes the signs themselves.
_SIGN = re.compile(r"<%%?|%%?>")


def ejs_spans(text: str) -> list[tuple[int, int]]:
    """Spans of the tags, control and output tags alike; what stands between tags is branch text and stays.

    A tag inside another belongs to the outer one. A tag that is never closed reaches to the end of its line
    or to the next tag. A `%>` that closes nothing is ordinary text. Linear time.
    """
    if "<%" not in text:
        return []
    spans: list[tuple[int, int]] = []
    opened: list[int] = []
    starts: list[int] = []
    for sign in _SIGN.finditer(text):
        if sign[0] in ("<%%", "%%>"):
            continue
        if sign[0] == "<%":
            opened.append(sign.start())
            starts.append(sign.start())
        elif opened:
            spans.append((opened.pop(), sign.end()))
    starts.append(len(text))
    following = dict(pairwise(starts))
    line = -1
    for start in opened:
        if line < start:
            line = text.find("\n", start)
            line = len(text) if line < 0 else line
        spans.append((start, min(following[start], line)))
    return sorted(spans)


def ejs_tag_count(text: str) -> int:
    """How many EJS tags begin in the text."""
    return sum(1 for sign in _SIGN.finditer(text) if sign[0] == "<%") if "<%" in text else 0
