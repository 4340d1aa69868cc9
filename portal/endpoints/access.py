"""Which endpoints a person may use, and which are theirs to change (D3)."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from portal.access import nothing_here
from portal.endpoints import environment
from portal.models import ModelEndpoint, Person, SiteSettings
from portal.models.endpoints import FROM_ENVIRONMENT


def endpoints_for(person: Person) -> QuerySet[ModelEndpoint]:
    """The endpoints a person may use: their own and those open to everyone; none once disabled."""
    if not person.is_active:
        return ModelEndpoint.objects.none()
    given = environment.in_step()
    shared = Q(for_everyone=True, owner__is_superuser=True, owner__is_active=True)
    found = ModelEndpoint.objects.filter(Q(owner=person) | shared | Q(pk=FROM_ENVIRONMENT))
    return (found if given else found.exclude(pk=FROM_ENVIRONMENT)).select_related("owner")


def endpoint_for(person: Person, endpoint_id: str) -> ModelEndpoint:
    """One endpoint that this person may use.

    Raises:
        DomainError: `not-found`, no such endpoint or not open to them.
    """
    return _one(endpoints_for(person).filter(pk=endpoint_id))


def own_endpoint_for(person: Person, endpoint_id: str) -> ModelEndpoint:
    """One endpoint that this person looks after: their own, or the environment's for a host.

    Raises:
        DomainError: `not-found` for everybody else.
    """
    found = endpoints_for(person).filter(pk=endpoint_id)
    mine = Q(owner=person) | Q(pk=FROM_ENVIRONMENT) if person.is_host else Q(owner=person)
    return _one(found.filter(mine))


def may_add(person: Person) -> bool:
    """Whether this person may add endpoints: hosts always, members unless the host said no."""
    return person.is_host or SiteSettings.current().members_add_endpoints


def looks_after(person: Person, endpoint: ModelEndpoint) -> bool:
    """Whether `own_endpoint_for` would give it."""
    return endpoint.owner_id == person.pk or (endpoint.is_from_environment and person.is_host)


def _one(found: QuerySet[ModelEndpoint]) -> ModelEndpoint:
    endpoint = found.first()
    if endpoint is None:
        raise nothing_here()
    return endpoint
