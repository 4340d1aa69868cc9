"""What an entry's fields are called and what they say, in words: for comparing, decorators, what is kept."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, pgettext

from formats.lorebook.decorators import Decorator
from formats.lorebook.model import Entry
from formats.lorebook.simulator.rules import decorated
from formats.lorebook.writer import extension_fields, sillytavern_fields
from lorebooks.entry_form import FLAGS, NUMBERS, ROLES, SECOND, WAYS, EntryForm
from lorebooks.pipeline.entry_facts import storable
from lorebooks.words import POSITIONS
from portal.say import sentence

LABELS: Final[Mapping[str, str | Promise]] = {
    **{name: field.label or name for name, field in EntryForm.base_fields.items()},
    **{name: label for name, (label, _help) in NUMBERS.items()},
    **FLAGS,
    "selective": gettext_lazy("Second keys count"),
    "selective_logic": gettext_lazy("Second keys"),
    "automation_id": gettext_lazy("Automation id"),
    "description": gettext_lazy("Description"),
    "token_budget": gettext_lazy("Token budget"),
    "recursive_scanning": gettext_lazy("Recursion"),
}
_CHOICES: Final[Mapping[str, Mapping[str, str | Promise]]] = {
    "strategy": dict(WAYS),
    "selective_logic": dict(SECOND),
    "role": dict(ROLES),
    "position": {str(name): word for name, word in POSITIONS.items()},
}
LONGEST: Final = 400
MOST_KEPT: Final = 40
# What other programs keep with every entry and nobody would look for.
_NOISE: Final = frozenset({"addMemo", "characterFilter", "character_filter", "extensions"})

MOST_SAID: Final = 5
_USUAL: Final[Mapping[str, Any]] = {
    "secondary_keys": [],
    "match_whole_words": None,
    "case_sensitive": None,
    "scan_depth": None,
    "probability": 100,
    "delay": None,
    "sticky": None,
    "cooldown": None,
    "exclude_recursion": False,
    "prevent_recursion": False,
    "delay_until_recursion": False,
    "group": "",
    "triggers": [],
    "character_names": [],
    "character_tags": [],
}
DECORATORS: Final[Mapping[str, str]] = {
    "activate": gettext_noop("It always comes in, whatever its keys are."),
    "dont_activate": gettext_noop("Its keys do not bring it in."),
    "activate_only_after": gettext_noop("Only after {value} answers."),
    "activate_only_every": gettext_noop("Only with every answer number {value}."),
    "keep_activate_after_match": gettext_noop("Once it came, it stays."),
    "dont_activate_after_match": gettext_noop("Once it came, it does not come again."),
    "depth": gettext_noop("It goes between the messages, {value} before the end."),
    "role": gettext_noop("As a message it has the role “{value}”."),
    "scan_depth": gettext_noop("The last {value} messages are searched for its keys."),
    "is_greeting": gettext_noop("Only with the opening number {value}, counted from 0."),
    "position": gettext_noop("Its place is “{value}”."),
    "ignore_on_max_context": gettext_noop("Where the budget is short, it is the first to stay out."),
    "additional_keys": gettext_noop("One of these must appear too: {value}."),
    "exclude_keys": gettext_noop("None of these may appear: {value}."),
}
AT_THE_END: Final = gettext_noop("It goes after the last message.")


@dataclass(frozen=True, slots=True)
class Told:
    """A name as it stands in the file, and what it means here; empty where it means nothing."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class DecoratorsTold:
    """What the lines before a text say: those carried out, and the names of those that are not."""

    told: tuple[Told, ...]
    ignored: tuple[str, ...]


def label_of(name: str) -> str:
    """What a field is called on pages; a name of the file that nobody here knows stays as it is."""
    return str(LABELS.get(name, name))


def value_words(name: str, value: Any) -> str:
    """What a field says, short enough to be read at a glance."""
    if value is None or value in ("", []):
        return "—"
    if isinstance(value, bool):
        return pgettext("setting of an entry", "Yes") if value else pgettext("setting of an entry", "No")
    if name in _CHOICES:
        return str(_CHOICES[name].get(str(value), value))
    if isinstance(value, list | tuple) and all(isinstance(word, str) for word in value):
        return _short(" · ".join(value))
    return _short(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def when_said(fields: Mapping[str, Any]) -> list[str]:
    """What an entry says about *when* beyond the usual, at a glance."""
    said = [
        f"{label_of(name)}: {value_words(name, fields[name])}"
        for name, usual in _USUAL.items()
        if fields[name] != usual and not (name == "probability" and not fields["use_probability"])
    ]
    return said[:MOST_SAID] + (["…"] if len(said) > MOST_SAID else [])


def where_said(fields: Mapping[str, Any]) -> list[str]:
    """The place of an entry, its depth or outlet, and its order."""
    said = [value_words("position", fields["position"])]
    if fields["position"] == "at_depth":
        said.append(f"{label_of('depth')}: {value_words('depth', fields['depth'])}")
    if fields["position"] == "outlet":
        said.append(value_words("outlet_name", fields["outlet_name"]))
    return [
        *said,
        f"{label_of('insertion_order')}: {value_words('insertion_order', fields['insertion_order'])}",
    ]


def decorators_told(content: str) -> DecoratorsTold:
    """The decorators of a text in words."""
    found = decorated(content)
    return DecoratorsTold(
        tuple(_told(decorator) for decorator in found.decorators),
        tuple(dict.fromkeys(storable(name) for name in found.ignored)),
    )


def kept_fields(entry: Entry) -> list[Told]:
    """What the file says of an entry that has no place in its form, and stays as it is."""
    own = sillytavern_fields(entry).keys() | _NOISE
    said = extension_fields(entry).keys()
    found = {name: value for name, value in entry.source.raw.items() if name not in own}
    found |= {f"extensions.{name}": value for name, value in entry.extensions.items() if name not in said}
    if entry.automation_id:
        found["automationId"] = entry.automation_id
    return [
        Told(storable(name)[:80], _short(json.dumps(value, ensure_ascii=False)))
        for name, value in list(found.items())[:MOST_KEPT]
    ]


def _told(decorator: Decorator) -> Told:
    values = ", ".join(decorator.values)
    said = DECORATORS[decorator.name]
    if decorator.name == "depth" and int(values) < 1:
        said = AT_THE_END
    text = sentence(said, {"value": storable(values)})
    return Told(f"@@{decorator.name}" + (f" {storable(values)}" if values else ""), text)


def _short(text: str) -> str:
    text = storable(text)
    return text if len(text) <= LONGEST else _("%(text)s … and more") % {"text": text[:LONGEST]}
