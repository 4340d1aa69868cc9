"""The host's view of the presets of everybody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from presets.library import LIBRARY
from presets.models import Preset, PresetUse
from worlds.library.admin import LibraryAdmin, VisibilityFilter, counted

# Query sets are generic in the stubs only.
if TYPE_CHECKING:
    _Rows = QuerySet[Preset]
else:
    _Rows = QuerySet


@admin.register(Preset)
class PresetAdmin(LibraryAdmin):
    """Presets, by their numbers and by who may read them."""

    library = LIBRARY
    trash_title = _("Trash of presets")
    list_display = (
        "name",
        "owner",
        "model_hint",
        "prompts_on",
        "prompts_total",
        "tokens_fixed",
        "departures",
        "versions_count",
        "has_draft",
        "shared_with",
        "used_by",
        "size",
        "updated_at",
    )
    list_filter = (VisibilityFilter, "form", "source_kind", "has_draft")
    exclude = ("name_key", "fingerprint")

    def get_queryset(self, request: HttpRequest) -> _Rows:
        rows: _Rows = super().get_queryset(request)
        return rows.annotate(uses=counted(PresetUse, "preset_id"))

    @admin.display(description=_("worlds"), ordering="uses")
    def used_by(self, row: Preset) -> int:
        return int(getattr(row, "uses", 0))
