"""Runs compared message by message: nothing is lost, and what is the same is told as the same."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from presets.pipeline.message_diff import diff_messages

MESSAGES = st.lists(
    st.fixed_dictionaries(
        {"role": st.sampled_from(["system", "user"]), "content": st.sampled_from(["A.", "B.", "C. D."])}
    ),
    max_size=7,
)


@pytest.mark.req("PRE-13")
@given(MESSAGES, MESSAGES)
def test_both_lists_are_in_the_comparison(old: list[dict[str, Any]], new: list[dict[str, Any]]) -> None:
    changes = diff_messages(old, new)
    assert [change.before for change in changes if change.before is not None] == old
    assert [change.after for change in changes if change.after is not None] == new
    for change in changes:
        assert (change.kind == "same") == (change.before == change.after)
        assert (change.kind == "added") == (change.number_before == 0)


def test_a_changed_message_tells_its_sentences() -> None:
    old = [{"role": "system", "content": "Be calm. Rain."}, {"role": "user", "content": "Go."}]
    new = [{"role": "system", "content": "Be calm. Sun."}, {"role": "user", "content": "Go."}]
    changed, same = diff_messages(old, new)
    assert (changed.kind, same.kind) == ("changed", "same")
    text = changed.text()
    assert text is not None
    assert [run.text.strip() for run in text.changes if run.kind == "added"] == ["Sun."]
    assert same.text() is None


def test_a_call_of_a_tool_is_compared_as_a_whole() -> None:
    call = {"role": "assistant", "content": None, "tool_calls": [{"id": "1"}]}
    [change] = diff_messages([call], [{**call, "tool_calls": [{"id": "2"}]}])
    assert (change.kind, change.text()) == ("changed", None)
