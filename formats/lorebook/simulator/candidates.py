"""Which entries a step has to look at: those that something happened to since they were last looked at.

So a book of ten thousand entries whose texts wake each other one by one costs ten thousand looks, not ten
thousand times ten thousand. An entry is due when one of its keys turns up in text it had not seen, when
recursion or its level begins, when a search further back hides and shows texts of entries, and, if it has
patterns, whenever text was added.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from formats.lorebook.model import Number
from formats.lorebook.simulator.reading import Reading, Shelf
from formats.lorebook.simulator.reasons import Reason
from formats.lorebook.simulator.rules import Rule
from formats.lorebook.simulator.timed import Seat
from formats.lorebook.simulator.verdicts import StepKind


class Candidates:
    """The entries of a scan that are still open, by what they wait for."""

    def __init__(self, reading: Reading, sticky: Iterable[Seat]) -> None:
        self._reading = reading
        self._shelves = reading.shelves
        self._new = {(shelf.number, number) for shelf in self._shelves for number in shelf.always}
        self._new.update(seat for seat in sticky if seat[1] in self._shelves[seat[0]].plan.rank)
        self._asleep: set[Seat] = set()
        self._patterned: set[Seat] = set()
        self._for_recursion: set[Seat] = set()
        self._for_level: dict[Number, set[Seat]] = {}
        self._closed: set[Seat] = set()
        self._last: StepKind = "messages"

    def close(self, seat: Seat) -> None:
        """The entry's fate is settled."""
        self._closed.add(seat)

    def keep(self, shelf: Shelf, rule: Rule, reason: Reason) -> None:
        """The entry was refused for now."""
        seat = (shelf.number, rule.number)
        if reason.code == "recursion-wait":
            self._for_recursion.add(seat)
        elif reason.code == "recursion-level":
            self._for_level.setdefault(rule.level, set()).add(seat)
        else:
            self._asleep.add(seat)
            if self._reading.may_change(shelf, rule):
                self._patterned.add(seat)

    def due(self, kind: StepKind, level: Number) -> Iterator[tuple[Shelf, int]]:
        """The entries to look at in a step, in a fixed order."""
        due, self._new = self._new, set()
        for shelf in self._shelves:
            due.update((shelf.number, number) for number in self._reading.taken(shelf))
        if kind == "deeper" or self._last == "deeper":
            due |= self._asleep
            self._asleep = set()
        if kind == "recursion":
            due |= self._for_recursion
            self._for_recursion = set()
            for reached in [one for one in self._for_level if one <= level]:
                due |= self._for_level.pop(reached)
        due |= self._patterned
        self._patterned = set()
        self._last = kind
        for number, entry in sorted(due - self._closed):
            yield self._shelves[number], entry
