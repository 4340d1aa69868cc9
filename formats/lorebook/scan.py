"""Many plain keys in one text: one automaton for each case mode, each text read once by each.

The answers are those of `literal.find_literal`. Memory stays bounded whatever the keys and the text: only the
first hit of a key is kept (and the first between bounds), the text is read in strides, and the automaton
holds the beginnings of long keys only, so that few of its forms end at one place. What follows a beginning is
for `families` to say.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from ahocorasick_rs import AhoCorasick

from formats.lorebook.families import Family
from formats.lorebook.literal import (
    Compared,
    compared,
    is_blank,
    is_bounded,
    needs_bounds,
)
from formats.lorebook.patterns import Span, pattern_of

STRIDE = 8_192
HEAP = 4_000
"""Forms of one automaton: making it costs their square where most begin others (`k1`, `k12` …)."""
LONGEST_HEAD = 8
"""So many forms of one automaton may end at one place: `a`, `aa`, `aaa` … of a hostile book."""

LONE_HALF = re.compile("[\ud800-\udfff]")
NO_WORD = re.compile("[^A-Za-z0-9_]")
STAND_IN = "\U0010ffff"
"""What the automaton reads for half a surrogate pair, which it cannot hold. A key that holds either is a
member of a family, which looks into the text as it is."""


@dataclass(frozen=True, slots=True)
class FirstHits:
    """Of each form that hits: its first place, and its first place that whole words accepts."""

    where: Compared
    plain: dict[str, int]
    bounded: dict[str, int]

    def span(self, form: str, *, whole_words: bool) -> Span | None:
        """The first acceptable hit in the text as it was given."""
        start = (self.bounded if whole_words else self.plain).get(form)
        return None if start is None else self.where.origin(start, len(form))


class FormSearch:
    """The keys in the form of one case mode, ready to be found."""

    def __init__(self, forms: Collection[str]) -> None:
        self._loose = frozenset(form for form in forms if not needs_bounds(form))
        heads = {form: _readable(form[:LONGEST_HEAD]) for form in forms}
        families: dict[str, list[str]] = {}
        self._whole = frozenset(form for form, head in heads.items() if form == head and STAND_IN not in head)
        for form, head in heads.items():
            if form not in self._whole:
                families.setdefault(head, []).append(form)
        self._families = {head: Family(members) for head, members in families.items()}
        self._overlap = max(map(len, heads.values()), default=1) - 1
        found = list(dict.fromkeys(heads.values()))
        heaps = (found[begin : begin + HEAP] for begin in range(0, len(found), HEAP))
        self._automata = [(heap, AhoCorasick(heap, store_patterns=False)) for heap in heaps]

    def hits(self, where: Compared) -> FirstHits:
        """The first hits of every form in one text."""
        found = FirstHits(where, {}, {})
        text, bounds, settled = where.text, BoundedText(where.text), set[str]()
        whole, families, plain, bounded = self._whole, self._families, found.plain, found.bounded
        for head, start in self._heads_in(text):
            if head in whole and head not in bounded:
                plain.setdefault(head, start)
                if head in self._loose or is_bounded(text, start, start + len(head)):
                    bounded[head] = start
            if head in families:
                for form, place in families[head].at(text, start, settled):
                    plain[form] = place
                    self._settle(form, place, bounds, found)
        return found

    def _settle(self, form: str, place: int, bounds: BoundedText, found: FirstHits) -> None:
        """A form of a family is met once: where its first place has no bounds, the next one is searched."""
        if form not in self._loose and not is_bounded(found.where.text, place, place + len(form)):
            place = bounds.find(form)
        if place >= 0:
            found.bounded[form] = place

    def _heads_in(self, text: str) -> Iterator[tuple[str, int]]:
        """The heads that stand in a text and where; those of one length in the order of their places."""
        readable = _readable(text) if self._automata else ""
        for begin, (heads, automaton) in product(range(0, len(readable), STRIDE), self._automata):
            stride = readable[begin : begin + STRIDE + self._overlap]
            for number, start, _ in automaton.find_matches_as_indexes(stride, overlapping=True):
                yield heads[number], begin + start


class BoundedText:
    """A text in which a key between bounds is one search, however often the key stands there without them.

    A mark is put before and after every character that is no word; then the marked key, with a mark at either
    end, stands in the marked text just where the key has its bounds.
    """

    def __init__(self, text: str) -> None:
        self._text = text

    def find(self, form: str) -> int:
        """Where a form that the text holds stands first between bounds; -1 where it never does."""
        place = self._marked.find(self._mark(form))
        return place if place < 0 else place - sum(self._marked.count(mark, 0, place) for mark in self._marks)

    @cached_property
    def _marks(self) -> tuple[str, str]:
        used = set(self._text)
        free = (chr(code) for code in range(0xE000, 0x110000) if chr(code) not in used)
        return next(free), next(free)

    @cached_property
    def _marked(self) -> str:
        return self._mark(self._text)

    def _mark(self, text: str) -> str:
        before, after = self._marks
        return after + NO_WORD.sub(rf"{before}\g<0>{after}", text) + before


class LiteralIndex:
    """Plain keys, as written, ready to be found together; made once for a book and kept with it."""

    def __init__(self, keys: Iterable[str]) -> None:
        self._lowered = {key: key.lower() for key in keys}
        self._findable = [key for key in self._lowered if not is_blank(key)]

    def __len__(self) -> int:
        return len(self._lowered)

    def scan(self, text: str) -> TextHits:
        """What stands in a text; it is read when asked, once for each case mode."""
        return TextHits(self, text)

    def form_of(self, key: str, *, case_sensitive: bool) -> str:
        """The key as it is compared.

        Raises:
            KeyError: the index was made without this key, so "no hit" would be no answer.
        """
        lowered = self._lowered[key]
        return key if case_sensitive else lowered

    def search(self, *, case_sensitive: bool) -> FormSearch:
        """The automaton of a case mode, made when first needed."""
        return self._cased if case_sensitive else self._uncased

    def written(self, form: str) -> Collection[str]:
        """The keys that have one lower-cased form."""
        return self._by_lowered[form]

    @cached_property
    def patterns(self) -> frozenset[str]:
        """The keys that are written as patterns; plain text as well, should they not compile."""
        return frozenset(filter(pattern_of, self._lowered))

    @cached_property
    def _by_lowered(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for key in self._findable:
            found.setdefault(self._lowered[key], []).append(key)
        return found

    @cached_property
    def _cased(self) -> FormSearch:
        return FormSearch(self._findable)

    @cached_property
    def _uncased(self) -> FormSearch:
        return FormSearch(self._by_lowered)


class TextHits:
    """The keys of an index that one text holds."""

    def __init__(self, index: LiteralIndex, text: str) -> None:
        self.text = text
        self._index = index

    def first(self, key: str, *, case_sensitive: bool, whole_words: bool) -> int | None:
        """Where the first acceptable hit of a key begins in the text as it was given."""
        span = self.span(key, case_sensitive=case_sensitive, whole_words=whole_words)
        return None if span is None else span[0]

    def span(self, key: str, *, case_sensitive: bool, whole_words: bool) -> Span | None:
        """The first acceptable hit of a key, as a span of the text as it was given."""
        form = self._index.form_of(key, case_sensitive=case_sensitive)
        return self._hits(case_sensitive).span(form, whole_words=whole_words)

    def keys_hit(self, case_sensitive: bool) -> Collection[str]:
        """The keys that stand in the text, whole words or not."""
        forms = self._hits(case_sensitive).plain
        if case_sensitive:
            return forms.keys()
        return [key for form in forms for key in self._index.written(form)]

    def _hits(self, case_sensitive: bool) -> FirstHits:
        return self._cased if case_sensitive else self._uncased

    @cached_property
    def _cased(self) -> FirstHits:
        return self._read(case_sensitive=True)

    @cached_property
    def _uncased(self) -> FirstHits:
        return self._read(case_sensitive=False)

    def _read(self, *, case_sensitive: bool) -> FirstHits:
        where = compared(self.text, case_sensitive=case_sensitive)
        return self._index.search(case_sensitive=case_sensitive).hits(where)


def _readable(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        return LONE_HALF.sub(STAND_IN, text)
    return text
