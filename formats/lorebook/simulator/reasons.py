"""`Reason`: a code of `sentences` with its numbers, as cheap as it can be; words come when somebody reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from formats.finding import Finding
from formats.lorebook.simulator.parts import Hit
from formats.lorebook.simulator.sentences import CUT_SHORT, GATES, RANK, REASONS, SPLIT_MACRO

LONGEST_QUOTE: Final = 120


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
    titled = list(texts)
    first = next((title for title, text in titled if text.rfind("{{") > text.rfind("}}")), None)
    second = next((title for title, text in titled if "}}" in text.partition("{{")[0]), None)
    if first is not None and second is not None:
        yield Finding("warning", "macro-split", "", SPLIT_MACRO, args={"first": first, "second": second})


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
