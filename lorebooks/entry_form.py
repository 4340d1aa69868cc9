"""The form of one entry: what is stored as a person writes it, and back to the fields that were changed.

Only fields that differ from how the stored ones are shown are ever saved: what a form cannot show exactly
(line ends, half characters, a blank after a key) stays as it is in the file until somebody changes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from formats.lorebook.model import POSITIONS
from lorebooks.entry_keys import KeysField, keys_of
from lorebooks.pipeline.entry_facts import storable
from lorebooks.pipeline.entry_fields import CHECKS
from lorebooks.words import POSITIONS as PLACES
from worlds.library.pages.forms import NumberField, plain_lines

Choices = list[tuple[str, str | Promise]]

UNSAID, YES, NO = "", "on", "off"
_TRI: Final = {UNSAID: None, YES: True, NO: False}
EITHER: Final[Choices] = [
    (UNSAID, _("As the world says")),
    (YES, pgettext_lazy("setting of an entry", "Yes")),
    (NO, pgettext_lazy("setting of an entry", "No")),
]
WAYS: Final[Choices] = [
    ("constant", pgettext_lazy("lorebook entry", "Always on")),
    ("selective", pgettext_lazy("lorebook entry", "When words appear")),
    ("vectorized", pgettext_lazy("lorebook entry", "By meaning")),
]
SECOND: Final[Choices] = [
    ("and_any", _("and any of the second keys")),
    ("and_all", _("and all of the second keys")),
    ("not_any", _("and none of the second keys")),
    ("not_all", _("and not all of the second keys together")),
    (NO, _("The second keys do not count")),
]
ROLES: Final[Choices] = [
    ("system", pgettext_lazy("role of a message", "System")),
    ("user", pgettext_lazy("role of a message", "User")),
    ("assistant", pgettext_lazy("role of a message", "Assistant")),
]
TRIGGERS: Final[Choices] = [
    ("normal", _("An ordinary turn")),
    ("continue", _("Going on with an answer")),
    ("swipe", _("Another answer instead")),
    ("regenerate", _("The answer again")),
    ("impersonate", _("Writing for the player")),
    ("quiet", _("Requests in the background")),
]
NUMBERS: Final[Mapping[str, tuple[Any, Any]]] = {
    "scan_depth": (
        _("Scan depth"),
        _("How many of the last messages are searched. Empty: as the book says."),
    ),
    "probability": (_("Chance in percent"), ""),
    "delay": (_("Delay"), _("Only once the story has so many messages. Empty: at once.")),
    "sticky": (_("Sticky"), _("For so many messages it stays, once it came. Empty: not.")),
    "cooldown": (_("Cooldown"), _("For so many messages it rests after that. Empty: not.")),
    "delay_until_recursion": (
        _("Only from this level of recursion on"),
        _("Empty: from the first look on. 1: only when another entry brings it up."),
    ),
    "group_weight": (
        _("Weight in its group"),
        _("The chance against the others: 100 against 50 is two to one."),
    ),
    "insertion_order": (
        _("Order"),
        _("A higher number stands later in its place; where the budget is short it comes in first."),
    ),
    "depth": (_("Depth"), _("So many messages before the end. 0: after the last one.")),
}
NEEDED: Final = frozenset({"probability", "group_weight", "insertion_order", "depth"})
FLAGS: Final[Mapping[str, Any]] = {
    "enabled": pgettext_lazy("lorebook entry", "On"),
    "use_probability": _("Leave it to chance"),
    "exclude_recursion": _("Other entries do not bring it up"),
    "prevent_recursion": _("It brings up no other entries"),
    "group_override": _("In its group, the highest order wins instead of chance"),
    "ignore_budget": _("Goes in even when the budget is used up"),
    "match_persona_description": _("Description of the player's persona"),
    "match_character_description": _("Description of the character"),
    "match_character_personality": _("Personality of the character"),
    "match_character_depth_prompt": _("The character's note between the messages"),
    "match_scenario": _("Scenario"),
    "match_creator_notes": _("Notes of the card's creator"),
    "character_exclude": _("For all but these"),
}


class EntryForm(forms.Form):
    """`stored` are the fields by their flat names (`entry_fields.fields_of`)."""

    comment = forms.CharField(label=_("Title"), required=False, strip=False)
    strategy = forms.ChoiceField(label=_("It comes in"), choices=WAYS, widget=forms.RadioSelect)
    keys = KeysField(label=_("Keys"), required=False)
    content = forms.CharField(
        label=_("Text"), required=False, strip=False, widget=forms.Textarea(attrs={"rows": 8})
    )
    secondary_keys = KeysField(label=_("Second keys"), required=False)
    second = forms.ChoiceField(label=_("A key must appear"), choices=SECOND)
    match_whole_words = forms.ChoiceField(
        label=_("Whole words only"),
        choices=EITHER,
        required=False,
        help_text=_("Has no effect on Chinese text, which has no blanks between words."),
    )
    case_sensitive = forms.ChoiceField(label=_("Capital letters matter"), choices=EITHER, required=False)
    group = forms.CharField(
        label=_("Names of its groups"),
        required=False,
        strip=False,
        help_text=_("Of the entries of one group only one goes in. Several groups are separated by commas."),
    )
    use_group_scoring = forms.ChoiceField(
        label=_("In its group, the most keys found win"), choices=EITHER, required=False
    )
    triggers = forms.MultipleChoiceField(
        label=_("Only for"),
        choices=TRIGGERS,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("None ticked: for every kind of turn."),
    )
    character_names = forms.CharField(
        label=_("Only for these characters"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("A name a line. Empty: for all."),
    )
    character_tags = forms.CharField(
        label=_("Only for characters with these tags"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("A tag a line. Empty: for all."),
    )
    position = forms.ChoiceField(
        label=pgettext_lazy("of an entry", "Place"), choices=[(name, PLACES[name]) for name in POSITIONS]
    )
    role = forms.ChoiceField(label=_("Role of the message, at a depth"), choices=ROLES)
    outlet_name = forms.CharField(label=_("Outlet name"), required=False, strip=False)

    def __init__(self, stored: Mapping[str, Any], data: Any = None) -> None:
        self.stored = stored
        self.shown = shown(stored)
        super().__init__(data, initial=self.shown)
        for name, (label, help_text) in NUMBERS.items():
            self.fields[name] = NumberField(
                label=label,
                help_text=help_text,
                required=name in NEEDED,
                widget=forms.TextInput(attrs=_SHORT),
            )
        for name, label in FLAGS.items():
            self.fields[name] = forms.BooleanField(label=label, required=False)
        if stored["strategy"] != "vectorized":
            self.fields["strategy"].choices = WAYS[:2]  # type: ignore[attr-defined]
        self.changed: dict[str, Any] = {}

    @property
    def when_open(self) -> bool:
        """Whether something in *When exactly* is to be corrected."""
        return bool(self.errors.keys() - {"comment", "keys", "content"} - WHERE)

    @property
    def where_open(self) -> bool:
        """Whether something in *Where it goes* is."""
        return bool(self.errors.keys() & WHERE)

    def clean(self) -> dict[str, Any]:
        values = dict(self.cleaned_data)
        for name in ("keys", "secondary_keys"):
            values[name] = keys_of(values.get(name, []), self.stored[name])
        for name in ("comment", "content", "group", "outlet_name"):
            values[name] = plain_lines(values.get(name, ""))
        for name in ("character_names", "character_tags"):
            values[name] = _lines(plain_lines(values.get(name, "")))
        self.changed = self._changed(values)
        return values

    def _changed(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The fields to save: those that differ from what was shown, checked as the file's are."""
        now = {**self.shown, "character_names": _lines(self.shown["character_names"])}
        now["character_tags"] = _lines(self.shown["character_tags"])
        now |= {name: list(self.stored[name]) for name in ("keys", "secondary_keys")}
        changed: dict[str, Any] = {}
        for name, value in values.items():
            if name in self.errors or name not in now or _same(now[name], value):
                continue
            fields = self._as_stored(name, value)
            changed |= fields
            for flat in [flat for flat, said in fields.items() if not CHECKS[flat](said)]:
                self.add_error(name, forms.ValidationError(_refusal(flat)))
        return changed

    def _as_stored(self, name: str, value: Any) -> dict[str, Any]:
        if name == "second":
            return {"selective": False} if value == NO else {"selective": True, "selective_logic": value}
        if name == "triggers":
            known = {trigger for trigger, _label in TRIGGERS}
            return {name: [*value, *(word for word in self.stored[name] if word not in known)]}
        if name == "delay_until_recursion":
            return {name: value or False}
        return {name: _TRI[value] if name in EITHER_NAMES else value}


