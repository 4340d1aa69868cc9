"""What the importer puts into the slots of rooms below it. Imported when the app is ready."""

from __future__ import annotations

from importer.actions import settle
from importer.recovery import forget_expired, go_on, rebuild_rows
from portal import slots

slots.register("server.started", go_on)
slots.register("world.saved", settle)
slots.register("worlds.reindexed", rebuild_rows)
slots.register("worlds.swept", forget_expired)
