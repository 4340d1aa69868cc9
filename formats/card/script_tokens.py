"""A script cut into tokens, and what they tell without being run: brackets, arguments, literals."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

_TOKEN = re.compile(
    r"\s+|//[^\n]*|/\*(?:.*?\*/|.*)"
    r"|(?P<text>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\$]|\\.|\$(?!\{))*`)"
    r"|(?P<number>(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)"
    r"|(?P<name>[^\W\d][\w$]*|\$[\w$]*)"
    r"|(?P<sign>.)",
    re.DOTALL,
)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)", re.DOTALL)
_CLOSING = {"(": ")", "[": "]", "{": "}"}


class Token(NamedTuple):
    """`kind` is text, number, name or sign; the value of a text is unquoted."""

    kind: str
    value: str


class Tokens:
    """The tokens of a script. Places count tokens; a span is its first place and the one after its last."""

    def __init__(self, script: str) -> None:
        self.all = [
            Token(token.lastgroup, _unquoted(token[0]) if token.lastgroup == "text" else token[0])
            for token in _TOKEN.finditer(script)
            if token.lastgroup
        ]
        self.closing = _matching(self.all)

    def sign(self, at: int) -> str:
        """The sign at a place, empty where none is."""
        token = self.all[at] if 0 <= at < len(self.all) else Token("sign", "")
        return token.value if token.kind == "sign" else ""

    def name(self, at: int) -> str:
        """The name at a place, empty where none is."""
        token = self.all[at] if 0 <= at < len(self.all) else Token("sign", "")
        return token.value if token.kind == "name" else ""

    def parts(self, start: int, end: int) -> list[tuple[int, int]]:
        """The spans between the commas of a list of arguments, members or items."""
        parts: list[tuple[int, int]] = []
        first = at = start
        while at < end:
            if self.sign(at) == ",":
                parts.append((first, at))
                first = at + 1
            at = self.closing.get(at, at) + 1
        return [part for part in [*parts, (first, end)] if part[0] < part[1]]

    def literal(self, first: int, last: int) -> Any:
        """The value of a single literal, None for anything else."""
        sign = -1 if self.sign(first) == "-" else 1
        first += 1 if sign < 0 else 0
        if last - first != 1:
            return None
        kind, value = self.all[first]
        if kind == "number":
            return sign * _number(value)
        if sign < 0:
            return None
        return value if kind == "text" else {"true": True, "false": False}.get(value)


def _unquoted(text: str) -> str:
    def plain(escape: re.Match[str]) -> str:
        code = escape[1]
        if len(code) > 1:
            return chr(int(code[1:], 16))
        return {"n": "\n", "t": "\t", "r": "\r", "\n": ""}.get(code, code)

    return _ESCAPE.sub(plain, text[1:-1])


def _number(text: str) -> float:
    plain = text.replace("_", "")
    return int(plain) if plain.isascii() and plain.isdigit() and len(plain) < 19 else float(plain)


def _matching(tokens: list[Token]) -> dict[int, int]:
    """For each opening bracket the place of its closing one; one that is not closed is not in it.

    A bracket too many, as a regular expression in the script may hold, spoils only its surroundings.
    """
    found: dict[int, int] = {}
    opened: list[int] = []
    for at, (kind, value) in enumerate(tokens):
        if kind != "sign":
            continue
        if value in _CLOSING:
            opened.append(at)
        elif value in ")]}":
            for back in range(1, min(4, len(opened)) + 1):
                if _CLOSING[tokens[opened[-back]].value] == value:
                    found[opened[-back]] = at
                    del opened[-back:]
                    break
    return found
