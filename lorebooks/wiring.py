"""What the lorebooks app puts into the slots of rooms below it. Imported when the app is ready."""

from __future__ import annotations

from lorebooks.library import LIBRARY
from lorebooks.uses import follow_world
from portal import slots

LIBRARY.fill_slots()
slots.register("world.indexed", follow_world)
