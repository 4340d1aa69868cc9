"""Bounds, options and first values that a zod schema in a helper script states as literals.

The script is never run. It is cut into tokens, and the static pattern is read: `z.object({…})` with chains
such as `z.number().min(0).max(100).default(5)`, `z.enum(['a', 'b'])`, and constants that hold such a schema.
All else is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

LONGEST_SCRIPT = 400_000
DEEPEST = 32
MOST_READS = 20_000
"""So many schemas are read in one script: a constant used everywhere is read again at each place."""

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

SchemaKind = Literal["group", "number", "flag", "choice", "other"]


class _Token(NamedTuple):
    kind: str
    value: str


@dataclass(frozen=True, slots=True)
class Schema:
    """What a schema says about one value; a group has `fields`. None and empty = not said."""

    kind: SchemaKind = "other"
    fields: Mapping[str, Schema] = field(default_factory=dict)
    min: float | None = None
    max: float | None = None
    options: tuple[str, ...] = ()
    default: Any = None
    description: str = ""


def read_schema(script: str) -> Schema | None:
    """The schema that a script registers: the argument of `registerMvuSchema`, else the constant `Schema`.

    None where the script has none that can be read without running it, or is longer than `LONGEST_SCRIPT`.
    """
    if len(script) > LONGEST_SCRIPT or "z." not in script:
        return None
    reader = _Reader(_tokens(script))
    schema = reader.registered()
    return schema if schema and schema.kind == "group" and schema.fields else None


def _tokens(script: str) -> list[_Token]:
    return [
        _Token(token.lastgroup, _unquoted(token[0]) if token.lastgroup == "text" else token[0])
        for token in _TOKEN.finditer(script)
        if token.lastgroup
    ]


def _unquoted(text: str) -> str:
    def plain(escape: re.Match[str]) -> str:
        code = escape[1]
        if len(code) > 1:
            return chr(int(code[1:], 16))
        return {"n": "\n", "t": "\t", "r": "\r", "\n": ""}.get(code, code)

    return _ESCAPE.sub(plain, text[1:-1])


class _Reader:
    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._closing = _matching(tokens)
        self._constants = self._find_constants()
        self._reads = 0

    def registered(self) -> Schema | None:
        for at, token in enumerate(self._tokens):
            if token == ("name", "registerMvuSchema") and self._sign(at + 1) == "(":
                schema = self._schema(at + 2, 0)
                if schema:
                    return schema
        for name in ("Schema", "schema"):
            if name in self._constants:
                return self._schema(self._constants[name], 0)
        return None

    def _find_constants(self) -> dict[str, int]:
        """Where the value of each `const name = …` begins; the first one of a name counts."""
        found: dict[str, int] = {}
        for at, token in enumerate(self._tokens[:-2]):
            if token.kind == "name" and token.value in ("const", "let", "var") and self._sign(at + 2) == "=":
                found.setdefault(self._tokens[at + 1].value, at + 3)
        return found

    def _sign(self, at: int) -> str:
        token = self._tokens[at] if 0 <= at < len(self._tokens) else _Token("sign", "")
        return token.value if token.kind == "sign" else ""

    def _name(self, at: int) -> str:
        token = self._tokens[at] if 0 <= at < len(self._tokens) else _Token("sign", "")
        return token.value if token.kind == "name" else ""

    def _schema(self, at: int, depth: int) -> Schema | None:
        """The schema whose expression begins at a token: `z` or the name of a constant, then its chain."""
        self._reads += 1
        name = self._name(at)
        if depth > DEEPEST or self._reads > MOST_READS or not name:
            return None
        if name == "z":
            schema, after = Schema(), at + 1
        elif name in self._constants and self._constants[name] != at:
            held = self._schema(self._constants[name], depth + 1)
            if held is None:
                return None
            schema, after = held, at + 1
        else:
            return None
        return self._chained(schema, after, depth)

    def _chained(self, schema: Schema, at: int, depth: int) -> Schema:
        while self._sign(at) == "." and self._name(at + 1):
            method = self._name(at + 1)
            at += 2
            if self._sign(at) != "(":
                continue  # z.coerce.number()
            end = self._closing.get(at)
            if end is None:
                break
            schema = self._after_method(schema, method, at + 1, end, depth)
            at = end + 1
        return schema

    def _after_method(self, schema: Schema, method: str, start: int, end: int, depth: int) -> Schema:
        if method in ("object", "strictObject", "looseObject"):
            return Schema("group", self._fields(start, end, depth))
        if method in ("number", "int", "float32", "float64") and schema.kind == "other":
            return Schema("number")
        if method == "boolean":
            return Schema("flag")
        if method in ("enum", "literal", "union"):
            options = self._options(method, start, end)
            return Schema("choice", options=options) if options else Schema()
        return _with_rule(
            schema,
            method,
            [self._literal(*part) for part in self._parts(start, end)],
            self._clamp(start, end),
        )

    def _fields(self, start: int, end: int, depth: int) -> dict[str, Schema]:
        """The members of an object literal whose schemas can be read; order kept."""
        fields: dict[str, Schema] = {}
        if self._sign(start) != "{" or start not in self._closing:
            return fields
        for first, last in self._parts(start + 1, self._closing[start]):
            key = self._tokens[first]
            if last - first < 2 or key.kind == "sign" or self._sign(first + 1) != ":":
                continue
            member = self._schema(first + 2, depth + 1)
            if member is not None:
                fields.setdefault(key.value, member)
        return fields

    def _options(self, method: str, start: int, end: int) -> tuple[str, ...]:
        """The texts of `enum([…])`, `literal('a')`, `literal([…])`, a union of such; () if one is no text."""
        if self._sign(start) == "[" and start in self._closing:
            start, end = start + 1, self._closing[start]
        options: list[str] = []
        for first, last in self._parts(start, end):
            if method == "union":
                inner = self._schema(first, 1)
                if inner is None or inner.kind != "choice":
                    return ()
                options += inner.options
            elif last - first == 1 and self._tokens[first].kind == "text":
                options.append(self._tokens[first].value)
            else:
                return ()
        return tuple(dict.fromkeys(options))

    def _parts(self, start: int, end: int) -> list[tuple[int, int]]:
        """The spans between the commas of a list of arguments, members or items."""
        parts: list[tuple[int, int]] = []
        first = at = start
        while at < end:
            if self._sign(at) == ",":
                parts.append((first, at))
                first = at + 1
            at = self._closing.get(at, at) + 1
        return [part for part in [*parts, (first, end)] if part[0] < part[1]]

    def _literal(self, first: int, last: int) -> Any:
        """The value of a single literal, None for anything else."""
        sign = -1 if self._sign(first) == "-" else 1
        first += 1 if sign < 0 else 0
        if last - first != 1:
            return None
        kind, value = self._tokens[first]
        if kind == "number":
            return sign * _number(value)
        if sign < 0:
            return None
        return value if kind == "text" else {"true": True, "false": False}.get(value)

    def _clamp(self, start: int, end: int) -> list[Any]:
        """The two bounds of `_.clamp(value, 0, 100)` anywhere in a function given to `transform`."""
        for at in range(start, min(end, start + 60)):
            if self._name(at) == "clamp" and self._sign(at + 1) == "(" and at + 1 in self._closing:
                parts = self._parts(at + 2, self._closing[at + 1])
                return [self._literal(*part) for part in parts[1:]] if len(parts) == 3 else []
        return []


def _with_rule(schema: Schema, method: str, literals: list[Any], clamp: list[Any]) -> Schema:
    first = literals[0] if literals else None
    changes: dict[str, Any] = {}
    if schema.kind == "number" and method in ("min", "gte") and _is_number(first):
        changes["min"] = first
    elif schema.kind == "number" and method in ("max", "lte") and _is_number(first):
        changes["max"] = first
    elif schema.kind == "number" and method == "nonnegative":
        changes["min"] = 0
    elif (
        schema.kind == "number" and method == "transform" and len(clamp) == 2 and all(map(_is_number, clamp))
    ):
        changes = {"min": clamp[0], "max": clamp[1]}
    elif method in ("default", "prefault") and first is not None:
        changes["default"] = first
    elif method == "describe" and isinstance(first, str):
        changes["description"] = first
    known = {
        name: getattr(schema, name)
        for name in ("kind", "fields", "min", "max", "options", "default", "description")
    }
    return Schema(**(known | changes))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _number(text: str) -> float:
    plain = text.replace("_", "")
    return int(plain) if plain.isascii() and plain.isdigit() and len(plain) < 19 else float(plain)


def _matching(tokens: list[_Token]) -> dict[int, int]:
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
