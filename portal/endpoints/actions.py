"""Writing endpoints: keeping, opening, choosing, testing and deleting them."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables

from formats.errors import DomainError
from formats.messages import gettext_noop
from portal import bell
from portal.access import nothing_here
from portal.endpoints import access, environment
from portal.endpoints.addresses import list_origin, origins_of
from portal.endpoints.fields import EndpointFields, address_of, check_fields, key_to_keep
from portal.endpoints.keys import hint_of, opened, sealed
from portal.endpoints.listed import FILLED, filled_in
from portal.endpoints.queries import PURPOSES
from portal.jobs import submit
from portal.models import Job, ModelChoice, ModelEndpoint, Person, SiteSettings
from portal.models.endpoints import UNLISTED, UNTESTED

log = logging.getLogger("portal.endpoints")
MOST_ENDPOINTS = 50
TEST = "test-endpoint"


@sensitive_variables("key", "kept")
def save_endpoint(
    *,
    actor: Person,
    endpoint: ModelEndpoint | None = None,
    fields: EndpointFields,
    key: str | None = None,
    list_address: bool = False,
) -> ModelEndpoint:
    """Keep a new endpoint, or change one. The first one of a person becomes their default.

    `key`: None leaves the stored one as it is, "" forgets it. Without a context length or prices those of the
    service's list hold; without a model the former one stays, or a test takes the first of the list. Of the
    environment's endpoint only what stands beside address, kind and key can be changed. `list_address`: a
    host puts the address on the server's list with it, where it needs a line there (D43).

    Raises:
        DomainError: `not-found` unless the actor looks after it, or lists an address and is no host;
            `forbidden`, members may not add any; `full`; `invalid` with the field in `where`: also when kind
            or address changed and the key was not typed again, so that no key is ever sent to another address
            than the one it was given for.
    """
    said = replace(fields, base_url=address_of(fields.kind, fields.base_url), name=fields.name.strip())
    with transaction.atomic():
        row = _new(actor) if endpoint is None else _again(actor, endpoint)
        said = replace(said, model=said.model.strip() or row.model)
        if row.is_from_environment:
            said = environment.as_given(row, said)
        if list_address:
            _list(actor, said.base_url)
        check_fields(said)
        moved = (row.kind, row.base_url) != (said.kind, said.base_url)
        changed_model = row.model != said.model
        values = said.stored()
        if moved or changed_model:
            values |= UNTESTED
        if moved:
            values |= UNLISTED
        elif said.model:
            values |= filled_in(row.listed, said.model, _numbers(row, said))
        values |= _key_values(row, said, key, moved)
        for name, value in values.items():
            setattr(row, name, value)
        row.save()
        if endpoint is None:
            ModelChoice.objects.get_or_create(person=actor, purpose="", defaults={"endpoint": row})
    log.info("endpoint %s saved by %s", row.pk, actor.handle)
    _tell(row)
    return row


def delete_endpoint(*, actor: Person, endpoint: ModelEndpoint) -> None:
    """Remove an endpoint and its key for good. The record of its calls stays, under its name.

    Raises:
        DomainError: `not-found` unless the actor owns it; the environment's cannot be removed here.
    """
    row = access.own_endpoint_for(actor, endpoint.pk)
    if row.is_from_environment:
        raise nothing_here()
    row.delete()
    log.info("endpoint %s deleted by %s", endpoint.pk, actor.handle)
    _tell(endpoint)


def choose(*, actor: Person, purpose: str, endpoint: ModelEndpoint | None) -> None:
    """Use an endpoint for a purpose; the empty purpose is the default, None goes back to the default.

    Raises:
        DomainError: `not-found`, the endpoint is not open to the actor; `invalid`, no such purpose.
    """
    if purpose and purpose not in PURPOSES:
        raise DomainError(
            "invalid", "endpoint.purpose", "purpose", gettext_noop("Models are not used for that here.")
        )
    if endpoint is None:
        ModelChoice.objects.filter(person=actor, purpose=purpose).delete()
        return
    row = access.endpoint_for(actor, endpoint.pk)
    ModelChoice.objects.update_or_create(person=actor, purpose=purpose, defaults={"endpoint": row})


def test_endpoint(*, actor: Person, endpoint: ModelEndpoint) -> Job:
    """Ask for a test in the background; it costs some hundred tokens, which are counted like all others.

    Raises:
        DomainError: `not-found` unless the actor looks after it.
    """
    row = access.own_endpoint_for(actor, endpoint.pk)
    return submit(TEST, owner=actor, subject=f"endpoint:{row.pk}", title=row.name)


test_endpoint.__test__ = False  # type: ignore[attr-defined]  # its name, not a test


def share_with_everyone(*, actor: Person, endpoint: ModelEndpoint, shared: bool) -> ModelEndpoint:
    """Open an endpoint to everybody on this server, or close it again. Hosts only; any host may close one.

    Raises:
        DomainError: `not-found` for anybody else, and for somebody else's that is not open.
    """
    row = ModelEndpoint.objects.filter(pk=endpoint.pk).first()
    if row is None or not actor.is_host or row.is_from_environment:
        raise nothing_here()
    if row.owner_id != actor.pk and (shared or not row.for_everyone):
        raise nothing_here()
    row.for_everyone = shared
    row.save(update_fields=["for_everyone"])
    log.info("endpoint %s %s by %s", row.pk, "opened to everyone" if shared else "closed", actor.handle)
    _tell(row)
    return row


def save_rules(*, actor: Person, members_add: bool, addresses: Iterable[str]) -> SiteSettings:
    """What the host decides about models: whether members add endpoints, and which local addresses may be
    spoken to, each as `scheme://host:port`.

    Raises:
        DomainError: `not-found` for members; `invalid` or `full` for the list.
    """
    if not actor.is_host:
        raise nothing_here()
    values = {"members_add_endpoints": members_add, "model_addresses": "\n".join(origins_of(addresses))}
    site, _made = SiteSettings.objects.update_or_create(pk=1, defaults=values)
    log.info("rules about models saved by %s", actor.handle)
    return site


def reseal_keys() -> tuple[int, int]:
    """Encrypt every stored key with the first of FIELD_KEYS; how many were, and how many cannot be read."""
    done = unreadable = 0
    for pk in ModelEndpoint.objects.exclude(sealed_key="").values_list("pk", flat=True):
        with transaction.atomic():
            row = ModelEndpoint.objects.select_for_update().get(pk=pk)
            try:
                row.sealed_key = sealed(
                    opened(row.sealed_key, row.kind, row.base_url), row.kind, row.base_url
                )
            except DomainError:
                unreadable += 1
                continue
            row.save(update_fields=["sealed_key"])
            done += 1
    return done, unreadable


def _new(actor: Person) -> ModelEndpoint:
    if not access.may_add(actor):
        raise DomainError(
            "forbidden",
            "endpoint.members",
            message=gettext_noop("On this server only the host adds model endpoints. Nothing was saved."),
            hint=gettext_noop("Ask the host to add it, or to let members add their own."),
        )
    if ModelEndpoint.objects.filter(owner=actor).count() >= MOST_ENDPOINTS:
        raise DomainError(
            "full",
            "endpoint.too-many",
            message=gettext_noop("You have {most} endpoints, the most there may be. Nothing was saved."),
            hint=gettext_noop("Delete one that you no longer use."),
            args={"most": MOST_ENDPOINTS},
        )
    return ModelEndpoint(owner=actor)


def _list(actor: Person, base_url: str) -> None:
    if not actor.is_host:
        raise nothing_here()
    list_origin(base_url)
    log.info("the address of an endpoint listed by %s", actor.handle)


def _again(actor: Person, endpoint: ModelEndpoint) -> ModelEndpoint:
    """The row as it is now, held until the end of the transaction."""
    access.own_endpoint_for(actor, endpoint.pk)
    return ModelEndpoint.objects.select_for_update().get(pk=endpoint.pk)


@sensitive_variables("key", "kept")
def _key_values(row: ModelEndpoint, said: EndpointFields, key: str | None, moved: bool) -> dict[str, object]:
    if row.is_from_environment:
        return {}
    if key is None:
        if moved and row.sealed_key:
            raise DomainError(
                "invalid",
                "endpoint.key-again",
                "key",
                gettext_noop("The address or the kind is another one now: type the key again."),
                gettext_noop("A stored key is only ever sent to the address it was typed for."),
            )
        return {}
    kept = key_to_keep(key)
    return {
        "sealed_key": sealed(kept, said.kind, said.base_url),
        "key_hint": hint_of(kept) if kept else "",
        "key_added_at": timezone.now() if kept else None,
    }


def _numbers(row: ModelEndpoint, said: EndpointFields) -> dict[str, Any]:
    """What is said of the model in numbers. Those that were left as they stood when another model was chosen
    belong to the former one, and are forgotten."""
    told = {name: getattr(said, name) for name in FILLED}
    if row.model and row.model != said.model and told == {name: getattr(row, name) for name in FILLED}:
        return dict.fromkeys(FILLED)
    return told


def _tell(row: ModelEndpoint) -> None:
    if row.owner_id is not None:
        bell.ring(f"person:{row.owner_id}")
