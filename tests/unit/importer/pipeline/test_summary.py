"""The first sentence of a text that says something."""

from __future__ import annotations

import pytest

from importer.pipeline.summary import LIMIT, first_sentence


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# The lamp\nIt burns oil. It is old.", "The lamp"),
        ("- It burns oil.\n- More.", "It burns oil."),
        ("立即事件:\n  说明: 潮水退了。", "说明: 潮水退了。"),
        ("Appearance：\n\nGrey coat.", "Grey coat."),
        ("---\n***\nGrey coat.", "Grey coat."),
        ("Hey hey! I'm a bunny! More.", "Hey hey! I'm a bunny!"),
        ("你好！我是阿岚。", "你好！我是阿岚。"),
        ("[Mira is tall. She is old.]", "Mira is tall."),
        ("[PLAYER]: Who?\nMira: Me.", ""),
        ('Tall.\n"[PLAYER]: Who?"', "Tall."),
        ("", ""),
        ("…\n—", ""),
        ("No!", "No!"),
    ],
)
def test_the_sentence_says_something(text: str, expected: str) -> None:
    assert first_sentence(text) == expected


def test_a_long_sentence_is_cut() -> None:
    assert first_sentence("a" * 500) == "a" * (LIMIT - 1) + "…"
