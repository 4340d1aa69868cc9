"""What the lorebooks app puts into the slots of rooms below it. Imported when the app is ready."""

from __future__ import annotations

from lorebooks.access import standing_of
from lorebooks.models import Lorebook
from lorebooks.queries import bytes_kept
from lorebooks.recovery import follow_world, match_shelves, rebuild_rows, sweep
from portal import slots
from portal.models import Person


def hears_lorebook(person: Person, rest: str) -> bool:
    """Whoever may read a book hears it."""
    lorebook = Lorebook.objects.filter(pk=rest).first()
    return lorebook is not None and standing_of(person, lorebook) is not None


slots.register("bell.item", hears_lorebook)
slots.register("server.started", match_shelves)
slots.register("world.indexed", follow_world)
slots.register("worlds.reindexed", rebuild_rows)
slots.register("worlds.swept", sweep)
slots.register("storage.used", bytes_kept)
