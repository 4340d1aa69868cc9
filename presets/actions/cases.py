"""Test cases of a preset: trials in groups, kept to be run again on every version."""

from __future__ import annotations

from portal.models import Person
from presets.actions.writing import changing, write_within_quota
from presets.models import Preset
from presets.pipeline.cases import CASES_FILE, Case, cases_bytes, read_cases, with_case
from worlds.library.shelves import folder_of
from worlds.store.change import Change


def save_case(*, actor: Person, preset: Preset, case: Case) -> None:
    """Keep a case; one of the same id is replaced.

    Raises:
        DomainError: `full`, with as many cases as a preset may have; `invalid`, a hand has spoilt the file.
    """
    with changing(actor=actor, preset=preset, what="case", note=case.name) as change:
        data = cases_bytes(with_case(_cases(change), case))
        write_within_quota(preset.owner, change, CASES_FILE, data)


def delete_case(*, actor: Person, preset: Preset, case_id: str) -> str:
    """Take a case away; gives the change that `put_back_cases` takes, or nothing where it was not there."""
    with changing(actor=actor, preset=preset, what="case", note=case_id) as change:
        cases = _cases(change)
        left = tuple(case for case in cases if case.id != case_id)
        if len(left) != len(cases):
            change.write(CASES_FILE, cases_bytes(left))
    return change.id if len(left) != len(cases) else ""


def put_back_cases(*, actor: Person, preset: Preset, change_id: str) -> int:
    """Put back the cases that a change took away; what was kept since stays. Gives how many.

    Raises:
        DomainError: `not-found`, their former bytes are not kept any more; `full`; `invalid`.
    """
    former = read_cases(folder_of(preset).former(change_id, CASES_FILE))
    with changing(actor=actor, preset=preset, what="case", note=change_id) as change:
        cases = _cases(change)
        gone = [case for case in former if case.id not in {one.id for one in cases}]
        for case in gone:
            cases = with_case(cases, case)
        write_within_quota(preset.owner, change, CASES_FILE, cases_bytes(cases))
    return len(gone)


def _cases(change: Change) -> tuple[Case, ...]:
    return read_cases(change.read(CASES_FILE)) if change.has(CASES_FILE) else ()
