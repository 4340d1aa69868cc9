"""The words for values that files spell as codes: shown in forms and lists, translated, never stored."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

CHOICES = {
    # what a lore entry is
    "history": pgettext_lazy("lore type", "History"),
    "geography": pgettext_lazy("lore type", "Geography"),
    "culture": pgettext_lazy("lore type", "Culture"),
    "people": pgettext_lazy("lore type", "A people"),
    "religion": pgettext_lazy("lore type", "Religion"),
    "law": pgettext_lazy("lore type", "Law"),
    "economy": pgettext_lazy("lore type", "Economy"),
    "technology": pgettext_lazy("lore type", "Technology"),
    "magic": pgettext_lazy("lore type", "Magic"),
    "creature": pgettext_lazy("lore type", "Creature"),
    "event": pgettext_lazy("lore type", "Event"),
    "language": pgettext_lazy("lore type", "Language"),
    "rule": pgettext_lazy("lore type", "Rule"),
    "custom": pgettext_lazy("lore type", "Something else"),
    # who knows it
    "everyone": pgettext_lazy("who knows it", "Everyone"),
    "listed": pgettext_lazy("who knows it", "Only those listed"),
    # what a variable is kept for
    "world": pgettext_lazy("variable kept for", "The whole world"),
    "character": pgettext_lazy("variable kept for", "Each character"),
    "location": pgettext_lazy("variable kept for", "Each place"),
    "item": pgettext_lazy("variable kept for", "Each item"),
    # what a variable holds
    "number": pgettext_lazy("variable kind", "A number"),
    "flag": pgettext_lazy("variable kind", "Yes or no"),
    "choice": pgettext_lazy("variable kind", "One of several options"),
    # how a variable is compared
    "==": _("is"),
    "!=": _("is not"),
    "<": _("is less than"),
    "<=": _("is at most"),
    ">": _("is more than"),
    ">=": _("is at least"),
    # where a portrait comes from
    "uploaded": pgettext_lazy("picture source", "Uploaded"),
    "downloaded": pgettext_lazy("picture source", "Downloaded"),
    "generated": pgettext_lazy("picture source", "Generated"),
    # whom a trigger calls
    "author": pgettext_lazy("sent to", "The world author"),
}

# The shapes a trigger's condition and effect may have, by the key that marks each in the file.
SHAPES = {
    "command": _("A command is typed"),
    "event": _("Something happens in the story"),
    "variable": _("A tracked value reaches a point"),
    "dispatch": _("The world author brings in someone or something"),
    "set": _("Tracked values change"),
    "reveal": _("Lore becomes known"),
    "note": _("The game master is told something"),
}


def choice_word(value: str) -> str:
    """The word for a stored code; the code itself where the format has grown past this table."""
    return str(CHOICES.get(value, value))


def shape_word(key: str) -> str:
    """The words for one shape of a trigger's condition or effect."""
    return str(SHAPES.get(key, key))
