"""Forms about model endpoints: one, what each is used for, the host's rules, the first run's step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from formats.errors import DomainError
from portal.endpoints.fields import ABILITIES, EndpointFields
from portal.endpoints.queries import PURPOSES
from portal.endpoints.services import BY_CODE, COMPATIBLE, SERVICES, fitting_address, service_of
from portal.endpoints.told import ABILITY_NAMES
from portal.models import ModelEndpoint
from portal.say import hinted, said

SERVICE_CHOICES = [
    (service.code, _("OpenAI, or compatible with it") if service is COMPATIBLE else service.label)
    for service in SERVICES
]

NUMBERS = ("context_length", "currency", "price_input", "price_cached", "price_output")


def _price(label: Any) -> forms.DecimalField:
    return forms.DecimalField(label=label, min_value=0, max_digits=14, decimal_places=6, required=False)


def tell(form: forms.Form, refusal: DomainError) -> None:
    """Put a refusal beside the field it is about."""
    where = refusal.where if refusal.where in form.fields else None
    words = [said(refusal), hinted(refusal)]
    if refusal.code == "model.not-allowed" and "list_address" in form.fields:
        words.append(str(_("You are the host: the box below the address lists it.")))
    form.add_error(where, " ".join(filter(None, words)))


class EndpointForm(forms.Form):
    """One endpoint. The key is written here and never shown: empty, the stored one stays."""

    service = forms.ChoiceField(
        label=_("Service"),
        choices=SERVICE_CHOICES,
        help_text=_("It fills in the address. Most services that are not listed speak OpenAI's protocol."),
    )
    name = forms.CharField(
        label=pgettext_lazy("endpoint", "Name"), max_length=60, required=False, help_text=_("For your lists.")
    )
    base_url = forms.CharField(
        label=_("Address"),
        max_length=500,
        required=False,
        help_text=_("Mostly it ends in /v1. Empty: the address of the service."),
        widget=forms.URLInput(
            attrs={"list": "addresses", "autocomplete": "off", "spellcheck": "false", "inputmode": "url"}
        ),
    )
    list_address = forms.BooleanField(
        label=_("Models on this machine or in its network may be spoken to at this address"),
        required=False,
        help_text=_("It is listed under Manage, Models: every member can then speak to what answers there."),
    )
    key = forms.CharField(
        label=pgettext_lazy("endpoint", "Key"),
        max_length=500,
        required=False,
        strip=True,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password", "spellcheck": "false"}),
    )
    forget_key = forms.BooleanField(label=_("Forget the stored key"), required=False)
    model = forms.CharField(
        label=_("Model"),
        max_length=200,
        required=False,
        help_text=_("Choose from the list once the endpoint was tested, or write the name."),
        widget=forms.TextInput(attrs={"list": "models", "autocomplete": "off", "spellcheck": "false"}),
    )
    context_length = forms.IntegerField(
        label=_("Context length in tokens"),
        min_value=1,
        required=False,
        help_text=_("Empty: as the service's list says, where it does."),
    )
    price_input = _price(_("Price of a million tokens in"))
    price_cached = _price(_("… of those, cached"))
    price_output = _price(_("Price of a million tokens out"))
    currency = forms.CharField(label=_("Currency"), max_length=3, required=False, initial="USD")
    strong = forms.BooleanField(
        label=_("A strong model"),
        required=False,
        help_text=_("It takes several questions in one request well. Leave it off for small local models."),
    )
    everyone = forms.BooleanField(
        label=_("Everyone on this server may use it"),
        required=False,
        help_text=_("You pay for their calls. Nobody but you sees or changes the key."),
    )

    SAME = (
        "service",
        "base_url",
        "list_address",
        "key",
        "forget_key",
    )  # what the environment says of its endpoint

    def __init__(self, data: Any = None, *, endpoint: ModelEndpoint | None, host: bool) -> None:
        super().__init__(data, initial=_initial(endpoint))
        for name in ABILITIES:
            self.fields[f"can_{name}"] = _ability_field(name, endpoint)
        if endpoint is None or not endpoint.sealed_key:
            del self.fields["forget_key"]
        if endpoint is not None and endpoint.is_from_environment:
            for name in (*self.SAME, "everyone"):
                self.fields.pop(name, None)
        if not host:
            for name in ("everyone", "list_address"):
                self.fields.pop(name, None)

    def clean_currency(self) -> str:
        text: str = self.cleaned_data["currency"]
        return text.strip().upper() or "USD"

    def said(self) -> EndpointFields:
        """What the form says of the endpoint, once it is valid."""
        values = self.cleaned_data
        service = BY_CODE.get(values.get("service", ""), COMPATIBLE)
        by_hand = {name: values[f"can_{name}"] for name in ABILITIES if values[f"can_{name}"]}
        return EndpointFields(
            name=values["name"] or values["model"][:60] or service.label,
            kind=service.kind,
            base_url=fitting_address(service, values.get("base_url", "")),
            model=values["model"],
            context_length=values["context_length"],
            price_input=values["price_input"],
            price_output=values["price_output"],
            price_cached=values["price_cached"],
            currency=values["currency"],
            abilities={name: said == "yes" for name, said in by_hand.items()},
            strong=values["strong"],
        )

    def key_said(self) -> str | None:
        """The key as `save_endpoint` takes it: None leaves the stored one."""
        if self.cleaned_data.get("key"):
            return cast(str, self.cleaned_data["key"])
        return "" if self.cleaned_data.get("forget_key") else None

    def first_fields(self) -> list[forms.BoundField]:
        """What is asked of everybody."""
        names = ("service", "name", "base_url", "list_address", "key", "forget_key", "model", "everyone")
        return [self[name] for name in names if name in self.fields]

    def number_fields(self) -> list[forms.BoundField]:
        """Context length and prices."""
        return [self[name] for name in NUMBERS]

    def numbers_wrong(self) -> bool:
        """Whether one of them has to be corrected, so that their fold must be open."""
        return any(name in self.errors for name in NUMBERS)

    def abilities_wrong(self) -> bool:
        """The same of what it can do."""
        return any(field.errors for field in self.ability_fields())

    def ability_fields(self) -> list[forms.BoundField]:
        """What it can do, by hand."""
        return [*(self[f"can_{name}"] for name in ABILITY_NAMES), self["strong"]]


class UseForm(forms.Form):
    """Which endpoint each purpose uses; "" is the default of all of them."""

    def __init__(
        self, data: Any = None, *, endpoints: Sequence[ModelEndpoint], same: str, chosen: dict[str, str]
    ) -> None:
        initial = {f"use_{purpose}": chosen.get(purpose, "") for purpose in ("", *PURPOSES)}
        super().__init__(data, initial=initial)
        rows = [(row.pk, row.name) for row in endpoints]
        for purpose in ("", *PURPOSES):
            first = _("Same as default") if purpose else same
            self.fields[f"use_{purpose}"] = forms.ChoiceField(
                label=purpose.label if purpose else _("Default"),  # type: ignore[attr-defined]
                choices=[("", first), *rows],
                required=False,
            )

    def chosen(self) -> dict[str, str]:
        """Purpose to endpoint id; empty for none."""
        return {name.removeprefix("use_"): value for name, value in self.cleaned_data.items()}


class ModelRulesForm(forms.Form):
    """What the host decides about models on this server."""

    members_add = forms.BooleanField(
        label=_("Members may add endpoints of their own"),
        required=False,
        help_text=_("Where they may not, they use those that are open to everyone. What they added stays."),
    )
    model_addresses = forms.CharField(
        label=_("Addresses of this machine or its network that models may be at"),
        required=False,
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}),
        help_text=_(
            "One a line, such as http://127.0.0.1:11434. Every member can then speak to what answers there;"
            " nothing else of a private network is ever spoken to."
        ),
    )


class FirstModelForm(forms.Form):
    """The first run's third step: a model, or none."""

    use_model = forms.ChoiceField(
        label=_("How to begin"),
        choices=[("no", _("Skip, I'll import without a model")), ("yes", _("Use this model endpoint"))],
        initial="no",
        required=False,
        widget=forms.RadioSelect,
        help_text=_("Cards become worlds without one. You can add one at any time under Settings, Models."),
    )
    service = forms.ChoiceField(label=_("Service"), choices=SERVICE_CHOICES, required=False)
    base_url = EndpointForm.base_fields["base_url"]
    list_address = forms.BooleanField(
        label=EndpointForm.base_fields["list_address"].label,
        help_text=_(
            "Such as that of Ollama or llama.cpp. Every account here can then speak to what answers there."
        ),
        initial=True,  # whoever makes the first account is the host
        required=False,
    )
    key = EndpointForm.base_fields["key"]
    model = EndpointForm.base_fields["model"]

    def clean(self) -> dict[str, Any]:
        """What was written is not thrown away without a word."""
        values = super().clean() or self.cleaned_data
        written = any(values.get(name) for name in ("base_url", "key", "model"))
        if written and values.get("use_model") != "yes":
            text = _("An endpoint is written below. Choose to use it, or empty its fields.")
            self.add_error("use_model", text)
        return values

    def wanted(self) -> bool:
        """Whether an endpoint is to be made."""
        return bool(self.cleaned_data["use_model"] == "yes")

    def said(self) -> EndpointFields:
        """What the form says of the endpoint, once it is valid."""
        values = self.cleaned_data
        service = BY_CODE.get(values["service"], COMPATIBLE)
        return EndpointFields(
            name=values["model"][:60] or service.label,
            kind=service.kind,
            base_url=fitting_address(service, values["base_url"]),
            model=values["model"],
        )


