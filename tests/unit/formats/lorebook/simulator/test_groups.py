"""Inclusion groups: who is chosen, by which rule, and that nobody else suffers."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.scans import book_of, came_in, code_of, entry, scan


def test_group_closed_for_every_name_of_an_accepted_member() -> None:
    """SillyTavern compares the whole text of names, so `a` stayed open beside `a,b`."""
    book = book_of(
        entry(1, "harbour", "guard", group="a,b"),
        entry(2, "guard", group="a"),
        entry(3, "guard", group=" b ,c"),
        entry(4, "guard", group="c"),
    )
    activation = scan(book, "harbour")
    assert came_in(activation) == [1, 4]
    assert activation.verdict("b", "2@0").said.text == "The group a has E1 already."


@pytest.mark.parametrize("later", ["a", "b", "c", "x,c"])
def test_an_accepted_member_closes_every_one_of_its_groups(later: str) -> None:
    book = book_of(entry(1, "harbour", "guard", group="a,b,c"), entry(2, "guard", group=later))
    activation = scan(book, "harbour")
    assert came_in(activation) == [1]
    assert code_of(activation, 2) == "group-taken"


def test_loser_does_not_come_back_when_the_winner_failed_its_roll() -> None:
    book = book_of(
        entry(1, "harbour", group="watch", override=True, probability=1),
        entry(2, "harbour", group="watch"),
        entry(3, "harbour", "guard"),
        entry(4, "guard"),
    )
    activation = scan(book, "harbour", rolls={1: 0.5})
    assert came_in(activation) == [3, 4]
    assert (code_of(activation, 1), code_of(activation, 2)) == ("probability", "group-priority")
    assert activation.verdict("b", "1@0").said.args == {"roll": 50.0, "probability": 1}


def test_highest_order_wins_among_the_prioritised() -> None:
    book = book_of(
        entry(1, "fog", group="g", override=True, insertion_order=5),
        entry(2, "fog", group="g", override=True, insertion_order=9),
        entry(3, "fog", group="g", insertion_order=900),
    )
    assert came_in(scan(book, "fog")) == [2]


@pytest.mark.parametrize(("roll", "winner"), [(0, 2), (0.24, 2), (0.25, 3), (0.99, 3)])
def test_draw_by_weights_where_no_weight_never_wins(roll: float, winner: int) -> None:
    weights = {1: 0, 2: 50, 3: 150, 4: -7}
    book = book_of(*(entry(uid, "fog", group="g", weight=weight) for uid, weight in weights.items()))
    activation = scan(book, "fog", group_rolls={"g": roll})
    assert came_in(activation) == [winner]
    verdict = activation.verdict("b", "1@0")
    assert verdict.said.args == {
        "group": "g", "title": f"E{winner}", "roll": roll, "weight": weights[winner]
    }  # fmt: skip


def test_draw_without_any_weight_takes_the_first() -> None:
    book = book_of(*(entry(uid, "fog", group="g", weight=0) for uid in (1, 2)))
    assert came_in(scan(book, "fog", group_rolls={"g": 0.9})) == [1]


SCORES: list[tuple[dict[str, Any], int]] = [
    ({"keys": "fog|rain|sun"}, 2),
    ({"keys": "fog", "second": "rain|sun", "selective_logic": "and_any"}, 2),
    ({"keys": "fog", "second": "rain|sea", "selective_logic": "and_all"}, 3),
    ({"keys": "fog", "second": "sun", "selective_logic": "not_any"}, 1),
    ({"keys": "fog", "second": "sea|sun", "selective_logic": "not_all"}, 1),
    ({"keys": " fog | rain |/sun/"}, 2),
    ({"keys": "fog|rain", "second": "sea", "selective": False}, 2),
    ({"keys": "fog|rain", "constant": True}, 2),
    ({"keys": "", "constant": True}, 0),
]


@pytest.mark.parametrize(("fields", "score"), SCORES)
def test_score_counts_the_keys_that_match(fields: dict[str, Any], score: int) -> None:
    """Measured against rivals of a known score: below the best one loses, equal to it stays."""
    text = "fog, rain, sea"
    for rival in range(1, 4):
        keys = "|".join(text.split(", ")[:rival])
        book = book_of(
            entry(1, fields["keys"], **{name: fields[name] for name in fields if name != "keys"},
                  group="g", use_group_scoring=True, override=True),
            entry(2, keys, group="g"),
        )  # fmt: skip
        activation = scan(book, text)
        if score < rival:
            assert activation.verdict("b", "1@0").said.args == {
                "group": "g", "title": "E2", "best": rival, "score": score,
            }  # fmt: skip
        else:
            assert came_in(activation) == [1]


def test_scoring_for_all_is_a_setting_and_an_entry_can_refuse_it() -> None:
    book = book_of(
        entry(1, "fog", group="g", override=True),
        entry(2, "fog|rain", group="g"),
        entry(3, "fog", group="h", override=True, use_group_scoring=False),
        entry(4, "fog|rain", group="h"),
    )
    assert came_in(scan(book, "fog rain", group_scoring=True)) == [2, 3]
    assert came_in(scan(book, "fog rain")) == [1, 3]


@given(
    st.lists(
        st.tuples(st.sets(st.sampled_from("abc")), st.booleans(), st.integers(0, 3)), min_size=1, max_size=7
    ),
    st.floats(0, 0.999),
)
def test_one_member_a_group_and_nobody_outside_suffers(
    members: list[tuple[set[str], bool, int]], roll: float
) -> None:
    book = book_of(
        *(
            entry(uid, "fog", group=",".join(sorted(names)), override=override, weight=weight)
            for uid, (names, override, weight) in enumerate(members)
        )
    )
    accepted = came_in(scan(book, "fog", group_rolls=dict.fromkeys("abc", roll)))
    for name in "abc":
        assert sum(name in members[uid][0] for uid in accepted) <= 1
    assert {uid for uid, (names, *_) in enumerate(members) if not names} <= set(accepted)
    if any(names for names, *_ in members):
        assert any(members[uid][0] for uid in accepted)


def test_second_keys_of_which_all_are_asked_count_only_together() -> None:
    """A constant member needs no keys to come in, and its score is that of its keys all the same."""
    member = entry(
        1, "fog", second="sea|sky", selective_logic="and_all", constant=True, group="g", override=True
    )
    rival = entry(2, "harbour|pier", group="g")
    for text, stays in (("fog sea harbour pier", [2]), ("fog sea sky harbour pier", [1])):
        assert came_in(scan(book_of(member, rival), text, group_scoring=True)) == stays
