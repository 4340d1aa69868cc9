"""The index of uploads: who brought which file, and what became of it.

The files themselves (`original`, `card.json`, `preview.json`, `choices.json` …) lie in staging until the
start and in the world's `.import/` afterwards; they are the truth.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from worlds.store.paths import new_token

KEPT = timedelta(days=7)


class Upload(models.Model):
    """One uploaded file. `id` names the staging folder and stands in addresses (100 bits of chance)."""

    class State(models.TextChoices):
        READING = "reading", pgettext_lazy("upload state", "Being read")
        READY = "ready", pgettext_lazy("upload state", "Ready to import")
        UNREADABLE = "unreadable", pgettext_lazy("upload state", "Cannot be read")
        OTHER = "other", pgettext_lazy("upload state", "Not a card")
        SEVERAL = "several", pgettext_lazy("upload state", "Several cards")
        STARTED = "started", pgettext_lazy("upload state", "Imported")
        DISCARDED = "discarded", pgettext_lazy("upload state", "Discarded")

    NO_CARD = (State.UNREADABLE, State.OTHER, State.SEVERAL)
    # The bytes are gone, or counted as part of a world.
    ELSEWHERE = (State.STARTED, State.DISCARDED)

    id = models.CharField(primary_key=True, max_length=32, default=new_token, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="uploads", verbose_name=_("owner")
    )
    filename = models.CharField(_("file name"), max_length=300)
    size = models.PositiveBigIntegerField(_("size in bytes"), default=0)
    sha256 = models.CharField(max_length=64, blank=True)
    state = models.CharField(_("state"), max_length=12, choices=State, default=State.READING)
    kind = models.CharField(max_length=30, blank=True)
    name = models.CharField(_("name"), max_length=300, blank=True)
    world = models.CharField(_("world"), max_length=160, blank=True, db_index=True)
    # Of a card that was taken out of a file listing several: that file's upload, and the number in its list.
    taken_from = models.CharField(max_length=32, blank=True, db_index=True)
    number = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(_("uploaded"), default=timezone.now)

    class Meta:
        verbose_name = _("upload")
        verbose_name_plural = _("uploads")
        ordering: ClassVar[list[str]] = ["-created_at"]
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["owner", "-created_at"], name="upload_owner_created"),
            models.Index(fields=["owner", "sha256"], name="upload_owner_sha256"),
        ]

    def __str__(self) -> str:
        return self.name or self.filename

    def parts(self) -> models.QuerySet[Upload]:
        """The uploads that the cards of a file listing several became; none for any other file."""
        return Upload.objects.filter(owner_id=self.owner_id, taken_from=self.pk)

    @property
    def expires_at(self) -> datetime:
        """When an upload that nobody starts is discarded."""
        return self.created_at + KEPT
