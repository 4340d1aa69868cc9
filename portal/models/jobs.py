"""Background jobs: one row each, and the row is the truth about the job."""

from __future__ import annotations

import secrets
from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import pgettext_lazy

ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"


def new_job_id() -> str:
    """20 base32 characters: 100 bits of chance, since ids stand in addresses."""
    return "".join(secrets.choice(ALPHABET) for _ in range(20))


class Job(models.Model):
    """Work that outlives a request: who wants what done to which item, and how far it has come.

    `subject` is the id of the item the work is done to; at most one job of a `subject` and `lane` runs at a
    time (an empty subject excludes nobody). `lease_owner` names the process that runs it until `lease_until`;
    `fence` grows with every claim, so that a process that lost its lease can be told from the present one.
    `version` grows with every change a page can show. Messages are English templates with their values apart
    (`message`/`message_args`, `error`/`error_hint`/`error_args`); the edge shows them translated.
    """

    class State(models.TextChoices):
        QUEUED = "queued", pgettext_lazy("job state", "Waiting")
        RUNNING = "running", pgettext_lazy("job state", "Running")
        DONE = "done", pgettext_lazy("job state", "Done")
        FAILED = "failed", pgettext_lazy("job state", "Failed")
        STOPPED = "stopped", pgettext_lazy("job state", "Stopped")

    LIVE = (State.QUEUED, State.RUNNING)

    id = models.CharField(primary_key=True, max_length=32, default=new_job_id, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="jobs")
    kind = models.CharField(max_length=64)
    subject = models.CharField(max_length=200, blank=True, default="")
    lane = models.CharField(max_length=32, blank=True, default="")
    title = models.CharField(max_length=300)
    data = models.JSONField(default=dict, blank=True)

    state = models.CharField(max_length=8, choices=State, default=State.QUEUED)
    stage = models.CharField(max_length=40, blank=True, default="")
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    message = models.CharField(max_length=500, blank=True, default="")
    message_args: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(
        default=dict, blank=True
    )
    error = models.CharField(max_length=1000, blank=True, default="")
    error_hint = models.CharField(max_length=1000, blank=True, default="")
    error_code = models.CharField(max_length=64, blank=True, default="")
    error_where = models.CharField(max_length=300, blank=True, default="")
    error_args: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(default=dict, blank=True)

    attempts = models.PositiveIntegerField(default=0)
    stop_asked = models.BooleanField(default=False)
    lease_owner = models.CharField(max_length=200, blank=True, default="")
    lease_until = models.DateTimeField(null=True, blank=True)
    fence = models.PositiveBigIntegerField(default=0)
    version = models.PositiveBigIntegerField(default=1)
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-created_at",)
        constraints = [
            models.UniqueConstraint(
                fields=["subject", "lane"],
                condition=models.Q(state="running") & ~models.Q(subject=""),
                name="one_running_job_per_subject",
            )
        ]
        indexes = [
            models.Index(fields=["state", "created_at"], name="job_state_created"),
            models.Index(fields=["owner", "-created_at"], name="job_owner_created"),
            models.Index(fields=["subject", "state"], name="job_subject_state"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk} ({self.state})"

    @property
    def live(self) -> bool:
        """Waiting or running."""
        return self.state in self.LIVE

    @property
    def percent(self) -> int | None:
        """How much is done, 0 to 100; None while nobody knows how much there is."""
        return min(100, 100 * self.done // self.total) if self.total else None
