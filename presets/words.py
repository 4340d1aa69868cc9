"""The words for what files of presets spell as codes: shown on pages, never stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from worlds.library.pages.frame import Word

FORMS: Final[Mapping[str, Word]] = {
    "sillytavern": "SillyTavern",
    "native": _("This server"),
}
"""Whose file a preset is."""

SOURCES: Final[Mapping[str, Word]] = {
    "blank": pgettext_lazy("source of a preset", "Made here"),
    "copy": pgettext_lazy("source of a preset", "Copy"),
}


def source_word(form: str, source: str) -> str:
    """Where a preset came from, in a word or two; a name nobody here knows stays as it is."""
    return str(SOURCES.get(source) or FORMS.get(form, form))
