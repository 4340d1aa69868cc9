"""What the engine reads for a text, and the way back to the text's own characters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.lorebook.patterns import Pattern, PatternOutcome
from lorebooks.regex.translate import NotAPattern, translated
from lorebooks.regex.units import EngineText, played, played_range, units_of, with_units
from lorebooks.regex.worker import PatternWorker

ALPHABET = "ab港口é😀😎ſK\u212aßı\ud83d\ude00\ufffd\U0010f83d"
texts = st.text(st.sampled_from(ALPHABET), max_size=12)


@given(texts)
def test_a_text_in_units_has_the_length_javascript_gives_it(text: str) -> None:
    assert len(with_units(text)) == len(text.encode("utf-16-le", "surrogatepass")) // 2


@given(texts, st.data())
def test_offsets_come_back_to_the_characters_they_lie_in(text: str, data: st.DataObject) -> None:
    read = EngineText(text, unicode=False)
    owners = [index for index, character in enumerate(text) for _ in units_of(character)]
    start = data.draw(st.integers(0, len(owners)))
    end = data.draw(st.integers(start, len(owners)))
    sizes = [len(player.encode()) for player in read.text]
    span = read.span(sum(sizes[:start]), sum(sizes[:end]))
    owners.append(len(text))
    assert span == (owners[start], owners[end - 1] + 1 if end > start else owners[start])


@given(texts)
def test_with_u_each_character_is_one(text: str) -> None:
    read = EngineText(text, unicode=True)
    assert len(read.text) == len(text)
    assert read.span(0, len(read.text.encode())) == (0, len(text))


@given(st.integers(0, 0xFFFF), st.integers(0, 0xFFFF))
def test_a_range_is_cut_into_what_the_engine_sees(one: int, other: int) -> None:
    low, high = min(one, other), max(one, other)
    parts = list(played_range(low, high))
    assert sum(end - start + 1 for start, end in parts) == high - low + 1
    for unit in {low, high, (low + high) // 2}:
        assert any(start <= ord(played(unit)) <= end for start, end in parts)


@given(texts)
def test_a_text_finds_itself(worker: PatternWorker, text: str) -> None:
    """As a pattern, in a class of its own letters, and with every flag that changes the reading."""
    patterns = [Pattern(text, flags) for flags in ("", "i", "y")] + [Pattern(f"^[{text}x]*$", "i")]
    assert worker(patterns, [text]) == [PatternOutcome("ran", ((0, len(text)),))] * 4


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("港口|a+(?=b)", "港口|a+(?=b)"),
        ("[港-口]", None),  # out of order: 港 comes after 口
        (r"[a\-z\d-x]", r"[\u0061\u002d\u007a\d\u002d\u0078]"),
        ("[--a]", r"[\u002d-\u0061]"),
        ("[a", "[a"),
        ("[^]a[]", "[^]a[]"),
        (r"\[a", r"\[a"),
        ("\\", "\\"),
        (r"[\b\101\cA\]]", r"[\u0008\u0041\u0001\u005d]"),
        (r"\k", r"\k"),
        (r"\b{2}", None),
        (r"[\b*]", r"[\u0008\u002a]"),
    ],
)
def test_structure_stays_and_classes_are_spelled_out(source: str, expected: str | None) -> None:
    if expected is None:
        with pytest.raises(NotAPattern):
            translated(source, unicode=False)
    else:
        assert translated(source, unicode=False) == expected
