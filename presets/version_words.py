"""The words for what differs between two states of a preset: fields of prompts, parameters, their values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from presets.index import storable

FIELDS: Final[Mapping[str, Promise]] = {
    "name": gettext_lazy("Name"),
    "role": gettext_lazy("Role"),
    "content": gettext_lazy("Text"),
    "in_history": pgettext_lazy("prompt", "Stands inside the history"),
    "depth": gettext_lazy("Depth"),
    "order": pgettext_lazy("prompt", "Order among prompts of its depth"),
    "on": pgettext_lazy("prompt", "Takes part"),
    "temperature": gettext_lazy("Temperature"),
    "max_context_tokens": gettext_lazy("Context in tokens"),
    "max_output_tokens": gettext_lazy("Longest answer in tokens"),
    "squash": gettext_lazy("How messages are shaped"),
    "tool_mode": gettext_lazy("Whose tools are sent"),
}
"""What has a word; any other parameter goes by its name."""
LONGEST: Final = 200


def field_label(name: str) -> str:
    """A field or parameter as a page names it."""
    return str(FIELDS.get(name, name))


def told_value(name: str, value: Any) -> str:
    """A value in words."""
    if value is None:
        return _("not said")
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    text = storable(str(value))
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"
