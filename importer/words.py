"""The words for what the import's records spell as codes: shown on pages, never stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

Word = Promise | str

OUTCOMES: Final[Mapping[str, tuple[Word, Word]]] = {
    "carried": (
        pgettext_lazy("outcome of a piece", "Carried over"),
        _("Stands in the world as it was written: openings and lore."),
    ),
    "converted": (
        pgettext_lazy("outcome of a piece", "Became elements"),
        _("A person, place, group, thing or tracked values were made of it."),
    ),
    "guidance": (
        pgettext_lazy("outcome of a piece", "Guidance"),
        _("An instruction to the narrator; it stands in the world's prompts."),
    ),
    "read": (
        pgettext_lazy("outcome of a piece", "Read"),
        _("Read for the world as a whole: what it is called, says of itself and is tagged with."),
    ),
    "omitted": (
        pgettext_lazy("outcome of a piece", "Left out"),
        _("Switched off, empty, or only a script. It stays in the card that is kept."),
    ),
    "awaiting": (
        pgettext_lazy("outcome of a piece", "Waiting"),
        _("The import has not reached it yet."),
    ),
}
"""Outcome → its name and what it means (OUT-1), in the order of the account."""

REASONS: Final[Mapping[str, Word]] = {
    "off": _("You switched it off, or the card had."),
    "no-text": _("It holds no text."),
    "script-only": _("It holds only a script, and scripts are not run."),
    "instruction-left-out": _("An instruction of which nothing is kept: neither style nor manner."),
    "style-failed": _("An instruction that could not be read; see the notes of the import."),
    "format": _("A form to be printed; nothing in it is tracked."),
    "note": _("A note that tells nothing of the story."),
}

MECHANISMS: Final[Mapping[str, Word]] = {
    "regex-scripts": _("Regex scripts"),
    "helper-scripts": _("Helper scripts"),
    "variables": _("Variables stated as data"),
    "ejs": _("EJS branches"),
    "macros": _("Other macros"),
    "tags": _("Tag blocks of its own"),
    "pictures": _("Picture addresses"),
}

BROUGHT: Final = ("variables", "fetched")
"""What becomes of mechanisms that the world has too; the others are left out or kept as written."""

BECOMES: Final[Mapping[str, tuple[Word, str]]] = {
    "not-run": (pgettext_lazy("mechanism", "not run"), "warn"),
    "variables": (pgettext_lazy("mechanism", "become variables"), "ok"),
    "text-kept": (pgettext_lazy("mechanism", "text kept, code left out"), "info"),
    "as-written": (pgettext_lazy("mechanism", "kept as written"), "warn"),
    "fetched": (pgettext_lazy("mechanism", "fetched in the background"), "info"),
}
"""What becomes of a mechanism: the word and the colour of its tag."""

FACTS: Final[Mapping[str, tuple[Word, str]]] = {
    "off-in-card": (pgettext_lazy("fact of an entry", "switched off in the card"), ""),
    "variable-data": (pgettext_lazy("fact of an entry", "variables only"), "info"),
    "empty": (pgettext_lazy("fact of an entry", "empty"), "warn"),
    "script-only": (pgettext_lazy("fact of an entry", "only a script"), "warn"),
    "split": (pgettext_lazy("fact of an entry", "will be split"), ""),
}

EDITED: Final[Mapping[str, Word]] = {
    "no": _("unchanged since its import"),
    "yes": _("you have changed it since its import"),
    "unknown": _("whether it was changed is not known"),
}

CONTAINERS: Final[Mapping[str, str]] = {
    "png": "PNG",
    "apng": "APNG",
    "json": "JSON",
    "jsonl": "JSONL",
    "charx": "CHARX",
    "jpeg": "JPEG",
    "webp": "WebP",
    "byaf": "BYAF",
}


def container_word(container: str) -> str:
    """`PNG` for `png:tEXt:ccv3`: the file's kind as people call it."""
    first = container.partition(":")[0].partition("+")[0]
    return CONTAINERS.get(first, first.upper())


FIELDS: Final[Mapping[str, Word]] = {
    "description": _("Description"),
    "personality": _("Personality"),
    "scenario": _("Scenario"),
    "example": _("Example dialogue"),
    "system": _("System prompt"),
    "post_history": _("Post-history instructions"),
    "note": _("Character's note"),
    "creator_notes": _("Creator's notes"),
}
"""The names of a card's own texts, by the field of their piece."""

OTHER_KINDS: Final[Mapping[str, Word]] = {
    "lorebook": _("It can go to your library of lorebooks; there you see what is in it."),
    "preset": _("It can go to your library of presets; there you see what of it is in effect."),
    "world": _("To bring a world back, ask the person who runs this server to put it on your shelf."),
}
"""What can be done with a file that is no card but that this program knows."""
