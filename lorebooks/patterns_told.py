"""Keys of a book that are patterns, and those among them that no engine takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from formats.lorebook.model import WorldBook
from formats.lorebook.patterns import Pattern, PatternRunner, pattern_of

MOST_TRIED: Final = 500
SHOWN: Final = 50


@dataclass(frozen=True, slots=True)
class PatternsTold:
    """How many keys are patterns, how many of them were tried, and the first that do not compile.

    Each of `broken` is the key and the title of its entry. `unknown` could not be tried.
    """

    total: int
    tried: int
    unknown: int
    broken: list[tuple[str, str]]


def told_patterns(model: WorldBook, engine: PatternRunner) -> PatternsTold:
    """Try every pattern of a book on an empty text: that one does not compile is seen there."""
    found: dict[Pattern, tuple[str, str]] = {}
    total = 0
    for entry in model.entries:
        for key in (*entry.keys, *entry.secondary_keys):
            pattern = pattern_of(key)
            if pattern is not None:
                total += 1
                found.setdefault(pattern, (key, entry.comment))
    tried = list(found)[:MOST_TRIED]
    outcomes = engine(tried, [""]) if tried else []
    broken = [
        found[pattern]
        for pattern, outcome in zip(tried, outcomes, strict=True)
        if outcome.kind == "not-compiling"
    ]
    unknown = sum(outcome.kind == "not-run" for outcome in outcomes)
    return PatternsTold(total, len(tried), unknown, broken[:SHOWN])
