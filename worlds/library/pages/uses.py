"""The worlds that use an item, as its settings show them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.db.models import QuerySet

from portal.models import Person
from worlds.access import editable_worlds_for
from worlds.models import World

OFFERED: Final = 300
"""Choices of a list: those used last."""


@dataclass(frozen=True, slots=True)
class Use:
    """A world that uses an item; `editable` when this person may take the item off it."""

    world: World
    editable: bool


def told_uses(person: Person, using: QuerySet[World]) -> list[Use]:
    """What a person may do with each of these worlds."""
    worlds = list(using)
    ids = [world.pk for world in worlds]
    editable = set(editable_worlds_for(person).filter(pk__in=ids).values_list("pk", flat=True))
    return [Use(world, world.pk in editable) for world in worlds]


def free_worlds(person: Person, using: QuerySet[World]) -> list[World]:
    """The worlds a person may edit that are not among these, those used last first."""
    ids = using.order_by().values("pk")
    found = editable_worlds_for(person).exclude(pk__in=ids).only("id", "name").order_by("-used_at", "pk")
    return list(found[:OFFERED])
