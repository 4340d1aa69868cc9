"""What a program sends: ids in the address, JSON in the body. Everything is checked before it is used."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext_noop

from formats.errors import DomainError
from formats.stable_json import read_json
from importer.access import no_such_import

TEXTS = ("name", "opening", "language")


def asked_id(request: HttpRequest) -> str:
    """The `id` of the address.

    Raises:
        DomainError: `not-found` without one, as for an id that nobody has.
    """
    asked = request.GET.get("id", "")
    if not asked:
        raise no_such_import("")
    return asked


def sent_object(request: HttpRequest) -> dict[str, Any]:
    """The JSON object of the body.

    Raises:
        DomainError: `invalid`; the body is not JSON, or not an object.
    """
    try:
        value = read_json(request.body)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise DomainError(
            "invalid",
            "not-json",
            "body",
            gettext_noop("The body is not a JSON object. Nothing was changed."),
            gettext_noop("Send a JSON object, with the content type application/json."),
        )
    return value


def changed_choices(sent: dict[str, Any]) -> dict[str, Any]:
    """The fields of `Choices` that a body changes; what they may be the action checks against the card.

    Raises:
        DomainError: `invalid`; a field nobody knows, or of a wrong type.
    """
    changes: dict[str, Any] = {}
    for field, value in sent.items():
        if field == "off" and isinstance(value, list) and all(isinstance(id, str) for id in value):
            changes[field] = tuple(value)
        elif field in TEXTS and isinstance(value, str):
            changes[field] = value
        else:
            raise unusable(field)
    return changes


def unusable(field: str) -> DomainError:
    """A field of the body that is not known, or that holds something of another type."""
    return DomainError(
        "invalid",
        "field-unusable",
        field[:80],
        gettext_noop("The field {field} is not known here, or its value has the wrong type."),
        gettext_noop("Nothing was changed. Look up the names in the documentation."),
        {"field": field[:80]},
    )
