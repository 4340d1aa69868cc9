"""The contract's stateless candidates: which entries may be in, for a text and choices given as arguments.

Steps, in this order: each entry by its keys (`evaluation`); ranking; inclusion groups (`groups`); chance, by
the caller's rolls; the budget (`budget`). Nothing here reads a context, rolls dice, counts tokens or builds a
prompt, and what SillyTavern does over several steps (recursion, timed effects) is the simulator's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from formats.lorebook.book_reading import BookReading, keys_of
from formats.lorebook.budget import Budget, default_cost
from formats.lorebook.evaluation import Evaluation, evaluate
from formats.lorebook.groups import group_losers
from formats.lorebook.key_match import KeyMatch, read_plainly
from formats.lorebook.model import Entry, Number, WorldBook
from formats.lorebook.patterns import PatternRunner

Value = TypeVar("Value")
ByEntry = Mapping[Any, Value]
"""Values by candidate key (`<source key>@<index>`) or by uid, as a number or as text."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entry that is in, or the reason why it is not; None is what was never asked."""

    evaluation: Evaluation
    reason: str
    probability: Number | None = None
    probability_roll: Number | None = None
    token_cost: Number | None = None

    @property
    def entry(self) -> Entry:
        """The entry."""
        return self.evaluation.entry

    @property
    def key(self) -> str:
        """The entry's name among the candidates."""
        return self.entry.candidate_key

    def to_json(self) -> dict[str, Any]:
        """The contract's form."""
        asked = {
            "tokenCost": self.token_cost,
            "probability": self.probability,
            "probabilityRoll": self.probability_roll,
        }
        told = {name: value for name, value in asked.items() if value is not None}
        return {"key": self.key, "reason": self.reason, **told, **self.evaluation.matches_json()}


class Candidates:
    """The entries that are in, best ranked first, and what of the budget they use.

    The rejected ones, in the order of the book, are looked at when they are asked for: a big book rejects
    thousands.
    """

    def __init__(
        self, accepted: Sequence[Candidate], budget: Budget, reject: Callable[[], Iterable[Candidate]]
    ) -> None:
        self.accepted = tuple(accepted)
        self.budget = budget
        self._reject = reject

    @cached_property
    def rejected(self) -> tuple[Candidate, ...]:
        """The entries that are not in, each with its reason."""
        return tuple(self._reject())

    def to_json(self) -> dict[str, Any]:
        """The contract's form."""
        return {
            "accepted": [candidate.to_json() for candidate in self.accepted],
            "rejected": [candidate.to_json() for candidate in self.rejected],
            "budget": self.budget.to_json(),
        }


def match_key(
    text: str,
    key: str,
    *,
    case_sensitive: bool = False,
    match_whole_words: bool = False,
    run_patterns: PatternRunner | None = None,
) -> KeyMatch:
    """What one key says of one text."""
    reading = read_plainly(text, [key], run_patterns)
    return reading.match(key, case_sensitive=case_sensitive, whole_words=match_whole_words)


def evaluate_entry(
    entry: Entry,
    text: str,
    *,
    case_sensitive: bool | None = None,
    match_whole_words: bool | None = None,
    vector_matched: bool = False,
    run_patterns: PatternRunner | None = None,
) -> Evaluation:
    """The verdict on one entry by its keys; the settings are for entries that say nothing themselves."""
    return evaluate(
        entry,
        read_plainly(text, keys_of(entry), run_patterns),
        case_sensitive=bool(case_sensitive),
        whole_words=bool(match_whole_words),
        vector_matched=vector_matched,
    )


def rank_entries(entries: Iterable[Entry]) -> list[Entry]:
    """Highest insertion order first; of equals the one that stands first in the book."""
    return sorted(entries, key=_rank)


def _rank(entry: Entry) -> tuple[Number, int]:
    return -entry.insertion_order, entry.source.index


def compute_candidates(
    model_or_entries: WorldBook | Sequence[Entry],
    *,
    text: str,
    case_sensitive: bool | None = None,
    match_whole_words: bool | None = None,
    use_group_scoring: bool | None = None,
    token_budget: Number | None = None,
    probability_rolls: ByEntry[Number] | None = None,
    group_rolls: Mapping[str, Number] | None = None,
    token_costs: ByEntry[Number] | None = None,
    vector_matches: ByEntry[bool] | None = None,
    run_patterns: PatternRunner | None = None,
) -> Candidates:
    """The candidates of a book, or of a list of entries, for a text.

    A roll that is not given is 0, a cost that is not given is `default_cost`. The book's own budget is not
    used: the caller says which one counts.
    """
    reading = BookReading(model_or_entries, text, run_patterns)
    vectors = vector_matches or {}

    def verdict(entry: Entry) -> Evaluation:
        return evaluate(
            entry,
            reading.answers,
            case_sensitive=bool(case_sensitive),
            whole_words=bool(match_whole_words),
            vector_matched=_given(vectors, entry) is True,
        )

    woken = [verdict(entry) for entry in reading.may_wake(case_sensitive=bool(case_sensitive))]
    ranked = sorted((one for one in woken if one.eligible), key=lambda one: _rank(one.entry))
    lost = group_losers(ranked, scoring=bool(use_group_scoring), rolls=group_rolls or {})
    accepted, refused, budget = _chosen(
        [one for place, one in enumerate(ranked) if place not in lost],
        Budget(token_budget),
        probability_rolls or {},
        token_costs or {},
    )
    refused += [Candidate(ranked[place], "inclusion-group-loser") for place in lost]

    def reject() -> Iterable[Candidate]:
        known = {id(one.entry): one for one in refused}
        taken = {id(one.entry) for one in accepted}
        out = (entry for entry in reading.entries if id(entry) not in taken)
        return (known.get(id(entry)) or _refused(verdict(entry)) for entry in out)

    return Candidates(accepted, budget, reject)


def _refused(evaluation: Evaluation) -> Candidate:
    return Candidate(evaluation, evaluation.reason)


def _chosen(
    ranked: Iterable[Evaluation], budget: Budget, rolls: ByEntry[Number], costs: ByEntry[Number]
) -> tuple[list[Candidate], list[Candidate], Budget]:
    """Chance and budget, entry by entry; an entry that fails either stays out alone."""
    accepted: list[Candidate] = []
    refused: list[Candidate] = []
    for one in ranked:
        entry = one.entry
        roll = _given(rolls, entry)
        roll = 0 if roll is None else roll
        chance = entry.probability if entry.use_probability else 100
        if not passes(chance, roll):
            refused.append(Candidate(one, "probability-failed", chance, roll))
            continue
        stated = _given(costs, entry)
        cost = default_cost(entry.content) if stated is None else stated
        if not budget.takes(entry, cost):
            refused.append(Candidate(one, "budget-exceeded", chance, roll, cost))
            continue
        accepted.append(Candidate(one, one.reason, chance, roll, cost))
        budget = budget.less(entry, cost)
    return accepted, refused, budget


def passes(probability: Number, roll: Number) -> bool:
    """Whether a roll of 0 to 1 lets an entry of so many percent in: 0 never does, 100 always."""
    return probability >= 100 or roll * 100 < probability


def _given(values: ByEntry[Value], entry: Entry) -> Value | None:
    names = (entry.candidate_key, entry.uid, str(entry.uid)) if values else ()
    return next((values[name] for name in names if name in values), None)
