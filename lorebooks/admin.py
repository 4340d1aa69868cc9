"""The host's view of the lorebooks of everybody."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.admin import SimpleListFilter
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from lorebooks.library import LIBRARY
from lorebooks.models import Lorebook, LorebookUse
from worlds.library.admin import LibraryAdmin, VisibilityFilter, counted

# Query sets are generic in the stubs only.
if TYPE_CHECKING:
    _Rows = QuerySet[Lorebook]
else:
    _Rows = QuerySet


class SizeFilter(SimpleListFilter):
    """How many entries a book has."""

    title = _("number of entries")
    parameter_name = "entries"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("none", _("None")), ("1000", _("1,000 and more")), ("5000", _("5,000 and more"))]

    def queryset(self, request: HttpRequest, queryset: _Rows) -> _Rows:
        if self.value() == "none":
            return queryset.filter(entries_total=0)
        least = self.value() or ""
        return queryset.filter(entries_total__gte=int(least)) if least in ("1000", "5000") else queryset


@admin.register(Lorebook)
class LorebookAdmin(LibraryAdmin):
    """Books, by their numbers and by who may read them."""

    library = LIBRARY
    trash_title = _("Trash of lorebooks")
    list_display = (
        "name",
        "owner",
        "language",
        "entries_on",
        "entries_total",
        "tokens_always",
        "tokens_total",
        "shared_with",
        "used_by",
        "size",
        "updated_at",
    )
    list_filter = (VisibilityFilter, SizeFilter, "source_kind", "source_format", "language")
    search_fields = ("name", "id", "owner__username", "description")
    exclude = ("name_key", "fingerprint")

    def get_queryset(self, request: HttpRequest) -> _Rows:
        rows: _Rows = super().get_queryset(request)
        return rows.annotate(uses=counted(LorebookUse, "lorebook_id"))

    @admin.display(description=_("worlds"), ordering="uses")
    def used_by(self, row: Lorebook) -> int:
        return int(getattr(row, "uses", 0))
