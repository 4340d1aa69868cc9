"""Form fields for single values of a document: JSON value → what is typed → JSON value.

Each field gives back the stored value untouched when what was typed means the same, so that saving a form
changes only what a person changed (line ends, `5.0` beside `5`, text that looks like a number).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Protocol

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop
from pydantic.fields import FieldInfo

from formats.stable_json import read_json
from portal.say import sentence
from worlds.rules.documents import trait
from worlds.words import choice_word

# Beyond this many, a list of checkboxes or options is no help: a field with suggestions takes its place.
MANY = 60


class References(Protocol):
    """What ids of a world a form may offer."""

    def options(self, kinds: str) -> Sequence[tuple[str, str]]:
        """(id, title) of every element of the kinds, joined by `|` as in `ref:character|faction`."""

    def pictures(self) -> Sequence[tuple[str, str]]:
        """(path, what it is called) of every picture of the world."""


def plain(text: str) -> str:
    """A text area's line ends as files have them."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def one_line(text: str) -> str:
    """A text as a field of one line gives it back: without line ends and outer spaces."""
    return plain(text).replace("\n", "").strip()


class TextField(forms.CharField):
    """One line, or many with `long`."""

    def __init__(self, *, long: bool = False, **kwargs: Any) -> None:
        widget = forms.Textarea(attrs={"rows": 4, "class": "grow"}) if long else forms.TextInput()
        super().__init__(widget=widget, strip=not long, **kwargs)

    def to_json(self, cleaned: str, stored: Any) -> Any:
        text = plain(cleaned)
        return stored if isinstance(stored, str) and self._as_typed(stored) == text else text

    def _as_typed(self, stored: str) -> str:
        """A stored text as a browser sends it back: one line has no line ends and no outer spaces."""
        return one_line(stored) if self.strip else plain(stored)


class OptionalTextField(TextField):
    """Text that may be missing altogether: empty is null."""

    def to_json(self, cleaned: str, stored: Any) -> Any:
        return super().to_json(cleaned, stored) if cleaned or stored is not None else None


class LinesField(forms.CharField):
    """A list of texts, one a line; empty lines are no entries."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(widget=forms.Textarea(attrs={"rows": 3, "class": "grow"}), strip=False, **kwargs)

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(str(line) for line in value) if isinstance(value, list) else value

    def to_json(self, cleaned: str, stored: Any) -> Any:
        lines = [line.strip() for line in plain(cleaned).split("\n") if line.strip()]
        same = (
            isinstance(stored, list) and [str(line).strip() for line in stored if str(line).strip()] == lines
        )
        return stored if same else lines


class NumberField(forms.CharField):
    """A whole or decimal number, or nothing."""

    default_error_messages = {"number": _("Write a number, such as 12 or 0.5.")}

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(widget=forms.TextInput(attrs={"inputmode": "decimal", "class": "short"}), **kwargs)

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        if not text:
            return None
        number = number_in(text)
        if number is None:
            raise forms.ValidationError(self.error_messages["number"], code="number")
        return number

    def to_json(self, cleaned: Any, stored: Any) -> Any:
        return stored if is_number(stored) and stored == cleaned else cleaned


class ValueField(forms.CharField):
    """True or false, a number, or text. Text that would be read as another kind is shown in quotes."""

    def prepare_value(self, value: Any) -> Any:
        if isinstance(value, str) and not self._typed:
            one_line = value and value == value.strip() and len(value.splitlines()) == 1
            plainly = one_line and value_in(value) == value
            return value if plainly else json.dumps(value, ensure_ascii=False)
        return value if isinstance(value, str) or value is None else json.dumps(value)

    def __init__(self, *, typed: bool = False, **kwargs: Any) -> None:
        # `typed`: what is shown again was typed by the person and is shown as it was.
        self._typed = typed
        super().__init__(widget=forms.TextInput(attrs={"class": "short"}), **kwargs)

    def to_json(self, cleaned: str, stored: Any) -> Any:
        return value_in(cleaned) if cleaned else None


class FlagField(forms.BooleanField):
    """True or false."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{**kwargs, "required": False})

    def to_json(self, cleaned: bool, stored: Any) -> Any:
        return bool(cleaned)


class PickField(forms.ChoiceField):
    """One of several codes or ids. A stored id that no longer exists stays choosable and says so."""

    def __init__(self, options: Sequence[tuple[str, str]], *, stored: Any, **kwargs: Any) -> None:
        choices = [("", "—"), *options]
        if isinstance(stored, str) and stored and stored not in dict(options):
            choices.append((stored, sentence(MISSING, {"id": stored})))
        super().__init__(choices=choices, **kwargs)

    def to_json(self, cleaned: str, stored: Any) -> Any:
        return cleaned or (stored if stored == "" else None)


