"""Timed effects: an entry that stays active, rests, or waits for the story to grow. State in, state out.

The clock is the number of messages. An effect of n messages holds in the n messages after the one at which
it began; when the stickiness of an entry ends, its rest begins at once. An effect ends early when the story
did not advance past its beginning (the same message is told again), and when the entry was changed.

Effects know their entry by book, uid and a hash of what the entry means, so that they survive another order
of entries and end with a change of the entry.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any, Literal, get_args

from formats.lorebook.model import Entry, EntrySource, Number
from formats.lorebook.simulator.reading import Shelf
from formats.lorebook.simulator.reasons import Reason
from formats.lorebook.simulator.rules import Rule, uid_key

_ABSENT: Any = ""
_NO_SOURCE = EntrySource("", 0, {})
EffectKind = Literal["sticky", "cooldown"]
Seat = tuple[int, int]
"""An entry of the scan: the number of its book and its number there."""


@dataclass(frozen=True, slots=True)
class TimedEffect:
    """One effect that began at message `start` and holds until message `end`; None is for ever.

    A protected one began by itself, and stays when the story does not advance.
    """

    kind: EffectKind
    book: str
    uid: int | str
    entry_hash: str
    start: int
    end: Number | None
    protected: bool = False

    def is_over(self, length: int) -> bool:
        """Whether it has ended at this length of the story."""
        return self.end is not None and length > self.end

    def to_json(self) -> dict[str, Any]:
        """The stored form."""
        return {
            "kind": self.kind,
            "book": self.book,
            "uid": self.uid,
            "hash": self.entry_hash,
            "start": self.start,
            "end": self.end,
            "protected": self.protected,
        }

    @classmethod
    def from_json(cls, value: Any) -> TimedEffect:
        """Read a stored effect back.

        Raises:
            ValueError: the value is not an effect.
        """
        if not isinstance(value, Mapping):
            raise ValueError("a stored effect is not an object")
        stored: dict[str, Any] = {**value}
        kind, book, uid, entry_hash = (stored.get(name, _ABSENT) for name in ("kind", "book", "uid", "hash"))
        start, end, protected = (stored.get(name, _ABSENT) for name in ("start", "end", "protected"))
        if kind not in get_args(EffectKind) or not isinstance(book, str) or not isinstance(entry_hash, str):
            raise ValueError("a stored effect does not say what it is, or of what")
        if type(uid) not in (int, str) or type(start) is not int or type(protected) is not bool:
            raise ValueError("a stored effect has no usable uid, start or protection")
        if end is not None and type(end) not in (int, float):
            raise ValueError("a stored effect has no usable end")
        return cls(kind, book, uid, entry_hash, start, end, protected)


@dataclass(frozen=True, slots=True)
class TimedState:
    """The effects that hold in a story, as they are kept between two scans."""

    effects: tuple[TimedEffect, ...] = ()

    def to_json(self) -> list[dict[str, Any]]:
        """The stored form."""
        return [effect.to_json() for effect in self.effects]

    @classmethod
    def from_json(cls, value: Any) -> TimedState:
        """Read a stored state back.

        Raises:
            ValueError: the value is not a state.
        """
        if not isinstance(value, list):
            raise ValueError("a stored state is not a list")
        return cls(tuple(map(TimedEffect.from_json, value)))


def entry_hash(entry: Entry) -> str:
    """What the entry means, as a short text; where it stands in the file does not matter."""
    meaning = replace(entry, source=_NO_SOURCE, display_index=0).to_json()
    text = json.dumps(meaning, sort_keys=True, default=str)
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


class Timing:
    """The timed effects of one scan: which hold at its beginning, and which at its end."""

    def __init__(self, shelves: Sequence[Shelf], state: TimedState, length: int) -> None:
        self._length = length
        self._shelves = {shelf.book.id: shelf for shelf in shelves}
        self._unknown: list[TimedEffect] = []
        self._holding: dict[EffectKind, dict[Seat, TimedEffect]] = {"sticky": {}, "cooldown": {}}
        for effect in state.effects:
            self._take(effect)
        self._rest_after(state)

    def _take(self, effect: TimedEffect) -> None:
        if self._length <= effect.start and not effect.protected:
            return
        found = self._entry_of(effect)
        if found is None:
            if effect.book not in self._shelves and not effect.is_over(self._length):
                self._unknown.append(effect)
            return
        seat, rule = found
        if not effect.is_over(self._length) and _duration(rule, effect.kind):
            self._holding[effect.kind][seat] = effect

    def _entry_of(self, effect: TimedEffect) -> tuple[Seat, Rule] | None:
        shelf = self._shelves.get(effect.book)
        if shelf is None:
            return None
        for rule in shelf.plan.by_uid.get(uid_key(effect.uid), ()):
            if entry_hash(rule.entry) == effect.entry_hash:
                return (shelf.number, rule.number), rule
        return None

    def _rest_after(self, state: TimedState) -> None:
        """Stickiness that has just ended is followed by the rest of the entry."""
        for effect in state.effects:
            if effect.kind != "sticky" or not effect.is_over(self._length):
                continue
            found = self._entry_of(effect)
            if found and found[1].cooldown:
                seat, rule = found
                self._holding["cooldown"][seat] = self._effect(
                    "cooldown", effect.book, rule, start=self._length - 1, protected=True
                )

    def _effect(
        self, kind: EffectKind, book: str, rule: Rule, *, start: int, protected: bool = False
    ) -> TimedEffect:
        end = start + _duration(rule, kind)
        return TimedEffect(
            kind=kind,
            book=book,
            uid=rule.entry.uid,
            entry_hash=entry_hash(rule.entry),
            start=start,
            end=None if math.isinf(end) else end,
            protected=protected,
        )

    @property
    def sticky(self) -> Mapping[Seat, TimedEffect]:
        """The entries that are still active."""
        return self._holding["sticky"]

    def sticky_reason(self, seat: Seat) -> Reason:
        """Why a sticky entry is in."""
        effect = self.sticky[seat]
        if effect.end is None:
            return Reason("sticky-ever")
        return Reason("sticky", {"count": int(effect.end - self._length + 1)})

    def refusal(self, seat: Seat, rule: Rule) -> Reason | None:
        """Whether the clock keeps an entry out."""
        delay = rule.entry.effects.delay or 0
        if self._length < delay:
            return Reason("delay", {"count": delay, "have": self._length})
        effect = self._holding["cooldown"].get(seat)
        if effect is None or seat in self.sticky:
            return None
        if effect.end is None:
            return Reason("one-shot")
        return Reason("cooldown", {"count": int(effect.end - self._length + 1)})

    def after(self, accepted: Iterable[tuple[Seat, Shelf, Rule]]) -> TimedState:
        """The state to keep: what still holds, and what begins with the entries that came in."""
        for seat, shelf, rule in accepted:
            kind: EffectKind = "sticky" if rule.sticky else "cooldown"
            if _duration(rule, kind) and seat not in self._holding[kind]:
                effect = self._effect(kind, shelf.book.id, rule, start=self._length)
                self._holding[kind][seat] = effect
        held = [effect for by_seat in self._holding.values() for effect in by_seat.values()]
        return TimedState((*self._unknown, *held))


def _duration(rule: Rule, kind: EffectKind) -> Number:
    return rule.sticky if kind == "sticky" else rule.cooldown
