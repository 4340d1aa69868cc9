"""What a start of the server puts right: rows that no longer say what their folder says.

Making a world, moving it to the trash and restoring it are a rename and then a row; a change is files and
then a row. A crash between the two would leave a world that stands on its shelf and in no list, a row that
leads nowhere, or one that tells of the world as it was.
"""

from __future__ import annotations

import logging

from formats.errors import DomainError
from portal.models import Person
from worlds import index
from worlds.actions.writing import written
from worlds.models import World
from worlds.queries import folder_of, shelf_of

logger = logging.getLogger(__name__)


def match_shelves() -> None:
    """Give every world on a shelf its row, take away rows without a folder, read again what has changed.

    Of the others no file is read: names, sizes and times tell that nothing was written.
    """
    for owner in Person.objects.all():
        rows = {world.pk: world for world in World.objects.filter(owner=owner).select_related("owner")}
        for world_id in sorted(rows.keys() | set(shelf_of(owner).ids())):
            try:
                match(owner, world_id, rows.get(world_id))
            except DomainError as error:
                logger.warning("the world %s cannot be listed: %s", world_id, error)


def match(owner: Person, world_id: str, row: World | None) -> None:
    """Make one row agree with its folder, and let other rooms settle what a cut off save left to them.

    Raises:
        DomainError: what the store raises.
    """
    if row is None or not folder_of(row).exists():
        index.index_world(owner, world_id)
    elif standing(row) != row.fingerprint:
        written(row)


def standing(world: World) -> str:
    """The print of a world's folder, with whatever a dead process left there finished or rolled back."""
    folder = folder_of(world)
    return folder.consistently(lambda: index.standing_of(folder.path).fingerprint)
