"""Test cases of a book: a scene kept with what came of it, to see later what a change changed."""

from __future__ import annotations

from formats.lorebook.model import WorldBook
from formats.text.tokens import count_tokens
from lorebooks.actions.writing import changing_entries
from lorebooks.models import Lorebook
from lorebooks.pipeline.cases import (
    CASES_FILE,
    Case,
    CaseResult,
    cases_bytes,
    outcomes,
    read_cases,
    run_case,
    scene_activation,
    with_case,
)
from lorebooks.regex.worker import pattern_worker
from portal.models import Person
from worlds.store.change import Change


def save_case(*, actor: Person, lorebook: Lorebook, case: Case, model: WorldBook | None = None) -> Case:
    """Keep a case; one of the same id is replaced. With a `model` it expects what comes of its scene there.

    Raises:
        DomainError: `full`, with as many cases as a book may have; `invalid`, a hand has spoilt the file.
    """
    if model is not None:
        activation = scene_activation(case, model, pattern_worker(), count_tokens)
        case = case.model_copy(update={"expected": outcomes(activation)})
    with changing_entries(actor=actor, lorebook=lorebook, what="case", note=case.name) as draft:
        draft.change.write(CASES_FILE, cases_bytes(with_case(_cases(draft.change), case)))
    return case


def delete_case(*, actor: Person, lorebook: Lorebook, case_id: str) -> bool:
    """Take a case away; whether it was there."""
    with changing_entries(actor=actor, lorebook=lorebook, what="case", note=case_id) as draft:
        cases = _cases(draft.change)
        left = tuple(case for case in cases if case.id != case_id)
        if len(left) != len(cases):
            draft.change.write(CASES_FILE, cases_bytes(left))
    return len(left) != len(cases)


def run_cases(cases: tuple[Case, ...], model: WorldBook) -> list[CaseResult]:
    """Run cases on a book, or on a version of it. Nothing is stored."""
    return [run_case(case, model, pattern_worker(), count_tokens) for case in cases]


def _cases(change: Change) -> tuple[Case, ...]:
    return read_cases(change.read(CASES_FILE)) if change.has(CASES_FILE) else ()
