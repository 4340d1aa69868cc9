"""Reads of the worlds app: from the index where a list is asked, from the folder where content is."""

from __future__ import annotations

from portal.models import Person
from worlds.data import data_folder
from worlds.models import World
from worlds.store.folder import ItemFolder

KIND = "worlds"


def folder_at(owner: Person, world_id: str) -> ItemFolder:
    """The folder of a world by owner and id; whether it exists is for the caller to see."""
    data = data_folder()
    return ItemFolder(data.item(owner.handle, KIND, world_id), data.lock_file(owner.handle, KIND, world_id))


def folder_of(world: World) -> ItemFolder:
    """The folder of a world on disk, with its lock."""
    return folder_at(world.owner, world.id)
