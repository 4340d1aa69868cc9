"""`cases.json`: trials with what is expected of them, kept with the book and run again on every version."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from pydantic import Field

from formats.lorebook.patterns import PatternRunner
from formats.lorebook.simulator import Activation, Book, Reason
from formats.messages import gettext_noop
from lorebooks.pipeline.trial import THIS_BOOK, Trial, run_trial
from worlds.library.files.cases import CasesFile, LibraryCase

MOST_CASES: Final = 100

Outcome = Literal["in", "cut", "not-run"]


class Case(LibraryCase):
    """A trial, and what came of every entry of the book but those that stayed out (by entry key)."""

    trial: Trial
    expected: Annotated[dict[str, Outcome], Field(max_length=10_000)] = Field(default_factory=dict)


CASES: Final = CasesFile(
    "lorebook",
    Case,
    MOST_CASES,
    unreadable=gettext_noop("The test cases of this book cannot be read. The book itself is untouched."),
    full=gettext_noop("A book keeps at most {count} cases. Nothing was changed."),
)


@dataclass(frozen=True, slots=True)
class Difference:
    """An entry of which something else came than was expected; `out` where it stayed out or is gone.

    `reason` says why it came so; None for an entry that is gone.
    """

    key: str
    title: str
    expected: str
    got: str
    reason: Reason | None


@dataclass(frozen=True, slots=True)
class CaseResult:
    """How a case went. `missing`: further books of its trial that were not there."""

    case: Case
    differences: tuple[Difference, ...]
    missing: int = 0

    @property
    def passed(self) -> bool:
        """Whether everything came as expected."""
        return not self.differences and not self.missing


def outcomes(activation: Activation) -> dict[str, Outcome]:
    """What came of each entry of the book that did not stay out, by its key in the book file."""
    found: dict[str, Outcome] = {}
    for verdict in activation.verdicts:
        if verdict.book == THIS_BOOK and verdict.outcome != "out":
            found[verdict.entry.source.key] = verdict.outcome
    return found


def run_case(
    case: Case,
    books: Sequence[Book],
    run_patterns: PatternRunner,
    count_tokens: Callable[[str], int],
    missing: int = 0,
) -> CaseResult:
    """Scan again and compare with what is expected; the first of the books is the one of the case."""
    activation = run_trial(case.trial, books, run_patterns, count_tokens)
    got = outcomes(activation)
    there = {one.entry.source.key: one for one in activation.verdicts if one.book == THIS_BOOK}
    differing = []
    for key in dict.fromkeys((*case.expected, *got)):
        if case.expected.get(key) != got.get(key):
            one = there.get(key)
            title = (one.entry.comment or ", ".join(one.entry.keys) or key) if one else key
            reason = one.reason if one else None
            differing.append(
                Difference(key, title, case.expected.get(key, "out"), got.get(key, "out"), reason)
            )
    return CaseResult(case, tuple(differing), missing=missing)
