"""What is typed into a trial, read and shown again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.errors import DomainError
from presets.pipeline.trial import InsertText, TrialInputs
from presets.pipeline.typed_texts import inserts_of, story_of, typed_inserts, typed_story

LINES = st.text("abc雾 #=\n", max_size=40).filter(lambda text: "===" not in text)


def test_a_title_begins_another_text() -> None:
    text = "The quay at night.\n\n=== The lighthouse\nIt burns.\n## A heading stays\n=== 雾 ===\n很浓。"
    assert inserts_of(text) == (
        InsertText(text="The quay at night."),
        InsertText(title="The lighthouse", text="It burns.\n## A heading stays"),
        InsertText(title="雾", text="很浓。"),
    )


@given(st.lists(st.tuples(st.text("ab 雾", max_size=5).map(str.strip), LINES), max_size=5))
def test_texts_are_the_same_when_shown_again(pairs: list[tuple[str, str]]) -> None:
    inserts = tuple(
        InsertText(title=title, text=text.strip("\n")) for title, text in pairs if title or text.strip()
    )
    assert inserts_of(typed_inserts(inserts)) == inserts


def test_nothing_is_no_text() -> None:
    assert inserts_of(" \n\n ") == ()


def test_too_many_texts_are_refused() -> None:
    with pytest.raises(DomainError) as refused:
        inserts_of("=== a\nb\n" * 1001)
    assert refused.value.code == "trial.too-many-texts"


def test_a_story_with_headings_stays_text() -> None:
    assert story_of("## 用户\r\n你好")["story"] == "## 用户\n你好"


def test_a_list_becomes_turns() -> None:
    text = '[{"role": "user", "content": "Hi", "name": "Ana"}, {"role": "assistant", "content": null}]'
    inputs = TrialInputs.model_validate(story_of(text))
    assert [(turn.role, turn.content) for turn in inputs.history] == [("user", "Hi"), ("assistant", "")]
    assert story_of(typed_story(inputs)) == story_of(text)


@pytest.mark.parametrize("text", ["[", "[1]", '[{"content": "x"}]', '[{"role": "wizard"}]', "[" * 5000])
def test_a_list_that_is_none_is_told(text: str) -> None:
    with pytest.raises(DomainError) as refused:
        story_of(text)
    assert refused.value.code == "trial.no-list"
