"""What each macro of a text is given, for reports; arguments are read as they are when it is expanded."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from formats.text.macros.scan import Macro, find_macros
from formats.text.macros.table import ARITIES, COMMENT

SEPARATOR: Final = "::"
_AFTER_NAME = re.compile(r"\s*(::|:|\s|(?=\}\}))")


class Arguments(NamedTuple):
    """Where a macro's arguments begin, whether `::` parts them, and whether it has any."""

    start: int
    parted: bool
    present: bool


def arguments_of(text: str, macro: Macro) -> Arguments:
    """`{{m::a::b}}` has as many as are parted; `{{m:a}}` and `{{m a}}` one, which holds all that follows."""
    if macro.name == COMMENT:
        return Arguments(macro.body, parted=False, present=True)
    found = _AFTER_NAME.match(text, macro.body, macro.end)
    if found is None:
        return Arguments(macro.body, parted=False, present=True)
    return Arguments(found.end(), parted=found[1] == SEPARATOR, present=bool(found[1]))


@dataclass(frozen=True, slots=True)
class MacroUse:
    """A macro that would run: its name in lower case, its span, how many macros it stands in, its arguments.

    Arguments are cut from the text when they are asked for: deeply nested ones would fill the memory.
    """

    name: str
    start: int
    end: int
    depth: int
    text: str = field(repr=False)
    spans: tuple[tuple[int, int], ...] = ()

    @property
    def args(self) -> tuple[str, ...]:
        """The arguments as written, without blanks at their ends; macros in them are left."""
        return tuple(self.text[start:end].strip() for start, end in self.spans)

    @property
    def written(self) -> str:
        """The whole macro, braces included."""
        return self.text[self.start : self.end]

    @property
    def is_expanded(self) -> bool:
        """Whether it is one we know, with as many arguments as it takes."""
        arity = ARITIES.get(self.name)
        return arity is not None and arity.takes(len(self.spans))


class _Open:
    """A macro whose end is not reached yet."""

    def __init__(self, text: str, macro: Macro) -> None:
        self.macro = macro
        self.given = arguments_of(text, macro)
        self.cuts: list[int] = []
        self.position = self.given.start

    def pass_text(self, text: str, until: int) -> None:
        """Note the separators up to a place; what stands inside another macro is never looked at."""
        while self.given.parted:
            at = text.find(SEPARATOR, self.position, until)
            if at < 0:
                break
            self.cuts.append(at)
            self.position = at + len(SEPARATOR)

    def use(self, text: str) -> MacroUse:
        macro, end = self.macro, self.macro.end - 2
        self.pass_text(text, end)
        starts = [self.given.start, *(cut + len(SEPARATOR) for cut in self.cuts)]
        spans = tuple(zip(starts, [*self.cuts, end], strict=True)) if self.given.present else ()
        return MacroUse(macro.name, macro.start, macro.end, macro.depth, text, spans)


def macros_in(text: str) -> list[MacroUse]:
    """The macros of a text in order of their start, without those inside a comment: these never run.

    Linear time, whatever is nested in what.
    """
    uses: list[MacroUse] = []
    opened: list[_Open] = []
    comment_end = 0
    for macro in find_macros(text):
        if macro.start < comment_end:
            continue
        while opened and opened[-1].macro.end <= macro.start:
            uses.append(opened.pop().use(text))
        if opened:
            opened[-1].pass_text(text, macro.start)
            opened[-1].position = macro.end
        opened.append(_Open(text, macro))
        if macro.name == COMMENT:
            comment_end = macro.end
    uses += [one.use(text) for one in reversed(opened)]
    return sorted(uses, key=lambda use: use.start)
