"""A text read once for expanding: plain pieces, and calls of the macros we know with their arguments.

What a text says of its macros (which are known, which are left as written) hangs on the text alone, so it is
found out once; a preset is assembled again and again with the same texts.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from typing import Final

from formats.text.macros.scan import Macro, find_macros
from formats.text.macros.table import ARITIES, COMMENT, Arity
from formats.text.macros.uses import SEPARATOR, Arguments, arguments_of

DEEPEST: Final = 64
"""So many known macros may stand inside each other; deeper ones are left as written."""

KEPT_TEXTS: Final = 2_048
LONGEST_KEPT: Final = 16_000
"""Templates of so many texts up to this length are remembered: those of a few presets."""


@dataclass(frozen=True, slots=True)
class Call:
    """A macro to expand; `start` and `end` are its place in the text.

    An argument is a text without blanks at its ends, or pieces that have to be put together first.
    """

    name: str
    start: int
    end: int
    args: tuple[str | tuple[str | Call, ...], ...] = ()


Pieces = tuple[str | Call, ...]


@dataclass(frozen=True, slots=True)
class Template:
    """The pieces of a text in order. `left` counts the macros that stay as written, by name."""

    pieces: Pieces
    left: dict[str, int]
    trims: bool = False
    is_too_deep: bool = False


def template_of(text: str) -> Template:
    """Read a text, or remember it. Linear time, whatever is nested in what."""
    return _remembered(text) if len(text) <= LONGEST_KEPT else read_template(text)


def read_template(text: str) -> Template:
    """Read a text."""
    return _Reading(text).template()


_remembered = lru_cache(KEPT_TEXTS)(read_template)


class _Open:
    """A macro whose end is not reached. What other macros stand for is never cut at a `::`."""

    __slots__ = ("args", "end", "given", "macro")

    def __init__(self, macro: Macro, given: Arguments) -> None:
        self.macro, self.given = macro, given
        self.end = macro.end
        self.args: list[list[str | Call]] = [[]]

    @property
    def sink(self) -> list[str | Call]:
        return self.args[-1]

    def take(self, written: str) -> None:
        if not self.given.parted:
            self.sink.append(written)
            return
        first, *others = written.split(SEPARATOR)
        self.sink.append(first)
        self.args += [[one] for one in others]


class _Left:
    """A macro that stays as written: its text and what is inside go where the macro stands."""

    __slots__ = ("end", "sink")

    def __init__(self, end: int, sink: list[str | Call]) -> None:
        self.end, self.sink = end, sink

    def take(self, written: str) -> None:
        self.sink.append(written)


class _Reading:
    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.left: dict[str, int] = {}
        self.trims = self.is_too_deep = False
        self.out: list[str | Call] = []
        self.opened: list[_Open | _Left] = [_Left(len(text) + 1, self.out)]
        self.depth = 0

    def template(self) -> Template:
        macros = find_macros(self.text)
        for macro, following in zip_longest(macros, macros[1:]):
            if macro.start < self.position:  # inside a comment
                continue
            if self.opened[-1].end <= macro.start:
                self._close_before(macro.start)
            self._pass(macro.start)
            if following is None or following.start >= macro.end:
                self._take_alone(macro)
            else:
                self._open(macro)
        self._close_before(len(self.text))
        self._pass(len(self.text))
        return Template(_joined(self.out), self.left, self.trims, self.is_too_deep)

    def _pass(self, until: int) -> None:
        if self.position < until:
            self.opened[-1].take(self.text[self.position : until])
            self.position = until

    def _take_alone(self, macro: Macro) -> None:
        """A macro with no other inside it: as if it were opened and closed, in fewer steps."""
        text, sink = self.text, self.opened[-1].sink
        self.position = macro.end
        if macro.name == COMMENT:
            return
        arity = ARITIES.get(macro.name)
        written = args_of(text, macro) if arity else []
        if arity is None or not arity.takes(len(written)):
            self._leave(macro.name)
            sink.append(text[macro.start : macro.end])
        elif macro.name == "trim":
            self.trims = True
        else:
            args = _whole(written, arity)
            sink.append(Call(macro.name, macro.start, macro.end, tuple([one.strip() for one in args])))

    def _open(self, macro: Macro) -> None:
        is_known = macro.name in ARITIES
        if macro.name == COMMENT:
            self.position = macro.end
        elif is_known and self.depth < DEEPEST:
            one = _Open(macro, arguments_of(self.text, macro))
            self.position = one.given.start
            self.opened.append(one)
            self.depth += 1
        else:
            self.is_too_deep = self.is_too_deep or is_known
            if not is_known:
                self._leave(macro.name)
            self.opened.append(_Left(macro.end, self.opened[-1].sink))

    def _close_before(self, place: int) -> None:
        while (last := self.opened[-1]).end <= place:
            self._pass(last.end if isinstance(last, _Left) else last.end - len("}}"))
            self.opened.pop()
            if isinstance(last, _Open):
                self.depth -= 1
                self.position = last.end
                self._close(last, self.opened[-1].sink)

    def _close(self, one: _Open, sink: list[str | Call]) -> None:
        macro = one.macro
        args = one.args if one.given.present else []
        arity = ARITIES[macro.name]
        if not arity.takes(len(args)):
            self._leave(macro.name)
            sink += [self.text[macro.start : one.given.start], *_rejoined(args), "}}"]
        elif macro.name == "trim":
            self.trims = True
        else:
            sink.append(Call(macro.name, macro.start, macro.end, _arguments(args, arity)))

    def _leave(self, name: str) -> None:
        self.left[name] = self.left.get(name, 0) + 1


def args_of(text: str, macro: Macro) -> list[str]:
    """The arguments of a macro with no other inside it, as written."""
    end = macro.end - len("}}")
    if macro.body == end:
        return []
    given = arguments_of(text, macro)
    if not given.present:
        return []
    written = text[given.start : end]
    return written.split(SEPARATOR) if given.parted else [written]


def _whole(args: list[str], arity: Arity) -> list[str]:
    """What stands beyond the last argument belongs to it."""
    if len(args) <= arity.args:
        return args
    return [*args[: arity.args - 1], SEPARATOR.join(args[arity.args - 1 :])]


def _arguments(args: list[list[str | Call]], arity: Arity) -> tuple[str | Pieces, ...]:
    """What stands beyond the last argument belongs to it."""
    if len(args) > arity.args:
        args = [*args[: arity.args - 1], _rejoined(args[arity.args - 1 :])]
    return tuple(_argument(pieces) for pieces in args)


def _argument(pieces: list[str | Call]) -> str | Pieces:
    joined = _joined(pieces)
    if not joined:
        return ""
    first = joined[0]
    return first.strip() if len(joined) == 1 and isinstance(first, str) else joined


def _rejoined(args: list[list[str | Call]]) -> list[str | Call]:
    """The pieces of all arguments, with the separators between them."""
    pieces: list[str | Call] = []
    for number, arg in enumerate(args):
        pieces += [SEPARATOR, *arg] if number else arg
    return pieces


def _joined(pieces: list[str | Call]) -> Pieces:
    """Neighbouring texts as one."""
    joined: list[str | Call] = []
    texts: list[str] = []
    for piece in pieces:
        if isinstance(piece, str):
            texts.append(piece)
            continue
        if texts:
            joined.append("".join(texts))
            texts = []
        joined.append(piece)
    if texts:
        joined.append("".join(texts))
    return tuple(joined)
