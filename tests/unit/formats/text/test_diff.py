import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.text.diff import Change, TextDiff, diff_text
from tests.support.timing import cpu_seconds

TEXTS = st.lists(st.sampled_from(["天亮了。", "It rains. ", "She left! ", "\n", "end"]), max_size=30).map(
    "".join
)


def joined(diff: TextDiff, kind: str) -> str:
    return "".join(change.text for change in diff.changes if change.kind in ("same", kind))


@pytest.mark.req("UPD-4")
@given(TEXTS, TEXTS)
def test_the_runs_hold_both_texts(old: str, new: str) -> None:
    diff = diff_text(old, new)
    assert joined(diff, "removed") == old
    assert joined(diff, "added") == new
    assert diff.differs == (old != new)


@pytest.mark.req("UPD-4")
def test_a_changed_sentence_is_shown_as_one_out_and_one_in() -> None:
    diff = diff_text("天亮了。她走了。雨停了。", "天亮了。她跑了。雨停了。")
    assert diff.changes == (
        Change("same", "天亮了。"),
        Change("removed", "她走了。"),
        Change("added", "她跑了。"),
        Change("same", "雨停了。"),
    )


@pytest.mark.req("UPD-4")
def test_more_than_the_limit_is_named_not_compared() -> None:
    old = "".join(f"Old {number}. " for number in range(2000))
    new = "".join(f"New {number}. " for number in range(1600))
    diff = diff_text("Same. " + old + "End.", "Same. " + new + "End.")
    assert diff.uncompared == 500 + 100
    assert diff.changes[0] == Change("same", "Same. ")
    assert diff.changes[-1] == Change("same", "End.")
    assert diff.differs


def test_equal_texts_of_any_length_are_the_same() -> None:
    text = "Line. " * 5000
    assert diff_text(text, text) == TextDiff((Change("same", text),))


@pytest.mark.parametrize("period", [1, 2, 7, 40, 120])
def test_texts_that_repeat_themselves_stay_quick(period: int) -> None:
    old = "".join(f"S{number % period}. " for number in range(1500))
    new = "".join(f"S{(number * 7 + 3) % (period + 1)}. " for number in range(1500))
    assert cpu_seconds(lambda: diff_text(old, new)) < 5
