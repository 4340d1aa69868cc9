"""The index of worlds: rows that describe folders, so that lists need no disk.

The folder is the truth (`docs/architecture.md`); every column here is written from the folder by
`worlds.actions.index_world`, and `manage.py reindex` rebuilds all of them. Only `used_at` is kept by the
database alone: losing it changes nothing but the order of a list.
"""

from __future__ import annotations

from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class World(models.Model):
    """One world folder: who owns it, what it is called, how it stands."""

    # Stages of an import during which nobody else may write the world (RUN-3).
    IMPORTING_STAGES = ("ready", "surveyed", "built")

    id = models.CharField(_("id"), primary_key=True, max_length=160, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="worlds", verbose_name=_("owner")
    )
    name = models.CharField(_("name"), max_length=300)
    name_key = models.CharField(max_length=300, editable=False)
    description = models.CharField(_("description"), max_length=300, blank=True)
    language = models.CharField(_("language"), max_length=40, blank=True)
    draft = models.BooleanField(_("draft"), default=False)
    problems = models.PositiveIntegerField(_("problems"), default=0)
    findings: models.JSONField[Any, Any] = models.JSONField(default=list, editable=False)
    counts: models.JSONField[Any, Any] = models.JSONField(_("counts by kind"), default=dict)
    cover = models.CharField(max_length=400, blank=True, editable=False)
    picture_uses: models.JSONField[Any, Any] = models.JSONField(default=dict, editable=False)
    cover_etag = models.CharField(max_length=80, blank=True, editable=False)
    source_kind = models.CharField(_("source"), max_length=20, blank=True)
    source_sha256 = models.CharField(_("SHA-256 of the source"), max_length=64, blank=True, db_index=True)
    stage = models.CharField(_("import stage"), max_length=20, blank=True)
    size = models.PositiveBigIntegerField(_("size"), default=0)
    fingerprint = models.CharField(max_length=64, blank=True, editable=False)
    created_at = models.DateTimeField(_("created"))
    updated_at = models.DateTimeField(_("changed"))
    used_at = models.DateTimeField(_("last used"))

    class Meta:
        verbose_name = _("world")
        verbose_name_plural = _("worlds")
        ordering: ClassVar = ["-used_at", "id"]
        indexes: ClassVar = [
            models.Index(fields=["owner", "-used_at"]),
            models.Index(fields=["owner", "name_key"]),
            models.Index(fields=["owner", "-created_at"]),
            models.Index(fields=["owner", "stage"]),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def cover_path(self) -> str:
        """The cover's path below `images/`, as its address has it."""
        return self.cover.removeprefix("images/")

    @property
    def importing(self) -> bool:
        """Whether an import is writing this world; others may read, not save."""
        return self.stage in self.IMPORTING_STAGES


class Element(models.Model):
    """One document or list entry of a world, for lists, searches and reference pickers of 2,000 elements."""

    world = models.ForeignKey(World, on_delete=models.CASCADE, related_name="elements")
    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=200)
    position = models.PositiveIntegerField(default=0)
    title = models.CharField(max_length=300)
    title_key = models.CharField(max_length=300)
    summary = models.CharField(max_length=300, blank=True)
    words = models.TextField(blank=True)
    # What a list shows beside the title: "playable", the type of a lore entry, the kind of a variable.
    mark = models.CharField(max_length=40, blank=True)
    problems = models.PositiveIntegerField(default=0)
    etag = models.CharField(max_length=24)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["world", "kind", "key"], name="one_row_per_element"),
        ]
        indexes: ClassVar = [models.Index(fields=["world", "kind", "title_key"])]

    def __str__(self) -> str:
        return self.title


class Conversation(models.Model):
    """An authoring conversation about one world (D46). Its rows are the whole of it.

    `world` is the world's id, not a row of the index: a world in the trash has no row, and comes back.
    `turn_open`: a turn runs or was interrupted; it ends by finishing, failing, or being stopped (RUN-2).
    """

    id = models.CharField(primary_key=True, max_length=20, editable=False)
    world = models.CharField(_("world"), max_length=160, db_index=True)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="conversations"
    )
    title = models.CharField(_("title"), max_length=300)
    turn_open = models.BooleanField(default=False)
    created_at = models.DateTimeField(_("created"))

    class Meta:
        verbose_name = _("conversation")
        verbose_name_plural = _("conversations")
        ordering: ClassVar = ["-created_at", "id"]

    def __str__(self) -> str:
        return self.title


class ConversationRow(models.Model):
    """One row: what somebody said, or a tool call with its result once there is one.

    `text` of the assistant is an English template with `args`, shown translated; of a person it is their own.
    """

    class Who(models.TextChoices):
        PERSON = "person", _("person")
        ASSISTANT = "assistant", _("assistant")
        TOOL = "tool", _("tool call")

    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="rows")
    number = models.PositiveIntegerField()
    turn = models.PositiveIntegerField()
    who = models.CharField(max_length=9, choices=Who)
    text = models.TextField(blank=True)
    args: models.JSONField[Any, Any] = models.JSONField(default=dict)
    tool = models.CharField(max_length=60, blank=True)
    result: models.JSONField[Any, Any] = models.JSONField(null=True)
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("row of a conversation")
        verbose_name_plural = _("rows of conversations")
        ordering: ClassVar = ["conversation", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["conversation", "number"], name="conversation_row_number")
        ]

    def __str__(self) -> str:
        return f"{self.conversation_id} {self.number}"
