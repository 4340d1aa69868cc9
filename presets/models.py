"""The index of presets: a row that describes a folder, so that lists and searches need no disk.

The folder is the truth; `presets.index` writes every column from it and `manage.py reindex` rebuilds all.
Versions have no rows: `item.json` lists them, and they are only ever looked at one preset at a time.
"""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

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
