"""Tags of the shell, loaded into every template: slots, icons, sentences, times, undo notices."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django import template
from django.contrib.humanize.templatetags.humanize import naturaltime
from django.contrib.messages.storage.base import Message
from django.template import Context
from django.templatetags.static import static
from django.utils.formats import date_format
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.timezone import localtime

from formats.errors import DomainError
from formats.finding import Finding
from formats.text.language import language_of_text
from portal import say, slots

register = template.Library()
UNDO = "undo:"


@register.simple_tag(takes_context=True)
def slot(context: Context, slot_name: str, **values: Any) -> SafeString:
    """What other rooms put here: each callable gets the request and the named values, and returns HTML.

    Text that is not marked safe is escaped.
    """
    parts = ((conditional_escape(fill(context["request"], **values)),) for fill in slots.filled(slot_name))
    return format_html_join("", "{}", parts)


@register.simple_tag
def icon(name: str, label: str = "") -> SafeString:
    """A picture of the sprite. It stands beside a word; without one it needs a `label`."""
    address = f"{static('icons.svg')}#{name}"
    if label:
        return format_html(
            '<svg class="icon" role="img" aria-label="{}"><use href="{}"></use></svg>', label, address
        )
    return format_html('<svg class="icon" aria-hidden="true"><use href="{}"></use></svg>', address)


@register.filter
def said(told: Finding | DomainError) -> str:
    """The sentence of a finding or refusal in the reader's language."""
    return say.said(told)


@register.filter
def hinted(told: Finding | DomainError) -> str:
    """What can be done about a finding or refusal, in the reader's language."""
    return say.hinted(told)


@register.filter
def ago(moment: datetime | None) -> SafeString | str:
    """A time as people say it ("2 hours ago"); the exact one is in the title. Empty for no time."""
    if moment is None:
        return ""
    local = localtime(moment)
    exact = date_format(local, "DATETIME_FORMAT")
    return format_html(
        '<time datetime="{}" title="{}">{}</time>', local.isoformat(), exact, naturaltime(moment)
    )


@register.filter
def text_lang(text: str) -> str:
    """The `lang` of a text of a card or world, for voices and fonts; "" if it is not known."""
    return language_of_text(text)


@register.filter
def undo_address(message: Message) -> str:
    """The address that takes back what a message tells (`extra_tags="undo:/…"`); empty when nothing does."""
    tags = (message.extra_tags or "").split()
    return next((tag.removeprefix(UNDO) for tag in tags if tag.startswith(UNDO)), "")
