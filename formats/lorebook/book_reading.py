"""A book's keys in one text: plain ones by the book's index, patterns in one request to the engine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from formats.lorebook.key_match import TextReading, pattern_outcomes
from formats.lorebook.model import Entry, WorldBook
from formats.lorebook.patterns import PatternRunner, Span
from formats.lorebook.scan import LiteralIndex


def keys_of(entry: Entry) -> tuple[str, ...]:
    """Primary and secondary keys."""
    return (*entry.keys, *entry.secondary_keys)


class BookReading:
    """What one text says of all entries; a model's index is kept with it, a list's is made for this text."""

    def __init__(self, given: WorldBook | Sequence[Entry], text: str, engine: PatternRunner | None) -> None:
        if isinstance(given, WorldBook):
            self.entries, index = given.entries, given.literal_index
        else:
            self.entries, index = tuple(given), LiteralIndex(_all_keys(given))
        self._hits = index.scan(text)
        self._patterns = _patterns_to_run(self.entries, index)
        self.answers = TextReading(self._find_plain, pattern_outcomes(text, sorted(self._patterns), engine))

    def _find_plain(self, key: str, case_sensitive: bool, whole_words: bool) -> Span | None:
        return self._hits.span(key, case_sensitive=case_sensitive, whole_words=whole_words)

    def may_wake(self, *, case_sensitive: bool) -> Iterator[Entry]:
        """The entries that are worth a verdict: no other can be eligible."""
        modes = {case_sensitive, *(e.case_sensitive for e in self.entries if e.case_sensitive is not None)}
        hit: dict[bool | None, frozenset[str]] = {
            case: self._patterns.union(self._hits.keys_hit(case)) for case in modes
        }
        hit[None] = hit[case_sensitive]
        for entry in self.entries:
            by_itself = entry.constant or entry.vectorized
            if entry.enabled and (by_itself or not hit[entry.case_sensitive].isdisjoint(entry.keys)):
                yield entry


def _patterns_to_run(entries: Iterable[Entry], index: LiteralIndex) -> frozenset[str]:
    if not index.patterns:
        return index.patterns
    return index.patterns.intersection(_all_keys(entry for entry in entries if entry.enabled))


def _all_keys(entries: Iterable[Entry]) -> Iterator[str]:
    return (key for entry in entries for key in keys_of(entry))
