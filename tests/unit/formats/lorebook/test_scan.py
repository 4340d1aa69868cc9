"""One automaton for all keys gives what one search for each key gives."""

from __future__ import annotations

import time
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formats.lorebook import families, scan
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


@pytest.mark.parametrize("key", [chr(0x10FFFF), chr(0xFFFF), chr(0xFFFD), chr(0xD83E), "a" + chr(0x10FFFF)])
def test_half_a_character_is_hit_by_no_other_key(key: str) -> None:
    for text in (chr(0xD83D), "a" + chr(0xD83D), key, chr(0xD83D) + key):
        _agrees([key], text)


sizes = st.integers(1, 5)


@given(keys_of_a_book, pieces, st.fixed_dictionaries({"STRIDE": sizes, "HEAP": sizes, "LONGEST_HEAD": sizes}))
def test_strides_heaps_and_heads_hide_no_hit(keys: list[str], text: str, small: dict[str, int]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        for name, size in small.items():
            patch.setattr(scan, name, size)
        _agrees(keys, text)


few_letters = st.text(alphabet="ab港 ", max_size=60)
long_keys = st.lists(
    st.builds(str.__add__, st.sampled_from(["", "ab" * 40, "a" * 70]), few_letters), max_size=40
)


@pytest.mark.req("WB-6")
@given(long_keys, st.data(), st.integers(1, 9), st.integers(9, 40))
@settings(max_examples=200)
def test_long_keys_that_begin_alike_are_found_where_they_are_found_alone(
    keys: list[str], data: st.DataObject, head: int, stem: int
) -> None:
    parts = st.sampled_from([*keys, " ", "a", "港", "x"])
    text = "".join(data.draw(st.lists(parts, max_size=12)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scan, "LONGEST_HEAD", head)
        _agrees(keys, text)
        patch.setattr(families, "LONGEST_STEM", stem)
        _agrees(keys, text)


@pytest.mark.parametrize("keys", [
    ["a" * length for length in range(1, 1_000)],
    ["a港" * times for times in range(1, 700)],
    ["a" * length + "b" for length in range(9, 1_000)],
    ["a" * 30_000 + "b" * times for times in range(1, 40)],
], ids=["each-ends-the-next", "without-bounds", "never-there", "very-long"])  # fmt: skip
@pytest.mark.req("NF-4")
def test_hostile_long_keys_take_bounded_time(keys: list[str]) -> None:
    text = keys[0][:2] * 20_000 + "x"
    begin = time.process_time()
    hits = LiteralIndex(keys).scan(text)
    assert set(hits.keys_hit(True)) == {key for key in keys if key in text}
    assert time.process_time() - begin < 4


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
