"""Writes of the worlds app. Keyword-only, the actor named, one locked change of the folder, then the index.

index_world(owner=, world_id=) -> World | None     read the folder, one upsert; None and no row when it is gone
trash_world(actor=, world=) -> str                 the entry id in the trash, for Undo
restore_world(actor=, entry_id=) -> World          back on the shelf, indexed
"""

from __future__ import annotations

from portal.models import Person
from worlds import index
from worlds.data import data_folder
from worlds.models import World
from worlds.queries import KIND
from worlds.store.shelf import Shelf


def index_world(*, owner: Person, world_id: str) -> World | None:
    """Rebuild the row of one world from its folder; a row without a folder is removed (then `None`)."""
    return index.index_world(owner, world_id)


def trash_world(*, actor: Person, world: World) -> str:
    """Move a world to its owner's trash; gives the entry id that `restore_world` takes.

    Raises:
        DomainError: `forbidden` unless the actor owns it; `busy` while somebody writes it.
    """
    entry = Shelf(data_folder(), world.owner.handle, KIND).to_trash(world.id)
    world.delete()
    return str(entry)


def restore_world(*, actor: Person, entry_id: str) -> World:
    """Bring a world back from the actor's own trash.

    Raises:
        DomainError: `not-found` when the entry is gone; `conflict` when the place is taken.
    """
    world_id = Shelf(data_folder(), actor.handle, KIND).restore(entry_id)
    restored = index.index_world(actor, str(world_id))
    assert restored is not None
    return restored
