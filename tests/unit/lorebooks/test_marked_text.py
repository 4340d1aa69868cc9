"""Words are marked where they stand; long texts are shown around them only."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lorebooks.marked_text import AROUND, GAP, LONGEST_MARK, MOST_MARKS, WHOLE, Run, marked, merged

spans = st.lists(st.tuples(st.integers(-5, 60), st.integers(-5, 60)), max_size=8)


@given(st.text(max_size=50), spans)
def test_a_short_text_stays_whole(text: str, found: list[tuple[int, int]]) -> None:
    runs = marked(text, found)
    assert "".join(run.text for run in runs) == text
    covered = {at for start, end in found for at in range(max(start, 0), min(end, len(text)))}
    at = 0
    told: set[int] = set()
    for run in runs:
        if run.marked:
            told.update(range(at, at + len(run.text)))
        at += len(run.text)
    assert told == covered


def test_a_long_text_is_shown_around_its_marks() -> None:
    text = "x" * 2000 + "fog" + "y" * 2000 + "bell" + "z" * 2000
    runs = marked(text, [(2000, 2003), (4003, 4007)])
    assert [run.text for run in runs if run.marked] == ["fog", "bell"]
    assert "".join(run.text for run in runs).count(GAP) == 3
    assert sum(len(run.text) for run in runs) < 6 * AROUND
    assert marked("x" * (WHOLE + 1), []) == [Run("x" * 2 * AROUND), Run(GAP)]


def test_of_a_very_long_mark_only_the_beginning_is_shown() -> None:
    runs = marked("a" * 90_000, [(0, 90_000)])
    assert runs == [Run("a" * LONGEST_MARK, marked=True), Run("a" * AROUND), Run(GAP)]


def test_marks_are_bounded() -> None:
    text = "fog " * 1000
    runs = marked(text, [(at * 4, at * 4 + 3) for at in range(1000)])
    assert sum(run.marked for run in runs) == MOST_MARKS


def test_spans_that_overlap_are_one() -> None:
    assert merged([(5, 9), (0, 2), (1, 3), (9, 10), (7, 7), (4, 3)]) == [(0, 3), (5, 10)]
