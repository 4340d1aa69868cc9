"""Slots: the one way a higher room adds to a lower room's page (D41)."""

from __future__ import annotations

import pytest

from portal import slots


@pytest.fixture(autouse=True)
def empty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slots, "_filled", {})


def test_in_the_order_of_registering() -> None:
    one, two = (lambda: 1), (lambda: 2)
    slots.register("place", one)
    slots.register("place", two)
    slots.register("other", two)
    assert slots.filled("place") == (one, two)


def test_nobody_registered() -> None:
    assert slots.filled("place") == ()


def test_the_same_twice_counts_once() -> None:
    def fill() -> str:
        return "x"

    slots.register("place", fill)
    slots.register("place", fill)
    assert slots.filled("place") == (fill,)
