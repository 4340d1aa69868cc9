"""The macros that are expanded, with how many arguments each takes: the contract's table, and no more."""

from __future__ import annotations

from typing import Final, NamedTuple

COMMENT: Final = "//"
"""`{{// … }}`: nothing in it runs."""


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
    "roll": Arity(1),
}

EXPANDED_NAMES: Final = frozenset(ARITIES)
WRITING_NAMES: Final = frozenset({"setvar", "addvar"})
READING_NAMES: Final = frozenset({"getvar"})
CHANCE_NAMES: Final = frozenset({"roll", "random", "pick"})
"""Macros that differ from one request to the next; of these only `roll` is expanded."""
