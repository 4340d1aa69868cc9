"""The plain forms about a preset as a whole. The editor and the parameters have forms of their own."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from presets.pipeline.item_file import Item
from worlds.library.files.item import MOST_TAGS
from worlds.library.pages.forms import tags_in


class SettingsForm(forms.Form):
    """What a preset is called, and its tags."""

    name = forms.CharField(label=_("Name"), max_length=300)
    tags = forms.CharField(
        label=_("Tags"), required=False, max_length=5000, help_text=_("Several are separated by commas.")
    )

    def __init__(self, data: Any, item: Item) -> None:
        super().__init__(data, initial={"name": item.name, "tags": ", ".join(item.tags)})

    def clean_tags(self) -> list[str]:
        return tags_in(self.cleaned_data["tags"], MOST_TAGS)
