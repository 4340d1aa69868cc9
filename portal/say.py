"""Sentences for people: templates of findings and refusals, in the reader's language (D40)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext, ngettext

from formats.errors import DomainError
from formats.finding import Finding, fill
from formats.messages import count_in, singular_of


def said(told: Finding | DomainError) -> str:
    """What happened and what is safe: the message, translated, with its fields filled. Plain text."""
    return sentence(told.message, _values(told))


def hinted(told: Finding | DomainError) -> str:
    """What can be done, translated; empty when nothing is said. Plain text."""
    return sentence(told.hint, _values(told))


def sentence(template: str, args: Mapping[str, Any]) -> str:
    """A marked English template in the reader's language, filled. Plain text, not HTML."""
    if not template:  # the translation of "" is the header of the catalogue
        return ""
    one = singular_of(template)
    return fill(ngettext(one, template, count_in(args)) if one else gettext(template), args)


def _values(told: Finding | DomainError) -> Mapping[str, Any]:
    return told.args if isinstance(told, Finding) else told.values
