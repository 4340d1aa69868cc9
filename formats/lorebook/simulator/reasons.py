"""`Reason`: a code of `sentences` with its numbers, as cheap as it can be; words come when somebody reads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise, product
from typing import Any, Final

from formats.finding import Finding
from formats.lorebook.simulator.parts import Hit
from formats.lorebook.simulator.sentences import CUT_SHORT, GATES, RANK, REASONS, SPLIT_MACRO

LONGEST_QUOTE: Final = 120
BRACE: Final = re.compile(r"[{}]")


@dataclass(frozen=True, slots=True)
class Reason:
    """Why an entry is in, or what refused it."""

    code: str
    args: Mapping[str, Any] = field(default_factory=dict)

    @property
    def rank(self) -> int:
        """How far the entry got: the later the gate, the more it tells."""
        return RANK[self.code]

    def said(self, where: str) -> Finding:
        """The sentence, for an entry named by its candidate key."""
        message = GATES.get(self.code) or REASONS[self.code]
        return Finding("info", self.code, where, message, args=self.args)


def cut_short(steps: int) -> Finding:
    """The scan ended before its last step."""
    return Finding("warning", "scan-cut-short", "", CUT_SHORT, args={"steps": steps})


def split_macro(texts: Iterable[tuple[str, str]]) -> Iterator[Finding]:
    """A macro of which one entry has the beginning and another the end; of each text its entry's title."""
    begun: list[tuple[int, str]] = []
    ended: list[tuple[int, str]] = []
    for number, (title, text) in enumerate(texts):
        begins, ends = _halves_of_macros(text)
        begun += [(number, title)] if begins else []
        ended += [(number, title)] if ends else []
    for (first, begin), (second, end) in product(begun[:2], ended[:2]):
        if first != second:
            args = {"first": begin, "second": end}
            yield Finding("warning", "macro-split", "", SPLIT_MACRO, args=args)
            return


def _halves_of_macros(text: str) -> tuple[bool, bool]:
    """Whether a text has a `{{` that nothing closes, and a `}}` that closes nothing: JSON has neither."""
    if "{{" not in text and "}}" not in text:
        return False, False
    opened: list[int] = []
    closed: list[int] = []
    for brace in BRACE.finditer(text):
        if brace[0] == "{":
            opened.append(brace.start())
        elif opened:
            opened.pop()
        else:
            closed.append(brace.start())
    begins, ends = (any(after - at == 1 for at, after in pairwise(found)) for found in (opened, closed))
    return begins, ends


def quote(text: str) -> str:
    """Text of a file inside a sentence: one line, and not too long."""
    flat = " ".join(text.split())
    return flat if len(flat) <= LONGEST_QUOTE else flat[: LONGEST_QUOTE - 1] + "…"


def listed(texts: Iterable[str]) -> str:
    """Several texts of a file inside a sentence."""
    return quote(", ".join(texts))


def reason_of_hit(hit: Hit) -> Reason:
    """Why an entry is in that was woken by this key."""
    if hit.where == "message":
        return Reason("key-message", {"key": quote(hit.key), "number": hit.index + 1})
    if hit.where == "entry":
        return Reason("key-entry", {"key": quote(hit.key), "title": quote(hit.title)})
    return Reason(f"key-{hit.name}", {"key": quote(hit.key)})
