"""Who may see or edit which preset: the rules of every library, in the words of this one."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_noop

from portal.models import Person
from presets.models import Preset
from worlds.library.access import Access, AccessWords, Standing

__all__ = [
    "ACCESS",
    "KIND",
    "Standing",
    "may_edit",
    "own_preset_for",
    "preset_for",
    "presets_for",
    "refuse_unless_editor",
    "refuse_unless_owner",
    "refuse_unless_reader",
    "standing_of",
]

KIND: Final = Preset.kind
ACCESS: Final = Access(
    Preset,
    AccessWords(
        read_only=gettext_noop("This preset is shared with you for reading. Nothing was changed."),
        ask_owner=gettext_noop(
            "Ask {owner}, who owns it, to let you edit it, or duplicate it into your own."
        ),
        not_yours=gettext_noop("Only {owner}, who owns this preset, may do this. Nothing was changed."),
        duplicate=gettext_noop("You can duplicate it into your own presets."),
        not_found=gettext_noop("There is no preset here that you can open."),
        look_in_list=gettext_noop(
            "Look in your list of presets, or ask the person who sent you the address."
        ),
    ),
)

presets_for = ACCESS.readable
standing_of = ACCESS.standing_of


def may_edit(person: Person, preset: Preset) -> bool:
    """Whether a person who may read a preset may write it as well."""
    return standing_of(person, preset) in ("owner", "edit")


preset_for = ACCESS.item_for
own_preset_for = ACCESS.own_item_for
refuse_unless_editor = ACCESS.refuse_unless_editor
refuse_unless_owner = ACCESS.refuse_unless_owner
refuse_unless_reader = ACCESS.refuse_unless_reader
