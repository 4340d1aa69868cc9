"""What a start of the server and a rebuilding of the index put right for lorebooks."""

from __future__ import annotations

import logging

from django.utils import timezone

from formats.errors import DomainError
from lorebooks import index
from lorebooks.actions import library
from lorebooks.models import Lorebook, LorebookUse
from lorebooks.shelves import folder_of, shelf_of
from portal.models import Person
from worlds.index import standing_of as print_of
from worlds.models import World
from worlds.rules.load import LoadedWorld

logger = logging.getLogger(__name__)


def match_shelves() -> None:
    """Give every book on a shelf its row, take away rows without a folder, read again what has changed.

    Of the others no file is read: names, sizes and times tell that nothing was written.
    """
    for owner in Person.objects.all():
        rows = {row.pk: row for row in Lorebook.objects.filter(owner=owner).select_related("owner")}
        for lorebook_id in sorted(rows.keys() | set(shelf_of(owner).ids())):
            try:
                _match(owner, lorebook_id, rows.get(lorebook_id))
            except DomainError as error:
                logger.warning("the lorebook %s cannot be listed: %s", lorebook_id, error)


def rebuild_rows(owner: Person) -> None:
    """Slot `worlds.reindexed`: the books of a person whose worlds are read again are read again too."""
    library.reindex(owner=owner)


def sweep() -> None:
    """Slot `worlds.swept`."""
    library.sweep(now=timezone.now())


def follow_world(world: World, loaded: LoadedWorld) -> None:
    """Slot `world.indexed`: which books the world's file names."""
    named = list(dict.fromkeys(loaded.world.lorebooks)) if loaded.world else []
    wanted = {lorebook_id[:160]: number for number, lorebook_id in enumerate(named)}
    there = dict(LorebookUse.objects.filter(world=world).values_list("lorebook_id", "number"))
    if there != wanted:
        LorebookUse.objects.filter(world=world).delete()
        LorebookUse.objects.bulk_create(
            LorebookUse(world=world, lorebook_id=lorebook_id, number=number)
            for lorebook_id, number in wanted.items()
        )


def _match(owner: Person, lorebook_id: str, row: Lorebook | None) -> None:
    if row is not None:
        folder = folder_of(row)
        if folder.exists():
            seen = folder.consistently(lambda: print_of(folder.path).fingerprint)
            if seen == row.fingerprint:
                return
    index.index_lorebook(owner, lorebook_id)
