"""Dialogue told from description, line by line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from importer.pipeline.dialogue import dialogues, told_apart


@pytest.mark.parametrize("mark", ["<START>", "<start>", "< START >", "<START>\r"])
def test_dialogues_are_parted_by_the_mark(mark: str) -> None:
    assert [part.strip() for part in dialogues(f"{mark}\na: 1\n{mark}\nb: 2")] == ["a: 1", "b: 2"]
    assert dialogues(" \n") == []


def test_without_a_mark_both_must_speak() -> None:
    assert told_apart("Grey.\n{{user}}: Hm") == ("Grey.\n{{user}}: Hm", [])
    assert told_apart("Grey.\n{{user}}: Hm\n{{char}}: Yes") == ("Grey.", ["{{user}}: Hm\n{{char}}: Yes"])


def test_a_paragraph_nobody_speaks_ends_a_dialogue_without_a_mark() -> None:
    told, spoken = told_apart("{{user}}: A\n{{char}}: B\nand more\n\nShe is tall.")
    assert spoken == ["{{user}}: A\n{{char}}: B\nand more\n"]
    assert told == "She is tall."


def test_after_a_mark_a_speech_may_have_paragraphs() -> None:
    told, spoken = told_apart("Tall.\n<START>\n{{char}}: A\n\nmore of A\n# Facts\nBorn at sea.")
    assert spoken == ["{{char}}: A\n\nmore of A"]
    assert told.split("\n") == ["Tall.", "", "", "# Facts", "Born at sea."]


def test_a_mark_without_anybody_speaking_is_only_taken_out() -> None:
    assert told_apart("One.<START>Two.") == ("One.\nTwo.", [])


def test_each_question_of_an_interview_is_an_example() -> None:
    _told, spoken = told_apart("<START>\n{{user}}: 1?\n{{char}}: one\n<USER>: 2?\n<BOT>: two")
    assert spoken == ["{{user}}: 1?\n{{char}}: one", "<USER>: 2?\n<BOT>: two"]


LINES = st.sampled_from(
    [
        "{{user}}: q",
        "{{char}}: a",
        "prose",
        "",
        "[fact]",
        "# head",
        "<START>",
        "*{{char}}*: b",
        "{{user}} walks",
    ]
)


@given(st.lists(LINES, max_size=12))
def test_no_line_is_lost_or_told_twice(lines: list[str]) -> None:
    told, spoken = told_apart("\n".join(lines))
    found = [line for text in [told, *spoken] for line in text.split("\n") if line.strip()]
    assert sorted(found) == sorted(line for line in lines if line.strip() and line != "<START>")