EITHER_NAMES: Final = ("match_whole_words", "case_sensitive", "use_group_scoring")
WHERE: Final = frozenset({"position", "insertion_order", "depth", "role", "outlet_name", "ignore_budget"})
_SHORT: Final = {"class": "short", "inputmode": "decimal", "autocomplete": "off"}


def shown(stored: Mapping[str, Any]) -> dict[str, Any]:
    """The stored fields as the form shows them."""
    tri = {said: word for word, said in _TRI.items()}
    values: dict[str, Any] = {
        name: stored[name] for name in (*NUMBERS, *FLAGS, "strategy", "position", "role")
    }
    values["delay_until_recursion"] = (
        int(delay) if isinstance(delay := values["delay_until_recursion"], bool) else delay
    )
    values["delay_until_recursion"] = values["delay_until_recursion"] or None
    values |= {name: tri[stored[name]] for name in EITHER_NAMES}
    values |= {name: plain_lines(storable(stored[name])) for name in ("content", "group", "outlet_name")}
    values["comment"] = plain_lines(storable(stored["comment"])).replace("\n", " ")
    values |= {name: list(stored[name]) for name in ("keys", "secondary_keys")}
    values["second"] = stored["selective_logic"] if stored["selective"] else NO
    values["triggers"] = [trigger for trigger, _label in TRIGGERS if trigger in stored["triggers"]]
    for name in ("character_names", "character_tags"):
        values[name] = "\n".join(storable(word).replace("\n", " ") for word in stored[name])
    return values


def _same(stored: Any, value: Any) -> bool:
    return bool(stored == value) or (stored is None and value == "")


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n") if line.strip()]


def _refusal(name: str) -> Any:
    if name == "probability":
        return _("Write a number from 0 to 100.")
    if name in NUMBERS:
        return _("Write a number from 0 to 1,000,000.")
    return _("This is too long to be kept.")
