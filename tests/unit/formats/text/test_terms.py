import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.text.terms import shared_share, terms


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The Blue Guard, 3 men.", ["the", "blue", "guard", "3", "men"]),
        ("青衣卫 Blue", ["青衣", "衣卫", "blue"]),
        ("莉", ["莉"]),
        ("青衣Blue", ["青衣", "blue"]),
        ("さくら", ["さく", "くら"]),
        ("नमस्ते दुनिया", ["नमस्ते", "दुनिया"]),
        ("Стража", ["стража"]),
        ("보라색 성", ["보라색", "성"]),
        ("a_b -- !", ["a", "b"]),
        ("", []),
    ],
)
def test_terms_of_several_scripts(text: str, found: list[str]) -> None:
    assert terms(text) == found


def test_share_is_of_the_larger_vocabulary() -> None:
    assert shared_share("red blue green gold", "red blue") == 0.5
    assert shared_share("red", "RED") == 1.0
    assert shared_share("", "") == 0.0


@given(st.text(), st.text())
def test_share_is_symmetric_and_bounded(one: str, other: str) -> None:
    assert shared_share(one, other) == shared_share(other, one)
    assert 0.0 <= shared_share(one, other) <= 1.0
