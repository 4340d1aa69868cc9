"""The form of a preset's parameters: those it has, one more that is to be added, merging and tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.utils.formats import localize
from django.utils.functional import Promise
from django.utils.translation import gettext as translated
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from formats.preset.model import NOT_SET, PARAMETERS, Generation
from formats.preset.parameters import ENDPOINT_KINDS, WIRE_NAMES, EndpointKind, Parameters, parameters_for
from formats.preset.ranges import MOST_TOKENS, RANGES, is_in_range
from formats.preset.report import NEVER_SENT
from presets.pipeline.editing import LONGEST_NAME, SWITCH_PARAMETERS, TEXT_PARAMETERS
from presets.prompt_words import ENDPOINTS, LEVELS, PARAMETER_WORDS, SETTING_WORDS, TOOL_WAYS
from worlds.library.pages.forms import NumberField
from worlds.library.pages.frame import Word

UNSAID, YES, NO = "", "on", "off"
_TRI: Final[Mapping[str, bool | None]] = {UNSAID: None, YES: True, NO: False}
EITHER: Final[list[tuple[str, str | Promise]]] = [
    (UNSAID, pgettext_lazy("parameter", "Taken out")),
    (YES, pgettext_lazy("setting of an entry", "Yes")),
    (NO, pgettext_lazy("setting of an entry", "No")),
]
_SHORT: Final = {"class": "short", "inputmode": "decimal", "autocomplete": "off"}
LARGEST: Final = 1e15


@dataclass(frozen=True, slots=True)
class Taken:
    """What one kind of endpoint does with a parameter: `how` is `taken`, `lowered`, `raised`, `rounded` (then
    `value` is what it gets), `unusable` or `ignored`."""

    endpoint: str
    how: str
    value: Any = None


class ParameterForm(forms.Form):
    """`changed` is what to save, by the names of `editing.settings_of`; an emptied field takes one out."""

    squash = forms.ChoiceField(
        label=SETTING_WORDS["squash"],
        required=False,
        choices=[
            (UNSAID, pgettext_lazy("merging of messages", "Not said: strict applies")),
            *((name, word) for name, (word, _help) in LEVELS.items()),
        ],
        widget=forms.RadioSelect,
    )
    tool_mode = forms.ChoiceField(
        label=SETTING_WORDS["tool_mode"],
        choices=[(name, word) for name, (word, _help) in TOOL_WAYS.items()],
        widget=forms.RadioSelect,
    )

    def __init__(self, stored: Mapping[str, Any], added: Sequence[str] = (), data: Any = None) -> None:
        self.stored = stored
        if data is None:
            present = [name for name in PARAMETERS if stored[name] is not None or name in added]
        else:  # what somebody else added meanwhile was on no page of theirs, so nobody emptied it
            present = [name for name in PARAMETERS if name in data]
        self.present = present
        self.changed: dict[str, Any] = {}
        self.shown = {
            **{name: shown(name, stored[name]) for name in present},
            "squash": stored["squash"] or "",
        }
        self.shown["tool_mode"] = stored["tool_mode"]
        super().__init__(data, initial=self.shown)
        for name in present:
            self.fields[name] = _field(name)

    def clean(self) -> dict[str, Any]:
        values = dict(self.cleaned_data)
        for name in (*self.present, "squash", "tool_mode"):
            if name in self.errors or name not in values or name not in self.data:
                continue
            value = _as_stored(name, values[name])
            if value == self.stored[name] and type(value) is type(self.stored[name]):
                continue  # also what a file has and nobody may type
            if refusal := refusal_of(name, value):
                self.add_error(name, forms.ValidationError(refusal))
            else:
                self.changed[name] = value
        return values

    @property
    def lacking(self) -> list[tuple[str, Word]]:
        """The known parameters that the preset does not have."""
        return [(name, PARAMETER_WORDS[name][0]) for name in PARAMETERS if name not in self.present]

    @property
    def levels(self) -> list[tuple[Any, Word]]:
        """The choices of merging, each with what it does."""
        helps = {name: help_text for name, (_word, help_text) in LEVELS.items()}
        return [(radio, helps.get(str(radio.data["value"]), "")) for radio in self["squash"]]

    @property
    def ways(self) -> list[tuple[Any, Word]]:
        """The choices of tools, each with what it does."""
        helps = {name: help_text for name, (_word, help_text) in TOOL_WAYS.items()}
        return [(radio, helps[str(radio.data["value"])]) for radio in self["tool_mode"]]

    def rows(self, generation: Generation) -> list[tuple[str, Any, list[Taken], bool]]:
        """Each parameter: its name, its field, who takes it as it is stored, whether its value unsets it."""
        return [
            (name, self[name], taken_by(name, generation), NOT_SET.get(name) == getattr(generation, name))
            for name in self.present
        ]


def taken_by(name: str, generation: Generation) -> list[Taken]:
    """What each kind of endpoint does with a parameter; nothing for what no endpoint is ever told."""
    if name in NEVER_SENT or getattr(generation, name) is None:
        return []
    return [_taken(name, kind, parameters_for(generation, kind)) for kind in ENDPOINT_KINDS]


def _taken(name: str, kind: EndpointKind, found: Parameters) -> Taken:
    if name in found.moved:
        return Taken(ENDPOINTS[kind], found.moved[name], found.taken[name])
    if name in found.unusable:
        return Taken(ENDPOINTS[kind], "unusable")
    takes = name in WIRE_NAMES[kind] or (name, kind) == ("stream", "google")
    return Taken(ENDPOINTS[kind], "taken" if takes else "ignored")


def refusal_of(name: str, value: Any) -> str:
    """Why a person cannot give a parameter this value; empty where they can."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return ""
    limits = RANGES[name]
    if abs(value) > LARGEST and name != "seed":
        return str(_("Write a number."))
    if is_in_range(name, value):
        return ""
    args = {"least": localize(limits.least), "most": localize(limits.most)}
    if limits.most == MOST_TOKENS:
        return translated("Write a whole number, %(least)s or more.") % args
    if limits.whole:
        return translated("Write a whole number from %(least)s to %(most)s.") % args
    return translated("Write a number from %(least)s to %(most)s.") % args


def shown(name: str, value: Any) -> Any:
    """A stored value as its field shows it."""
    if name in SWITCH_PARAMETERS:
        return {said: word for word, said in _TRI.items()}[value]
    return value


def _as_stored(name: str, value: Any) -> Any:
    if name in SWITCH_PARAMETERS:
        return _TRI[value]
    return None if value == "" else value


def _field(name: str) -> forms.Field:
    label, help_text = PARAMETER_WORDS[name]
    if name in SWITCH_PARAMETERS:
        return forms.ChoiceField(label=label, help_text=help_text, choices=EITHER, required=False)
    if name in TEXT_PARAMETERS:
        widget = forms.TextInput(attrs={"class": "short", "autocomplete": "off"})
        return forms.CharField(
            label=label, help_text=help_text, required=False, max_length=LONGEST_NAME, widget=widget
        )
    return NumberField(label=label, help_text=help_text, required=False, widget=forms.TextInput(attrs=_SHORT))
