"""What a start of the server puts right: rows of worlds whose folder came or went while the process died.

Making a world, moving it to the trash and restoring it are a rename and then a row. A crash between the two
would leave a world that stands on its shelf and in no list, or a row that leads nowhere.
"""

from __future__ import annotations

import logging

from formats.errors import DomainError
from portal.models import Person
from worlds import index
from worlds.models import World
from worlds.queries import shelf_of

logger = logging.getLogger(__name__)


def match_shelves() -> None:
    """Give every world on a shelf its row, and take away rows without a folder; the others are not read."""
    for owner in Person.objects.all():
        rows = set(World.objects.filter(owner=owner).values_list("pk", flat=True))
        for world_id in rows.symmetric_difference(shelf_of(owner).ids()):
            try:
                index.index_world(owner, world_id)
            except DomainError as error:
                logger.warning("the world %s cannot be listed: %s", world_id, error)