def _ability_field(name: str, endpoint: ModelEndpoint | None) -> forms.ChoiceField:
    found = None if endpoint is None else endpoint.abilities_found.get(name)
    words = {
        True: pgettext_lazy("ability", "As found: yes"),
        False: pgettext_lazy("ability", "As found: no"),
        None: pgettext_lazy("ability", "As a test finds"),
    }
    by_hand = [("yes", pgettext_lazy("ability", "Yes")), ("no", pgettext_lazy("ability", "No"))]
    return forms.ChoiceField(
        label=ABILITY_NAMES[name], choices=[("", words[found]), *by_hand], required=False
    )


def _initial(endpoint: ModelEndpoint | None) -> dict[str, Any]:
    """The form's first values; never the key."""
    if endpoint is None:
        return {}
    names = ("name", "base_url", "model", "context_length", "currency", "strong")
    values = {name: getattr(endpoint, name) for name in names}
    for name in ("price_input", "price_output", "price_cached"):
        price = getattr(endpoint, name)
        values[name] = None if price is None else f"{price.normalize():f}"
    values |= {f"can_{name}": "yes" if on else "no" for name, on in endpoint.abilities_set.items()}
    return values | {
        "service": service_of(endpoint.kind, endpoint.base_url).code,
        "everyone": endpoint.for_everyone,
    }
