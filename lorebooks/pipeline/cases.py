"""`cases.json`: scenes with what is expected of them, kept with the book and run again on every version."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from formats.errors import DomainError
from formats.lorebook.model import Role, WorldBook
from formats.lorebook.patterns import PatternRunner
from formats.lorebook.simulator import (
    Activation,
    Book,
    ScanSettings,
    Scene,
    SceneMessage,
    fixed_dice,
    simulate,
)
from formats.messages import gettext_noop
from formats.stable_json import read_json, write_json

CASES_FILE: Final = "cases.json"
MOST_CASES: Final = 100
MOST_CHARACTERS: Final = 200_000
BOOK: Final = "book"

Outcome = Literal["in", "cut", "not-run"]
Short = Annotated[str, Field(max_length=200)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", validate_by_name=True, validate_by_alias=True)


class CaseMessage(_Part):
    """One message of the scene."""

    text: Annotated[str, Field(max_length=MOST_CHARACTERS)]
    name: Short = ""
    role: Role = "user"


class Case(_Part):
    """A scene, how it is scanned, and what came of every entry but those that stayed out (by entry key)."""

    id: Annotated[str, Field(min_length=1, max_length=80)]
    name: Short
    messages: Annotated[tuple[CaseMessage, ...], Field(max_length=200)]
    scan_depth: Annotated[int, Field(ge=0, le=1000)] | None = None
    recursion: bool | None = None
    budget_tokens: Annotated[int, Field(ge=0, le=10_000_000)] | None = None
    seed: Short = ""
    expected: Annotated[dict[str, Outcome], Field(max_length=10_000)] = Field(default_factory=dict)


class _File(_Part):
    schema_: Literal["lorebook-cases/v1"] = Field("lorebook-cases/v1", alias="schema")
    cases: tuple[Case, ...] = ()


@dataclass(frozen=True, slots=True)
class Difference:
    """An entry of which something else came than was expected; `out` where it stayed out or is gone."""

    key: str
    title: str
    expected: str
    got: str


@dataclass(frozen=True, slots=True)
class CaseResult:
    """How a case went."""

    case: Case
    differences: tuple[Difference, ...]

    @property
    def passed(self) -> bool:
        """Whether everything came as expected."""
        return not self.differences


def scene_activation(
    case: Case, model: WorldBook, run_patterns: PatternRunner | None, count_tokens: Callable[[str], int]
) -> Activation:
    """Scan the scene of a case with a book."""
    messages = tuple(SceneMessage(said.text, said.name, said.role) for said in case.messages)
    settings = ScanSettings(case.scan_depth, case.recursion, case.budget_tokens)
    return simulate(
        [Book(BOOK, model)],
        Scene(messages),
        settings,
        dice=fixed_dice(case.seed),
        run_patterns=run_patterns,
        count_tokens=count_tokens,
    )


def outcomes(activation: Activation) -> dict[str, Outcome]:
    """What came of each entry that did not stay out, by its key in the book file."""
    found: dict[str, Outcome] = {}
    for verdict in activation.verdicts:
        if verdict.outcome != "out":
            found[verdict.entry.source.key] = verdict.outcome
    return found


def run_case(
    case: Case, model: WorldBook, run_patterns: PatternRunner | None, count_tokens: Callable[[str], int]
) -> CaseResult:
    """Scan again and compare with what is expected."""
    got = outcomes(scene_activation(case, model, run_patterns, count_tokens))
    titles = {entry.source.key: entry.comment or ", ".join(entry.keys) for entry in model.entries}
    differing = [
        key for key in dict.fromkeys((*case.expected, *got)) if case.expected.get(key) != got.get(key)
    ]
    return CaseResult(
        case,
        tuple(
            Difference(key, titles.get(key, key), case.expected.get(key, "out"), got.get(key, "out"))
            for key in differing
        ),
    )


def cases_bytes(cases: tuple[Case, ...]) -> bytes:
    """The stored form."""
    return write_json(_File(cases=cases).model_dump(mode="json", by_alias=True)).encode("utf-8", "replace")


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
    if len(cases) >= MOST_CASES or sum(len(said.text) for said in case.messages) > MOST_CHARACTERS:
        raise DomainError(
            "full",
            "lorebook.too-many-cases",
            "",
            gettext_noop("A book keeps at most {count} cases of {characters} characters each."),
            gettext_noop("Delete a case, or shorten the scene."),
            {"count": MOST_CASES, "characters": MOST_CHARACTERS},
        )
    return (*cases, case)
