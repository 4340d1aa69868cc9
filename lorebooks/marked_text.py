"""Texts with the words marked that a scan found: whole where they are short, else around the words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

WHOLE: Final = 600
AROUND: Final = 90
LONGEST_MARK: Final = 400
MOST_MARKS: Final = 40
GAP: Final = " … "

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Run:
    """A part of a text, marked or not."""

    text: str
    marked: bool = False


def marked(text: str, spans: Iterable[Span]) -> list[Run]:
    """The text in parts; of a long one only what stands around the first marks, or its beginning."""
    joined = merged((max(start, 0), min(end, len(text))) for start, end in spans)[:MOST_MARKS]
    shown = [(0, len(text))]
    if len(text) > WHOLE:
        joined = [(start, min(end, start + LONGEST_MARK)) for start, end in joined]
        shown = _windows(joined, len(text))
    runs: list[Run] = []
    at = 0
    for begin, end in shown:
        if begin > at:
            runs.append(Run(GAP))
        at = begin
        for start, stop in joined:
            if begin <= start and stop <= end:
                runs += [Run(text[at:start]), Run(text[start:stop], marked=True)]
                at = stop
        runs.append(Run(text[at:end]))
        at = end
    if at < len(text):
        runs.append(Run(GAP))
    return [run for run in runs if run.text]


def merged(spans: Iterable[Span]) -> list[Span]:
    """The spans in order, those that overlap as one; empty ones are none."""
    found: list[Span] = []
    for start, end in sorted(spans):
        if start >= end:
            continue
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def _windows(spans: list[Span], length: int) -> list[Span]:
    around = [(max(start - AROUND, 0), min(end + AROUND, length)) for start, end in spans]
    return merged(around) or [(0, min(2 * AROUND, length))]
