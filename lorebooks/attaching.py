"""Which worlds attach which books, as the pages of both show it."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from lorebooks import queries
from lorebooks.access import lorebooks_for
from lorebooks.models import Lorebook, LorebookUse
from portal.access import shared_with
from portal.models import Person
from worlds.access import worlds_for
from worlds.models import World

OFFERED = 300
"""Choices of a list: those used last."""


@dataclass(frozen=True, slots=True)
class Use:
    """A world that attaches a book; `editable` when this person may take the book off it."""

    world: World
    editable: bool


def uses_of(person: Person, lorebook: Lorebook) -> list[Use]:
    """The worlds this person may read that attach the book."""
    worlds = list(queries.worlds_using(person, lorebook))
    editable = set(
        _editable(person).filter(pk__in=[world.pk for world in worlds]).values_list("pk", flat=True)
    )
    return [Use(world, world.pk in editable) for world in worlds]


def worlds_without(person: Person, lorebook: Lorebook) -> list[World]:
    """The worlds this person may edit that do not attach the book yet, those used last first."""
    using = LorebookUse.objects.filter(lorebook_id=lorebook.pk).values("world_id")
    found = _editable(person).exclude(pk__in=using).only("id", "name").order_by("-used_at", "pk")
    return list(found[:OFFERED])


def books_without(person: Person, world: World) -> list[Lorebook]:
    """The books this person may read that a world does not attach yet, those used last first."""
    used = LorebookUse.objects.filter(world=world).values("lorebook_id")
    found = lorebooks_for(person).exclude(pk__in=used).only("id", "name").order_by("-used_at", "pk")
    return list(found[:OFFERED])


def _editable(person: Person) -> QuerySet[World]:
    shared = shared_with(person, "world").filter(level="edit").values_list("item_id", flat=True)
    return worlds_for(person).filter(Q(owner=person) | Q(pk__in=list(shared)))
