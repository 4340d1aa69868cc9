"""`expand`: a text with the macros of the contract's table expanded, inner ones first, left to right.

Every other macro keeps its spelling (those inside it expand) and is named. Nothing is read from outside: the
same text and context give the same result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from formats.finding import Finding
from formats.notes import Notes
from formats.text.macros.context import MacroContext, WorkUsedUp
from formats.text.macros.scan import Macro, find_macros
from formats.text.macros.table import ARITIES, COMMENT
from formats.text.macros.uses import SEPARATOR, Arguments, arguments_of
from formats.text.macros.values import SENTENCES, VALUES, Telling


@dataclass(frozen=True, slots=True)
class Expanded:
    """The text; `unknown` counts by name the macros that are not in the table, or not with such arguments."""

    text: str
    findings: list[Finding] = field(default_factory=list)
    unknown: dict[str, int] = field(default_factory=dict)


def expand(text: str, context: MacroContext, where: str = "") -> Expanded:
    """Expand the macros of one text; `where` is the place that findings name.

    `{{trim}}` takes the blanks off both ends of the whole text. A text whose macros would make more than the
    budget of the context allows is left as it is.
    """
    if "{{" not in text:
        return Expanded(text)
    return _Expansion(text, context, where).run()


class _Open:
    """A macro that is expanded at its end. Text that other macros gave is never cut at a `::`."""

    __slots__ = ("args", "end", "given", "macro")

    def __init__(self, macro: Macro, given: Arguments) -> None:
        self.macro, self.given = macro, given
        self.end = macro.end
        self.args: list[list[str]] = [[]]

    @property
    def sink(self) -> list[str]:
        return self.args[-1]

    def take(self, written: str) -> None:
        if not self.given.parted:
            self.sink.append(written)
            return
        first, *others = written.split(SEPARATOR)
        self.sink.append(first)
        self.args += [[one] for one in others]


class _Kept:
    """A macro that stays as written: its text and what is inside go where the macro stands."""

    __slots__ = ("end", "sink")

    def __init__(self, end: int, sink: list[str]) -> None:
        self.end, self.sink = end, sink

    def take(self, written: str) -> None:
        self.sink.append(written)


class _Expansion:
    def __init__(self, text: str, context: MacroContext, where: str) -> None:
        self.text, self.context, self.where = text, context, where
        self.notes = Notes(SENTENCES)
        self.unknown: dict[str, int] = {}
        self.trims = False
        self.position = 0
        self.out: list[str] = []
        self.opened: list[_Open | _Kept] = [_Kept(len(text) + 1, self.out)]

    def run(self) -> Expanded:
        try:
            self._walk()
        except WorkUsedUp:
            self.notes.add("macro.too-much", self.where)
            return Expanded(self.text, self.notes.findings(), {})
        text = "".join(self.out)
        return Expanded(text.strip() if self.trims else text, self.notes.findings(), self.unknown)

    def _walk(self) -> None:
        for macro in find_macros(self.text):
            if macro.start < self.position:  # inside a comment
                continue
            self._close_before(macro.start)
            self._pass(macro.start)
            self._open(macro)
        self._close_before(len(self.text))
        self._pass(len(self.text))

    def _pass(self, until: int) -> None:
        if self.position < until:
            self.opened[-1].take(self.text[self.position : until])
        self.position = max(self.position, until)

    def _open(self, macro: Macro) -> None:
        if macro.name == COMMENT:
            self.position = macro.end
        elif macro.name in ARITIES:
            given = arguments_of(self.text, macro)
            self.position = given.start
            self.opened.append(_Open(macro, given))
        else:
            self._leave(macro.name)
            self.opened.append(_Kept(macro.end, self.opened[-1].sink))

    def _close_before(self, place: int) -> None:
        while (last := self.opened[-1]).end <= place:
            if isinstance(last, _Kept):
                self._pass(last.end)
                self.opened.pop()
                continue
            self._pass(last.end - 2)
            self.opened.pop()
            self.position = last.end
            self.opened[-1].sink.append(self._value(last))

    def _value(self, one: _Open) -> str:
        self.context.budget.spend(1)
        name = one.macro.name
        args = ["".join(parts) for parts in one.args] if one.given.present else []
        arity = ARITIES[name]
        if not arity.takes(len(args)):
            return self._with_inner_ones(one, args)
        if name == "trim":
            self.trims = True
            return ""
        telling = Telling(self.notes, self.where, self.text, one.macro)
        value = VALUES[name](_trimmed(args, arity.args), self.context, telling)
        if value is None:
            value = self.text[one.macro.start : one.macro.end]
        self.context.budget.spend(len(value))
        return value

    def _with_inner_ones(self, one: _Open, args: Sequence[str]) -> str:
        """The macro as written, except that what is inside it is expanded."""
        self._leave(one.macro.name)
        head = self.text[one.macro.start : one.given.start]
        kept = f"{head}{SEPARATOR.join(args)}}}}}"
        self.context.budget.spend(len(kept))
        return kept

    def _leave(self, name: str) -> None:
        self.unknown[name] = self.unknown.get(name, 0) + 1


def _trimmed(args: list[str], count: int) -> list[str]:
    """The arguments without blanks at their ends; what is beyond the last one belongs to it."""
    if len(args) > count:
        args = [*args[: count - 1], SEPARATOR.join(args[count - 1 :])]
    return [one.strip() for one in args]
