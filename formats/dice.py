"""Dice: one engine for macros, directives and play. Chance comes from outside, as a `RollSource`."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from hashlib import blake2b
from itertools import count
from typing import Final, NamedTuple

RollSource = Callable[[int], int]
"""Asked with a number of sides, gives a number from 1 to it."""

MOST_DICE: Final = 1_000
MOST_SIDES: Final = 1_000_000
HIGHEST_BONUS: Final = 1_000_000_000
LONGEST_NOTATION: Final = 40

_NOTATION = re.compile(r"(?:([0-9]*)\s*[dD]\s*([0-9]+|%)|([0-9]+))\s*(?:([+-])\s*([0-9]+))?", re.ASCII)
PERCENT_SIDES: Final = 100


class DiceRoll(NamedTuple):
    """What is thrown: `dice` of them, of `sides` sides each, with `bonus` added to their sum."""

    dice: int
    sides: int
    bonus: int = 0

    @property
    def is_bounded(self) -> bool:
        """Whether it stays within the limits of what is thrown at all."""
        return self.dice <= MOST_DICE and self.sides <= MOST_SIDES and abs(self.bonus) <= HIGHEST_BONUS

    @property
    def is_possible(self) -> bool:
        """Whether there is something to throw."""
        return self.dice > 0 and self.sides > 0


class Thrown(NamedTuple):
    """The faces in the order they fell, and what they come to."""

    faces: tuple[int, ...]
    total: int


def parse_roll(notation: str) -> DiceRoll | None:
    """`2d6+3`, `d20`, `3D8-1`, `d%`; a bare `N` is one die of N sides. None where it is no notation.

    Numbers may be of any size: whether they are thrown is asked of `is_bounded`.
    """
    notation = notation.strip()
    return _parsed(notation) if len(notation) <= LONGEST_NOTATION else None


@lru_cache(256)
def _parsed(notation: str) -> DiceRoll | None:
    read = _NOTATION.fullmatch(notation)
    if read is None:
        return None
    dice, sides, bare, sign, bonus = read.groups()
    added = int(bonus or "0")
    return DiceRoll(
        1 if bare else int(dice or "1"),
        PERCENT_SIDES if sides == "%" else int(bare or sides),
        -added if sign == "-" else added,
    )


def throw(roll: DiceRoll, source: RollSource) -> Thrown:
    """Throw them, the first die first.

    Raises:
        ValueError: more dice or sides than the limits allow, or none.
    """
    if not (roll.is_bounded and roll.is_possible):
        raise ValueError("these dice cannot be thrown")
    faces = tuple(source(roll.sides) for _ in range(roll.dice))
    return Thrown(faces, sum(faces) + roll.bonus)


def seeded_rolls(seed: int | str) -> RollSource:
    """A source that gives the same rolls each time for one seed, on every machine."""
    number = count()

    def roll(sides: int) -> int:
        named = f"{seed}\0{next(number)}".encode("utf-8", "surrogatepass")
        return int.from_bytes(blake2b(named, digest_size=8).digest(), "big") % sides + 1

    return roll
