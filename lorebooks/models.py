"""The index of lorebooks: rows that describe folders, so that lists, searches and counts need no disk.

The folder is the truth; `lorebooks.index` writes every column from it and `manage.py reindex` rebuilds all.
Only `used_at` is kept by the database alone: losing it changes nothing but the order of a list.
"""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from worlds.library.models import LibraryItem


class Lorebook(LibraryItem):
    """One book of the library: who owns it, what it is called, how much is in it."""

    kind = "lorebook"
    shelf = "lorebooks"

    description = models.CharField(_("description"), max_length=300, blank=True)
    language = models.CharField(_("language"), max_length=40, blank=True)
    tags: models.JSONField[Any, Any] = models.JSONField(_("tags"), default=list)
    entries_total = models.PositiveIntegerField(_("entries"), default=0)
    entries_on = models.PositiveIntegerField(_("entries that are on"), default=0)
    tokens_total = models.PositiveIntegerField(_("tokens"), default=0)
    tokens_always = models.PositiveIntegerField(_("tokens always sent"), default=0)
    source_format = models.CharField(_("format of the source"), max_length=40, blank=True)
    # What the import had to repair or could not keep; how the book stands now is read off its model.
    problems = models.PositiveIntegerField(_("repairs of the import"), default=0)
    book_etag = models.CharField(max_length=80, editable=False)

    class Meta:
        verbose_name = _("lorebook")
        verbose_name_plural = _("lorebooks")
        ordering: ClassVar = ["-used_at", "id"]
        indexes: ClassVar = [
            models.Index(fields=["owner", "-used_at"]),
            models.Index(fields=["owner", "name_key"]),
        ]


class LorebookEntry(models.Model):
    """One entry, for lists and searches in books of 10,000. `key` is its key in `book.json`."""

    class Strategy(models.TextChoices):
        ALWAYS = "constant", pgettext_lazy("lorebook entry", "Always on")
        KEYS = "selective", pgettext_lazy("lorebook entry", "When words appear")
        VECTOR = "vectorized", pgettext_lazy("lorebook entry", "By meaning")

    lorebook = models.ForeignKey(Lorebook, on_delete=models.CASCADE, related_name="entries")
    key = models.CharField(max_length=300)
    position = models.PositiveIntegerField(default=0)  # in the book's own order
    title = models.CharField(max_length=300)
    title_key = models.CharField(max_length=300)
    enabled = models.BooleanField(default=True)
    strategy = models.CharField(max_length=12, choices=Strategy, default=Strategy.KEYS)
    order = models.FloatField(default=100)
    place = models.CharField(max_length=40)
    keys_count = models.PositiveIntegerField(default=0)  # of both lists
    tokens = models.PositiveIntegerField(default=0)
    section = models.CharField(max_length=200, blank=True)
    etag = models.CharField(max_length=64)
    # One summand of the book's `content_hash`: what the entry says, however the file spells it.
    content_hash = models.CharField(max_length=64)
    changed_at = models.DateTimeField(_("changed"))
    # Title, keys and text, folded as a search is. Last, so that a list need not read past it.
    words = models.TextField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["lorebook", "key"], name="one_row_per_lorebook_entry"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["lorebook", "position"]),
            models.Index(fields=["lorebook", "title_key"]),
        ]

    def __str__(self) -> str:
        return self.title


class LorebookUse(models.Model):
    """A world that attaches a book. The truth is `world.json`, which may name a book in a trash."""

    world = models.ForeignKey("worlds.World", on_delete=models.CASCADE, related_name="lorebook_uses")
    lorebook_id = models.CharField(max_length=160, db_index=True)
    number = models.PositiveIntegerField(default=0)  # its place in the world's list

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["world", "lorebook_id"], name="one_use_per_world_and_lorebook"),
        ]
        ordering: ClassVar = ["number"]

    def __str__(self) -> str:
        return f"{self.world_id} ← {self.lorebook_id}"
