"""The plain forms of the worlds app. Forms of documents are made from their models (`document_form`)."""

from __future__ import annotations

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _


class NewWorldForm(forms.Form):
    """A world from nothing."""

    name = forms.CharField(label=_("Name"), max_length=200)
    language = forms.ChoiceField(
        label=_("Language"), choices=settings.LANGUAGES, help_text=_("The language its texts are written in.")
    )
    description = forms.CharField(
        label=_("Description"),
        required=False,
        max_length=5000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("What kind of world it is, in a sentence or two."),
    )
    opening = forms.CharField(
        label=_("Opening"),
        required=False,
        max_length=50_000,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text=_("The first text of a story. You can write it later; until then the world is a draft."),
    )

    def clean_description(self) -> str:
        return _lines(self.cleaned_data["description"])

    def clean_opening(self) -> str:
        return _lines(self.cleaned_data["opening"])


class NameForm(forms.Form):
    """A new name for a world or its copy."""

    name = forms.CharField(label=_("Name"), max_length=200)


class SourceForm(forms.Form):
    """A document as text."""

    text = forms.CharField(
        label=_("Source"),
        strip=False,
        required=False,
        max_length=2_000_000,
        widget=forms.Textarea(attrs={"rows": 24, "class": "source", "spellcheck": "false"}),
    )

    def clean_text(self) -> str:
        return _lines(self.cleaned_data["text"])


class PromptForm(forms.Form):
    """A prompt of the world."""

    text = forms.CharField(
        label=_("Text"),
        strip=False,
        max_length=200_000,
        widget=forms.Textarea(attrs={"rows": 18}),
        help_text=_("Plain Markdown. The narrator reads it every turn."),
    )

    def clean_text(self) -> str:
        return _lines(self.cleaned_data["text"])


class NewPromptForm(PromptForm):
    """A prompt that is not there yet: which one, then its text."""

    key = forms.ChoiceField(label=_("Which prompt"))

    def __init__(self, choices: list[tuple[str, str]], *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        field = self.fields["key"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices
        self.order_fields(["key", "text"])


class AltForm(forms.Form):
    """The words that stand for a picture."""

    alt = forms.CharField(label=_("What it shows"), required=False, max_length=500)


class PicturesForm(forms.Form):
    """Pictures to add. Sizes are checked again by the library."""

    pictures = forms.FileField(label=_("Pictures"), widget=forms.FileInput)


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
