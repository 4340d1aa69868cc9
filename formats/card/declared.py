"""Variables that a card states as data, declared without running any of its scripts (D10, D34).

Sources: lorebook entries whose title holds `[InitVar]` (switched off or not: makers switch them off) and a
static zod schema in a helper script. A number becomes a number, true and false a flag, a text with known
options a choice; everything else is left out, each with its reason.
"""

from __future__ import annotations

import math
import re
from collections import deque
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from anyascii import anyascii

from formats.card.model import Card
from formats.card.pieces import entry_title
from formats.card.variable_text import LONGEST_YAML, UnreadableDataError, read_variable_text
from formats.card.zod_schema import Schema, read_schema
from formats.finding import Finding
from formats.messages import gettext_noop, ngettext_noop
from formats.text.cleaning import replace_marks

MOST_DECLARATIONS = 2000
MOST_LEFT_OUT = 500
MOST_SCRIPT_TEXT = 2_000_000
REGISTERS = "registerMvuSchema"
"""The function by which a script says what its variables are."""

LONGEST_KEY = 80
LONGEST_LABEL = 300
INTEGER_BITS = 53
"""Whole numbers beyond this lose digits in JSON."""

# Stand for the player and the character while a text is read as data: braces would be read as objects.
_PLAYER, _CHARACTER = "\ue000", "\ue001"

REASONS: Mapping[str, str] = {
    "text": gettext_noop("{label} is a text; only numbers, true or false, and fixed choices are tracked."),
    "list": gettext_noop("{label} is a list; only numbers, true or false, and fixed choices are tracked."),
    "null": gettext_noop("{label} has no first value, so what it tracks is not known."),
    "empty-group": gettext_noop("{label} is a group without anything in it yet."),
    "private": gettext_noop("{label} is only for the card's own scripts, which are not run."),
    "number": gettext_noop("{label} is no number that can be kept exactly."),
    "built-in": gettext_noop("{label} is kept by play itself."),
    "twice": gettext_noop("{label} is declared twice; the first one stands."),
    "not-an-option": gettext_noop("{label} begins with a value that is none of its options."),
    "too-many": gettext_noop("{label} and what follows it: more than {limit} values are not declared."),
    "bounds": gettext_noop("{label} begins outside the bounds that the card states; it has no bounds now."),
    "unreadable": gettext_noop(
        "The variable data of the entry {title} cannot be read, so none of its values is tracked."
    ),
    "rules": gettext_noop(
        "{label} has rules in the card's script ({rules}) that cannot be read without running it; they are "
        "not kept."
    ),
    "members": gettext_noop(
        "The variables have rules in the card's script ({rules}) that cannot be read without running it; "
        "they are not kept."
    ),
    "schema": gettext_noop(
        "A script of the card describes variables in a way that cannot be read without running it; its rules "
        "are not kept."
    ),
    "more": ngettext_noop(
        "{count} more value of the card is not tracked.", "{count} more values of the card are not tracked."
    ),
}


@dataclass(frozen=True, slots=True)
class DeclaredValues:
    """What a card declares.

    `declarations`: objects in the shape of `variables.json`, scope world; keys are unique. `left_out`: what
    is not declared, or not as stated, and why. `entries`: positions of the lorebook entries that are such
    data. `origins`: for each key the position of the entry it came from, None for the schema.
    """

    declarations: list[dict[str, Any]]
    left_out: list[Finding]
    entries: tuple[int, ...]
    origins: Mapping[str, int | None] = field(default_factory=dict)


_Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Value:
    path: _Path
    value: Any
    description: str
    entry: int | None


def declared_variables(card: Card, *, without: Collection[int] = ()) -> DeclaredValues:
    """Read the variable data of a card. Nothing is raised for what the card holds; reading is limited.

    `without`: positions of lorebook entries that are passed over, as if the card did not have them.
    """
    return _Declaring(card, without).result()


def is_variable_data(entry: Mapping[str, Any]) -> bool:
    """Whether a lorebook entry is variable data by its title."""
    return "[initvar]" in entry_title(entry).casefold()


def variable_key(path: tuple[str, ...]) -> str:
    """Path parts as lower-case ASCII words joined by `_`, at most 80 characters, beginning with a letter."""
    words = [re.sub(r"[^a-z0-9]+", "_", anyascii(part).lower()).strip("_") for part in path]
    key = "_".join(word for word in words if word) or "value"
    key = key if key[0].isalpha() else f"v_{key}"
    return key[:LONGEST_KEY].rstrip("_")


