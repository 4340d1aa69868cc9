"""The token estimate: three quarters of a token for a Chinese sign, about a quarter for a letter."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.text.tokens import COUNTER_NAME, count_tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("a", 1),
        ("a" * 100, 27),
        ("雾" * 100, 75),
        ("雾港，" * 100, 225),
        ("霧のカナ한" * 10, 38),
        ("雾" * 4 + "a" * 100, 30),
        ("𠀀" * 4, 3),
        ("é" * 100, 27),
    ],
)
def test_what_a_text_costs(text: str, tokens: int) -> None:
    assert count_tokens(text) == tokens


@given(st.text(), st.text())
def test_more_text_never_costs_less(one: str, other: str) -> None:
    assert max(count_tokens(one), count_tokens(other)) <= count_tokens(one + other)
    assert count_tokens(one + other) <= count_tokens(one) + count_tokens(other)


def test_the_counter_has_a_name_that_owns_up() -> None:
    assert "estimate" in COUNTER_NAME
