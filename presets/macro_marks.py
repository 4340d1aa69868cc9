"""The macros of a text where they stand: which are expanded here, which are left, which are comments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final, Literal

from formats.text.macros import COMMENT, macros_in

Kind = Literal["plain", "expands", "left", "comment"]
MOST_SHOWN: Final = 20_000
"""Signs of a text that are shown with their macros marked."""
MOST_NAMES: Final = 40


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the text of one kind; what stands inside a macro belongs to the outermost one."""

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class Marked:
    """A text in pieces, and the names of its macros with how often each stands there."""

    pieces: tuple[Piece, ...]
    expands: tuple[tuple[str, int], ...]
    left: tuple[tuple[str, int], ...]
    comments: int
    cut: bool

    @property
    def any(self) -> bool:
        """Whether there is a macro at all."""
        return bool(self.expands or self.left or self.comments)


def marked(text: str) -> Marked:
    """The macros of a text; of a long one only the beginning in pieces, but every macro by name."""
    uses = macros_in(text)
    counts: dict[tuple[Kind, str], int] = {}
    for use in uses:
        kind = _kind(use.name, use.is_expanded)
        counts[(kind, use.name)] = counts.get((kind, use.name), 0) + 1
    spans = [
        (use.start, use.end, _kind(use.name, use.is_expanded))
        for use in uses
        if use.depth == 0 and use.start < MOST_SHOWN
    ]
    return Marked(
        tuple(_pieces(text, spans)),
        tuple(islice(_named(counts, "expands"), MOST_NAMES)),
        tuple(islice(_named(counts, "left"), MOST_NAMES)),
        sum(count for (kind, _name), count in counts.items() if kind == "comment"),
        len(text) > MOST_SHOWN,
    )


def _kind(name: str, is_expanded: bool) -> Kind:
    if name == COMMENT:
        return "comment"
    return "expands" if is_expanded else "left"


def _named(counts: dict[tuple[Kind, str], int], wanted: Kind) -> Iterator[tuple[str, int]]:
    return (("{{" + name + "}}", count) for (kind, name), count in counts.items() if kind == wanted)


def _pieces(text: str, spans: list[tuple[int, int, Kind]]) -> Iterator[Piece]:
    at = 0
    for start, end, kind in spans:
        if start > at:
            yield Piece("plain", text[at:start])
        yield Piece(kind, text[start : min(end, max(start, MOST_SHOWN) + 200)])
        at = end
    if at < min(len(text), MOST_SHOWN):
        yield Piece("plain", text[at:MOST_SHOWN])
