"""The portal's forms: signing in and up, the first run, look, account, people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allauth.account.forms import LoginForm, SignupForm
from allauth.account.utils import filter_users_by_email
from django import forms
from django.conf import settings
from django.contrib.auth.password_validation import password_validators_help_texts, validate_password
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from portal.invitations import redeem
from portal.models import Person, SiteSettings

NAME_HINT = _("Others see it. Letters of any script, digits, . _ -")

if TYPE_CHECKING:
    SiteModelForm = forms.ModelForm[SiteSettings]
    PersonModelForm = forms.ModelForm[Person]
else:  # Django's own class takes no type argument when it runs
    SiteModelForm = PersonModelForm = forms.ModelForm


def _bare(field: forms.Field, label: Any, hint: Any = "") -> None:
    """A label and a hint of our own, and no placeholder: it vanishes when one starts to type."""
    field.label, field.help_text = label, hint
    field.widget.attrs.pop("placeholder", None)


def _password_hint() -> str:
    return " ".join(password_validators_help_texts())


class SignInForm(LoginForm):  # type: ignore[misc]
    """Name or e-mail, and password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _bare(self.fields["login"], _("Name or e-mail"))
        self.fields["login"].widget.attrs["autocomplete"] = "username"
        _bare(self.fields["password"], _("Password"))


class SignUpForm(SignupForm):  # type: ignore[misc]
    """A new account; where people need an invitation, it uses one up."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _bare(self.fields["username"], pgettext_lazy("person", "Name"), NAME_HINT)
        _bare(self.fields["email"], _("E-mail (optional)"), _("Only to sign in with, never shown to others."))
        _bare(self.fields["password1"], _("Password"), _password_hint())

    def save(self, request: HttpRequest) -> Person:
        """Store the account and use up the invitation together, or neither.

        Raises:
            DomainError: `conflict`, the invitation is gone.
        """
        with transaction.atomic():
            person: Person = super().save(request)
            if SiteSettings.current().registration_mode == "invite":
                redeem(request.session, person)
        return person


class SiteForm(SiteModelForm):
    """What the host decides for the whole server."""

    class Meta:
        model = SiteSettings
        fields = ("name", "language", "registration")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        language, registration = self.fields["language"], self.fields["registration"]
        language.help_text = _("For visitors whose browser names no language we speak.")
        language.choices = settings.LANGUAGES  # type: ignore[attr-defined]
        registration.choices = SiteSettings.Registration.choices  # type: ignore[attr-defined]
        registration.required = True
        self.initial["registration"] = self.instance.registration_mode
        self.initial["language"] = self.instance.language or settings.LANGUAGE_CODE


class SetupForm(SiteForm):
    """The first run: the owner's name and password, then the site's settings."""

    username = Person._meta.get_field("username").formfield(label=_("Your name"))
    password = forms.CharField(
        label=_("Password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )
    field_order = ("username", "password", "name", "language", "registration")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _bare(self.fields["username"], _("Your name"), NAME_HINT)
        self.fields["username"].widget.attrs["autocomplete"] = "username"
        self.fields["password"].help_text = _password_hint()

    def clean_username(self) -> str:
        name: str = self.cleaned_data["username"]
        Person._meta.get_field("username").run_validators(name)
        return name

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        validate_password(password, Person(username=self.cleaned_data.get("username", "")))
        return password


class LookForm(PersonModelForm):
    """How the portal looks for one person."""

    class Meta:
        model = Person
        fields = ("language", "theme", "text_size", "reading_font", "reduce_motion", "shortcuts")
        widgets = {"theme": forms.RadioSelect, "reading_font": forms.RadioSelect}
        labels = {
            "language": _("Language"),
            "theme": _("Colours"),
            "text_size": _("Text size"),
            "reading_font": _("Letters of stories and card passages"),
            "reduce_motion": _("No moving parts"),
            "shortcuts": _("Keyboard shortcuts"),
        }
        help_texts = {"shortcuts": _("Press ? on any page to see them.")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        browser = ("", pgettext_lazy("language", "As my browser"))
        self.fields["language"].choices = [browser, *settings.LANGUAGES]  # type: ignore[attr-defined]


class EmailForm(forms.Form):
    """The address to sign in with. The password is asked, since whoever has the address can get in."""

    email = forms.EmailField(label=_("E-mail (optional)"), required=False)
    password = forms.CharField(
        label=_("Your current password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, *args: Any, person: Person, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.person = person
        self.fields["email"].widget.attrs["autocomplete"] = "email"

    def clean_email(self) -> str:
        address: str = self.cleaned_data["email"].lower()
        owners = filter_users_by_email(address) if address else []
        if any(owner.pk != self.person.pk for owner in owners):
            raise forms.ValidationError(_("This address belongs to an account already."))
        return address

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if not self.person.check_password(password):
            raise forms.ValidationError(_("This is not your current password."))
        return password


class InviteForm(forms.Form):
    """A note for the host's own list: whom the invitation is for."""

    note = forms.CharField(
        label=_("For whom"),
        max_length=120,
        required=False,
        help_text=_("Only you see it in this list."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
