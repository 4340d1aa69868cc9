"""The form of a trial run: the story, the turn and the rest that a preset is filled with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext as translated
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext

from formats.errors import DomainError
from formats.preset.model import SQUASHES, Squash
from portal.models import ModelEndpoint
from portal.say import hinted, said
from presets.pipeline.trial import TrialInputs
from presets.pipeline.typed_texts import inserts_of, story_of, typed_inserts, typed_story
from presets.trial_names import NO_CHARACTER, NO_PLAYER
from presets.trials import MOST_ENDPOINTS, Setup, state_named
from worlds.library.pages.forms import plain_lines

LONGEST_STORY: Final = 400_000
LONGEST_TEXTS: Final = 200_000
SMALLEST_CONTEXT: Final = 256
LARGEST_CONTEXT: Final = 20_000_000
POLICIES: Final = {
    "none": _("None: every prompt its own message"),
    "merge": _("Merge: neighbours of one role become one"),
    "semi": _("Semi: system messages go into their neighbours"),
    "strict": _("Strict: as semi, and the user speaks first"),
    "single-user-turn": _("Single user turn: one user message before the story, one after"),
}
"""The words for each level of squash."""
WHO: Final = ("char", "user", "persona")
WORLD: Final = ("world_before", "world_after", "post_turn")
INSERTS: Final = _("A line “=== Title” begins another text.")


def _texts(label: Any, help_text: Any, rows: int, most: int = LONGEST_TEXTS) -> Any:
    widget = forms.Textarea(attrs={"rows": rows})
    return forms.CharField(
        label=label, help_text=help_text, required=False, strip=False, max_length=most, widget=widget
    )


def _line(label: Any, help_text: Any, without: Any) -> Any:
    widget = forms.TextInput(attrs={"placeholder": without})
    return forms.CharField(label=label, help_text=help_text, required=False, max_length=300, widget=widget)


class TrialForm(forms.Form):
    """What a person sets; `made()` is the setup of a valid form."""

    state = forms.ChoiceField(label=_("State of the preset"), required=False)
    story = _texts(
        _("Story so far"),
        _("A heading for each turn: “## user” or “## assistant” (“## 用户”, “## 助手”), or a JSON list."),
        8,
        LONGEST_STORY,
    )
    current_turn = _texts(_("This turn"), _("What the player does now."), 2)
    char = _line(_("Character"), _("For {{char}}. Empty: “the character”."), NO_CHARACTER)
    user = _line(
        _("Player"), _("For {{user}}, and for [PLAYER] in texts of a world. Empty: “the player”."), NO_PLAYER
    )
    persona = _texts(_("Persona"), _("Who the player is, for the place of that name."), 2)
    world_before = _texts(_("World, before the story"), INSERTS, 3)
    world_after = _texts(_("World, after the story"), INSERTS, 2)
    post_turn = _texts(_("After this turn"), INSERTS, 2)
    policy = forms.ChoiceField(label=_("How messages are shaped"), required=False)
    context_length = forms.IntegerField(
        label=_("Context in tokens"),
        required=False,
        min_value=SMALLEST_CONTEXT,
        max_value=LARGEST_CONTEXT,
        help_text=_("Empty: that of the first endpoint, else the preset's."),
    )
    seed = forms.IntegerField(
        label=_("Dice"),
        required=False,
        min_value=0,
        max_value=2**31 - 1,
        help_text=_("The same number, the same rolls."),
    )
    endpoints = forms.MultipleChoiceField(
        label=_("Endpoints"), required=False, widget=forms.CheckboxSelectMultiple
    )

    def __init__(
        self,
        data: Any,
        setup: Setup,
        *,
        states: Sequence[tuple[str, str]],
        own_policy: Squash,
        endpoints: Sequence[ModelEndpoint],
    ) -> None:
        super().__init__(data, initial=_shown(setup))
        choices = {name: self.fields[name] for name in ("state", "policy", "endpoints")}
        for field in choices.values():
            assert isinstance(field, forms.ChoiceField)
        own = translated("As the preset says (%(name)s)") % {"name": own_policy}
        choices["state"].choices = states  # type: ignore[attr-defined]
        choices["policy"].choices = [("", own), *((name, POLICIES[name]) for name in SQUASHES)]  # type: ignore[attr-defined]
        choices["endpoints"].choices = [(str(row.pk), _named(row)) for row in endpoints]  # type: ignore[attr-defined]
        for name in ("story", "current_turn", *WHO, *WORLD):
            # A browser would cut a long text without a word; the page says it instead.
            self.fields[name].widget.attrs.pop("maxlength", None)

    def clean_endpoints(self) -> tuple[str, ...]:
        chosen = tuple(self.cleaned_data["endpoints"])
        if len(chosen) > MOST_ENDPOINTS:
            raise forms.ValidationError(translated("At most three endpoints answer side by side."))
        return chosen

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        for name in ("story", *WORLD):
            if name not in cleaned:
                continue
            text = plain_lines(cleaned[name])
            try:
                cleaned[name] = story_of(text) if name == "story" else inserts_of(text)
            except DomainError as error:
                self.add_error(name, " ".join(filter(None, (said(error), hinted(error)))))
        return cleaned

    def made(self) -> Setup:
        """The setup of a valid form."""
        given = self.cleaned_data
        inputs = TrialInputs(
            **given["story"],
            **{name: given[name] for name in WORLD},
            current_turn=plain_lines(given["current_turn"]),
            user=given["user"],
            char=given["char"],
            persona=plain_lines(given["persona"]),
            seed=given["seed"] or 0,
            policy=given["policy"] or None,
        )
        state = state_named(given["state"])
        return Setup(inputs, state, given["endpoints"], given["context_length"])

    def who(self) -> Iterator[BoundField]:
        """Who is who."""
        return (self[name] for name in WHO)

    def world(self) -> Iterator[BoundField]:
        """The texts of the world."""
        return (self[name] for name in WORLD)


def _shown(setup: Setup) -> dict[str, Any]:
    inputs = setup.inputs
    return {
        "state": str(setup.state),
        "story": typed_story(inputs),
        **{name: typed_inserts(getattr(inputs, name)) for name in WORLD},
        **{name: getattr(inputs, name) for name in ("current_turn", "user", "char", "persona", "seed")},
        "policy": inputs.policy or "",
        "context_length": setup.context_length,
        "endpoints": list(setup.endpoints),
    }


def _named(row: ModelEndpoint) -> str:
    model = row.model or pgettext("model endpoint", "no model chosen")
    return f"{row.name} · {model}"
