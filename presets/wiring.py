"""What the presets app puts into the slots of rooms below it. Imported when the app is ready."""

from __future__ import annotations

from portal import slots
from presets import trial_slots  # noqa: F401  (it fills slots of its own)
from presets.library import LIBRARY
from presets.uses import follow_world

LIBRARY.fill_slots()
slots.register("world.indexed", follow_world)