class _Declaring:
    def __init__(self, card: Card, without: Collection[int]) -> None:
        self._card = card
        self._without = without
        self._declarations: dict[str, dict[str, Any]] = {}
        self._origins: dict[str, int | None] = {}
        self._paths: set[tuple[str, ...]] = set()
        self._left_out: list[Finding] = []
        self._unlisted = 0
        self._full = False

    def result(self) -> DeclaredValues:
        schema = self._schema()
        entries: list[int] = []
        yaml_room = 2 * LONGEST_YAML
        for number, entry in enumerate(self._card.entries):
            if number in self._without or not is_variable_data(entry):
                continue
            text = str(entry.get("content") or "")
            yaml_room -= len(text)
            values = _read(text) if yaml_room > 0 or text.lstrip().startswith("{") else None
            if values is None:
                self._leave_out("unreadable", number, "", title=entry_title(entry))
                continue
            entries.append(number)
            for value in self._leaves(values, (), number):
                self._declare(value, _at(schema, value.path))
        for path, rule in _schema_leaves(schema):
            if rule.default is not None and path not in self._paths:
                self._declare(_Value(path, rule.default, "", None), rule)
        for path, rules in _unread_rules(schema):
            code = "rules" if path else "members"
            self._leave_out(code, None, _label(path), rules=_label(rules, ", "))
        if self._unlisted:
            self._left_out.append(_finding("more", None, "", count=self._unlisted))
        return DeclaredValues(
            list(self._declarations.values()), self._left_out, tuple(entries), dict(self._origins)
        )

    def _schema(self) -> Schema | None:
        sources = list(_script_sources(self._card))
        schemas = list(filter(None, map(read_schema, sources)))
        found = next((schema for schema in schemas if schema.fields), None)
        if not schemas and any(REGISTERS in source for source in sources):
            self._leave_out("schema", None, "")
        return self._renamed(found) if found else None

    def _renamed(self, schema: Schema) -> Schema:
        """The schema with the marks in its names replaced, so that its paths are those of the values."""
        return replace(
            schema, fields={self._shown(name): self._renamed(rule) for name, rule in schema.fields.items()}
        )

    def _leaves(self, group: Mapping[str, Any], path: tuple[str, ...], entry: int) -> Iterator[_Value]:
        """The values of nested groups; `[value, "description"]` is a value with its description."""
        for name, value in group.items():
            here = (*path, self._shown(name))
            if name.startswith("$"):
                continue  # `$meta` and its like describe the structure for scripts; they are no values
            if name.startswith("_"):
                self._leave_out("private", entry, _label(here))
                continue
            description = ""
            if isinstance(value, list) and len(value) == 2 and isinstance(value[1], str):
                value, description = value[0], self._shown(value[1])
            if isinstance(value, dict) and value:
                yield from self._leaves(value, here, entry)
            else:
                yield _Value(here, value, description, entry)

    def _declare(self, value: _Value, rule: Schema | None) -> None:
        label = _label(value.path)
        if len(self._declarations) >= MOST_DECLARATIONS:
            if not self._full:
                self._leave_out("too-many", value.entry, label, limit=MOST_DECLARATIONS)
            self._full = True
            return
        if value.path in self._paths:
            self._leave_out("twice", value.entry, label)
            return
        self._paths.add(value.path)
        reason = _why_not(value, rule)
        if reason:
            self._leave_out(reason, value.entry, label)
            return
        key = self._free_key(value.path)
        self._declarations[key] = {"key": key, "label": label, "scope": "world", **self._typed(value, rule)}
        self._origins[key] = value.entry

    def _typed(self, value: _Value, rule: Schema | None) -> dict[str, Any]:
        description = value.description or (rule.description if rule else "")
        described = {"description": self._shown(description)} if description else {}
        if isinstance(value.value, bool):
            return {"kind": "flag", "default": value.value, **described}
        if isinstance(value.value, str):
            options = [self._shown(option) for option in rule.options] if rule else []
            return {"kind": "choice", "default": self._shown(value.value), "options": options, **described}
        bounds = {"min": rule.min, "max": rule.max} if rule and rule.kind == "number" else {}
        stated = {name: bound for name, bound in bounds.items() if bound is not None}
        low, high = stated.get("min", -math.inf), stated.get("max", math.inf)
        if stated and not (low < high and low <= value.value <= high):
            self._leave_out("bounds", value.entry, _label(value.path), severity="info")
            stated = {}
        return {"kind": "number", "default": value.value, **stated, **described}

    def _free_key(self, path: tuple[str, ...]) -> str:
        key = variable_key(path)
        number, free = 1, key
        while free in self._declarations:
            number += 1
            free = f"{key[: LONGEST_KEY - 1 - len(str(number))].rstrip('_')}_{number}"
        return free

    def _leave_out(self, code: str, entry: int | None, label: str, **args: Any) -> None:
        if len(self._left_out) < MOST_LEFT_OUT:
            self._left_out.append(_finding(code, entry, label, **args))
        else:
            self._unlisted += 1

    def _shown(self, text: str) -> str:
        shown = text.replace(_PLAYER, "[PLAYER]").replace(_CHARACTER, self._card.name)
        return replace_marks(shown, self._card.name)


