"""Keys of many rules as one bank, and what the bank finds: each text is read once, whoever asks for what."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from formats.lorebook.model import Entry
from formats.lorebook.patterns import Pattern, Span, pattern_of
from formats.lorebook.scan import LiteralIndex
from formats.lorebook.simulator.parts import Part, Scope

Variant = tuple[bool, bool]
"""How a key is compared: case-sensitive, whole words only."""

LETTERS_OF_A_LOOK = 16
"""A long key that stands in a text costs more than a short one."""

Spot = tuple[Part, Span]

Askers = Mapping[Variant, Mapping[str, list[int]]]
"""By variant and key: the numbers of the rules that have the key."""


class KeyBank:
    """The keys of some rules of a book; frozen once made. A key that looks like a pattern is in the index
    too, because one that does not compile is plain text."""

    def __init__(self, rules: Iterable[tuple[int, Iterable[str], Entry]]) -> None:
        self._rules = [(number, tuple(keys), entry) for number, keys, entry in rules]
        every = dict.fromkeys(key for _, keys, _ in self._rules for key in keys)
        self.index = LiteralIndex(every)
        self.patterns: dict[str, Pattern] = {}
        for key in every:
            pattern = pattern_of(key)
            if pattern is not None:
                self.patterns[key] = pattern
        self.with_patterns = frozenset(
            number for number, keys, _ in self._rules if any(key in self.patterns for key in keys)
        )
        self._askers: dict[Variant, Askers] = {}

    def askers(self, default: Variant) -> Askers:
        """Who asks for which key, under the settings for entries that say nothing."""
        if default not in self._askers:
            found: dict[Variant, dict[str, list[int]]] = {}
            for number, keys, entry in self._rules:
                by_key = found.setdefault(variant_of(entry, default), {})
                for key in dict.fromkeys(keys):
                    by_key.setdefault(key, []).append(number)
            self._askers[default] = found
        return self._askers[default]


def variant_of(entry: Entry, default: Variant) -> Variant:
    """How the keys of an entry are compared."""
    case, whole = entry.case_sensitive, entry.match_whole_words
    return default[0] if case is None else case, default[1] if whole is None else whole


class BankReading:
    """What one scan found of a bank's plain keys, by variant and key: at most one spot a part, and one spot
    in all the texts of entries, because they count together. `looks` measures the work that was done."""

    def __init__(self, bank: KeyBank, default: Variant) -> None:
        self.bank = bank
        self._askers = bank.askers(default)
        self._spots: dict[Variant, dict[str, list[Spot]]] = {one: {} for one in self._askers}
        self.looks = 0

    def read(self, part: Part) -> set[int]:
        """Read a part; the numbers of the rules for which it holds something new."""
        hits = self.bank.index.scan(part.text)
        touched: set[int] = set()
        for variant, askers in self._askers.items():
            spots = self._spots[variant]
            case, whole = variant
            for key in hits.keys_hit(case):
                self.looks += 1 + len(key) // LETTERS_OF_A_LOOK
                numbers = askers.get(key)
                if numbers is None or (part.kind == "entry" and _is_in_entry(spots.get(key))):
                    continue
                span = hits.span(key, case_sensitive=case, whole_words=whole)
                if span is not None:
                    spots.setdefault(key, []).append((part, span))
                    touched.update(numbers)
        return touched

    def find(self, key: str, variant: Variant, scope: Scope) -> Spot | None:
        """The first spot of a plain key within a scope."""
        for spot in self._spots[variant].get(key, ()):
            if scope.has(spot[0]):
                return spot
        return None


def _is_in_entry(spots: list[Spot] | None) -> bool:
    return spots is not None and any(part.kind == "entry" for part, _ in spots)
