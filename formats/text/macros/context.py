"""What macros are expanded with: names, variables, dice, and a bound on the work."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass, field
from typing import Final

from formats.dice import RollSource, seeded_rolls

LONGEST_VARIABLE: Final = 1_000_000
MOST_WORK: Final = 16_000_000
"""Characters that all macros of one assembly may make together; the largest preset known holds 3,000,000."""


class WorkUsedUp(Exception):
    """The macros of a text would make more than is allowed."""


@dataclass(slots=True)
class MacroBudget:
    """What may still be made, shared by all texts of one assembly."""

    left: int = MOST_WORK

    def spend(self, amount: int) -> None:
        """Take some; raises `WorkUsedUp` once there is none."""
        self.left -= amount
        if self.left < 0:
            raise WorkUsedUp


@dataclass(frozen=True, slots=True)
class MacroContext:
    """The values. They are put in as they are: macros inside them never run.

    `variables` is written to, so that several texts can share it. `rolls` is asked for each die. `constants`
    are the macros that take no argument and say the same each time, by name.
    """

    user: str = ""
    char: str = ""
    persona: str = ""
    last_user_message: str = ""
    variables: MutableMapping[str, str] = field(default_factory=dict)
    rolls: RollSource = field(default_factory=lambda: seeded_rolls(0))
    budget: MacroBudget = field(default_factory=MacroBudget)
    constants: Mapping[str, str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        constants = {
            "trim": "",
            "user": self.user,
            "char": self.char,
            "persona": self.persona,
            "lastusermessage": self.last_user_message,
        }
        object.__setattr__(self, "constants", constants)
