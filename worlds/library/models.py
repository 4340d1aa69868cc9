"""`LibraryItem`: the columns that the row of every library item has, whatever is in the item."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class LibraryItem(models.Model):
    """The row of one folder on a shelf. Only `used_at` is kept by the database alone.

    A kind of item names its `kind` (of shares and codes) and its `shelf` (the folder of the store).
    """

    kind: ClassVar[str]
    shelf: ClassVar[str]

    id = models.CharField(_("id"), primary_key=True, max_length=160, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="%(class)ss",
        verbose_name=_("owner"),
    )
    name = models.CharField(_("name"), max_length=300)
    name_key = models.CharField(max_length=300, editable=False)
    content_hash = models.CharField(max_length=64, db_index=True, editable=False)
    source_kind = models.CharField(_("source"), max_length=20, blank=True)
    size = models.PositiveBigIntegerField(_("size"), default=0)
    fingerprint = models.CharField(max_length=64, editable=False)
    created_at = models.DateTimeField(_("created"))
    updated_at = models.DateTimeField(_("changed"))
    used_at = models.DateTimeField(_("last used"))

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.name
