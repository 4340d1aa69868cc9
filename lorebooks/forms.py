"""The plain forms about a book as a whole. The editor of an entry has forms of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from lorebooks.pipeline.item_file import MOST_TAGS
from portal.models import Share

MOST_DEPTH = 1000
MOST_TOKENS = 10_000_000
UNSAID, ON, OFF = "", "on", "off"
RECURSION = [
    (UNSAID, _("As the world says")),
    (ON, _("On: entries can bring up further entries")),
    (OFF, _("Off: only the messages are searched")),
]
_RECURSION = {UNSAID: None, ON: True, OFF: False}


class NameForm(forms.Form):
    """A name for a copy."""

    name = forms.CharField(label=_("Name"), max_length=200)


class NewLorebookForm(NameForm):
    """A book from nothing."""

    language = forms.ChoiceField(
        label=_("Language"), choices=settings.LANGUAGES, help_text=_("The language its texts are written in.")
    )
    description = forms.CharField(
        label=_("Description"),
        required=False,
        max_length=5000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("What it is about, for the list."),
    )

    def clean_description(self) -> str:
        return plain_lines(self.cleaned_data["description"])


class SettingsForm(forms.Form):
    """What a book is called and how it is searched. An empty number means: as the world says."""

    name = forms.CharField(label=_("Name"), max_length=300)
    description = forms.CharField(
        label=_("Description"), required=False, max_length=20_000, widget=forms.Textarea(attrs={"rows": 3})
    )
    language = forms.ChoiceField(
        label=_("Language"), required=False, help_text=_("The language its texts are written in.")
    )
    tags = forms.CharField(
        label=_("Tags"), required=False, max_length=5000, help_text=_("Several are separated by commas.")
    )
    scan_depth = forms.IntegerField(
        label=_("Scan depth"),
        required=False,
        min_value=0,
        max_value=MOST_DEPTH,
        help_text=_("How many of the last messages are searched for keys. Empty: as the world says."),
    )
    token_budget = forms.IntegerField(
        label=_("Token budget"),
        required=False,
        min_value=0,
        max_value=MOST_TOKENS,
        help_text=_("How many tokens of entries are sent at most. Empty: as the world says."),
    )
    recursive_scanning = forms.ChoiceField(label=_("Recursion"), choices=RECURSION, required=False)

    def __init__(self, data: Any, fields: Mapping[str, Any]) -> None:
        recursion = {said: shown for shown, said in _RECURSION.items()}
        shown = {
            **fields,
            "tags": ", ".join(fields["tags"]),
            "recursive_scanning": recursion[fields["recursive_scanning"]],
        }
        super().__init__(data, initial=shown)
        # A language this server has no name for stays as the file says it.
        unknown = {fields["language"]: fields["language"]}
        known = {**unknown, **dict(settings.LANGUAGES), "": _("Not said")}
        language = self.fields["language"]
        assert isinstance(language, forms.ChoiceField)
        language.choices = list(known.items())

    def clean_description(self) -> str:
        return plain_lines(self.cleaned_data["description"])

    def clean_tags(self) -> list[str]:
        text = self.cleaned_data["tags"].replace("，", ",").replace("、", ",")
        tags = list(dict.fromkeys(tag.strip() for tag in text.split(",") if tag.strip()))
        if len(tags) > MOST_TAGS:
            raise forms.ValidationError(_("At most %(n)s tags.") % {"n": MOST_TAGS})
        if any(len(tag) > 80 for tag in tags):
            raise forms.ValidationError(_("A tag has at most 80 characters."))
        return tags

    def clean_recursive_scanning(self) -> bool | None:
        return _RECURSION[self.cleaned_data["recursive_scanning"]]


class ShareForm(forms.Form):
    """Whom a book is opened to, and how far."""

    name = forms.CharField(
        label=_("Name of the person"), max_length=60, help_text=_("As it stands on their account page.")
    )
    level = forms.ChoiceField(
        label=_("They"), choices=Share.Level.choices, initial=Share.Level.READ, widget=forms.RadioSelect
    )

    def __init__(self, said: Mapping[str, Any] | None = None) -> None:
        # The form of the settings stands on the same page and has a name of its own.
        super().__init__(said, auto_id="share_%s")


def plain_lines(text: str) -> str:
    """The text with the line ends of files; browsers send those of the net."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
