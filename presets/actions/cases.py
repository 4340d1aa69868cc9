"""Test cases of a preset: trials in groups, kept to be run again on every version."""

from __future__ import annotations

from portal.models import Person
from presets.actions.writing import changing
from presets.models import Preset
from presets.pipeline.cases import CASES, Case
from worlds.library.files.cases import CASES_FILE
from worlds.library.room import write_within_quota
from worlds.library.shelves import folder_of


def save_case(*, actor: Person, preset: Preset, case: Case) -> None:
    """Keep a case; one of the same id is replaced.

    Raises:
        DomainError: `full`, without room or with as many cases as a preset may have; `invalid` where a hand
            has spoilt the file.
    """
    with changing(actor=actor, preset=preset, what="case", note=case.name) as change:
        data = CASES.written(CASES.with_case(CASES.of(change), case))
        write_within_quota(preset.owner, change, CASES_FILE, data)


def delete_case(*, actor: Person, preset: Preset, case_id: str) -> str:
    """Take a case away; gives the change that `put_back_cases` takes, or nothing where it was not there."""
    with changing(actor=actor, preset=preset, what="case", note=case_id) as change:
        cases = CASES.of(change)
        left = [case for case in cases if case.id != case_id]
        if len(left) != len(cases):
            change.write(CASES_FILE, CASES.written(left))
    return change.id if len(left) != len(cases) else ""


def put_back_cases(*, actor: Person, preset: Preset, change_id: str) -> int:
    """Put back the cases that a change took away; what was kept since stays. Gives how many.

    Raises:
        DomainError: `not-found`, their former bytes are not kept any more; `full`; `invalid`.
    """
    former = CASES.parsed(folder_of(preset).former(change_id, CASES_FILE))
    with changing(actor=actor, preset=preset, what="case", note=change_id) as change:
        there = CASES.of(change)
        cases = CASES.with_returned(there, former)
        write_within_quota(preset.owner, change, CASES_FILE, CASES.written(cases))
    return len(cases) - len(there)
