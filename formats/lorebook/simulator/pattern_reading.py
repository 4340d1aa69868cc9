"""Patterns over the text of a scope, in one piece as in SillyTavern: every part behind U+0001, on a line.

The engine is the caller's, and so is the time that it may take. Its answers are kept as long as the text
stays the same, and it is given only so much text in a scan: a chain of a thousand entries that wake each
other must not send a growing text as often.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from formats.lorebook.patterns import Pattern, PatternOutcome, PatternRunner, Reason
from formats.lorebook.simulator.parts import Part, Scope

MARK = "\x01"
MOST_LETTERS = 20_000_000
"""What an engine is given in one scan."""
LETTERS_OF_A_CALL = 10_000
"""A request costs as much as so much text, however short its own is."""


@dataclass(frozen=True, slots=True)
class JoinedText:
    """The parts of a scope as one text, with where each begins."""

    text: str
    parts: tuple[Part, ...]
    starts: tuple[int, ...]

    def place(self, start: int) -> tuple[Part, int]:
        """The part in which an offset lies, and the offset there."""
        number = max(bisect_right(self.starts, start) - 1, 0)
        return self.parts[number], max(start - self.starts[number], 0)


def join(parts: Iterable[Part]) -> JoinedText:
    """Put parts into one text."""
    kept, starts, at = tuple(parts), [], 0
    for part in kept:
        starts.append(at + len(MARK))
        at += len(MARK) + len(part.text) + 1
    return JoinedText("\n".join(MARK + part.text for part in kept), kept, tuple(starts))


@dataclass(frozen=True, slots=True)
class _Asked:
    """A text and the answers about it; `age` says how many texts of entries it holds."""

    age: int
    joined: JoinedText
    outcomes: dict[Pattern, PatternOutcome] = field(default_factory=dict)


class PatternReading:
    """The outcomes of one scan's patterns; of each scope only the newest text is kept.

    `gave_up`: patterns were left without an answer, and asking again gives none.
    """

    def __init__(self, runner: PatternRunner | None) -> None:
        self._runner = runner
        self._letters = 0
        self.gave_up = False
        self._asked: dict[Scope, _Asked] = {}

    def ask(
        self, patterns: Iterable[Pattern], scope: Scope, age: int, text: Callable[[], JoinedText]
    ) -> None:
        """Run those patterns over the text of a scope that have not been yet."""
        asked = self._asked.get(scope)
        if asked is None or asked.age != age:
            asked = self._asked[scope] = _Asked(age, JoinedText("", (), ()) if self._is_over else text())
        new = [one for one in dict.fromkeys(patterns) if one not in asked.outcomes]
        if new:
            asked.outcomes.update(zip(new, self._outcomes(new, asked.joined.text), strict=True))

    @property
    def _is_over(self) -> bool:
        return self._runner is None or self._letters >= MOST_LETTERS

    def _outcomes(self, patterns: list[Pattern], text: str) -> list[PatternOutcome]:
        if self._runner is None or self._is_over:
            self.gave_up = True
            reason: Reason = "scan-too-slow" if self._runner else "no-engine"
            return [PatternOutcome("not-run", reason=reason)] * len(patterns)
        self._letters += LETTERS_OF_A_CALL + len(text)
        return list(self._runner(patterns, [text]))

    def outcome(self, pattern: Pattern, scope: Scope) -> PatternOutcome:
        """What a pattern gave on the text of a scope."""
        return self._asked[scope].outcomes[pattern]

    def place(self, scope: Scope, start: int) -> tuple[Part, int]:
        """Where in the scope's parts an offset of its text lies."""
        return self._asked[scope].joined.place(start)
