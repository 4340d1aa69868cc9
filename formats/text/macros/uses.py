"""What each macro of a text is given, for reports; arguments are read as they are when it is expanded."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Final, NamedTuple

from formats.text.macros.scan import Macro, find_macros
from formats.text.macros.table import ARITIES, COMMENT, ROLL, Outcome, dice_outcome

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


@dataclass(slots=True)
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

    @property
    def outcome(self) -> Outcome:
        """What becomes of it, as far as the text tells: arguments that hold macros are taken as sound."""
        if not self.is_expanded:
            return "left"
        if self.name == ROLL and "{{" not in (notation := self.args[0]):
            return dice_outcome(notation)
        return "expanded"


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
        self.pass_text(text, self.macro.end - len("}}"))
        return _use(text, self.macro, self.given, self.cuts)


def _use(text: str, macro: Macro, given: Arguments, cuts: list[int]) -> MacroUse:
    spans: tuple[tuple[int, int], ...] = ()
    if given.present:
        starts = [given.start, *[cut + len(SEPARATOR) for cut in cuts]]
        spans = tuple(zip(starts, [*cuts, macro.end - len("}}")], strict=True))
    return MacroUse(macro.name, macro.start, macro.end, macro.depth, text, spans)


def _use_alone(text: str, macro: Macro) -> MacroUse:
    """A macro with no other inside it, in fewer steps than `_Open` takes."""
    if macro.body == macro.end - len("}}") and macro.name != COMMENT:
        return MacroUse(macro.name, macro.start, macro.end, macro.depth, text)
    given, cuts = arguments_of(text, macro), []
    if given.parted:
        end = macro.end - len("}}")
        at = text.find(SEPARATOR, given.start, end)
        while at >= 0:
            cuts.append(at)
            at = text.find(SEPARATOR, at + len(SEPARATOR), end)
    return _use(text, macro, given, cuts)


def macros_in(text: str) -> list[MacroUse]:
    """The macros of a text in order of their start, without those inside a comment: these never run.

    Linear time, whatever is nested in what.
    """
    uses: list[MacroUse] = []
    opened: list[_Open] = []
    comment_end = 0
    macros = find_macros(text)
    for macro, following in zip_longest(macros, macros[1:]):
        if macro.start < comment_end:
            continue
        while opened and opened[-1].macro.end <= macro.start:
            uses.append(opened.pop().use(text))
        if opened:
            opened[-1].pass_text(text, macro.start)
            opened[-1].position = macro.end
        if following is None or following.start >= macro.end:
            uses.append(_use_alone(text, macro))
            continue
        opened.append(_Open(text, macro))
        if macro.name == COMMENT:
            comment_end = macro.end
    uses += [one.use(text) for one in reversed(opened)]
    return sorted(uses, key=lambda use: use.start)
