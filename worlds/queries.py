"""Reads of the worlds app: from the index where a list is asked, from the folder where content is."""

from __future__ import annotations

from django.db.models import Sum
from django.utils.translation import gettext_noop

from formats.errors import DomainError
from portal import slots
from portal.models import Person
from worlds.data import data_folder
from worlds.models import World
from worlds.store.folder import ItemFolder
from worlds.store.record import ChangeRecord
from worlds.store.shelf import Shelf
from worlds.store.space import bytes_in_trash

KIND = "worlds"
PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".gif")


def shelf_of(owner: Person) -> Shelf:
    """All worlds of a person on disk, and their trash."""
    return Shelf(data_folder(), owner.handle, KIND)


def folder_at(owner: Person, world_id: str) -> ItemFolder:
    """The folder of a world by owner and id; whether it exists is for the caller to see."""
    data = data_folder()
    return ItemFolder(data.item(owner.handle, KIND, world_id), data.lock_file(owner.handle, KIND, world_id))


def folder_of(world: World) -> ItemFolder:
    """The folder of a world on disk, with its lock."""
    return folder_at(world.owner, world.id)


def world_by_id(world_id: str) -> World:
    """Any world of this server by its id, for commands. Raises DomainError `not-found`."""
    world = World.objects.select_related("owner").filter(pk=world_id).first()
    if world is None:
        raise DomainError(
            "not-found",
            "world.not-found",
            world_id[:200],
            gettext_noop("There is no world with the id {id} on this server."),
            gettext_noop("Run reindex first if its folder was put there by hand."),
            {"id": world_id[:200]},
        )
    return world


def change_of(world: World, change_id: str) -> ChangeRecord:
    """One change of a world's history. Raises DomainError `not-found`."""
    return folder_of(world).recorded(change_id)


def quota_left(owner: Person) -> int:
    """Bytes a person may still keep. Never below 0.

    Everything on the disk counts: worlds with their import records and former versions (`World.size`), the
    worlds in the trash, and what higher rooms keep (slot `storage.used`). So moving to the trash frees
    nothing, emptying it does.
    """
    worlds = World.objects.filter(owner=owner).aggregate(all=Sum("size"))["all"] or 0
    others: int = sum(used(owner) for used in slots.filled("storage.used"))
    return max(0, owner.quota_bytes - worlds - bytes_in_trash(shelf_of(owner)) - others)
