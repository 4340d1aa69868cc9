"""Model endpoints of people, what each person uses them for, and every call that was made (D5)."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from llm.endpoint import Abilities, Prices
from portal.models.jobs import new_job_id

FROM_ENVIRONMENT = "environment"
# An endpoint that was never tested, and one whose list of models was never read.
UNTESTED: dict[str, Any] = {
    "steps": [],
    "test_outcome": "",
    "test_ms": None,
    "tested_at": None,
    "abilities_found": {},
}
UNLISTED: dict[str, Any] = {"listed": [], "listed_at": None}


class Purpose(models.TextChoices):
    """What a model is asked for. The first five can be given an endpoint of their own."""

    IMPORTING = "importing", pgettext_lazy("model purpose", "Importing cards")
    AUTHORING = "authoring", pgettext_lazy("model purpose", "Writing and editing worlds")
    DECIDING = "deciding", pgettext_lazy("model purpose", "Deciding (yes or no)")
    EMBEDDINGS = "embeddings", pgettext_lazy("model purpose", "Finding texts by meaning")
    STORY = "story", pgettext_lazy("model purpose", "Stories")
    TRIAL = "trial", pgettext_lazy("model purpose", "Trial runs of presets")
    TESTING = "testing", pgettext_lazy("model purpose", "Testing the endpoint")


class ModelEndpoint(models.Model):
    """One model at one address, belonging to one person.

    The key is kept encrypted and bound to kind and address (`portal.endpoints.keys`); nothing shows more of
    it than `key_hint`. The row with the id `environment` stands for the endpoint that LLM_BASE_URL names: it
    has no owner, and its key stays in the environment. Prices are for a million tokens, None where not known.
    `listed` holds the models that the service listed, `steps` the last test as `portal.endpoints.testing`
    writes it; both are what a service said, untrusted. `abilities_set` is what a person said, and wins over
    what a test found.
    """

    class Kind(models.TextChoices):
        OPENAI = "openai", pgettext_lazy("model protocol", "OpenAI-compatible")
        ANTHROPIC = "anthropic", pgettext_lazy("model protocol", "Anthropic")
        GOOGLE = "google", pgettext_lazy("model protocol", "Gemini")

    id = models.CharField(primary_key=True, max_length=32, default=new_job_id, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="endpoints"
    )
    name = models.CharField(max_length=60)
    kind = models.CharField(max_length=12, choices=Kind, default=Kind.OPENAI)
    base_url = models.CharField(max_length=500)
    sealed_key = models.TextField(blank=True, default="", editable=False)
    key_hint = models.CharField(max_length=20, blank=True, default="", editable=False)
    key_added_at = models.DateTimeField(null=True, blank=True, editable=False)
    model = models.CharField(max_length=200, blank=True, default="")
    context_length = models.PositiveIntegerField(null=True, blank=True)
    price_input = models.DecimalField(max_digits=14, decimal_places=6, null=True, blank=True)
    price_output = models.DecimalField(max_digits=14, decimal_places=6, null=True, blank=True)
    price_cached = models.DecimalField(max_digits=14, decimal_places=6, null=True, blank=True)
    currency = models.CharField(max_length=3, default="USD")
    abilities_found: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(
        default=dict, blank=True
    )
    abilities_set: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(
        default=dict, blank=True
    )
    strong = models.BooleanField(default=False)
    for_everyone = models.BooleanField(default=False)

    listed: models.JSONField[list[Any], list[Any]] = models.JSONField(default=list, blank=True)
    listed_at = models.DateTimeField(null=True, blank=True)
    steps: models.JSONField[list[Any], list[Any]] = models.JSONField(default=list, blank=True)
    test_outcome = models.CharField(max_length=20, blank=True, default="")  # an `llm.usage.Outcome`
    test_ms = models.PositiveIntegerField(null=True, blank=True)
    tested_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = (Lower("name"), "created_at")
        verbose_name = _("model endpoint")
        verbose_name_plural = _("model endpoints")

    def __str__(self) -> str:
        return self.name

    @property
    def is_from_environment(self) -> bool:
        return self.pk == FROM_ENVIRONMENT

    @property
    def prices(self) -> Prices:
        return Prices(self.price_input, self.price_output, self.price_cached, self.currency)

    @property
    def abilities(self) -> Abilities:
        """What was set by hand, else what was found, else None."""
        names = Abilities.__dataclass_fields__
        known = {**self.abilities_found, **self.abilities_set}
        return Abilities(**{name: known[name] for name in names if isinstance(known.get(name), bool)})


class ModelChoice(models.Model):
    """Which endpoint a person uses for a purpose; the empty purpose is the default for all of them."""

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="model_choices"
    )
    purpose = models.CharField(max_length=12, blank=True, default="")
    endpoint = models.ForeignKey(ModelEndpoint, on_delete=models.CASCADE, related_name="choices")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["person", "purpose"], name="one_model_a_purpose")]

    def __str__(self) -> str:
        return f"{self.person_id}: {self.purpose or 'default'} → {self.endpoint_id}"


class ModelCall(models.Model):
    """One call to a model, stored however it ended. Of what was said nothing is kept here.

    `owner` is who made it, whoever owns the endpoint. `about` names the item it was for (`preset:<id>`),
    `group` the trial run, story or import whose first call warms the service's cache for the later ones
    (PRE-19). Numbers of tokens are the service's own, None where it told none; `tokens_in` counts all that
    was sent, `tokens_cached` those of them that were cached. Times in seconds.
    """

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="model_calls")
    endpoint = models.ForeignKey(
        ModelEndpoint, null=True, blank=True, on_delete=models.SET_NULL, related_name="calls"
    )
    endpoint_name = models.CharField(max_length=60)
    model = models.CharField(max_length=200, blank=True, default="")
    purpose = models.CharField(max_length=12, choices=Purpose)
    about = models.CharField(max_length=200, blank=True, default="")
    group = models.CharField(max_length=64, blank=True, default="")
    outcome = models.CharField(max_length=20)  # an `llm.usage.Outcome`
    tokens_in = models.PositiveBigIntegerField(null=True, blank=True)
    tokens_cached = models.PositiveBigIntegerField(null=True, blank=True)
    tokens_out = models.PositiveBigIntegerField(null=True, blank=True)
    seconds = models.FloatField()
    first_seconds = models.FloatField(null=True, blank=True)
    cost: models.DecimalField[Decimal | None, Decimal | None] = models.DecimalField(
        max_digits=18, decimal_places=8, null=True, blank=True
    )
    currency = models.CharField(max_length=3, default="USD")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-at", "-id")
        verbose_name = _("model call")
        verbose_name_plural = _("model calls")
        indexes = [
            models.Index(fields=["owner", "-at"], name="call_owner_at"),
            models.Index(fields=["group", "at"], name="call_group_at"),
            models.Index(fields=["at"], name="call_at"),
            models.Index(fields=["group", "owner", "endpoint_name", "model", "at"], name="call_cache"),
        ]

    def __str__(self) -> str:
        return f"{self.endpoint_name} {self.purpose} ({self.outcome})"
