"""Which world plays with which preset: rows that follow the files of worlds."""

from __future__ import annotations

from presets.models import PresetUse
from worlds.models import World
from worlds.rules.load import LoadedWorld


def follow_world(world: World, loaded: LoadedWorld) -> None:
    """Slot `world.indexed`: the preset that the world's file names."""
    named = (loaded.world.preset or "")[:160] if loaded.world else ""
    there = PresetUse.objects.filter(world=world).values_list("preset_id", flat=True).first() or ""
    if not named:
        PresetUse.objects.filter(world=world).delete()
    elif named != there:
        PresetUse.objects.update_or_create(world=world, defaults={"preset_id": named})
