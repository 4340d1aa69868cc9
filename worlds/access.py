"""Who may see or edit which world (D3): every page asks here before it touches a folder.

A stranger is told that there is no such world; so is anybody for a world that does not exist.
"""

from __future__ import annotations

from typing import Literal

from django.db.models import Q, QuerySet
from django.utils.translation import gettext_noop

from formats.errors import DomainError
from portal.access import shared_with
from portal.models import Person
from worlds.models import World

KIND = "world"
Level = Literal["read", "edit"]
Standing = Literal["owner", "edit", "read"]


def worlds_for(person: Person) -> QuerySet[World]:
    """The worlds a person may at least read: their own, and those shared with them."""
    shared = shared_with(person, KIND).values("item_id")
    return World.objects.filter(Q(owner=person) | Q(id__in=shared))


def standing_of(person: Person, world: World) -> Standing | None:
    """How a person stands to a world; `None` for a stranger."""
    if world.owner_id == person.pk:
        return "owner"
    share = shared_with(person, KIND).filter(item_id=world.id).first()
    if share is None:
        return None
    return "edit" if share.level == "edit" else "read"


def world_for(person: Person, world_id: str, level: Level = "read") -> World:
    """The world, if this person may read (or edit) it.

    Raises:
        DomainError: `not-found` for a stranger or an unknown id; `forbidden` for a reader who wants to edit.
    """
    world = World.objects.select_related("owner").filter(pk=world_id).first()
    standing = standing_of(person, world) if world else None
    if world is None or standing is None:
        raise no_such_world(world_id)
    if level == "edit" and standing == "read":
        raise DomainError(
            "forbidden",
            "world.read-only",
            world_id,
            gettext_noop("This world is shared with you for reading. Nothing was changed."),
            gettext_noop("Ask its owner, {owner}, to let you edit it, or duplicate it into your own worlds."),
            {"owner": str(world.owner)},
        )
    return world


def no_such_world(world_id: str) -> DomainError:
    """The answer to a stranger, the same as for an id nobody has."""
    return DomainError(
        "not-found",
        "world.not-found",
        world_id,
        gettext_noop("There is no world here that you can open."),
        gettext_noop("Look in your list of worlds, or ask the person who sent you the address."),
    )
