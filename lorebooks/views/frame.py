"""What every page of a lorebook shares: the frame of every library, with the words and tabs of this one."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from lorebooks.library import LIBRARY
from worlds.library.pages.frame import Frame, FrameWords
from worlds.views.frame import needed

__all__ = ["FRAME", "lorebook_page", "needed", "open_lorebook"]

FRAME: Final = Frame(
    LIBRARY,
    app="lorebooks",
    home="entries",
    tabs=(
        ("entries", _("Entries"), "editor"),
        ("test", _("Match tester"), "tester"),
        ("versions", _("Versions"), "versions"),
        ("report", _("Import report"), "report"),
        ("settings", _("Settings"), "settings"),
    ),
    words=FrameWords(
        library=_("Lorebooks"),
        this=_("This lorebook"),
        more=_("More for this lorebook"),
        in_trash=gettext_noop("You can restore it from the trash of your lorebooks."),
    ),
)

open_lorebook = FRAME.open
lorebook_page = FRAME.page
