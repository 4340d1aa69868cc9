"""Which preset a world plays with, and which it could, as the pages of both show it."""

from __future__ import annotations

from dataclasses import dataclass

from portal.models import Person
from presets.access import presets_for
from presets.models import Preset, PresetUse
from worlds.library.pages.uses import OFFERED
from worlds.models import World


@dataclass(frozen=True, slots=True)
class Named:
    """The preset that a world names; `preset` is None where this person cannot open it."""

    id: str
    preset: Preset | None


def preset_of(person: Person, world: World) -> Named | None:
    """The preset a world names."""
    use = PresetUse.objects.filter(world=world).first()
    if use is None:
        return None
    return Named(use.preset_id, presets_for(person).filter(pk=use.preset_id).first())


def presets_beside(person: Person, world: World) -> list[Preset]:
    """The presets this person may read that a world does not name, those used last first."""
    used = PresetUse.objects.filter(world=world).values("preset_id")
    found = presets_for(person).exclude(pk__in=used).only("id", "name").order_by("-used_at", "pk")
    return list(found[:OFFERED])


def replaced_in(worlds: list[World]) -> list[tuple[World, bool]]:
    """Each world with whether it plays with a preset already, which another one would replace."""
    using = set(PresetUse.objects.filter(world__in=worlds).values_list("world_id", flat=True))
    return [(world, world.pk in using) for world in worlds]
