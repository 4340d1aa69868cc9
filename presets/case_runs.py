"""A test case on any state of its preset: what it gives now beside what it gave when it was kept."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils.translation import gettext_noop

from formats.errors import DomainError
from formats.preset.model import PresetPackage
from presets import queries
from presets.models import Preset
from presets.pipeline.cases import LONGEST_KEPT, Case
from presets.pipeline.fitting import fitted
from presets.pipeline.message_diff import MessageChange, diff_messages
from presets.queries import DRAFT, State
from presets.trial_names import named
from presets.trials import Assembled

Messages = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class CaseRun:
    """A case with both lists of messages; `was` is None where nobody knows what it gave."""

    case: Case
    was: Messages | None
    now: Messages

    @cached_property
    def changes(self) -> list[MessageChange]:
        """Every message of both, in the order of now."""
        return diff_messages(self.was if self.was is not None else self.now, self.now)

    @cached_property
    def differing(self) -> int:
        """How many messages came, went or changed."""
        return sum(change.kind != "same" for change in self.changes)


@dataclass(frozen=True, slots=True)
class Counted:
    """Many cases in numbers: of `known` ones, which differ; of `unknown` ones nobody knows what they gave.

    `left` were not assembled, since together they take too long.
    """

    known: int = 0
    differing: tuple[Case, ...] = ()
    unknown: int = 0
    left: int = 0

    def __add__(self, other: Counted) -> Counted:
        return Counted(
            self.known + other.known,
            self.differing + other.differing,
            self.unknown + other.unknown,
            self.left + other.left,
        )


def run_case(preset: Preset, case: Case, state: State) -> CaseRun:
    """Assemble a case on a state; nothing is sent. Raises DomainError as `queries.package_of`."""
    package = queries.package_of(preset, state)
    now = _messages(package, case)
    if case.messages or not case.version:
        return CaseRun(case, case.messages or None, now)
    former = _former(preset, case.version)
    if former is None:
        return CaseRun(case, None, now)
    return CaseRun(case, now if former is package else _messages(former, case), now)


def counted(runs: Sequence[CaseRun]) -> Counted:
    """Cases that were run, in numbers."""
    unknown = sum(run.was is None for run in runs)
    return Counted(len(runs) - unknown, tuple(run.case for run in runs if run.differing), unknown)


def count_cases(preset: Preset, cases: Sequence[Case], state: State, seconds: float) -> Counted:
    """Run as many of the cases as begin within so many seconds, and count. Raises as `run_case`."""
    until, found = time.monotonic() + seconds, Counted()
    for number, case in enumerate(cases):
        if time.monotonic() >= until:
            return found + Counted(left=len(cases) - number)
        found += counted([run_case(preset, case, state)])
    return found


def case_of(preset: Preset, case_id: str) -> Case:
    """One case of a preset. Raises `not-found` for one that is not there any more."""
    for case in queries.cases_of(preset):
        if case.id == case_id:
            return case
    raise DomainError(
        "not-found", "preset.no-such-case", case_id, gettext_noop("This test case is not here any more.")
    )


def case_to_keep(made: Assembled, *, id: str, name: str, group: str, expected: str) -> Case:
    """A trial as a case.

    Raises:
        DomainError: `too-large`, its messages are those of a draft and too long to be kept beside it.
    """
    setup, messages = made.setup, made.fitted.assembly.messages
    version = made.tried
    on_draft = version == DRAFT
    if on_draft and len(json.dumps(messages, ensure_ascii=False)) > LONGEST_KEPT:
        raise DomainError(
            "too-large",
            "preset.case-too-long",
            "",
            gettext_noop("What this draft would send is too long to be kept with a case."),
            gettext_noop("Make a version of the draft first: a case on a version needs no copy."),
        )
    return Case(
        id=id,
        name=name,
        group=group,
        expected=expected,
        inputs=setup.inputs,
        context_length=made.context_length,
        version=0 if on_draft else int(version),
        messages=tuple(messages) if on_draft else (),
    )


def _former(preset: Preset, version: int) -> PresetPackage | None:
    try:
        return queries.package_of(preset, version)
    except DomainError as error:
        if error.kind != "not-found":
            raise
        return None  # the preset was copied without its older versions


def _messages(package: PresetPackage, case: Case) -> Messages:
    return fitted(package, named(case.inputs), case.context_length).assembly.messages
