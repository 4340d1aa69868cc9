"""A trial with the books it is about: the one it belongs to, and further ones its reader may open."""

from __future__ import annotations

from dataclasses import dataclass

from formats.lorebook.model import WorldBook
from formats.lorebook.simulator import Activation, Book
from formats.text.tokens import count_tokens
from lorebooks.access import lorebooks_for
from lorebooks.kept_models import book_model
from lorebooks.models import Lorebook
from lorebooks.pipeline.trial import THIS_BOOK, Trial, run_trial
from lorebooks.queries import in_step
from lorebooks.regex.worker import pattern_worker
from portal.models import Person


@dataclass(frozen=True, slots=True)
class TrialBooks:
    """The books of a scan, the one of the trial first; `further` are the rows of the others."""

    books: tuple[Book, ...]
    further: tuple[Lorebook, ...]
    missing: int


@dataclass(frozen=True, slots=True)
class TrialRun:
    """A trial that was run."""

    trial: Trial
    with_books: TrialBooks
    activation: Activation


def trial_books(
    person: Person, lorebook: Lorebook, trial: Trial, model: WorldBook | None = None
) -> TrialBooks:
    """The books of a trial; without a `model` its own book is what it is now.

    Raises:
        DomainError: `invalid`, a hand has spoilt a book's file.
    """
    own = Book(THIS_BOOK, book_model(lorebook) if model is None else model)
    wanted = [one for one in dict.fromkeys(trial.books) if one != lorebook.pk]
    readable = {row.pk: row for row in lorebooks_for(person).filter(pk__in=wanted).select_related("owner")}
    further = tuple(in_step(readable[one]) for one in wanted if one in readable)
    others = (Book(row.pk, book_model(row)) for row in further)
    return TrialBooks((own, *others), further, missing=len(wanted) - len(further))


def run_for(person: Person, lorebook: Lorebook, trial: Trial) -> TrialRun:
    """Run a trial on a book as it is now. Nothing is stored. Raises as `trial_books`."""
    found = trial_books(person, lorebook, trial)
    patterns = pattern_worker().one_scan()
    return TrialRun(trial, found, run_trial(trial, found.books, patterns, count_tokens))
