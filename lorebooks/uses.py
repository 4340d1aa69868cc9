"""Which worlds name which books: rows that follow the files of worlds."""

from __future__ import annotations

from lorebooks.models import LorebookUse
from worlds.models import World
from worlds.rules.load import LoadedWorld


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