class NameField(forms.CharField):
    """One id out of very many: typed, with suggestions. A title only one element has stands for its id."""

    def __init__(self, options: Sequence[tuple[str, str]], *, kinds: str, **kwargs: Any) -> None:
        self._ids = ids_by_name(options)
        self.suggestions = (list_name(kinds), options)
        super().__init__(widget=forms.TextInput(attrs={"list": list_name(kinds)}), **kwargs)

    def to_json(self, cleaned: str, stored: Any) -> Any:
        if isinstance(stored, str) and one_line(stored) == cleaned:
            return stored
        return self._ids.get(cleaned, cleaned) or None


class PickManyField(forms.MultipleChoiceField):
    """Several ids as checkboxes, the chosen ones first; order of the stored list is kept."""

    def __init__(self, options: Sequence[tuple[str, str]], *, stored: Sequence[str], **kwargs: Any) -> None:
        titles = dict(options)
        chosen = [(key, titles.get(key) or sentence(MISSING, {"id": key})) for key in dict.fromkeys(stored)]
        choices = [*chosen, *(option for option in options if option[0] not in dict(chosen))]
        # "Required" keeps the word "optional" off many lists in a row; none chosen is a fine answer.
        super().__init__(choices=choices, widget=forms.CheckboxSelectMultiple, **{**kwargs, "required": True})

    def validate(self, value: list[str]) -> None:
        for key in value:
            if not self.valid_value(key):
                raise forms.ValidationError(
                    self.error_messages["invalid_choice"], code="invalid_choice", params={"value": key}
                )

    def to_json(self, cleaned: list[str], stored: Any) -> Any:
        before = [key for key in stored or () if key in cleaned]
        return [*before, *(key for key in cleaned if key not in before)]


class NamesField(LinesField):
    """Several ids out of very many: one a line, by id or by title."""

    def __init__(self, options: Sequence[tuple[str, str]], **kwargs: Any) -> None:
        self._ids = ids_by_name(options)
        super().__init__(**kwargs)

    def to_json(self, cleaned: str, stored: Any) -> Any:
        return [self._ids.get(line, line) for line in super().to_json(cleaned, stored)]


MISSING = gettext_noop("{id} (is not there)")


def ids_by_name(options: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Titles that belong to one id only, to that id."""
    found: dict[str, str] = {}
    twice = set()
    for key, title in options:
        if title in found:
            twice.add(title)
        found[title] = key
    ids = {key for key, _title in options}
    return {title: key for title, key in found.items() if title not in twice and title not in ids}


def list_name(kinds: str) -> str:
    """The HTML id of the suggestions for some kinds."""
    return "names-" + kinds.replace("|", "-").replace("@", "")


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def number_in(text: str) -> int | float | None:
    """The JSON number a text writes, or None."""
    try:
        value = read_json(text)
    except ValueError:
        return None
    return value if is_number(value) else None


def value_in(text: str) -> bool | int | float | str:
    """What a typed value means: true, false, a number, text in quotes, else text as it stands."""
    try:
        value = read_json(text)
    except ValueError:
        return text
    return value if isinstance(value, bool | int | float | str) else text


def leaf_for(
    field: FieldInfo,
    *,
    stored: Any,
    many: bool,
    optional: bool,
    choices: Sequence[str],
    references: References,
    typed: bool,
) -> forms.Field:
    """The form field of one model field that is not a nested part, chosen by its `widget`."""
    widget = str(trait(field, "widget") or "text")
    about: dict[str, Any] = {
        "label": sentence(field.title or "", {}),
        "help_text": sentence(field.description or "", {}),
        "required": False,
        "initial": stored,
    }
    if widget.startswith("ref:"):
        return _reference(widget.removeprefix("ref:"), stored, many, references, about)
    if widget == "image" or choices:
        words = [(value, choice_word(value)) for value in choices] or references.pictures()
        return PickField(words, stored=stored, **about)
    if widget == "lines" or many:
        return LinesField(**about)
    plainly: dict[str, Callable[..., forms.Field]] = {
        "value": partial(ValueField, typed=typed),
        "number": NumberField,
        "flag": FlagField,
        "long": partial(OptionalTextField if optional else TextField, long=True),
    }
    return plainly.get(widget, OptionalTextField if optional else TextField)(**about)


def _reference(
    kinds: str, stored: Any, many: bool, references: References, about: dict[str, Any]
) -> forms.Field:
    if kinds == "@scope":  # a variable is kept for elements of the kind its scope names
        kinds = "character|location|item"
    options = references.options(kinds)
    if many:
        keys = [str(key) for key in stored or ()]
        # An id with a line end (only ever made by hand) cannot stand on a line of its own.
        if len(options) > MANY and not any("\n" in plain(key) for key in keys):
            return NamesField(options, **about)
        return PickManyField(options, stored=keys, **about)
    if len(options) > MANY:
        return NameField(options, kinds=kinds, **about)
    return PickField(options, stored=stored, **about)
