"""`cases.json`: trials with what is expected of them, kept with the book and run again on every version."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from formats.errors import DomainError
from formats.lorebook.patterns import PatternRunner
from formats.lorebook.simulator import Activation, Book, Reason
from formats.messages import gettext_noop
from formats.stable_json import read_json, write_json
from lorebooks.pipeline.trial import THIS_BOOK, Trial, run_trial

CASES_FILE: Final = "cases.json"
SCHEMA: Final = "lorebook-cases/v1"
MOST_CASES: Final = 100

Outcome = Literal["in", "cut", "not-run"]
Short = Annotated[str, Field(max_length=200)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", validate_by_name=True, validate_by_alias=True)


class Case(_Part):
    """A trial, and what came of every entry of the book but those that stayed out (by entry key)."""

    id: Annotated[str, Field(min_length=1, max_length=80)]
    name: Short
    trial: Trial
    expected: Annotated[dict[str, Outcome], Field(max_length=10_000)] = Field(default_factory=dict)


class _File(_Part):
    schema_: Annotated[Literal["lorebook-cases/v1"], Field(alias="schema")] = SCHEMA
    cases: tuple[Case, ...] = ()


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


def cases_bytes(cases: tuple[Case, ...]) -> bytes:
    """The stored form: of each trial what was set."""
    said = [case.model_dump(mode="json", exclude_defaults=True) for case in cases]
    return write_json({"schema": SCHEMA, "cases": said}).encode("utf-8", "replace")


def read_cases(data: bytes) -> tuple[Case, ...]:
    """Read the file back. Raises DomainError `invalid` for what another program wrote."""
    try:
        return _File.model_validate(read_json(data)).cases
    except (ValidationError, ValueError) as error:
        raise DomainError(
            "invalid",
            "lorebook.cases-unreadable",
            CASES_FILE,
            gettext_noop("The test cases of this book cannot be read. The book itself is untouched."),
            gettext_noop("Correct cases.json by hand, or bring back a former version."),
        ) from error


def with_case(cases: tuple[Case, ...], case: Case) -> tuple[Case, ...]:
    """The cases with one added, or in the place of that of its id. Raises DomainError `full`."""
    if any(known.id == case.id for known in cases):
        return tuple(case if known.id == case.id else known for known in cases)
    if len(cases) >= MOST_CASES:
        raise DomainError(
            "full",
            "lorebook.too-many-cases",
            "",
            gettext_noop("A book keeps at most {count} cases. Nothing was changed."),
            gettext_noop("Delete a case that tells you nothing any more."),
            {"count": MOST_CASES},
        )
    return (*cases, case)
