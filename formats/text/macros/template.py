"""A text read once for expanding: plain pieces, and calls of the macros we know with their arguments.

What a text says of its macros (which are known, which are left as written) hangs on the text alone, so it is
found out once; a preset is assembled again and again with the same texts. A macro with no other inside it is
found out once for all texts: presets are full of the same few.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Final, NamedTuple

from formats.text.macros.scan import NAME, Macro
from formats.text.macros.table import ARITIES, COMMENT, Arity
from formats.text.macros.uses import SEPARATOR, Arguments, arguments_of

DEEPEST: Final = 64
"""So many known macros may stand inside each other; deeper ones are left as written."""

KEPT_TEXTS: Final = 2_048
LONGEST_KEPT: Final = 16_000
"""Templates of so many texts up to this length are remembered: those of a few presets."""

KEPT_MACROS: Final = 4_096
ALONE: Final = re.compile(r"(\{\{[^{}]{0,200}+\}\})")
"""A macro of ordinary length with no braces inside: so many of these are remembered."""
BRACES: Final = re.compile(r"(\{\{(?!\{|\Z)|\}\})")
"""Where another begins, and where it ends, in what stands between those."""


class Call(NamedTuple):
    """A macro to expand. An argument is a text without blanks at its ends, or pieces that have to be put
    together first. `written` is there where no other macro is inside; else its place in the text tells.
    """

    name: str
    args: tuple[str | tuple[str | Call, ...], ...] = ()
    written: str = ""
    start: int = 0
    end: int = 0

    def written_in(self, text: str, most: int | None = None) -> str:
        """It as it stands in its text, or so many characters of that."""
        end = self.end if most is None else min(self.end, self.start + most)
        return (self.written or text[self.start : end])[:most]


Pieces = tuple[str | Call, ...]


class Template(NamedTuple):
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


class Kept(str):
    """A macro that stays as written; no `::` in it parts the arguments of the macro it stands in."""

    __slots__ = ()


TRIM: Final = Call("trim")


@lru_cache(KEPT_MACROS)
def _alone(written: str) -> Call | str:
    """A macro that `ALONE` found, as a piece: a comment is nothing, what holds no name is as written."""
    named = NAME.match(written, len("{{"))
    if named is None:
        return written
    macro = Macro(named[1].casefold(), 0, len(written), 0, named.end())
    if macro.name == COMMENT:
        return ""
    arity = ARITIES.get(macro.name)
    if arity is None:
        return Kept(written)
    given = arguments_of(written, macro)
    inner = written[given.start : -len("}}")]
    args = [] if not given.present else inner.split(SEPARATOR) if given.parted else [inner]
    if not arity.takes(len(args)):
        return Kept(written)
    if macro.name == "trim":
        return TRIM
    if len(args) > arity.args:  # what stands beyond the last argument belongs to it
        args = [*args[: arity.args - 1], SEPARATOR.join(args[arity.args - 1 :])]
    return Call(macro.name, tuple([one.strip() for one in args]), written)


class _Open:
    """A macro with others inside; `last` is the part it ends with.

    What other macros stand for is never cut at a `::`.
    """

    __slots__ = ("args", "given", "last", "macro", "sink")

    def __init__(self, macro: Macro, given: Arguments, last: int) -> None:
        self.macro, self.given, self.last = macro, given, last
        self.sink: list[str | Call] = []
        self.args = [self.sink]

    def take(self, pieces: Sequence[str | Call]) -> None:
        if not self.given.parted:
            self.sink += pieces
            return
        for piece in pieces:
            if type(piece) is not str or SEPARATOR not in piece:
                self.sink.append(piece)
                continue
            first, *others = piece.split(SEPARATOR)
            self.sink.append(first)
            for other in others:
                self.sink = [other]
                self.args.append(self.sink)


class _Left:
    """A macro that stays as written: its text and what is inside go where the macro stands."""

    __slots__ = ("last", "sink")

    def __init__(self, sink: list[str | Call], last: int) -> None:
        self.sink, self.last = sink, last

    def take(self, pieces: Sequence[str | Call]) -> None:
        self.sink += pieces


class _Reading:
    """`parts` are plain text and braces in turn, `places` where each begins in the text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.left: dict[str, int] = {}
        self.trims = self.is_too_deep = False
        self.out: list[str | Call] = []
        self.opened: list[_Open | _Left] = [_Left(self.out, -1)]
        self.depth = 0

    def template(self) -> Template:
        parts = ALONE.split(self.text)
        if self.text.count("{{") > len(parts) // 2:
            self._read_nested(_with_braces(parts))
        else:
            self._take(_with_macros(parts))
        return Template(tuple(self.out), self.left, self.trims, self.is_too_deep)

    def _take(self, pieces: Sequence[str | Call]) -> None:
        for piece in pieces:
            if piece is TRIM:
                self.trims = True
            elif type(piece) is Kept:
                self._leave(_name_in(piece))
        self.opened[-1].take(pieces)

    def _read_nested(self, parts: list[str]) -> None:
        places = list(accumulate(map(len, parts), initial=0))
        pieces = _with_macros(parts)
        ends = _ends(parts)
        taken = 0
        for at in sorted([*ends, *ends.values()]):
            if at < taken:  # inside a comment
                continue
            if at == self.opened[-1].last:
                taken = self._close(pieces, taken, at)
            elif at in ends and (named := NAME.match(parts[at + 1])):
                self._take(pieces[taken:at])
                macro = Macro(
                    named[1].casefold(), places[at], places[ends[at] + 1], 0, places[at + 1] + named.end()
                )
                taken = self._open(macro, pieces, at, ends[at])
        self._take(pieces[taken:])

    def _open(self, macro: Macro, pieces: list[str | Call], at: int, last: int) -> int:
        """Begin the macro of the braces at `at`; gives the first piece that is not taken yet."""
        if macro.name == COMMENT:
            return last + 1
        is_known = macro.name in ARITIES
        if is_known and self.depth < DEEPEST:
            given = arguments_of(self.text, macro)
            header = given.start - macro.start - len("{{")
            pieces[at + 1] = str(pieces[at + 1])[header:]
            self.opened.append(_Open(macro, given, last))
            self.depth += 1
            return at + 1
        self.is_too_deep = self.is_too_deep or is_known
        if not is_known:
            self._leave(macro.name)
        self.opened.append(_Left(self.opened[-1].sink, last))
        return at

    def _close(self, pieces: list[str | Call], taken: int, at: int) -> int:
        one = self.opened[-1]
        if isinstance(one, _Left):
            self._take(pieces[taken : at + 1])
            self.opened.pop()
            return at + 1
        self._take(pieces[taken:at])
        self.opened.pop()
        self.depth -= 1
        macro, sink = one.macro, self.opened[-1].sink
        args = one.args if one.given.present else []
        arity = ARITIES[macro.name]
        if not arity.takes(len(args)):
            self._leave(macro.name)
            sink += [self.text[macro.start : one.given.start], *_rejoined(args), "}}"]
        elif macro.name == "trim":
            self.trims = True
        else:
            sink.append(Call(macro.name, _arguments(args, arity), "", macro.start, macro.end))
        return at + 1

    def _leave(self, name: str) -> None:
        self.left[name] = self.left.get(name, 0) + 1


