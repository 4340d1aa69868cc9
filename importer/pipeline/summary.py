"""A summary taken from a text: its first sentence that says something. Nothing is made up."""

from __future__ import annotations

import re

from formats.text.cleaning import PLAYER
from formats.text.split import sentences

LIMIT = 160  # characters of a summary
LOOKED_AT = 2000  # characters of a text in which a sentence is looked for
SHORT = 10  # letters and digits up to which an exclamation takes the sentence after it along

_SPOKEN = re.compile(rf"[\"“「*]*{re.escape(PLAYER)}[*]*\s*[:：]")
_OPENED = {"[": "]", "【": "】", "(": ")", "（": "）"}
_MARKS = " \t\n#*-=>|`"


def first_sentence(text: str) -> str:
    """The first sentence of prose, without headings' and lists' marks; at most `LIMIT` characters.

    Lines that somebody speaks, labels alone (`Appearance:`) and lines without words are passed over; a text
    that holds nothing else has no summary.
    """
    told = filter(None, map(_plain, sentences(told_only(text[:LOOKED_AT]))))
    first = next(told, "")
    if first and first[-1] in "!?！？…~～" and sum(c.isalnum() for c in first) <= SHORT:
        more = next(told, "")
        first = f"{first} {more}".rstrip() if first.isascii() else first + more
    return first if len(first) <= LIMIT else first[: LIMIT - 1].rstrip() + "…"


def told_only(text: str) -> str:
    """A text up to the line where the player is spoken for: from there on it is a dialogue."""
    lines = text.split("\n")
    spoken = next((number for number, line in enumerate(lines) if _SPOKEN.match(line.lstrip(_MARKS))), None)
    return "\n".join(lines[:spoken])


def _plain(sentence: str) -> str:
    """The words of a sentence on one line; empty where it says nothing or is a label alone."""
    said = " ".join(sentence.strip(_MARKS).split())
    if said[:1] in _OPENED and _OPENED[said[0]] not in said:  # it closes in a later sentence
        said = said[1:].lstrip()
    return said if sum(c.isalnum() for c in said) >= 2 and said[-1] not in ":：" else ""
