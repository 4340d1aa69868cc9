"""What a scan gives back: a verdict on every entry, what goes where, the budget, the steps, the state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from formats.finding import Finding
from formats.lorebook.model import Entry, Number
from formats.lorebook.simulator.budget import BudgetUse
from formats.lorebook.simulator.parts import Hit
from formats.lorebook.simulator.placing import Placed
from formats.lorebook.simulator.reasons import Reason
from formats.lorebook.simulator.timed import TimedState

Outcome = Literal["in", "cut", "out", "not-run"]
StepKind = Literal["messages", "recursion", "deeper"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one entry, and why.

    `cut`: woken, but the budget refused it. `not-run`: it hangs on a pattern that was not run. `hits` are the
    keys that were found, also those that did not suffice; `step` is 0 where the entry was never looked at.
    `tokens` are counted for what came in or was cut; None for the others.
    """

    book: str
    key: str
    entry: Entry
    outcome: Outcome
    reason: Reason
    hits: tuple[Hit, ...] = ()
    step: int = 0
    tokens: int | None = None

    @property
    def code(self) -> str:
        """The reason as a code."""
        return self.reason.code

    @property
    def said(self) -> Finding:
        """The reason in words."""
        return self.reason.said(self.key)


def outcome_of(reason: Reason) -> Outcome:
    """What a refusal makes of an entry."""
    if reason.code.startswith("not-run"):
        return "not-run"
    return "cut" if "budget" in reason.code else "out"


@dataclass(frozen=True, slots=True)
class Step:
    """One step: over the messages, over what woken entries say, or further back into the story.

    `came_in`: book and candidate key of each entry, in order. `depth`: messages read by default.
    """

    number: int
    kind: StepKind
    level: Number
    depth: int
    came_in: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Activation:
    """The result of a scan. `accepted` stand in the order in which they came in; `findings` tell of the scan
    itself, not about an entry."""

    accepted: tuple[Verdict, ...]
    placed: Placed
    budget: BudgetUse
    steps: tuple[Step, ...]
    state: TimedState
    findings: tuple[Finding, ...]
    _explain: Callable[[], tuple[Verdict, ...]] = field(repr=False, compare=False)

    @cached_property
    def verdicts(self) -> tuple[Verdict, ...]:
        """A verdict on every entry, book after book in the order of the file; made when first read."""
        return self._explain()

    @cached_property
    def _by_key(self) -> dict[tuple[str, str], Verdict]:
        return {(verdict.book, verdict.key): verdict for verdict in self.verdicts}

    def verdict(self, book: str, key: str) -> Verdict:
        """The verdict on one entry, by its candidate key."""
        return self._by_key[book, key]
