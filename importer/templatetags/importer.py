"""Words for what an import's pages show."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext

from portal.say import sentence
from worlds.kinds import BY_NAME

register = template.Library()


@register.filter
def marked(template_text: str) -> str:
    """A label that another room marked for translation, or a name out of the world, as it is."""
    return sentence(template_text, {})


@register.filter
def kind_word(kind: str) -> str:
    """What an element of this kind is called: `character`, `lore entry`."""
    if kind in BY_NAME:
        return str(BY_NAME[kind].singular)
    return gettext("world") if kind == "world" else gettext("tracked values")
