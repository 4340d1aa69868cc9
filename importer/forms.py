"""The choices of an import as a form: saved as they are made, checked again when it starts (PREV-1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.text import Truncator
from django.utils.translation import gettext as translated
from django.utils.translation import gettext_lazy as _

from formats.card.choice import LONGEST_NAME, Choices
from formats.errors import DomainError
from importer.entry_table import EntryTable
from importer.pipeline.preview import CardPreview, PreviewGreeting
from importer.queries import ImportPreview
from portal.say import said

SHOWN_OPENING = 60


class ChoicesForm(forms.Form):
    """Name, opening, and the way to import where there is a model to read with. The entries stand in a table
    of their own; `changes` reads all of it together."""

    name = forms.CharField(label=_("Name of the world"), max_length=LONGEST_NAME)
    opening = forms.ChoiceField(
        label=_("Opening"),
        help_text=_("The first text of a story. The others stay with the world, to choose from."),
    )

    way = forms.ChoiceField(
        label=_("How to import"),
        choices=[
            ("model", _("A model reads the card")),
            ("structure", _("Without a model")),
        ],
        widget=forms.RadioSelect,
    )
    endpoint = forms.ChoiceField(label=_("Read with"))

    def __init__(self, data: QueryDict | None, preview: ImportPreview) -> None:
        choices, card = preview.choices, preview.card
        initial = {"name": choices.name, "opening": choices.opening, "way": choices.way}
        super().__init__(data, initial={**initial, "endpoint": choices.endpoint or preview.endpoint})
        if preview.endpoints:
            self.fields["endpoint"].choices = preview.endpoints  # type: ignore[attr-defined]
        else:
            del self.fields["way"], self.fields["endpoint"]
        self.preview = preview
        if card.greetings:
            self.fields["opening"].choices = [  # type: ignore[attr-defined]
                (greeting.id, opening_label(greeting)) for greeting in card.greetings
            ]
        else:
            del self.fields["opening"]

    def refuse(self, error: DomainError) -> None:
        """Show what the card does not allow at the field it speaks of."""
        self.add_error(error.where, said(error))

    def changes(self, table: EntryTable) -> dict[str, Any]:
        """The fields of `Choices` that this form changes; call it when it is valid."""
        changed: dict[str, Any] = {"name": self.cleaned_data["name"]}
        if "opening" in self.fields:
            changed["opening"] = self.cleaned_data["opening"]
        if "way" in self.fields:
            changed["way"] = self.cleaned_data["way"]
            changed["endpoint"] = self.cleaned_data["endpoint"]
        return {**changed, "off": off_after(self.data, self.preview.card, self.preview.choices, table)}


def opening_label(greeting: PreviewGreeting) -> str:
    """`First message · The rain …`: its place in the card, and how it begins."""
    begins = Truncator(" ".join(greeting.text.split())).chars(SHOWN_OPENING)
    if greeting.number == 0:
        return translated("First message · %(text)s") % {"text": begins}
    return translated("Alternate %(number)s · %(text)s") % {"number": greeting.number, "text": begins}


def off_after(
    data: Mapping[str, Any], card: CardPreview, choices: Choices, table: EntryTable
) -> tuple[str, ...]:
    """The entries that are off after a form was sent.

    Only entries that the form showed are judged by their ticks: those on other pages stay as they were.
    `pick` (all, none, enabled) speaks of every entry that fits the search, on whatever page.
    """
    posted = data if isinstance(data, QueryDict) else QueryDict()
    shown, ticked = set(posted.get("shown", "").split()), set(posted.getlist("on"))
    off = (set(choices.off) - shown) | (shown - ticked)
    found = {entry.id for entry in table.found}
    pick = posted.get("pick", "")
    if pick == "all":
        off -= found
    elif pick == "none":
        off |= found
    elif pick == "enabled":
        off = (off - found) | {entry.id for entry in table.found if "off-in-card" in entry.facts}
    return in_order(off, card)


def in_order(off: Iterable[str], card: CardPreview) -> tuple[str, ...]:
    """Known ids only, in the card's order."""
    wanted = set(off)
    return tuple(entry.id for entry in card.entries if entry.id in wanted)
