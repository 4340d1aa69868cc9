"""Plain admin of the index: to find a world for somebody, never to edit one. Files are the truth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.http import HttpRequest

from worlds.models import World

# Django's admin classes are generic in the stubs only.
if TYPE_CHECKING:
    _Admin = admin.ModelAdmin[World]
else:
    _Admin = admin.ModelAdmin


@admin.register(World)
class WorldAdmin(_Admin):
    """Rows of the index, read only; worlds are moved to the trash by their owners."""

    list_display = (
        "name",
        "owner",
        "language",
        "draft",
        "problems",
        "stage",
        "size",
        "updated_at",
        "used_at",
    )
    list_filter = ("draft", "stage", "source_kind", "language")
    search_fields = ("name", "id", "owner__username", "source_sha256")
    date_hierarchy = "created_at"
    list_select_related = ("owner",)
    exclude = ("findings", "picture_uses", "name_key", "fingerprint")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
