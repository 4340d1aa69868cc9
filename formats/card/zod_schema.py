"""Bounds, options and first values that a zod schema in a helper script states as literals.

The script is never run. It is cut into tokens, and the static pattern is read: `z.object({…})` with chains
such as `z.number().min(0).max(100).default(5)`, `z.enum(['a', 'b'])`, and constants that hold such a schema.
What is not understood is passed over and named in `Schema.unread`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from formats.card.script_bounds import function_bounds
from formats.card.script_tokens import Tokens

LONGEST_SCRIPT = 400_000
DEEPEST = 32
MOST_READS = 20_000
"""So many schemas are read in one script: a constant used everywhere is read again at each place."""

SchemaKind = Literal["group", "number", "flag", "choice", "other"]

MOST_UNREAD = 20
"""So many rules of one value are named."""

PLAIN_METHODS = frozenset({"any", "array", "brand", "catch", "coerce", "date", "finite", "int", "meta"}) | {
    *("nullable", "nullish", "optional", "passthrough", "readonly", "safe", "strict", "strip", "string"),
    *("trim", "tuple", "unknown"),
}
"""What says nothing about bounds, options or first values."""

BOUND_METHODS = {"min": "min", "gte": "min", "max": "max", "lte": "max"}
FOR_WHOLE_VALUES = frozenset({"default", "prefault", "min", "max", "length", "regex", "describe"})
"""First values of groups and lists, lengths of texts and lists: nothing of them is tracked."""


@dataclass(frozen=True, slots=True)
class Schema:
    """What a schema says about one value; a group has `fields`. None and empty = not said.

    `unread`: the rules of this value, or the members of this group, that cannot be read without running the
    script, as the script names them.
    """

    kind: SchemaKind = "other"
    fields: Mapping[str, Schema] = field(default_factory=dict)
    min: float | None = None
    max: float | None = None
    options: tuple[str, ...] = ()
    default: Any = None
    description: str = ""
    unread: tuple[str, ...] = ()


def read_schema(script: str) -> Schema | None:
    """The schema that a script registers: the argument of `registerMvuSchema`, else the constant `Schema`.

    None where the script has none that can be read without running it, or is longer than `LONGEST_SCRIPT`.
    """
    if len(script) > LONGEST_SCRIPT or "z." not in script:
        return None
    reader = _Reader(Tokens(script))
    schema = reader.registered()
    is_group = schema is not None and schema.kind == "group"
    return schema if schema and is_group and (schema.fields or not schema.unread) else None


class _Reader:
    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self._constants = self._find_constants()
        self._reads = 0

    def registered(self) -> Schema | None:
        for at, token in enumerate(self._tokens.all):
            if token == ("name", "registerMvuSchema") and self._tokens.sign(at + 1) == "(":
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
        for at, token in enumerate(self._tokens.all[:-2]):
            if (
                token.kind == "name"
                and token.value in ("const", "let", "var")
                and self._tokens.sign(at + 2) == "="
            ):
                found.setdefault(self._tokens.all[at + 1].value, at + 3)
        return found

    def _schema(self, at: int, depth: int) -> Schema | None:
        """The schema whose expression begins at a token: `z` or the name of a constant, then its chain."""
        self._reads += 1
        name = self._tokens.name(at)
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
        while self._tokens.sign(at) == "." and self._tokens.name(at + 1):
            method = self._tokens.name(at + 1)
            at += 2
            if self._tokens.sign(at) != "(":
                continue  # z.coerce.number()
            end = self._tokens.closing.get(at)
            if end is None:
                break
            schema = self._after_method(schema, method, at + 1, end, depth)
            at = end + 1
        return schema

    def _after_method(self, schema: Schema, method: str, start: int, end: int, depth: int) -> Schema:
        if method in ("object", "strictObject", "looseObject") and schema.kind == "other":
            fields, unread = self._fields(start, end, depth)
            return Schema("group", fields, unread=unread)
        if method in ("number", "int", "float32", "float64") and schema.kind == "other":
            return Schema("number", unread=schema.unread)
        if method == "boolean":
            return Schema("flag")
        if method in ("enum", "literal", "union"):
            options = self._options(method, start, end)
            return Schema("choice", options=options) if options else Schema(unread=(method,))
        parts = self._tokens.parts(start, end)
        if method == "transform" and schema.kind in ("number", "other") and len(parts) == 1:
            bounds = function_bounds(self._tokens, *parts[0])
            if bounds:
                return replace(schema, kind="number", min=bounds.min, max=bounds.max)
        return _with_rule(schema, method, [self._tokens.literal(*part) for part in parts])

    def _fields(self, start: int, end: int, depth: int) -> tuple[dict[str, Schema], tuple[str, ...]]:
        """The members of an object literal whose schemas can be read, and the names of the others."""
        fields: dict[str, Schema] = {}
        unread: list[str] = []
        if self._tokens.sign(start) != "{" or start not in self._tokens.closing:
            return fields, ("object",)
        for first, last in self._tokens.parts(start + 1, self._tokens.closing[start]):
            key = self._tokens.all[first]
            member = None
            if last - first > 2 and key.kind != "sign" and self._tokens.sign(first + 1) == ":":
                member = self._schema(first + 2, depth + 1)
            if member is None:
                names = (token.value for token in self._tokens.all[first:last] if token.kind != "sign")
                unread += [next(names, "")]
            else:
                fields.setdefault(key.value, member)
        return fields, tuple(unread)

    def _options(self, method: str, start: int, end: int) -> tuple[str, ...]:
        """The texts of `enum([…])`, `literal('a')`, `literal([…])`, a union of such; () if one is no text."""
        if self._tokens.sign(start) == "[" and start in self._tokens.closing:
            start, end = start + 1, self._tokens.closing[start]
        options: list[str] = []
        for first, last in self._tokens.parts(start, end):
            if method == "union":
                inner = self._schema(first, 1)
                if inner is None or inner.kind != "choice":
                    return ()
                options += inner.options
            elif last - first == 1 and self._tokens.all[first].kind == "text":
                options.append(self._tokens.all[first].value)
            else:
                return ()
        return tuple(dict.fromkeys(options))


def _with_rule(schema: Schema, method: str, literals: list[Any]) -> Schema:
    first = literals[0] if literals else None
    is_number = isinstance(first, int | float) and not isinstance(first, bool)
    changes: dict[str, Any] = {}
    if schema.kind == "number" and method in BOUND_METHODS and is_number:
        changes[BOUND_METHODS[method]] = first
    elif schema.kind == "number" and method == "nonnegative":
        changes["min"] = 0
    elif method in ("default", "prefault") and first is not None:
        changes["default"] = first
    elif method == "describe" and isinstance(first, str):
        changes["description"] = first
    elif method in schema.unread or len(schema.unread) >= MOST_UNREAD:
        return schema
    elif method not in PLAIN_METHODS and not (
        schema.kind in ("group", "other") and method in FOR_WHOLE_VALUES
    ):
        changes["unread"] = (*schema.unread, method)
    return replace(schema, **changes)
