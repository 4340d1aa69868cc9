"""Test cases of a book: a trial kept with what came of it, to see later what a change changed."""

from __future__ import annotations

from collections.abc import Sequence

from formats.lorebook.model import WorldBook
from formats.text.tokens import count_tokens
from lorebooks.actions.writing import changing_entries
from lorebooks.models import Lorebook
from lorebooks.pipeline.cases import CASES, Case, CaseResult, outcomes, run_case
from lorebooks.regex.worker import pattern_worker
from lorebooks.shelves import folder_of
from lorebooks.trials import one_at_a_time, run_for, trial_books
from portal.models import Person
from worlds.library.files.cases import CASES_FILE
from worlds.library.room import write_within_quota


def save_case(*, actor: Person, lorebook: Lorebook, case: Case) -> Case:
    """Keep a case with what comes of its trial in the book now; one of the same id is replaced.

    Raises:
        DomainError: `full`, without room or with as many cases as a book may have; `invalid` where a hand
            has spoilt the file.
    """
    case = case.model_copy(update={"expected": outcomes(run_for(actor, lorebook, case.trial).activation)})
    with changing_entries(actor=actor, lorebook=lorebook, what="case", note=case.name) as draft:
        data = CASES.written(CASES.with_case(CASES.of(draft.change), case))
        write_within_quota(lorebook.owner, draft.change, CASES_FILE, data)
    return case


def delete_case(*, actor: Person, lorebook: Lorebook, case_id: str) -> str:
    """Take a case away; gives the change that `put_back_cases` takes, or nothing where it was not there."""
    with changing_entries(actor=actor, lorebook=lorebook, what="case", note=case_id) as draft:
        cases = CASES.of(draft.change)
        left = [case for case in cases if case.id != case_id]
        if len(left) != len(cases):
            draft.change.write(CASES_FILE, CASES.written(left))
    return draft.change.id if len(left) != len(cases) else ""


def put_back_cases(*, actor: Person, lorebook: Lorebook, change_id: str) -> int:
    """Put back the cases that a change took away; what was kept since stays. Gives how many.

    Raises:
        DomainError: `not-found`, their former bytes are not kept any more; `full`; `invalid`.
    """
    former = CASES.parsed(folder_of(lorebook).former(change_id, CASES_FILE))
    with changing_entries(actor=actor, lorebook=lorebook, what="case", note=change_id) as draft:
        there = CASES.of(draft.change)
        cases = CASES.with_returned(there, former)
        write_within_quota(lorebook.owner, draft.change, CASES_FILE, CASES.written(cases))
    return len(cases) - len(there)


def run_cases(
    *, actor: Person, lorebook: Lorebook, cases: Sequence[Case], model: WorldBook
) -> list[CaseResult]:
    """Run cases on a book or a version of it, with further books the actor may read. Nothing is stored.

    Raises:
        DomainError: `limited`, another test of the actor takes long; as `trial_books`.
    """
    results = []
    with one_at_a_time(actor):
        for case in cases:
            found = trial_books(actor, lorebook, case.trial, model)
            patterns = pattern_worker().one_scan()
            results.append(run_case(case, found.books, patterns, count_tokens, found.missing))
    return results
