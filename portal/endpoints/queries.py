"""Reading endpoints: what a call needs of one, and which one serves a purpose."""

from __future__ import annotations

from typing import cast

from django.conf import settings

from llm.endpoint import Endpoint, Kind
from portal.endpoints.access import endpoints_for
from portal.endpoints.keys import can_open, opened
from portal.models import ModelChoice, ModelEndpoint, Person, Purpose

PURPOSES: tuple[Purpose, ...] = (
    Purpose.IMPORTING,
    Purpose.AUTHORING,
    Purpose.DECIDING,
    Purpose.EMBEDDINGS,
    Purpose.STORY,
)


def endpoint_of(row: ModelEndpoint) -> Endpoint:
    """What the model layer needs, the key included. Only calls and tests may ask for it.

    Raises:
        DomainError: `invalid`, the stored key cannot be read any more.
    """
    from_environment = row.is_from_environment
    key = settings.MODEL.api_key if from_environment else opened(row.sealed_key, row.kind, row.base_url)
    return Endpoint(
        kind=cast(Kind, row.kind),
        base_url=row.base_url,
        model=row.model,
        key=key,
        context_length=row.context_length,
        prices=row.prices,
        abilities=row.abilities,
        strong=row.strong,
    )


def key_is_readable(row: ModelEndpoint) -> bool:
    """Whether its key, if it has one, can still be used."""
    return row.is_from_environment or can_open(row.sealed_key, row.kind, row.base_url)


def for_purpose(person: Person, purpose: str = "") -> ModelEndpoint | None:
    """The endpoint of a person for a purpose: the one chosen for it, else their default, else the host's.

    None where there is none at all. What was chosen and is no longer open to them counts as not chosen.
    """
    usable = {endpoint.pk: endpoint for endpoint in endpoints_for(person)}
    chosen = choices_of(person)
    for name in (purpose, ""):
        if chosen.get(name) in usable:
            return usable[chosen[name]]
    # The environment's before what a host opened, that before an own one nobody chose; then by age.
    return min(
        usable.values(),
        key=lambda row: (not row.is_from_environment, not row.for_everyone, row.created_at),
        default=None,
    )


def choices_of(person: Person) -> dict[str, str]:
    """What was chosen, purpose to endpoint id; the empty purpose is the default. Only what was chosen."""
    return dict(ModelChoice.objects.filter(person=person).values_list("purpose", "endpoint_id"))
