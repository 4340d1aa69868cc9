"""The form of one prompt: what is stored as a person writes it, and back to the fields that were changed.

Only fields that differ from how the stored ones are shown are ever saved: what a form cannot show exactly
(line ends, blanks at the ends of a name) stays as it is until somebody changes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from formats.errors import DomainError
from formats.preset.model import FIXED_HOLES, PresetPrompt
from portal.say import said
from presets.index import storable
from presets.pipeline.editing import fields_of, with_fields
from presets.prompt_words import FIELD_WORDS, ROLE_WORDS
from worlds.library.pages.forms import NumberField, plain_lines

LINE, INSIDE = "line", "history"
PLACES: Final[list[tuple[str, str | Promise]]] = [
    (LINE, pgettext_lazy("place of a prompt", "In the order")),
    (INSIDE, pgettext_lazy("place of a prompt", "In the history, at a depth")),
]
_SHORT: Final = {"class": "short", "inputmode": "decimal", "autocomplete": "off"}


class PromptForm(forms.Form):
    """`changed` is what to save, by the flat names of `editing.PROMPT_FIELDS`."""

    name = forms.CharField(label=FIELD_WORDS["name"], strip=False)
    role = forms.ChoiceField(label=FIELD_WORDS["role"], choices=list(ROLE_WORDS.items()))
    content = forms.CharField(
        label=FIELD_WORDS["content"], required=False, strip=False, widget=forms.Textarea(attrs={"rows": 12})
    )
    in_history = forms.ChoiceField(label=FIELD_WORDS["in_history"], choices=PLACES, widget=forms.RadioSelect)
    depth = NumberField(
        label=FIELD_WORDS["depth"],
        help_text=_(
            "So many messages of the history stand after it. 0: after the last one. Without a history it "
            "stands at the end of the request."
        ),
        required=False,
        widget=forms.TextInput(attrs=_SHORT),
    )
    order = NumberField(
        label=FIELD_WORDS["order"],
        help_text=_("Among prompts of one depth: a higher number stands later."),
        required=False,
        widget=forms.TextInput(attrs=_SHORT),
    )

    def __init__(self, prompt: PresetPrompt, data: Any = None) -> None:
        self.prompt = prompt
        self.shown = shown(prompt)
        self.changed: dict[str, Any] = {}
        super().__init__(data, initial=self.shown)
        if prompt.is_hole:
            del self.fields["content"]
        if prompt.is_hole and prompt.source_identifier in FIXED_HOLES:
            for name in ("in_history", "depth", "order"):
                del self.fields[name]

    def clean(self) -> dict[str, Any]:
        values = dict(self.cleaned_data)
        if "content" in values:
            values["content"] = plain_lines(values["content"])
        if values.get("in_history") == LINE:  # depth and order mean nothing there, so nothing is missed
            values = {name: value for name, value in values.items() if value is not None}
        changed = {name: value for name, value in values.items() if value != self.shown[name]}
        self.changed = {name: _as_stored(name, value) for name, value in changed.items()}
        for name, value in self.changed.items():
            try:
                with_fields(self.prompt, {name: value})
            except DomainError as refusal:
                self.add_error(name, forms.ValidationError(_REFUSALS.get(name, said(refusal))))
        return values


def shown(prompt: PresetPrompt) -> dict[str, Any]:
    """The stored fields as the form shows them."""
    fields: Mapping[str, Any] = fields_of(prompt)
    return {
        **fields,
        "name": storable(fields["name"]),
        "content": plain_lines(storable(fields["content"])),
        "in_history": INSIDE if fields["in_history"] else LINE,
    }


def _as_stored(name: str, value: Any) -> Any:
    return value == INSIDE if name == "in_history" else value


_REFUSALS: Final[Mapping[str, Any]] = {
    "name": _("Write a name of at most 300 characters."),
    "content": _("This is too long to be kept: a prompt has at most 1,000,000 characters."),
    "depth": _("Write a whole number from 0 to 10,000."),
    "order": _("Write a number."),
}
