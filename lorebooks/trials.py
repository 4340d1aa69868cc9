"""A trial with the books it is about: the one it belongs to, and further ones its reader may open."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import sleep

from django.core.cache import cache
from django.utils.translation import gettext_noop

from formats.errors import DomainError
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

LONGEST_TRIAL = 60
WAIT = 0.1
WAITS = 30
"""Three seconds, in which nearly every test has ended."""


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


@contextmanager
def one_at_a_time(person: Person) -> Iterator[None]:
    """Run one test of a person, after the one before: a test that is typed over goes on until it is done.

    Raises:
        DomainError: `limited`, the one before takes long.
    """
    key, tries = f"lorebook-trial.{person.pk}", 0
    while not cache.add(key, 1, timeout=LONGEST_TRIAL):
        tries += 1
        if tries > WAITS:
            raise DomainError(
                "limited",
                "lorebook.test-running",
                "",
                gettext_noop("Another test of yours is still running. This one was not begun."),
                gettext_noop("Wait a moment, then test again."),
            )
        sleep(WAIT)
    try:
        yield
    finally:
        cache.delete(key)


def run_for(person: Person, lorebook: Lorebook, trial: Trial) -> TrialRun:
    """Run a trial on a book as it is now. Nothing is stored. Raises as `trial_books`."""
    found = trial_books(person, lorebook, trial)
    patterns = pattern_worker().one_scan()
    return TrialRun(trial, found, run_trial(trial, found.books, patterns, count_tokens))
