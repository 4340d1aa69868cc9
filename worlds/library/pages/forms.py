"""Forms about an item as a whole that every library has."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from portal.models import Share

LONGEST_TAG = 80


class NameForm(forms.Form):
    """A name for something new, or for a copy."""

    name = forms.CharField(label=_("Name"), max_length=200)


class ShareForm(forms.Form):
    """Whom an item is opened to, and how far."""

    name = forms.CharField(
        label=_("Name of the person"), max_length=60, help_text=_("As it stands on their account page.")
    )
    level = forms.ChoiceField(
        label=_("They"), choices=Share.Level.choices, initial=Share.Level.READ, widget=forms.RadioSelect
    )

    def __init__(self, said: Mapping[str, Any] | None = None) -> None:
        # The form of the settings stands on the same page and has a name of its own.
        super().__init__(said, auto_id="share_%s")


class NumberField(forms.FloatField):
    """A number as a file has it: whole where it was written whole; nothing where it is empty."""

    widget = forms.TextInput

    def clean(self, value: Any) -> int | float | None:
        text = str(value or "").strip().replace("−", "-").replace(",", ".")
        try:
            return int(text)
        except ValueError:
            number = super().clean(text)
        return number if number is None or isfinite(number) else None


def name_of_copy(name: str) -> str:
    """The name that is offered for a copy."""
    return gettext("%(name)s (copy)") % {"name": name[:190]}


def plain_lines(text: str) -> str:
    """The text with the line ends of files; browsers send those of the net."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def tags_in(text: str, most: int) -> list[str]:
    """The tags somebody wrote with commas between them, each once.

    Raises:
        ValidationError: more than `most`, or one of more than 80 characters.
    """
    written = text.replace("，", ",").replace("、", ",").split(",")
    tags = list(dict.fromkeys(tag.strip() for tag in written if tag.strip()))
    if len(tags) > most:
        raise forms.ValidationError(gettext("At most %(n)s tags.") % {"n": most})
    if any(len(tag) > LONGEST_TAG for tag in tags):
        raise forms.ValidationError(gettext("A tag has at most 80 characters."))
    return tags
