"""The words for what files of lorebooks spell as codes: shown on pages, never stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from formats.lorebook.model import Position

Word = Promise | str

POSITIONS: Final[Mapping[Position, Word]] = {
    "before_character_definition": _("Before the description of the character"),
    "after_character_definition": _("After the description of the character"),
    "before_author_note": _("Before the author's note"),
    "after_author_note": _("After the author's note"),
    "at_depth": _("Between the messages, at a depth"),
    "before_example_messages": _("Before the example messages"),
    "after_example_messages": _("After the example messages"),
    "outlet": _("Where a preset calls it by its outlet name"),
}
"""Where an entry goes, in the order of SillyTavern's numbers."""

_SENT: Final = (pgettext_lazy("place of an entry", "sent here"), "ok")
_MOVED: Final = (pgettext_lazy("place of an entry", "moved to the nearest place"), "info")
_KEPT: Final = (pgettext_lazy("place of an entry", "kept, not sent"), "warn")
BECOMES: Final[Mapping[Position, tuple[Word, str]]] = {
    position: _SENT
    if position.endswith("character_definition")
    else _KEPT
    if position == "outlet"
    else _MOVED
    for position in POSITIONS
}
"""What a world here does with a position (WB-7): the word and the colour of its tag."""

FORMATS: Final[Mapping[str, Word]] = {
    "sillytavern-world-info": "SillyTavern",
    "character-book-v2": _("Character book (V2 and V3 cards)"),
    "lorebook-v3": "lorebook_v3",
    "novelai": "NovelAI",
    "agnai": "Agnai",
    "risu": "RisuAI",
    "byaf": "Backyard AI",
    "chub": "Chub",
}


def language_word(code: str) -> str:
    """A language as this server calls it; a code nobody here knows stays as it is."""
    return str(dict(settings.LANGUAGES).get(code, code))


def format_word(name: str) -> str:
    """The program or form a file came from; an unknown name stays as it is."""
    return str(FORMATS.get(name, name))
