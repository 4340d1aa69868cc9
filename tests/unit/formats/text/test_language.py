"""The `lang` of a card's texts, by their script."""

from __future__ import annotations

import pytest

from formats.text.language import language_of_text


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The lamp burns whale oil.", "en"),
        ("灯塔建于百年前，守塔人从不离开。", "zh"),
        ("她说：“OK”，然后走了。", "zh"),
        ("The inn is called 听雪驿 by those who keep it, and by nobody else.", "en"),
        ("灯台は百年前に建てられた。", "ja"),
        ("등대는 백 년 전에 세워졌다.", "ko"),
        ("Маяк построен сто лет назад.", "ru"),
        ("", ""),
        ("123 …", ""),
    ],
)
def test_the_script_tells_the_language(text: str, language: str) -> None:
    assert language_of_text(text) == language
