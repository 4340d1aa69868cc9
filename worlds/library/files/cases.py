"""`cases.json`: trials kept with an item, to be run again on every version of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Final, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from formats.errors import DomainError
from formats.messages import gettext_noop
from worlds.library.files.stored import Files, StoredFile, json_bytes

CASES_FILE: Final = "cases.json"


class LibraryCase(BaseModel):
    """What every kind of case has; a key that nobody knows makes the file unreadable."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_by_name=True, validate_by_alias=True)

    id: Annotated[str, Field(min_length=1, max_length=80)]
    name: Annotated[str, Field(max_length=200)]


Case = TypeVar("Case", bound=LibraryCase)


class _Wrapped(BaseModel, Generic[Case]):
    model_config = LibraryCase.model_config

    schema_: Annotated[str, Field(alias="schema")]
    cases: tuple[Case, ...] = ()


@cache
def _wrapped(model: type[LibraryCase]) -> Any:
    """The whole file of a kind of case; making such a model takes longer than reading a file with it."""
    return _Wrapped[model]  # type: ignore[valid-type]


@dataclass(frozen=True, slots=True)
class CasesFile(Generic[Case]):
    """`cases.json` of a `kind`, which holds at most `most` cases. The sentences are whole, to be translated.

    `unreadable` is said of a file that a hand spoilt, `full` (with `{count}`) where no
    more may be added.
    """

    kind: str
    model: type[Case]
    most: int
    unreadable: str
    full: str

    def written(self, cases: Iterable[Case]) -> bytes:
        """The stored form: of each case what was set."""
        said = [case.model_dump(mode="json", exclude_defaults=True) for case in cases]
        return json_bytes({"schema": self._schema, "cases": said})

    def parsed(self, data: bytes) -> tuple[Case, ...]:
        """Read the file back. Raises DomainError `invalid` for what another program wrote."""
        file = self._file
        read = file.parsed(data)
        if read.schema_ != self._schema:
            raise file.refusal("schema")
        cases: tuple[Case, ...] = read.cases
        return cases

    def of(self, files: Files) -> tuple[Case, ...]:
        """The cases of an item; none where none were ever kept. Raises as `parsed`."""
        return self.parsed(files.read(CASES_FILE)) if files.has(CASES_FILE) else ()

    def with_case(self, cases: tuple[Case, ...], case: Case) -> tuple[Case, ...]:
        """The cases with one added, or in the place of that of its id. Raises DomainError `full`."""
        if any(known.id == case.id for known in cases):
            return tuple(case if known.id == case.id else known for known in cases)
        if len(cases) >= self.most:
            raise DomainError(
                "full",
                f"{self.kind}.too-many-cases",
                "",
                self.full,
                gettext_noop("Delete a case that tells you nothing any more."),
                {"count": self.most},
            )
        return (*cases, case)

    def with_returned(self, cases: tuple[Case, ...], former: Iterable[Case]) -> tuple[Case, ...]:
        """The cases with those of `former` that are gone, at the end. Raises DomainError `full`."""
        there = {case.id for case in cases}
        for case in former:
            if case.id not in there:
                cases = self.with_case(cases, case)
        return cases

    @property
    def _schema(self) -> str:
        return f"{self.kind}-cases/v1"

    @property
    def _file(self) -> StoredFile[Any]:
        hint = gettext_noop("Correct cases.json by hand, or bring back a former version.")
        return StoredFile(
            CASES_FILE, _wrapped(self.model), f"{self.kind}.cases-unreadable", self.unreadable, hint
        )