def _name_in(written: str) -> str:
    named = NAME.match(written, len("{{"))
    return named[1].casefold() if named else ""


def _with_macros(parts: list[str]) -> list[str | Call]:
    """Every other part is what `ALONE` found, or lone braces, which stay."""
    pieces: list[str | Call] = [*parts]
    pieces[1::2] = map(_alone, parts[1::2])
    return pieces


def _with_braces(parts: list[str]) -> list[str]:
    """What `ALONE` found, and the braces in between, with the plain text around them."""
    found: list[str] = []
    for at, part in enumerate(parts):
        if at % 2 or ("{{" not in part and "}}" not in part):
            found.append(part)
        else:
            found += BRACES.split(part)
    return found


def _ends(parts: Sequence[str]) -> dict[int, int]:
    """Where the macros end that have braces inside, by where they begin; what is never closed is none."""
    ends: dict[int, int] = {}
    begun: list[int] = []
    for at in range(1, len(parts), 2):
        if parts[at] == "{{":
            begun.append(at)
        elif begun and parts[at] == "}}":
            ends[begun.pop()] = at
    return ends


def _arguments(args: list[list[str | Call]], arity: Arity) -> tuple[str | Pieces, ...]:
    """What stands beyond the last argument belongs to it."""
    if len(args) > arity.args:
        args = [*args[: arity.args - 1], _rejoined(args[arity.args - 1 :])]
    return tuple(_argument(pieces) for pieces in args)


def _argument(pieces: list[str | Call]) -> str | Pieces:
    texts = [piece for piece in pieces if isinstance(piece, str)]
    return tuple(pieces) if len(texts) < len(pieces) else "".join(texts).strip()


def _rejoined(args: list[list[str | Call]]) -> list[str | Call]:
    """The pieces of all arguments, with the separators between them."""
    pieces: list[str | Call] = []
    for number, arg in enumerate(args):
        pieces += [SEPARATOR, *arg] if number else arg
    return pieces
