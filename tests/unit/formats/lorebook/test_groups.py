"""The lottery, the score and the budget, each by itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.lorebook.budget import Budget, default_cost
from formats.lorebook.groups import drawn
from formats.lorebook.policy import compute_candidates
from tests.unit.formats.lorebook.test_policy import book, taken

weights_drawn = st.lists(st.integers(0, 1000), min_size=1, max_size=8)


@pytest.mark.parametrize(
    ("weights", "roll", "place"),
    [
        ([25, 25, 25, 25], 0.30, 1),
        ([25, 25, 25, 25], 0.25, 1),
        ([25, 25, 25, 25], 0, 0),
        ([25, 25, 25, 25], 1, 3),
        ([0, 100], 0, 1),
        ([0, 0], 0.9, 0),
        ([100], 0.5, 0),
    ],
)
def test_whose_share_a_roll_falls_to(weights: list[int], roll: float, place: int) -> None:
    assert drawn(weights, roll) == place


@given(weights_drawn, st.floats(0, 1, exclude_max=True))
def test_who_has_no_share_wins_only_where_nobody_has_one(weights: list[int], roll: float) -> None:
    place = drawn(weights, roll)
    assert weights[place] > 0 or not any(weights)


@given(weights_drawn, st.floats(0, 1), st.floats(0, 1))
def test_a_higher_roll_never_goes_back(weights: list[int], one: float, other: float) -> None:
    assert drawn(weights, min(one, other)) <= drawn(weights, max(one, other))


@pytest.mark.parametrize(
    ("everybody", "own", "winner"),
    [(True, None, 1), (False, None, 0), (False, True, 1), (True, False, 0), (None, None, 0)],
)
def test_the_score_counts_for_those_who_use_it(everybody: bool | None, own: bool | None, winner: int) -> None:
    low = {"group": "g", "order": 200, "useGroupScoring": own}
    high = {"group": "g", "key": ["harbour", "fog"], "useGroupScoring": own}
    got = compute_candidates(book(low, high), text="harbour fog", use_group_scoring=everybody)
    assert taken(got) == [winner]


@pytest.mark.parametrize(
    ("text", "cost"),
    [("", 1), ("abcd", 1), ("abcde", 2), ("港口港口港", 2), ("😀😀", 1), ("😀😀😀", 2), ("\ud800", 1)],
)
def test_the_cost_of_a_text_nobody_counted(text: str, cost: int) -> None:
    assert default_cost(text) == cost


@given(st.lists(st.tuples(st.integers(0, 9), st.booleans()), max_size=8), st.integers(0, 20))
def test_a_budget_is_never_overdrawn(costs: list[tuple[int, bool]], limit: int) -> None:
    budget = Budget(limit)
    for cost, free in costs:
        entry = book({"ignoreBudget": free}).entries[0]
        if budget.takes(entry, cost):
            budget = budget.less(entry, cost)
        else:
            assert not free
    assert budget.used <= limit
    assert budget.remaining == limit - budget.used
