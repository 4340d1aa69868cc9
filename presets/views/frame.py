"""What every page of a preset shares: the frame of every library, with the words and tabs of this one."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop, pgettext_lazy

from presets.library import LIBRARY
from worlds.library.pages.frame import Frame, FrameWords
from worlds.views.frame import needed

__all__ = ["FRAME", "needed", "open_preset", "preset_page"]

FRAME: Final = Frame(
    LIBRARY,
    app="presets",
    home="report",
    # In the order of the workbench: report, entries, params, versions, trial, settings.
    tabs=(
        ("report", _("Report"), "report"),
        ("entries", pgettext_lazy("of a preset", "Prompts"), "editor"),
        ("params", _("Parameters"), "params"),
        ("versions", _("Versions"), "versions"),
        ("trial", _("Trial run"), "trial"),
        ("settings", _("Settings"), "settings"),
    ),
    words=FrameWords(
        library=_("Presets"),
        this=_("This preset"),
        more=_("More for this preset"),
        in_trash=gettext_noop("You can restore it from the trash of your presets."),
    ),
)

open_preset = FRAME.open
preset_page = FRAME.page
