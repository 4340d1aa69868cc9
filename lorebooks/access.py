"""Who may see or edit which lorebook: the rules of every library, in the words of this one."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_noop

from lorebooks.models import Lorebook
from worlds.library.access import Access, AccessWords, Standing

__all__ = [
    "ACCESS",
    "KIND",
    "Standing",
    "lorebook_for",
    "lorebooks_for",
    "own_lorebook_for",
    "refuse_unless_editor",
    "refuse_unless_owner",
    "refuse_unless_reader",
    "standing_of",
]

KIND: Final = Lorebook.kind
ACCESS: Final = Access(
    Lorebook,
    AccessWords(
        read_only=gettext_noop("This lorebook is shared with you for reading. Nothing was changed."),
        ask_owner=gettext_noop(
            "Ask {owner}, who owns it, to let you edit it, or duplicate it into your own."
        ),
        not_yours=gettext_noop("Only {owner}, who owns this lorebook, may do this. Nothing was changed."),
        duplicate=gettext_noop("You can duplicate it into your own lorebooks."),
        not_found=gettext_noop("There is no lorebook here that you can open."),
        look_in_list=gettext_noop(
            "Look in your list of lorebooks, or ask the person who sent you the address."
        ),
    ),
)

lorebooks_for = ACCESS.readable
standing_of = ACCESS.standing_of
lorebook_for = ACCESS.item_for
own_lorebook_for = ACCESS.own_item_for
refuse_unless_editor = ACCESS.refuse_unless_editor
refuse_unless_owner = ACCESS.refuse_unless_owner
refuse_unless_reader = ACCESS.refuse_unless_reader
