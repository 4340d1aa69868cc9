"""Where the `{{macros}}` of a text stand, nested ones included. Nothing is expanded here."""

from __future__ import annotations

import re
from operator import attrgetter
from typing import Final, NamedTuple

_NAME = r"\s*(//|[#/!?~.$]{0,2}[\w-][\w.-]{0,63})"
NAME = re.compile(_NAME)
"""What stands behind the braces that open a macro."""
_BRACES = re.compile(r"\{\{(?!\{)(?:" + _NAME + r")?(?:[^{}]*+(\}\}))?|\}\}")
"""Where no braces are inside a macro, its end as well, which is the group `_CLOSED`."""
_CLOSED: Final = 2

COMMENTS = frozenset({"//", "comment", "hidden_key"})
"""Macros that show nothing (character card specification V3)."""

PLAYER_NAMES = frozenset({"user"})
CHARACTER_NAMES = frozenset({"char", "bot"})


class Macro(NamedTuple):
    """One macro: its name in lower case, its span with the braces, and how many macros it stands in.

    `body` is where its name has ended.
    """

    name: str
    start: int
    end: int
    depth: int
    body: int


def find_macros(text: str) -> list[Macro]:
    """Every closed macro in order of its start; `{{` that is never closed is ordinary text. Linear time.

    The name is what stands before the first `:`, space or brace; a comment's name is `//`. Pairs of braces
    that hold no name (`{{}}`, `{{ = }}`) are ordinary text.
    """
    if "{{" not in text:
        return []
    found: list[Macro] = []
    opened: list[re.Match[str]] = []
    nested = False
    for braces in _BRACES.finditer(text):
        if braces.lastindex == _CLOSED:
            if name := braces[1]:
                nested = nested or bool(opened)
                found.append(Macro(name.casefold(), braces.start(), braces.end(), len(opened), braces.end(1)))
        elif braces[0] != "}}":
            opened.append(braces)
        elif opened:
            first = opened.pop()
            if name := first[1]:
                nested = nested or bool(opened)
                found.append(Macro(name.casefold(), first.start(), braces.end(), len(opened), first.end()))
    return sorted(found, key=_start) if nested else found


_start = attrgetter("start")


def macro_names(text: str) -> dict[str, int]:
    """Names of the macros of a text with how often each stands there, in order of first appearance."""
    names: dict[str, int] = {}
    for macro in find_macros(text):
        names[macro.name] = names.get(macro.name, 0) + 1
    return names
