"""The fate of every entry in a scan: came in, refused for now or for good, or never looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from formats.lorebook.simulator.parts import Hit
from formats.lorebook.simulator.placing import PlacedEntry
from formats.lorebook.simulator.reading import Shelf
from formats.lorebook.simulator.reasons import Reason
from formats.lorebook.simulator.rules import Rule
from formats.lorebook.simulator.timed import Seat
from formats.lorebook.simulator.verdicts import Verdict, outcome_of
from formats.lorebook.simulator.waking import Wake


@dataclass(frozen=True, slots=True)
class Woken:
    """An entry that was woken in this step, before groups, roll and budget."""

    seat: Seat
    shelf: Shelf
    rule: Rule
    wake: Wake
    sticky: bool


@dataclass(frozen=True, slots=True)
class Accepted:
    """An entry that came in, with the text to send."""

    woken: Woken
    step: int
    text: str
    tokens: int


class Fates:
    """What is known of the entries so far."""

    def __init__(self) -> None:
        self.accepted: dict[Seat, Accepted] = {}
        self._refused: dict[Seat, Verdict] = {}

    def accept(self, one: Accepted) -> Accepted:
        """The entry came in."""
        self.accepted[one.woken.seat] = one
        return one

    def refuse(
        self,
        shelf: Shelf,
        rule: Rule,
        reason: Reason,
        *,
        step: int,
        is_final: bool,
        hits: tuple[Hit, ...] = (),
        tokens: int | None = None,
    ) -> None:
        """The entry was refused; of several refusals the one that it came furthest to is told."""
        seat = (shelf.number, rule.number)
        before = self._refused.get(seat)
        if is_final or before is None or reason.rank >= before.reason.rank:
            key, outcome = rule.entry.candidate_key, outcome_of(reason)
            self._refused[seat] = Verdict(shelf.book.id, key, rule.entry, outcome, reason, hits, step, tokens)

    def verdicts(
        self, shelves: Sequence[Shelf], gate: Callable[[Seat, Rule], Reason | None]
    ) -> tuple[Verdict, ...]:
        """A verdict on every entry; `gate` says what keeps one out that was never looked at."""
        return tuple(self._verdict(shelf, rule, gate) for shelf in shelves for rule in shelf.plan.rules)

    def _verdict(self, shelf: Shelf, rule: Rule, gate: Callable[[Seat, Rule], Reason | None]) -> Verdict:
        seat = (shelf.number, rule.number)
        if seat in self.accepted:
            return verdict_in(self.accepted[seat])
        if seat in self._refused:
            return self._refused[seat]
        reason = gate(seat, rule) or missed(shelf, shelf.rule(rule.number))
        return Verdict(shelf.book.id, rule.entry.candidate_key, rule.entry, "out", reason)


def missed(shelf: Shelf, rule: Rule) -> Reason:
    """Why an entry sleeps of which no text of the scan held a key."""
    if rule.silent or not rule.keys:
        return Reason("silent" if rule.silent else "no-keys")
    if not (shelf.depth if rule.scan_depth is None else rule.scan_depth):
        return Reason("depth-zero")
    return Reason("vector" if rule.entry.vectorized else "key")


def verdict_in(one: Accepted) -> Verdict:
    """The verdict on an entry that came in."""
    woken = one.woken
    entry, wake = woken.rule.entry, woken.wake
    book, key = woken.shelf.book.id, entry.candidate_key
    return Verdict(book, key, entry, "in", wake.reason, wake.hits, one.step, one.tokens)


def turn(one: Woken) -> tuple[bool, bool, int, int]:
    """Who comes first: the sticky ones; those that yield come last."""
    return not one.sticky, one.rule.yields, one.shelf.number, one.shelf.plan.rank[one.rule.number]


def may_wake(one: Accepted) -> bool:
    """Whether its text may wake others."""
    return one.woken.shelf.recursion and not one.woken.rule.entry.recursion.prevent


def placed(one: Accepted) -> PlacedEntry:
    """The entry on its way to its place."""
    rule = one.woken.rule
    entry = rule.entry
    return PlacedEntry(
        book=one.woken.shelf.book.id,
        key=entry.candidate_key,
        title=entry.comment,
        text=one.text,
        position=rule.position,
        order=entry.insertion_order,
        depth=rule.depth,
        role=rule.role,
        outlet=entry.outlet_name,
    )
