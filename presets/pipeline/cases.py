"""`cases.json`: groups of trials kept with a preset, to be run again on every version (PRE-13)."""

from __future__ import annotations

from typing import Annotated, Any, Final

from pydantic import Field

from formats.messages import gettext_noop
from presets.pipeline.trial import TrialInputs
from worlds.library.files.cases import CasesFile, LibraryCase

MOST_CASES: Final = 200
LONGEST_KEPT: Final = 300_000
"""Characters of messages that a case on a draft may keep."""


class Case(LibraryCase):
    """A trial with what its maker expects of the answer, in words; `group` is the heading it stands under.

    What it gave when it was kept is that of `version`, which never changes; `messages` hold it where it was
    kept on a draft, which does.
    """

    group: Annotated[str, Field(max_length=200)] = ""
    inputs: TrialInputs = TrialInputs()
    context_length: Annotated[int, Field(gt=0)] | None = None
    expected: Annotated[str, Field(max_length=20_000)] = ""
    version: Annotated[int, Field(ge=0)] = 0
    messages: tuple[dict[str, Any], ...] = ()


CASES: Final = CasesFile(
    "preset",
    Case,
    MOST_CASES,
    unreadable=gettext_noop("The test cases of this preset cannot be read. The preset itself is untouched."),
    full=gettext_noop("A preset keeps at most {count} cases. Nothing was changed."),
)


def cases_of_copy(cases: tuple[Case, ...], head: int) -> tuple[Case, ...]:
    """The cases as a copy has them, whose version 1 is version `head` here and which has no other."""
    return tuple(case.model_copy(update={"version": 1 if case.version == head else 0}) for case in cases)


def grouped(cases: tuple[Case, ...]) -> dict[str, list[Case]]:
    """The cases by their groups, in the order in which these first come."""
    groups: dict[str, list[Case]] = {}
    for case in cases:
        groups.setdefault(case.group, []).append(case)
    return groups