def _finding(code: str, entry: int | None, label: str, **args: Any) -> Finding:
    where = "data.extensions" if entry is None else f"data.character_book.entries[{entry}].content"
    severity = args.pop("severity", "warning" if code in ("unreadable", "too-many") else "info")
    shown = {"label": label, **args} if label else args
    return Finding(severity, f"variable-{code}", where, REASONS[code], args=shown)


def _why_not(value: _Value, rule: Schema | None) -> str:
    """The key of `REASONS` for a value that cannot be declared; empty for one that can."""
    if variable_key(value.path) == "mood":
        return "built-in"
    reason = "null"
    match value.value:
        case bool():
            reason = ""
        case int() | float() as number:
            reason = "" if _is_exact(number) else "number"
        case str() as text:
            options = rule.options if rule and len(rule.options) > 1 else ()
            reason = "" if text in options else "not-an-option" if options else "text"
        case list():
            reason = "list"
        case dict():
            reason = "empty-group"
    return reason


def _is_exact(number: float) -> bool:
    if isinstance(number, int):
        return number.bit_length() <= INTEGER_BITS
    return math.isfinite(number)


def _label(path: tuple[str, ...], between: str = ".") -> str:
    label = between.join(path)
    return label if len(label) <= LONGEST_LABEL else label[: LONGEST_LABEL - 1] + "…"


def _read(text: str) -> dict[str, Any] | None:
    """The values of an entry; a `stat_data` around everything is taken off. None where it cannot be read."""
    try:
        values = read_variable_text(_marked(text))
    except UnreadableDataError:
        return None
    inner = values.get("stat_data")
    return inner if isinstance(inner, dict) and len(values) == 1 else values


def _marked(text: str) -> str:
    """Player and character marks as single signs that no form of data gives a meaning to."""
    return replace_marks(text, _CHARACTER).replace("[PLAYER]", _PLAYER)


def _script_sources(card: Card) -> Iterator[str]:
    """Sources of the helper scripts that are on and may hold a schema, as far as the limit allows."""
    room = MOST_SCRIPT_TEXT
    extensions = card.data["extensions"]
    waiting = deque([extensions.get("tavern_helper"), extensions.get("TavernHelper_scripts")])
    while waiting:
        value = waiting.popleft()
        if isinstance(value, list):
            waiting += value
        elif isinstance(value, dict) and value.get("enabled") is not False:
            source = value.get("content")
            if isinstance(source, str) and "z.object" in source and len(source) <= room:
                room -= len(source)
                yield source
            waiting += [item for item in value.values() if isinstance(item, list | dict)]


def _at(schema: Schema | None, path: _Path) -> Schema | None:
    for part in path:
        schema = schema.fields.get(part) if schema else None
    return schema


def _schema_leaves(
    schema: Schema | None, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], Schema]]:
    for name, rule in schema.fields.items() if schema else ():
        if name.startswith(("_", "$")):
            continue
        if rule.kind == "group":
            yield from _schema_leaves(rule, (*path, name))
        else:
            yield (*path, name), rule


def _unread_rules(
    schema: Schema | None, path: tuple[str, ...] = ()
) -> Iterator[tuple[_Path, tuple[str, ...]]]:
    """For each value or group with rules that were not understood: its path and their names."""
    if schema is None:
        return
    if schema.unread:
        yield path, schema.unread
    for name, rule in schema.fields.items():
        if not name.startswith(("_", "$")):
            yield from _unread_rules(rule, (*path, name))
