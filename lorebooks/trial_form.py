"""The form of the match tester: four fields that everybody needs, the rest folded by what it is about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.forms.boundfield import BoundField
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy, pgettext, pgettext_lazy

from formats.lorebook.model import BookSettings
from formats.lorebook.simulator import ScanSettings
from lorebooks.entry_form import TRIGGERS
from lorebooks.forms import MOST_DEPTH, OFF, ON, UNSAID
from lorebooks.models import Lorebook
from lorebooks.pipeline.trial import MOST_BESIDE, MOST_BOOKS, MOST_CHARACTERS, MOST_NUMBER, Trial
from worlds.library.choices import told_apart
from worlds.library.pages.forms import plain_lines

RECURSION: Final = [
    (ON, pgettext_lazy("recursion", "On")),
    (OFF, pgettext_lazy("recursion", "Off")),
]
_OF_BOOK: Final = {True: _("As the book says (on)"), False: _("As the book says (off)")}
_RECURSION: Final = {UNSAID: None, ON: True, OFF: False}
FIRST: Final = ("budget_tokens", "scan_depth", "recursion", "dice")
GROUPS: Final[tuple[tuple[str, Promise, tuple[str, ...]], ...]] = (
    (
        "moment",
        _("Who and when"),
        ("char", "tags", "user", "trigger", "chat_length", "replies", "greeting"),
    ),
    (
        "beside",
        _("Texts beside the story"),
        (
            "persona_description",
            "character_description",
            "character_personality",
            "character_depth_prompt",
            "scenario",
            "creator_notes",
        ),
    ),
    (
        "rules",
        _("How it is searched"),
        (
            "case_sensitive",
            "whole_words",
            "include_names",
            "group_scoring",
            "max_steps",
            "min_activations",
            "max_depth",
        ),
    ),
    ("share", _("Budget as a share of the context"), ("context_size", "budget_percent", "budget_cap")),
    ("further", _("Together with other lorebooks"), ("books",)),
)
NO_LIMIT: Final = frozenset({"max_steps", "min_activations", "max_depth", "budget_cap"})
"""Numbers of which 0 is none, and is shown as an empty field."""

_DEFAULTS: Final = Trial().model_dump()


def _number(label: Any, help_text: Any = "", *, least: int = 0, most: int = MOST_NUMBER) -> Any:
    return forms.IntegerField(
        label=label, help_text=help_text, required=False, min_value=least, max_value=most
    )


def _line(label: Any, help_text: Any = "", most: int = 200) -> Any:
    return forms.CharField(label=label, help_text=help_text, required=False, max_length=most)


def _flag(label: Any, help_text: Any = "") -> Any:
    return forms.BooleanField(label=label, help_text=help_text, required=False)


def _beside(label: Any) -> Any:
    widget = forms.Textarea(attrs={"rows": 2})
    return forms.CharField(label=label, required=False, max_length=MOST_BESIDE, widget=widget)


@dataclass(frozen=True, slots=True)
class Group:
    """Fields that are folded together; `said` counts those that are not as they are by default."""

    id: str
    label: Promise
    fields: tuple[BoundField, ...]
    said: int


class TrialForm(forms.Form):
    """What a person sets. An empty number: as the book says, else the portal."""

    text = forms.CharField(
        label=_("Paste a few lines of story"),
        required=False,
        strip=False,
        max_length=MOST_CHARACTERS,
        widget=forms.Textarea(attrs={"rows": 9}),
        help_text=_(
            "A blank line begins a new message; the newest comes last. If your messages have blank lines "
            "in them, put a line of three dashes (---) between messages."
        ),
    )
    budget_tokens = _number(_("Budget"))
    scan_depth = _number(_("Scan depth"), most=MOST_DEPTH)
    recursion = forms.ChoiceField(label=_("Recursion"), choices=RECURSION, required=False)
    dice = _number(_("Dice"), most=9999)

    char = _line(_("The character"), _("For entries that are meant for some characters only, and {{char}}."))
    tags = _line(_("Tags of the character"), _("Several are separated by commas."), most=5000)
    user = _line(_("The player"), _("The name for {{user}}; messages with this name are the player's."))
    trigger = forms.ChoiceField(label=_("What the text is made for"), choices=TRIGGERS, required=False)
    chat_length = _number(
        _("Messages in the story"), _("For entries that wait so long. Empty: those pasted above.")
    )
    replies = _number(
        _("Of these the assistant's"),
        _("Empty: by their names; without names every second, the first included."),
    )
    greeting = _number(_("The opening in use"), _("1 is the first."), least=1, most=1000)

    persona_description = _beside(_("Description of the player's persona"))
    character_description = _beside(_("Description of the character"))
    character_personality = _beside(_("Personality of the character"))
    character_depth_prompt = _beside(_("The character's note between the messages"))
    scenario = _beside(_("Scenario"))
    creator_notes = _beside(_("Notes of the card's creator"))

    case_sensitive = _flag(_("Capital letters matter"), _("Where an entry does not say."))
    whole_words = _flag(_("Whole words only"), _("Where an entry does not say. No effect on Chinese."))
    include_names = _flag(_("The name before a message is searched too"))
    group_scoring = _flag(_("In a group, the most keys found win"), _("Where an entry does not say."))
    max_steps = _number(_("Steps at most"), _("1: no recursion. Empty: no limit."))
    min_activations = _number(
        _("Entries at least"), _("Until so many are in, older messages are read as well. Empty: not.")
    )
    max_depth = _number(_("For that, messages back at most"), _("Empty: all."), most=MOST_DEPTH)

    context_size = _number(_("Tokens of the context"), _("Empty: no share is reckoned."))
    budget_percent = _number(_("Percent of it for entries"), least=1, most=100)
    budget_cap = _number(_("But at most"), _("In tokens. Empty: no limit."))

    books = forms.MultipleChoiceField(
        label=_("Scanned with this one"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Entries of one book can wake those of another, and they share the budget."),
    )

    def __init__(self, data: Any, trial: Trial, own: BookSettings, books: Iterable[Lorebook]) -> None:
        said = trial.model_dump()
        shown = {name: None if value == 0 and name in NO_LIMIT else value for name, value in said.items()}
        recursion = next(word for word, value in _RECURSION.items() if value == trial.recursion)
        super().__init__(data, initial={**shown, "recursion": recursion, "tags": ", ".join(trial.tags)})
        self.trial = trial
        # A browser would cut a long text at its end, where the newest message is; the page says it instead.
        self.fields["text"].widget.attrs.pop("maxlength")
        choices, turns = self.fields["books"], self.fields["recursion"]
        assert isinstance(choices, forms.MultipleChoiceField)
        assert isinstance(turns, forms.ChoiceField)
        choices.choices = [(book.pk, label) for book, label in told_apart(books)]
        turns.choices = [(UNSAID, _OF_BOOK[ScanSettings().recursion_of(own)]), *RECURSION]
        self.fields["scan_depth"].widget.attrs["placeholder"] = ScanSettings().depth_of(own)
        limit = own.token_budget
        self.fields["budget_tokens"].widget.attrs["placeholder"] = (
            pgettext("budget", "none") if limit is None else int(limit)
        )

    def clean_text(self) -> str:
        return plain_lines(self.cleaned_data["text"])

    def clean_recursion(self) -> bool | None:
        return _RECURSION[self.cleaned_data["recursion"]]

    def clean_tags(self) -> tuple[str, ...]:
        tags = self.cleaned_data["tags"].replace("，", ",").replace("、", ",").split(",")
        return tuple(dict.fromkeys(tag.strip()[:200] for tag in tags if tag.strip()))[:60]

    def clean_books(self) -> tuple[str, ...]:
        books = tuple(self.cleaned_data["books"])
        if len(books) > MOST_BOOKS:
            raise forms.ValidationError(
                ngettext_lazy("At most %(n)s book.", "At most %(n)s books.", "n"), params={"n": MOST_BOOKS}
            )
        return books

    def made(self) -> Trial:
        """The trial of a valid form; a field left empty is as by default."""
        said = {name: value for name, value in self.cleaned_data.items() if value not in (None, "")}
        return Trial.model_validate(said)

    def first(self) -> Iterator[BoundField]:
        """The fields beside the text."""
        return (self[name] for name in FIRST)

    def groups(self) -> list[Group]:
        """The folded fields; those about other books only where there are any."""
        books = self.fields["books"]
        assert isinstance(books, forms.MultipleChoiceField)
        return [
            Group(name, label, tuple(self[field] for field in fields), self._said(fields))
            for name, label, fields in GROUPS
            if books.choices or name != "further"
        ]

    def any_said(self) -> bool:
        """Whether something is set in a fold."""
        return any(group.said for group in self.groups())

    def _said(self, fields: Iterable[str]) -> int:
        return sum(getattr(self.trial, field) != _DEFAULTS[field] for field in fields)
