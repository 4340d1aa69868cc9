"""The value of each macro we know. A value of None leaves the macro as written."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from decimal import Context, Decimal
from typing import Any, Final

from formats.dice import parse_roll, throw
from formats.finding import Finding
from formats.messages import gettext_noop
from formats.notes import Notes, Sentence
from formats.stable_json import read_json
from formats.text.macros.context import LONGEST_VARIABLE, MacroContext
from formats.text.macros.table import dice_outcome
from formats.text.macros.template import Call

SENTENCES: Final = {
    "macro.too-much": Sentence(
        "warning",
        gettext_noop("The macros of this text make more text than is allowed; it is sent as written."),
        gettext_noop("A variable that is put into itself again and again grows without end."),
    ),
    "macro.too-deep": Sentence(
        "warning",
        gettext_noop("Macros stand inside each other too deeply here; the innermost are sent as written."),
    ),
    "macro.variable-too-long": Sentence(
        "warning",
        gettext_noop("The variable {name} would become longer than {limit} characters; it keeps its value."),
        gettext_noop("A variable that is put into itself again and again grows without end."),
    ),
    "macro.too-many-dice": Sentence(
        "warning",
        gettext_noop("{written} asks for more or larger dice than are thrown; it is sent as written."),
    ),
    "macro.no-dice": Sentence(
        "info",
        gettext_noop("{written} names no dice that can be thrown; nothing takes its place."),
        gettext_noop("Dice are written as 1d6, 2d6+3 or 20."),
    ),
}

PLAIN_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]{1,30}(?:\.[0-9]{0,30})?|\.[0-9]{1,30})")
SUMS: Final = Context(prec=70)
MOST_QUOTED: Final = 200
Value = Callable[[Sequence[str], MacroContext, "Telling"], str | None]


class Telling:
    """Where what happens to the macros of one text is told; `call` is the one that is expanded."""

    def __init__(self, text: str, where: str) -> None:
        self.call: Call | None = None
        self._notes: Notes | None = None
        self._text, self._where = text, where

    def note(self, code: str, **args: Any) -> None:
        """One finding about the macro, or about the whole text."""
        written = self.call.written_in(self._text, MOST_QUOTED) if self.call else ""
        self._notes = self._notes or Notes(SENTENCES)
        self._notes.add(code, self._where, written=written, **args)

    def findings(self) -> list[Finding]:
        """All that was told."""
        return self._notes.findings() if self._notes else []


def roll(args: Sequence[str], context: MacroContext, telling: Telling) -> str | None:
    """The sum of the dice; empty where there are none to throw, as in SillyTavern."""
    outcome, dice = dice_outcome(args[0]), parse_roll(args[0])
    if outcome == "left":
        telling.note("macro.too-many-dice")
        return None
    if outcome == "nothing" or dice is None:
        telling.note("macro.no-dice")
        return ""
    context.budget.spend(dice.dice)
    return str(throw(dice, context.rolls).total)


def set_variable(args: Sequence[str], context: MacroContext, telling: Telling) -> str | None:
    """Stores the text as it is."""
    return _stored(args[0], args[1], context, telling)


def add_to_variable(args: Sequence[str], context: MacroContext, telling: Telling) -> str | None:
    """Adds numbers (unset is 0), pushes onto a JSON list, and else appends (D22)."""
    name, added = args[0], args[1]
    stored = context.variables.get(name, "")
    context.budget.spend(len(stored))
    return _stored(name, _sum(stored, added), context, telling)


def _stored(name: str, value: str, context: MacroContext, telling: Telling) -> str | None:
    if len(value) > LONGEST_VARIABLE:
        telling.note("macro.variable-too-long", name=name, limit=LONGEST_VARIABLE)
        return None
    context.budget.spend(len(value))
    context.variables[name] = value
    return ""


def _sum(stored: str, added: str) -> str:
    if PLAIN_NUMBER.fullmatch(added) and (not stored or PLAIN_NUMBER.fullmatch(stored)):
        total = SUMS.add(Decimal(stored or "0"), Decimal(added))
        written = f"{total:f}"
        return written.rstrip("0").rstrip(".") if "." in written else written
    if stored.startswith("["):
        return _pushed(stored, added) or stored + added
    return stored + added


def _pushed(stored: str, added: str) -> str | None:
    """The JSON list with one more text; None where it is only text that begins like one."""
    try:
        return json.dumps([*read_json(stored), added], ensure_ascii=False, separators=(",", ":"))
    except (ValueError, RecursionError):
        return None


VALUES: Final[dict[str, Value]] = {
    "getvar": lambda args, context, telling: context.variables.get(args[0], ""),
    "setvar": set_variable,
    "addvar": add_to_variable,
    "roll": roll,
}
"""The constants of the context are not here, nor comments and `trim`, which act on the text."""
