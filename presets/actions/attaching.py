"""Which preset a world plays with: an id in `world.json`, changed in the one way that file is changed."""

from __future__ import annotations

from django.utils import timezone

from portal import bell
from portal.models import Person
from presets.access import preset_for
from presets.models import Preset
from worlds.actions import changing
from worlds.models import World
from worlds.rules.documents import WorldFile
from worlds.rules.write import change_world_file


def attach_preset(*, actor: Person, preset: Preset, world: World) -> str:
    """Let a world play with a preset; gives the id of the one it played with before, or nothing.

    The actor must be able to read the preset and to edit the world. Others who open the world and may not
    read the preset see that there is one, and no more; sharing it with them is another step.

    Raises:
        DomainError: `not-found`, `forbidden`; as `worlds.actions.changing`.
    """
    preset_for(actor, preset.pk)
    before = _rewrite(actor, world, preset.pk)
    bell.ring(f"item:{preset.pk}")
    return before


def detach_preset(*, actor: Person, preset_id: str, world: World) -> None:
    """Let a world play without a preset; the preset itself stays. One that it does not name is fine.

    Whoever may edit the world may do it, whether they can read the preset or not.
    """
    _rewrite(actor, world, None, only=preset_id)
    bell.ring(f"item:{preset_id}")


def _rewrite(actor: Person, world: World, preset_id: str | None, only: str | None = None) -> str:
    before = ""

    def edit(file: WorldFile) -> WorldFile:
        nonlocal before
        before = file.preset or ""
        if only is not None and file.preset != only:
            return file
        return file.model_copy(update={"preset": preset_id})

    with changing(actor=actor, world=world, what="preset", note=preset_id or only or "") as change:
        change_world_file(change, edit, now=timezone.now())
    return before
