"""Who may see or edit which world (D3): every page asks here before it touches a folder.

A stranger is told that there is no such world; so is anybody for a world that does not exist.
"""

from __future__ import annotations

from typing import Literal

from django.db.models import Q, QuerySet
from django.utils.translation import gettext_noop

from formats.errors import DomainError
from portal.access import Level, share_level, shared_with
from portal.models import Person
from worlds.models import World

KIND = "world"
Standing = Literal["owner", "edit", "read"]


def worlds_for(person: Person) -> QuerySet[World]:
    """The worlds a person may at least read: their own, and those shared with them."""
    # Asked first: without shares the database can walk an index in the order of the list.
    shared = list(shared_with(person, KIND).values_list("item_id", flat=True))
    mine = Q(owner=person)
    return World.objects.filter(mine | Q(id__in=shared) if shared else mine)


def editable_worlds_for(person: Person) -> QuerySet[World]:
    """The worlds a person may edit: their own, and those shared with them for that."""
    shared = list(shared_with(person, KIND).filter(level="edit").values_list("item_id", flat=True))
    mine = Q(owner=person)
    return World.objects.filter(mine | Q(id__in=shared) if shared else mine)


def standing_of(person: Person, world: World) -> Standing | None:
    """How a person stands to a world; `None` for a stranger."""
    if not person.is_active:
        return None
    return "owner" if world.owner_id == person.pk else share_level(person, KIND, world.id)


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
        raise _read_only(world)
    return world


def refuse_unless_reader(person: Person, world: World) -> None:
    """What an action asks first that reads a world for somebody. Raises `not-found` for a stranger."""
    if standing_of(person, world) is None:
        raise no_such_world(world.id)


def refuse_unless_editor(person: Person, world: World) -> None:
    """What every write asks first; of the owner nothing is looked up.

    Raises:
        DomainError: `not-found` for a stranger; `forbidden` for a mere reader.
    """
    standing = standing_of(person, world)
    if standing is None:
        raise no_such_world(world.id)
    if standing == "read":
        raise _read_only(world)


def own_world_for(person: Person, world_id: str) -> World:
    """The world, if this person owns it: moving it to the trash is the owner's alone.

    Raises:
        DomainError: `not-found` for a stranger; `forbidden` for somebody it is shared with.
    """
    world = world_for(person, world_id)
    if world.owner_id != person.pk:
        raise DomainError(
            "forbidden",
            "world.not-yours",
            world_id,
            gettext_noop("Only {owner}, who owns this world, may do this. Nothing was changed."),
            gettext_noop("You can duplicate it into your own worlds."),
            {"owner": str(world.owner)},
        )
    return world


def _read_only(world: World) -> DomainError:
    return DomainError(
        "forbidden",
        "world.read-only",
        world.id,
        gettext_noop("This world is shared with you for reading. Nothing was changed."),
        gettext_noop("Ask {owner}, who owns it, to let you edit it, or duplicate it into your own worlds."),
        {"owner": str(world.owner)},
    )


def no_such_world(world_id: str) -> DomainError:
    """The answer to a stranger, the same as for an id nobody has."""
    return DomainError(
        "not-found",
        "world.not-found",
        world_id,
        gettext_noop("There is no world here that you can open."),
        gettext_noop("Look in your list of worlds, or ask the person who sent you the address."),
    )
