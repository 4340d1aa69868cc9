import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.dice import MOST_DICE, MOST_SIDES, DiceRoll, parse_roll, seeded_rolls, throw


@pytest.mark.parametrize(
    ("notation", "roll"),
    [
        ("1d6", DiceRoll(1, 6)),
        ("2d6+3", DiceRoll(2, 6, 3)),
        (" 3D8 - 1 ", DiceRoll(3, 8, -1)),
        ("d20", DiceRoll(1, 20)),
        ("d%", DiceRoll(1, 100)),
        ("6", DiceRoll(1, 6)),
        ("6+1", DiceRoll(1, 6, 1)),
        ("999999999d6", DiceRoll(999999999, 6)),
        ("abc", None),
        ("", None),
        ("1d", None),
        ("1d6+", None),
        ("1d6+1+1", None),
        ("-1d6", None),
        ("٣d6", None),
        ("1" * 5000, None),
    ],
)
@pytest.mark.req("PRE-16")
def test_notation(notation: str, roll: DiceRoll | None) -> None:
    assert parse_roll(notation) == roll


def test_dice_fall_in_order_and_the_bonus_is_added_once() -> None:
    faces = iter([4, 1, 6])
    assert throw(DiceRoll(3, 6, -2), lambda sides: next(faces)) == ((4, 1, 6), 9)


@pytest.mark.parametrize(
    "roll", [DiceRoll(MOST_DICE + 1, 6), DiceRoll(1, MOST_SIDES + 1), DiceRoll(0, 6), DiceRoll(1, 0)]
)
def test_what_is_too_much_or_nothing_is_never_thrown(roll: DiceRoll) -> None:
    with pytest.raises(ValueError, match="cannot be thrown"):
        throw(roll, lambda sides: 1)


@given(st.integers() | st.text(), st.lists(st.integers(1, MOST_SIDES), max_size=30))
def test_one_seed_gives_the_same_rolls_and_each_is_a_face(seed: int | str, sides: list[int]) -> None:
    one, other = seeded_rolls(seed), seeded_rolls(seed)
    rolls = [one(each) for each in sides]
    assert rolls == [other(each) for each in sides]
    assert all(1 <= roll <= each for roll, each in zip(rolls, sides, strict=True))


def test_every_face_comes_up() -> None:
    roll = seeded_rolls("a")
    assert {roll(6) for _ in range(200)} == {1, 2, 3, 4, 5, 6}
