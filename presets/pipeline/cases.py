"""`cases.json`: groups of trials kept with a preset, to be run again on every version (PRE-13)."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from formats.errors import DomainError
from formats.messages import gettext_noop
from formats.stable_json import read_json, write_json
from presets.pipeline.trial import TrialInputs

CASES_FILE: Final = "cases.json"
SCHEMA: Final = "preset-cases/v1"
MOST_CASES: Final = 200


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", validate_by_name=True, validate_by_alias=True)


class Case(_Part):
    """A trial with what its maker expects of the answer, in words; `group` is the heading it stands under."""

    id: Annotated[str, Field(min_length=1, max_length=80)]
    name: Annotated[str, Field(max_length=200)]
    group: Annotated[str, Field(max_length=200)] = ""
    inputs: TrialInputs = TrialInputs()
    expected: Annotated[str, Field(max_length=20_000)] = ""


class _File(_Part):
    schema_: Annotated[Literal["preset-cases/v1"], Field(alias="schema")] = SCHEMA
    cases: tuple[Case, ...] = ()


def cases_bytes(cases: tuple[Case, ...]) -> bytes:
    """The stored form: of each case what was set."""
    said = [case.model_dump(mode="json", exclude_defaults=True) for case in cases]
    return write_json({"schema": SCHEMA, "cases": said}).encode("utf-8", "replace")


def read_cases(data: bytes) -> tuple[Case, ...]:
    """Read the file back. Raises DomainError `invalid` for what another program wrote."""
    try:
        return _File.model_validate(read_json(data)).cases
    except (ValidationError, ValueError) as error:
        raise DomainError(
            "invalid",
            "preset.cases-unreadable",
            CASES_FILE,
            gettext_noop("The test cases of this preset cannot be read. The preset itself is untouched."),
            gettext_noop("Correct cases.json by hand, or bring back a former version."),
        ) from error


def with_case(cases: tuple[Case, ...], case: Case) -> tuple[Case, ...]:
    """The cases with one added, or in the place of that of its id. Raises DomainError `full`."""
    if any(known.id == case.id for known in cases):
        return tuple(case if known.id == case.id else known for known in cases)
    if len(cases) >= MOST_CASES:
        raise DomainError(
            "full",
            "preset.too-many-cases",
            "",
            gettext_noop("A preset keeps at most {count} cases. Nothing was changed."),
            gettext_noop("Delete a case that tells you nothing any more."),
            {"count": MOST_CASES},
        )
    return (*cases, case)


def grouped(cases: tuple[Case, ...]) -> dict[str, list[Case]]:
    """The cases by their groups, in the order in which these first come."""
    groups: dict[str, list[Case]] = {}
    for case in cases:
        groups.setdefault(case.group, []).append(case)
    return groups
