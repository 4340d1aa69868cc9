"""One automaton for all keys gives what one search for each key gives."""

from __future__ import annotations

import time
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formats.lorebook import scan
from formats.lorebook.literal import find_literal
from formats.lorebook.scan import LiteralIndex
from tests.unit.formats.lorebook.test_literal import NASTY

letters = st.text(alphabet=NASTY, max_size=6)
nested = st.builds(
    lambda unit, times: unit * times, st.sampled_from(["a", "ab", "港", "İ"]), st.integers(1, 90)
)
keys_of_a_book = st.lists(st.one_of(letters, nested), max_size=30)
pieces = st.lists(st.one_of(letters, nested), max_size=12).map("".join)


def _agrees(keys: list[str], text: str) -> None:
    hits = LiteralIndex(keys).scan(text)
    for case in (True, False):
        found = set(hits.keys_hit(case))
        for key in keys:
            for whole in (True, False):
                alone = find_literal(text, key, case_sensitive=case, whole_words=whole)
                assert hits.span(key, case_sensitive=case, whole_words=whole) == alone
                first = hits.first(key, case_sensitive=case, whole_words=whole)
                assert first == (None if alone is None else alone[0])
            assert (key in found) == (find_literal(text, key, case_sensitive=case) is not None)


@pytest.mark.req("WB-6")
@given(keys_of_a_book, pieces)
@settings(max_examples=300)
def test_every_key_is_found_where_it_is_found_alone(keys: list[str], text: str) -> None:
    _agrees(keys, text)


@given(keys_of_a_book, pieces, st.integers(1, 5), st.integers(1, 5))
def test_strides_and_heaps_hide_no_hit(keys: list[str], text: str, stride: int, heap: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scan, "STRIDE", stride)
        patch.setattr(scan, "HEAP", heap)
        _agrees(keys, text)


def test_overlapping_keys_are_all_found() -> None:
    hits = LiteralIndex(["港", "港口", "AB", "BC", "abc"]).scan("ABC 港口")
    assert set(hits.keys_hit(False)) == {"港", "港口", "AB", "BC", "abc"}
    assert set(hits.keys_hit(True)) == {"港", "港口", "AB", "BC"}


def test_a_key_the_index_lacks_is_an_error_and_no_miss() -> None:
    with pytest.raises(KeyError):
        LiteralIndex(["a"]).scan("b").first("b", case_sensitive=True, whole_words=False)


def test_no_keys_no_text() -> None:
    assert not LiteralIndex([]).scan("text").keys_hit(False)
    assert not LiteralIndex(["a", " "]).scan("").keys_hit(True)


def test_hostile_keys_take_bounded_memory() -> None:
    index = LiteralIndex(["a" * length for length in range(1, 300)])
    index.search(case_sensitive=False)
    tracemalloc.start()
    hits = index.scan("xa" + "a" * 100_000 + "x")
    assert len(hits.keys_hit(False)) == 299
    assert hits.first("a" * 298, case_sensitive=False, whole_words=True) is None
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 40_000_000


def test_thousands_of_keys_with_one_beginning_take_no_square_of_time() -> None:
    begin = time.process_time()
    hits = LiteralIndex(f"k{number}" for number in range(60_000)).scan("k59999, and k7")
    spans = [hits.span(key, case_sensitive=False, whole_words=True) for key in ("k59999", "k7", "k8")]
    assert spans == [(0, 6), (12, 14), None]
    assert time.process_time() - begin < 3
