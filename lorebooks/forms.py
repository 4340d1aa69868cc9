"""The plain forms about a book as a whole. The editor of an entry has forms of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from worlds.library.files.item import MOST_TAGS
from worlds.library.pages.forms import NameForm, plain_lines, tags_in

MOST_DEPTH = 1000
MOST_TOKENS = 10_000_000
UNSAID, ON, OFF = "", "on", "off"
RECURSION = [
    (UNSAID, _("As the world says")),
    (ON, _("On: entries can bring up further entries")),
    (OFF, _("Off: only the messages are searched")),
]
_RECURSION = {UNSAID: None, ON: True, OFF: False}


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
        return tags_in(self.cleaned_data["tags"], MOST_TAGS)

    def clean_recursive_scanning(self) -> bool | None:
        return _RECURSION[self.cleaned_data["recursive_scanning"]]
