"""The one way from a file or a value to a document: never guesses, never drops.

A wrong type, a missing key or a foreign schema is an error finding that names file, path, what was found and
what is accepted. A key the model does not name stays in the document and is listed as unread (CHK-11).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from formats.finding import Finding
from formats.messages import gettext_noop as _
from formats.messages import ngettext_noop
from worlds.rules.documents import KINDS, Document, Part, holds_parts
from worlds.rules.json_text import NotJson, json_value, refuse_depth, refuse_unwritable
from worlds.rules.kind_rules import own_problems

MOST_ERRORS = 50
MORE_MISTAKES = ngettext_noop(
    "{file} has {count} further mistake of this kind.", "{file} has {count} further mistakes of this kind."
)
EDIT_HINT = _("The file was left as it is. Correct this place in the document's source.")

_WRONG: Mapping[str, tuple[str, str]] = {
    "missing": ("key-missing", _("“{key}” is missing in {file}.")),
    "string_type": ("wrong-type", _("“{key}” in {file} must be text, but {found} stands there.")),
    "blank_text": ("empty-text", _("“{key}” in {file} must not be empty.")),
    "bool_type": ("wrong-type", _("“{key}” in {file} must be true or false, but {found} stands there.")),
    "int_type": ("wrong-type", _("“{key}” in {file} must be a whole number, but {found} stands there.")),
    "number_type": ("wrong-type", _("“{key}” in {file} must be a number, but {found} stands there.")),
    "finite_number": ("wrong-value", _("“{key}” in {file} must be a number with an end.")),
    "greater_than_equal": (
        "wrong-value",
        _("“{key}” in {file} must be {accepted} or more, but {found} stands there."),
    ),
    "plain_value_type": (
        "wrong-type",
        _("“{key}” in {file} must be true, false, a number or text, but {found} stands there."),
    ),
    "list_type": ("wrong-type", _("“{key}” in {file} must be a list, but {found} stands there.")),
    "dict_type": ("wrong-type", _("“{key}” in {file} must be an object, but {found} stands there.")),
    "model_type": ("wrong-type", _("“{key}” in {file} must be an object, but {found} stands there.")),
    "literal_error": (
        "wrong-value",
        _("“{key}” in {file} must be one of {accepted}, but {found} stands there."),
    ),
    "shape_unknown": (
        "wrong-value",
        _("“{key}” in {file} must have one of the keys {accepted}, but {found} stands there."),
    ),
}
_OTHERWISE = ("wrong-value", _("“{key}” in {file} cannot be used: {found} stands there."))


@dataclass(frozen=True, slots=True)
class Unread:
    """A key that no parser reads: `where` is the file, `key` the way to it (`speech.tone`)."""

    where: str
    key: str


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """What became of a value: the document where it could be read, what to tell, and the unread keys."""

    document: Document | None
    findings: tuple[Finding, ...] = ()
    unread: tuple[Unread, ...] = ()

    @property
    def accepted(self) -> bool:
        """True where a document was read and nothing about it is an error."""
        return self.document is not None and all(found.severity != "error" for found in self.findings)


def read_document(kind: str, value: object, where: str) -> ReadDocument:
    """Read one document and judge it by the rules of its own kind; references are `check_world`'s affair.

    Args:
        kind: a name of `KINDS`.
        value: the file's bytes, its text, or a JSON value.
        where: the path in the world folder, for the findings.
    """
    read = parse_document(kind, value, where)
    if read.document is None:
        return read
    problems = own_problems(read.document, where)
    return ReadDocument(read.document, (*read.findings, *problems), read.unread)


def unread_by(kind: str, value: object) -> list[str]:
    """The keys of a value that no parser reads (CHK-11). Empty for a value that is no document at all."""
    return [unread.key for unread in parse_document(kind, value, "").unread]


def parse_document(kind: str, value: object, where: str) -> ReadDocument:
    """As `read_document`, without the rules of the kind: the shape alone."""
    try:
        found = _as_object(value)
    except NotJson as problem:
        return ReadDocument(None, (_not_json(where, problem),))
    if not isinstance(found, dict):
        return ReadDocument(None, (_not_an_object(where, found),))
    model = KINDS[kind].model
    wrong_schema = _schema_problem(model, found, where)
    if wrong_schema is not None:
        return ReadDocument(None, (wrong_schema,))
    try:
        document = model.model_validate(found, by_alias=True, by_name=False)
    except ValidationError as problem:
        return ReadDocument(None, tuple(_findings(problem, where)))
    unread = tuple(Unread(where, key) for key in _unread_keys(document, ""))
    return ReadDocument(document, (), unread)


def _as_object(value: object) -> object:
    if isinstance(value, bytes | str):
        found = json_value(value)
    else:
        refuse_depth(value)
        found = value
    refuse_unwritable(found)
    return found


def _not_json(where: str, problem: NotJson) -> Finding:
    return Finding(
        "error",
        "not-json",
        where,
        problem.message,
        _("The file was left as it is. Correct it, bring back a former version, or remove it."),
        {"file": where, **problem.values},
    )


def _not_an_object(where: str, found: object) -> Finding:
    return Finding(
        "error",
        "wrong-type",
        where,
        _("{file} must hold an object, but {found} stands there."),
        EDIT_HINT,
        {"file": where, "found": excerpt(found)},
    )


def _schema_problem(model: type[Document], value: dict[str, Any], where: str) -> Finding | None:
    expected, found = model.schema_of(), value.get("schema")
    if found == expected:
        return None
    args = {"key": "schema", "file": where, "found": excerpt(found), "accepted": expected}
    if "schema" not in value:
        message, code = _("“schema” is missing in {file}; it must be “{accepted}”."), "key-missing"
    else:
        message, code = _("“schema” in {file} must be “{accepted}”, but {found} stands there."), "schema"
    return Finding("error", code, f"{where}: schema", message, EDIT_HINT, args)


def _findings(problem: ValidationError, where: str) -> Iterator[Finding]:
    errors = problem.errors(include_url=False)
    for error in errors[:MOST_ERRORS]:
        key = _key(error["loc"])
        code, message = _WRONG.get(error["type"], _OTHERWISE)
        args = {"key": key, "file": where, "found": excerpt(error["input"]), "accepted": _accepted(error)}
        yield Finding("error", code, f"{where}: {key}", message, EDIT_HINT, args)
    if len(errors) > MOST_ERRORS:
        more = {"file": where, "count": len(errors) - MOST_ERRORS}
        yield Finding("error", "more-mistakes", where, MORE_MISTAKES, EDIT_HINT, more)


def _accepted(error: ErrorDetails) -> str:
    context = error.get("ctx", {})
    return str(context.get("accepted") or context.get("expected") or context.get("ge", ""))


def _key(steps: tuple[int | str, ...]) -> str:
    """`exits[2].to` from the steps to it; the tags of a union (`<command>`) are no steps of the file."""
    key = ""
    for step in steps:
        if isinstance(step, int):
            key += f"[{step}]"
        elif not step.startswith("<"):
            key += f".{step}" if key else step
    return key


def excerpt(value: object) -> str:
    """A short JSON rendering of what was found, the same in every language."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:59] + "…"


def _unread_keys(part: Part, prefix: str) -> Iterator[str]:
    if part.model_extra and not part.open_ended:
        yield from (prefix + key for key in part.model_extra)
    for name, key in _part_fields(type(part)):
        value = getattr(part, name)
        if isinstance(value, Part):
            yield from _unread_keys(value, f"{prefix}{key}.")
        elif value:
            for at, inner in enumerate(value):
                yield from _unread_keys(inner, f"{prefix}{key}[{at}].")


@cache
def _part_fields(shape: type[Part]) -> tuple[tuple[str, str], ...]:
    return tuple(
        (name, field.alias or name) for name, field in shape.model_fields.items() if holds_parts(field)
    )
