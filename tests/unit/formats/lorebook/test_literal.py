"""Plain keys: the recorded answers, the rule at its edges, and the automaton against the plain loop."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formats.lorebook.literal import find_literal
from tests.support.vectors import vector_cases

NASTY = (
    "aAbiIİıßẞsSſKkΣσςé\u0301\u0307\u200d😀𝒜港口王 \u00a0\u3000\ufeff\t\n.#_-/\\\x00\x1c\ud83d\ude00\uffff"
)
texts = st.text(alphabet=NASTY, max_size=40)


def _plainly(text: str, key: str, case: bool, words: bool) -> bool:
    """The contract's rule in the fewest words, without places."""
    blanks = [chr(code) for code in range(0x10000) if chr(code).isspace() and not 0x1C <= code <= 0x1F]
    blank = {*blanks, "\ufeff"} - {"\x85"}
    if set(key) <= blank:
        return False
    text, key, several = (text, key, key) if case else (text.lower(), key.lower(), key)
    ends = [end for end in range(len(key), len(text) + 1) if text[:end].endswith(key)]
    if not words or set(several) & blank:
        return bool(ends)
    word = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
    return any(
        not (set(text[end : end + 1]) & word) and not (set(text[: end - len(key)][-1:]) & word)
        for end in ends
    )


@pytest.mark.req("WB-6")
@pytest.mark.parametrize("case", vector_cases("match"))
def test_the_recorded_answers(case: dict[str, Any]) -> None:
    options = case["options"]
    span = find_literal(
        case["text"],
        case["key"],
        case_sensitive=options["caseSensitive"],
        whole_words=options["matchWholeWords"],
    )
    assert (span is not None) == case["matched"]


@given(texts, texts, st.booleans(), st.booleans())
@settings(max_examples=300)
def test_the_rule_has_no_exception(text: str, key: str, case: bool, words: bool) -> None:
    span = find_literal(text, key, case_sensitive=case, whole_words=words)
    assert (span is not None) == _plainly(text, key, case, words)


@given(texts, st.data(), st.booleans())
def test_a_span_is_one_of_the_given_text(text: str, data: st.DataObject, case: bool) -> None:
    begin = data.draw(st.integers(0, len(text)))
    key = text[begin : data.draw(st.integers(begin, len(text)))]
    span = find_literal(text, key, case_sensitive=case)
    if span is not None:
        start, end = span
        assert 0 <= start < end <= len(text)
        assert start <= begin
        shown = text[start:end] if case else text[start:end].lower()
        assert (key if case else key.lower()) in shown


@pytest.mark.parametrize(
    ("row", "text", "key", "whole", "span"),
    [
        ("ST #386: AI in ain't", "ain't in Maine", "AI", True, None),
        ("ST #386: without whole words", "ain't in Maine", "AI", False, (0, 2)),
        ("ST PR #2169", "it's #hello!", "#hello", True, (5, 11)),
        ("ST PR #3663", "我们抵达了港口。", "港口", True, (5, 7)),
        ("AVE PR #347", "madhulkman", "hulk", True, None),
        ("AVE PR #485", "他说海克斯来了", "海克斯", True, (2, 5)),
        ("1.6: kings", "three kings", "king", True, None),
        ("1.6: Cyrillic is no word", "кентавр", "кент", True, (0, 4)),
        ("1.6: accents are no word", "café", "caf", True, (0, 3)),
        ("SB PR #684: empty", "anything", "", False, None),
        ("SB PR #684: blank", "any thing", " ", False, None),
        ("SB PR #684: a blank of JavaScript", "a\ufeffb", "\ufeff", False, None),
        ("1.7: the blank of a key counts", "the harbor", " harbor", False, (3, 10)),
        ("1.7: and is not trimmed away", "harbor", " harbor", False, None),
        ("a blank makes several words", "salt,ironwood,x", "salt,iron", True, None),
        ("a blank at an end does too", "salt, ironwood, x", " ironwood, ", True, (5, 16)),
        ("GLAZE PR #267", "see /home/user", "/home/user", True, (4, 14)),
        ("GLAZE PR #267: AC/DC", "by AC/DC", "ac/dc", True, (3, 8)),
        ("a later hit is the bounded one", "kings and king", "king", True, (10, 14)),
        ("ß is not ss", "strasse", "straße", False, None),
        ("Kelvin's sign is a k", "5 \u212a", "k", False, (2, 3)),
        ("İ before a hit", "İİ x", "x", False, (3, 4)),
        ("İ itself", "aİb", "i\u0307b", False, (1, 3)),
        ("half of İ", "aİb", "i", False, (1, 2)),
        ("İ lowered begins with a letter", "xİ", "x", True, None),
        ("a last sigma", "ΟΔΟΣ", "οδος", False, (0, 4)),
        ("a sigma that is not last", "ΟΔΟΣΑ", "ΟΔΟΣ", False, None),
    ],
)
def test_rows_of_reports(row: str, text: str, key: str, whole: bool, span: tuple[int, int] | None) -> None:
    assert find_literal(text, key, whole_words=whole) == span, row
