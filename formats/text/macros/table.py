"""The macros that are expanded, with how many arguments each takes: the contract's table, and no more."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from formats.dice import parse_roll

COMMENT: Final = "//"
"""`{{// … }}`: nothing in it runs."""
ROLL: Final = "roll"


class Arity(NamedTuple):
    """How many arguments a macro takes; with `rest` the last one holds every further `::` as text."""

    args: int
    rest: bool = False

    def takes(self, given: int) -> bool:
        """Whether the macro can be read with so many arguments."""
        return given >= self.args if self.rest else given == self.args


ARITIES: Final = {
    COMMENT: Arity(0, rest=True),
    "trim": Arity(0),
    "user": Arity(0),
    "persona": Arity(0),
    "char": Arity(0),
    "lastusermessage": Arity(0),
    "getvar": Arity(1),
    "setvar": Arity(2, rest=True),
    "addvar": Arity(2, rest=True),
    ROLL: Arity(1),
}

EXPANDED_NAMES: Final = frozenset(ARITIES)
WRITING_NAMES: Final = frozenset({"setvar", "addvar"})
READING_NAMES: Final = frozenset({"getvar"})
CHANCE_NAMES: Final = frozenset({"roll", "random", "pick"})
"""Macros that differ from one request to the next; of these only `roll` is expanded."""

Outcome = Literal["expanded", "left", "nothing"]
"""What becomes of a macro: a value takes its place, it stays as written, or nothing takes its place."""


def dice_outcome(notation: str) -> Outcome:
    """What becomes of a roll: no dice to throw give nothing, as in SillyTavern; too many are not thrown."""
    dice = parse_roll(notation)
    if dice is None or not dice.is_possible:
        return "nothing"
    return "expanded" if dice.is_bounded else "left"
