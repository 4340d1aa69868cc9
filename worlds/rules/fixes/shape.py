"""What a fix is: a sentence on a button, and what it asks for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

FixInput = Literal["none", "choice", "text", "long"]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the answers to choose from. `label` is a name out of the world, or a marked English sentence."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class Fix:
    """One way to remove a problem.

    `code` and `where` (that of the finding) name it; `label` is English, marked for translation. `input` says
    what the person answers: nothing, one of `choices`, a line, or a longer text.
    """

    code: str
    label: str
    where: str
    input: FixInput = "none"
    choices: tuple[Choice, ...] = ()
