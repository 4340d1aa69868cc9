"""Fields of the wrong type."""

from typing import Any

import pytest

from formats import leniency

TRUTHS: list[tuple[Any, bool | None]] = [
    (True, True),
    ("False", False),
    (" yes ", True),
    ("off", False),
    (1, True),
    (0.0, False),
    (2, None),
    ("", None),
    ("maybe", None),
    (None, None),
    ([], None),
]
NUMBERS: list[tuple[Any, float | None]] = [
    (7, 7),
    ("100", 100),
    (" -3 ", -3),
    ("1.5", 1.5),
    (".5", 0.5),
    ("1.0e3", 1000.0),
    ("", None),
    ("x", None),
    ("١", None),
    (True, None),
    (float("nan"), None),
    ("9" * 4400, None),
    ("1.0e999", None),
    (None, None),
]
TEXTS: list[tuple[Any, str | None]] = [
    ("a", "a"),
    (7, "7"),
    (1.2, "1.2"),
    (True, "true"),
    (["a", "b"], "a\nb"),
    (["a", 1], None),
    ([], None),
    ({}, None),
]


@pytest.mark.parametrize(("value", "meant"), TRUTHS)
def test_truth(value: Any, meant: bool | None) -> None:
    assert leniency.boolean(value) is meant


@pytest.mark.parametrize(("value", "meant"), NUMBERS)
def test_numbers(value: Any, meant: float | None) -> None:
    assert leniency.number(value) == meant


@pytest.mark.parametrize(("value", "meant"), TEXTS)
def test_texts(value: Any, meant: str | None) -> None:
    assert leniency.text(value) == meant
