"""`variable_problems`: the one rule set for tracked values; the importer, the editor and the checks call it.

Whether the ids in `applies_to` exist is a question to the whole world and answered by `check_world`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from formats.finding import Finding
from formats.messages import gettext_noop as _
from worlds.rules.documents import VariableDeclaration

KEY = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
MAX_KEY = 80
BUILT_IN = frozenset({"mood"})
"""Kept by play itself, so never declared (VAR-5)."""

_OF_KIND = {"min": "number", "max": "number", "step": "number", "bands": "number", "options": "choice"}
_HINT = _("Change this declaration, or remove it; the other variables are not touched.")


def variable_problems(
    declarations: Sequence[VariableDeclaration], where: str = "variables.json"
) -> list[Finding]:
    """Everything wrong with a list of declarations, each finding at `<where>: variables[n].<field>`.

    Errors: a key that is not lower-case ASCII with underscores, is built in, or stands twice; no usable
    default; bounds, step or bands that do not fit; fewer than two distinct options; `applies_to` for the
    world or with an id twice. Warnings: fields that the kind does not use.
    """
    problems = []
    first: dict[str, int] = {}
    for at, declaration in enumerate(declarations):
        place = f"{where}: variables[{at}]"
        problems += problems_of(declaration, place)
        if declaration.key in first:
            message = _("The variable key “{key}” is declared twice.")
            problems.append(_problem("variable-twice", place, "key", message, key=declaration.key))
        first.setdefault(declaration.key, at)
    return problems


def problems_of(declaration: VariableDeclaration, place: str) -> list[Finding]:
    """What is wrong with one declaration by itself; `place` leads to it (`variables.json: variables[3]`)."""
    checks = {"number": _number_problems, "choice": _choice_problems, "flag": _flag_problems}
    return [
        *_key_problems(declaration, place),
        *_scope_problems(declaration, place),
        *checks[declaration.kind](declaration, place),
        *_idle_fields(declaration, place),
    ]


def value_suits(declaration: VariableDeclaration, value: object) -> bool:
    """Whether a value may be given to the variable: its kind, its bounds, its options."""
    if declaration.kind == "flag":
        return isinstance(value, bool)
    if declaration.kind == "choice":
        return isinstance(value, str) and value in declaration.options
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    above = declaration.min is None or value >= declaration.min
    return above and (declaration.max is None or value <= declaration.max)


def _key_problems(declaration: VariableDeclaration, place: str) -> Iterator[Finding]:
    key = declaration.key
    if not KEY.fullmatch(key) or len(key) > MAX_KEY:
        message = _("The variable key “{key}” must be lower-case ASCII letters, digits and underscores.")
        yield _problem("variable-key", place, "key", message, key=key[:MAX_KEY])
    if key in BUILT_IN:
        message = _("“{key}” is kept by play itself and cannot be declared as a variable.")
        yield _problem("variable-built-in", place, "key", message, key=key)


def _scope_problems(declaration: VariableDeclaration, place: str) -> Iterator[Finding]:
    named = declaration.applies_to
    if declaration.scope == "world" and named:
        message = _("The variable “{key}” is kept for the whole world, so it cannot be limited to some.")
        yield _problem("variable-scope", place, "applies_to", message, key=declaration.key)
    if len(set(named)) < len(named):
        message = _("The variable “{key}” names something twice that it is limited to.")
        yield _problem("variable-scope", place, "applies_to", message, key=declaration.key)


def _number_problems(declaration: VariableDeclaration, place: str) -> Iterator[Finding]:
    low, high, default = declaration.min, declaration.max, declaration.default
    if low is not None and high is not None and low >= high:
        message = _("The variable “{key}” must have a smallest value below its largest.")
        yield _problem("variable-bounds", place, "max", message, key=declaration.key)
    elif isinstance(default, bool) or not isinstance(default, int | float):
        message = _("The number variable “{key}” needs a number as its first value.")
        yield _problem("variable-default", place, "default", message, key=declaration.key)
    elif not value_suits(declaration, default):
        message = _("The first value {value} of the variable “{key}” lies outside its bounds.")
        yield _problem("variable-default", place, "default", message, key=declaration.key, value=default)
    if declaration.step is not None and declaration.step <= 0:
        message = _("The step of the variable “{key}” must be more than zero.")
        yield _problem("variable-step", place, "step", message, key=declaration.key)
    yield from _band_problems(declaration, place)


def _band_problems(declaration: VariableDeclaration, place: str) -> Iterator[Finding]:
    ends = [band.up_to for band in declaration.bands]
    if not ends:
        return
    if any(later <= earlier for earlier, later in pairwise(ends)):
        message = _("The bands of the variable “{key}” must rise.")
        yield _problem("variable-bands", place, "bands", message, key=declaration.key)
    elif declaration.min is not None and ends[0] < declaration.min:
        message = _("The first band of the variable “{key}” ends below the smallest value.")
        yield _problem("variable-bands", place, "bands", message, key=declaration.key)
    elif declaration.max is not None and ends[-1] < declaration.max:
        message = _("The last band of the variable “{key}” must reach the largest value {max}.")
        yield _problem("variable-bands", place, "bands", message, key=declaration.key, max=declaration.max)


def _choice_problems(declaration: VariableDeclaration, place: str) -> Iterator[Finding]:
    options = declaration.options
    distinct = {option.strip() for option in options} - {""}
    if len(distinct) < 2 or len(distinct) < len(options):
        message = _("The variable “{key}” needs two or more options, each different and none empty.")
        yield _problem("variable-options", place, "options", message, key=declaration.key)
    elif declaration.default not in options:
        message = _("The first value of the variable “{key}” must be one of its options.")
        yield _problem("variable-default", place, "default", message, key=declaration.key)


def _flag_problems(declaration: VariableDeclaration, place: str) -> Iterator[Finding]:
    if not isinstance(declaration.default, bool):
        message = _("The first value of the variable “{key}” must be true or false.")
        yield _problem("variable-default", place, "default", message, key=declaration.key)


def _idle_fields(declaration: VariableDeclaration, place: str) -> Iterator[Finding]:
    for field, kind in _OF_KIND.items():
        if declaration.kind != kind and getattr(declaration, field) not in (None, []):
            message = _("“{field}” of the variable “{key}” has no effect, because of its kind.")
            args = {"key": declaration.key, "field": field}
            yield Finding("warning", "variable-idle-field", f"{place}.{field}", message, _HINT, args)


def _problem(code: str, place: str, field: str, message: str, **args: Any) -> Finding:
    return Finding("error", code, f"{place}.{field}", message, _HINT, args)
