"""The index of presets: a row that describes a folder, so that lists and searches need no disk.

The folder is the truth; `presets.index` writes every column from it and `manage.py reindex` rebuilds all.
Versions have no rows: `item.json` lists them, and they are only ever looked at one preset at a time.
"""

from __future__ import annotations

from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from portal.models.jobs import new_job_id
from worlds.library.models import LibraryItem


class Preset(LibraryItem):
    """One preset: its numbers are those of its newest version; `has_draft`: edits wait beside it."""

    kind = "preset"
    shelf = "presets"

    form = models.CharField(_("form"), max_length=20, blank=True)  # whose file it was: ours, SillyTavern's
    model_hint = models.CharField(_("made for"), max_length=120, blank=True)
    tags: models.JSONField[Any, Any] = models.JSONField(_("tags"), default=list)
    prompts_total = models.PositiveIntegerField(_("prompts"), default=0)
    prompts_on = models.PositiveIntegerField(_("prompts that are on"), default=0)
    tokens_fixed = models.PositiveIntegerField(_("tokens of fixed text"), default=0)
    # The report in numbers: lines by what becomes of their prompt, and what works differently here.
    lines_sent = models.PositiveIntegerField(_("prompts that are sent"), default=0)
    lines_elsewhere = models.PositiveIntegerField(_("prompts sent elsewhere"), default=0)
    lines_not_sent = models.PositiveIntegerField(_("prompts that are not sent"), default=0)
    departures = models.PositiveIntegerField(_("what works differently here"), default=0)
    versions_count = models.PositiveIntegerField(_("versions"), default=0)
    has_draft = models.BooleanField(_("has a draft"), default=False)
    # Of the files that the numbers above were counted on.
    counted_etag = models.CharField(max_length=200, editable=False)

    class Meta:
        verbose_name = _("preset")
        verbose_name_plural = _("presets")
        ordering: ClassVar = ["-used_at", "id"]
        indexes: ClassVar = [
            models.Index(fields=["owner", "-used_at"]),
            models.Index(fields=["owner", "name_key"]),
        ]


class PresetUse(models.Model):
    """A world that plays with a preset. The truth is `world.json`, which may name one in a trash."""

    world = models.OneToOneField("worlds.World", on_delete=models.CASCADE, related_name="preset_use")
    preset_id = models.CharField(max_length=160, db_index=True)

    def __str__(self) -> str:
        return f"{self.world_id} ← {self.preset_id}"


class TrialSetup(models.Model):
    """What a person has set on the trial page of a preset: it is there again whenever the page is opened.

    `state` is `draft` or the number of a version, `inputs` a `TrialInputs`, `endpoints` ids in their order.
    """

    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    preset_id = models.CharField(max_length=160)
    state = models.CharField(max_length=20, default="draft")
    inputs: models.JSONField[Any, Any] = models.JSONField(default=dict)
    endpoints: models.JSONField[Any, Any] = models.JSONField(default=list)
    context_length = models.PositiveIntegerField(null=True, blank=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["person", "preset_id"], name="one_trial_setup_each")
        ]

    def __str__(self) -> str:
        return f"{self.person_id}: {self.preset_id}"


class TrialRun(models.Model):
    """A trial that was sent: what it was made of and what was asked (PRE-18). Its rows outlive no preset.

    `ask` is what every endpoint is asked, as JSON (`messages`, `tools`) in a text, so that no database
    reorders it; `inputs` a `TrialInputs` after turns were left out.
    """

    id = models.CharField(primary_key=True, max_length=32, default=new_job_id, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="trial_runs")
    preset_id = models.CharField(max_length=160)
    state = models.CharField(_("state"), max_length=20, default="draft")
    base = models.PositiveIntegerField(_("version"), default=0)  # in force when it was sent
    inputs: models.JSONField[Any, Any] = models.JSONField(default=dict)
    ask = models.TextField()
    tokens = models.PositiveIntegerField(_("tokens"), default=0)
    created_at = models.DateTimeField(_("sent"), default=timezone.now)

    class Meta:
        verbose_name = _("trial run")
        verbose_name_plural = _("trial runs")
        ordering: ClassVar = ["-created_at", "id"]
        indexes: ClassVar = [models.Index(fields=["owner", "preset_id", "-created_at"])]

    def __str__(self) -> str:
        return f"{self.preset_id}: {self.id}"


class TrialReply(models.Model):
    """What one endpoint answered in a run, as far as it has come. `version` grows with every change.

    `settings` are the parameters it is asked with, as JSON in a text.
    `sent` is the body that was sent, byte for byte once the call has ended. A fault is kept as template and
    values (D40), `said` are the service's own words.
    """

    class State(models.TextChoices):
        WAITING = "waiting", pgettext_lazy("trial reply", "Waiting")
        RUNNING = "running", pgettext_lazy("trial reply", "Answering")
        DONE = "done", pgettext_lazy("trial reply", "Finished")
        STOPPED = "stopped", pgettext_lazy("trial reply", "Stopped")
        FAULT = "fault", pgettext_lazy("trial reply", "Failed")
        INTERRUPTED = "interrupted", pgettext_lazy("trial reply", "Interrupted")

    LIVE = (State.WAITING, State.RUNNING)

    id = models.CharField(primary_key=True, max_length=32, default=new_job_id, editable=False)
    run = models.ForeignKey(TrialRun, on_delete=models.CASCADE, related_name="replies")
    number = models.PositiveSmallIntegerField(default=0)
    endpoint_id = models.CharField(max_length=64)
    endpoint_name = models.CharField(_("endpoint"), max_length=200)
    model = models.CharField(_("model"), max_length=200, blank=True)
    job_id = models.CharField(max_length=32, blank=True)
    settings = models.TextField(default="{}")
    state = models.CharField(_("state"), max_length=12, choices=State, default=State.WAITING)
    text = models.TextField(blank=True)
    thinking = models.TextField(blank=True)
    calls: models.JSONField[Any, Any] = models.JSONField(default=list)
    finish = models.CharField(max_length=20, blank=True)
    sent = models.TextField(blank=True)
    tokens_in = models.PositiveIntegerField(null=True)
    tokens_cached = models.PositiveIntegerField(null=True)
    tokens_out = models.PositiveIntegerField(null=True)
    seconds = models.FloatField(null=True)
    first_seconds = models.FloatField(null=True)
    cost = models.DecimalField(max_digits=20, decimal_places=10, null=True)
    currency = models.CharField(max_length=8, blank=True)
    fault = models.CharField(max_length=40, blank=True)  # an outcome of `llm.usage`
    message = models.CharField(max_length=1000, blank=True)
    hint = models.CharField(max_length=1000, blank=True)
    args: models.JSONField[Any, Any] = models.JSONField(default=dict)
    said = models.CharField(max_length=400, blank=True)
    version = models.PositiveIntegerField(default=1)

    class Meta:
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["run", "number"], name="one_reply_a_number")]

    def __str__(self) -> str:
        return f"{self.endpoint_name} {self.id} ({self.state})"

    @property
    def live(self) -> bool:
        """Whether more may come."""
        return self.state in self.LIVE
