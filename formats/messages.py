"""The markers that let a room without Django offer its sentences for translation (D40)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_SINGULARS: dict[str, str] = {}


def gettext_noop(message: str) -> str:
    """Mark an English template for translation; the edge translates it when it is shown.

    The name is one that message extraction looks for. Fields are written `{name}` and are filled by
    `formats.finding.fill` only, never by `str.format`, since a stored template may come from a file.
    """
    return message


def ngettext_noop(one: str, many: str) -> str:
    """Mark a template that counts: `one` is for a `{count}` of 1, `many` for all others.

    Gives `many`, by which the template is stored; `singular_of` knows the other form.
    """
    _SINGULARS[many] = one
    return many


def singular_of(template: str) -> str:
    """The form for one of a template made by `ngettext_noop`; empty for every other."""
    return _SINGULARS.get(template, "")


def count_in(args: Mapping[str, Any]) -> int:
    """The number that decides between the forms."""
    count = args.get("count")
    return count if isinstance(count, int) else 0
