"""V3 decorators: the lines `@@name value,value` with which the content of an entry may begin.

The model keeps them in the content, so that every file keeps them; who uses an entry takes them off here.
Lines end at `\\n`, `\\r\\n` or `\\r`. Blank lines before and between them are skipped, and those after them
are taken off the text too.

A line `@@@name` is a fallback: it counts only where the line above it is not honoured, and so on down the
chain, however long. A decorator is honoured when its value is one that the specification allows and the
caller carries it out (`honours`: a name may be known and a value not, as with places); where the same one
comes twice, the first counts and the second (with its fallbacks) is ignored, except lists of keys, which add
up.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

START = re.compile(r"[\s\ufeff]*@@")
LINE = re.compile(r"[ \t\ufeff]*@@(@?)([^\s@,][^\s,]*)[ \t]*([^\r\n]*)(?:\r\n|\n|\r|\Z)")
BLANK_LINES = re.compile(r"(?:[ \t\ufeff]*(?:\r\n|\n|\r))*")
NUMBER = re.compile(r"[+-]?[0-9]{1,9}")

REPEATABLE = frozenset({"additional_keys", "exclude_keys"})
"""Decorators of which an entry may have several."""

NUMBERS = {
    "activate_only_after": 0,
    "activate_only_every": 1,
    "depth": -math.inf,
    "instruct_depth": 0,
    "reverse_depth": 0,
    "reverse_instruct_depth": 0,
    "scan_depth": 0,
    "instruct_scan_depth": 0,
    "is_greeting": 0,
}
"""Decorators with one whole number, and the smallest that says something: a depth below 1 means after the
last message (lorebook facts 1.4), however far below."""

WORDS = {
    "role": frozenset({"assistant", "system", "user"}),
    "disable_ui_prompt": frozenset({"post_history_instructions", "system_prompt"}),
}
WITH_ANY_VALUE = REPEATABLE | {"position", "is_user_icon"}


@dataclass(frozen=True, slots=True)
class Decorator:
    """One decorator: its name without the signs, and its values without the blanks around them."""

    name: str
    values: tuple[str, ...] = ()


Honours = Callable[[Decorator], bool]
"""Whether the caller carries out a decorator with its values."""


@dataclass(frozen=True, slots=True)
class Decorated:
    """Content taken apart: what is honoured, the text to send, and the names that were passed over."""

    decorators: tuple[Decorator, ...]
    text: str
    ignored: tuple[str, ...] = ()


def parse_decorators(content: str, honours: Honours) -> Decorated:
    """Take the decorators off the content.

    Content without any is given back unchanged.
    """
    if not START.match(content):
        return Decorated((), content)
    lines, rest = _lines(content)
    honoured: list[Decorator] = []
    ignored: list[str] = []
    for chain in _chains(lines):
        decorator = next((one for one in chain if _makes_sense(one) and honours(one)), None)
        passed_over = chain if decorator is None else chain[: chain.index(decorator)]
        ignored += [one.name for one in passed_over]
        if decorator is None:
            continue
        if decorator.name not in REPEATABLE and any(one.name == decorator.name for one in honoured):
            ignored.append(decorator.name)
        else:
            honoured.append(decorator)
    return Decorated(tuple(honoured), content[rest:], tuple(ignored))


def _lines(content: str) -> tuple[list[tuple[bool, Decorator]], int]:
    """The lines (is it a fallback, which decorator), and where the text begins."""
    lines: list[tuple[bool, Decorator]] = []
    at = 0
    while match := LINE.match(content, _after_blank_lines(content, at)):
        values = tuple(part for part in map(str.strip, match[3].split(",")) if part)
        lines.append((bool(match[1]), Decorator(match[2], values)))
        at = match.end()
    return lines, _after_blank_lines(content, at) if lines else 0


def _after_blank_lines(content: str, at: int) -> int:
    match = BLANK_LINES.match(content, at)
    return match.end() if match else at


def _chains(lines: list[tuple[bool, Decorator]]) -> Iterator[list[Decorator]]:
    """Each decorator with its fallbacks. A fallback with nothing above it is no decorator: it stands in a
    chain of its own that no caller can honour."""
    chain: list[Decorator] = []
    for is_fallback, decorator in lines:
        if is_fallback and chain:
            chain.append(decorator)
            continue
        if chain:
            yield chain
        chain = [Decorator(f"@{decorator.name}", decorator.values) if is_fallback else decorator]
    if chain:
        yield chain


def _makes_sense(decorator: Decorator) -> bool:
    """Whether the value is one that the V3 specification allows; of a name it does not have, any is."""
    name, values = decorator.name, decorator.values
    if name in NUMBERS:
        return (
            len(values) == 1 and NUMBER.fullmatch(values[0]) is not None and int(values[0]) >= NUMBERS[name]
        )
    if name in WORDS:
        return len(values) == 1 and values[0] in WORDS[name]
    return bool(values) or name not in WITH_ANY_VALUE
