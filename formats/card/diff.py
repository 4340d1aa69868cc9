"""Two cards compared: which text of the old one is which of the new one, and what changed in it (UPD-4)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Literal

from formats.card.model import Card
from formats.card.pieces import WholeText, whole_texts
from formats.text.diff import TextDiff, diff_text
from formats.text.terms import shared_share

State = Literal["same", "changed", "added", "removed"]
MatchedBy = Literal["id", "title", "text", "words", ""]

SHARED_WORDS = 0.5
COMPARED_CHARACTERS = 60_000
"""The words of longer texts are not looked at beyond this when pairs are sought."""

_FACTS = ("keys", "secondary_keys", "constant", "enabled", "order")
_CARD_FIELDS = ("name", "nickname", "creator", "character_version", "tags")


@dataclass(frozen=True, slots=True)
class PiecePair:
    """A text of the old card and what it is in the new one; one of the two is None for what came or went.

    `facts`: what else of an entry changed: `title`, `keys`, `secondary_keys`, `constant`, `enabled`, `order`.
    """

    old: WholeText | None
    new: WholeText | None
    matched_by: MatchedBy = ""
    facts: tuple[str, ...] = ()

    @property
    def state(self) -> State:
        """`changed` means another text or other facts; another place in the list alone is `same`."""
        if self.old is None:
            return "added"
        if self.new is None:
            return "removed"
        return "changed" if self.facts or self.old.text != self.new.text else "same"

    @property
    def title(self) -> str:
        """The title of the newer of the two; may be empty."""
        return next((text.title for text in (self.new, self.old) if text and text.title), "")

    def diff(self) -> TextDiff:
        """The two texts compared sentence by sentence; a missing one counts as empty."""
        return diff_text(self.old.text if self.old else "", self.new.text if self.new else "")


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field of the card that is no piece (`name`, `tags` …) and differs."""

    field: str
    old: Any
    new: Any


@dataclass(frozen=True, slots=True)
class CardDiff:
    """All pairs, in the order of the new card with what was removed at the end, and changed card fields."""

    pairs: tuple[PiecePair, ...]
    fields: tuple[FieldChange, ...]

    @property
    def counts(self) -> dict[State, int]:
        """How many pairs are in each state."""
        counts: dict[State, int] = {"added": 0, "changed": 0, "removed": 0, "same": 0}
        for pair in self.pairs:
            counts[pair.state] += 1
        return counts

    @property
    def new_ids(self) -> dict[str, str | None]:
        """For each id of the old card the one of the new card, None for what is gone (ids of whole texts)."""
        return {pair.old.id: pair.new.id if pair.new else None for pair in self.pairs if pair.old}


def diff_cards(old: Card, new: Card) -> CardDiff:
    """Pair the texts of two cards and name the changed fields. Time grows with the size of the cards only."""
    fields = [
        FieldChange(name, old.data.get(name), new.data.get(name))
        for name in _CARD_FIELDS
        if old.data.get(name) != new.data.get(name)
    ]
    return CardDiff(tuple(match_texts(whole_texts(old), whole_texts(new))), tuple(fields))


def match_texts(old: list[WholeText], new: list[WholeText]) -> list[PiecePair]:
    """Pair fields by id; entries by title and keys, then text, then the same number with half the words."""
    matcher = _Matcher(old, new)
    matcher.pair("id", lambda text: text.id if text.field != "entry" else None)
    matcher.pair("title", _title_and_keys)
    matcher.pair("text", lambda text: text.text if text.field == "entry" and text.text.strip() else None)
    matcher.pair("words", lambda text: text.number if text.field == "entry" else None, _shares_words)
    return matcher.pairs()


class _Matcher:
    """Pairs found so far: each step looks only at the texts that no earlier step has paired."""

    def __init__(self, old: list[WholeText], new: list[WholeText]) -> None:
        self._old = old
        self._new = new
        self._found: dict[str, tuple[WholeText, MatchedBy]] = {}
        self._paired_old: set[str] = set()

    def pair(
        self,
        name: MatchedBy,
        key: Callable[[WholeText], Hashable],
        accepts: Callable[[WholeText, WholeText], bool] = lambda old, new: True,
    ) -> None:
        """Pair texts of equal key (None is no key); among several, those of equal text, then in order."""
        waiting: dict[Hashable, list[WholeText]] = defaultdict(list)
        for text in reversed(self._old):
            value = key(text)
            if value is not None and text.id not in self._paired_old:
                waiting[value].append(text)
                waiting[value, text.text].append(text)
        rest = [text for text in self._new if text.id not in self._found and key(text) is not None]
        for exact in (True, False):
            for text in rest:
                value = (key(text), text.text) if exact else key(text)
                if text.id not in self._found:
                    self._take(text, waiting.get(value, []), name, accepts)

    def _take(
        self,
        new: WholeText,
        candidates: list[WholeText],
        name: MatchedBy,
        accepts: Callable[[WholeText, WholeText], bool],
    ) -> None:
        while candidates and candidates[-1].id in self._paired_old:
            candidates.pop()
        if candidates and accepts(candidates[-1], new):
            old = candidates.pop()
            self._found[new.id] = (old, name)
            self._paired_old.add(old.id)

    def pairs(self) -> list[PiecePair]:
        made = []
        for text in self._new:
            if text.id not in self._found:
                made.append(PiecePair(None, text))
                continue
            old, name = self._found[text.id]
            made.append(PiecePair(old, text, name, _changed_facts(old, text)))
        return made + [PiecePair(text, None) for text in self._old if text.id not in self._paired_old]


def _title_and_keys(text: WholeText) -> Hashable:
    if text.entry is None or not (text.title or text.entry.keys):
        return None
    return text.title, tuple(sorted(text.entry.keys))


def _shares_words(old: WholeText, new: WholeText) -> bool:
    if not old.text.strip() and not new.text.strip():
        return True
    share = shared_share(old.text[:COMPARED_CHARACTERS], new.text[:COMPARED_CHARACTERS])
    return share >= SHARED_WORDS


def _changed_facts(old: WholeText, new: WholeText) -> tuple[str, ...]:
    if old.entry is None or new.entry is None:
        return ()
    changed = [name for name in _FACTS if getattr(old.entry, name) != getattr(new.entry, name)]
    return ("title", *changed) if old.title != new.title else tuple(changed)
