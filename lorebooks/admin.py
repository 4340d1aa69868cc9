"""The host's view of the library: to find a book for somebody, see who may read it, and mind the trash.

Rows are an index of files, so nothing is edited here; what is done to a book is done by the app's actions,
in the name of its owner, as they would do it themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.contrib.admin import SimpleListFilter
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Count, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from formats.errors import DomainError
from lorebooks import actions
from lorebooks.access import KIND
from lorebooks.models import Lorebook, LorebookUse
from lorebooks.shelves import shelf_of
from portal.models import Person, Share
from portal.say import said

# Django's admin classes are generic in the stubs only.
if TYPE_CHECKING:
    _Admin = admin.ModelAdmin[Lorebook]
    _Rows = QuerySet[Lorebook]
else:
    _Admin = admin.ModelAdmin
    _Rows = QuerySet


TRASH_ROWS = 100


class VisibilityFilter(SimpleListFilter):
    """Whether somebody besides the owner may read a book."""

    title = _("visibility")
    parameter_name = "shared"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("yes", _("Shared")), ("no", _("Only its owner"))]

    def queryset(self, request: HttpRequest, queryset: _Rows) -> _Rows:
        shared = Share.objects.filter(kind=KIND).values("item_id")
        if self.value() == "yes":
            return queryset.filter(pk__in=shared)
        return queryset.exclude(pk__in=shared) if self.value() == "no" else queryset


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
class LorebookAdmin(_Admin):
    """Rows of the index, read only; books go to the trash of their owner, and may be read again from disk."""

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
    date_hierarchy = "created_at"
    list_select_related = ("owner",)
    exclude = ("name_key", "fingerprint")
    actions = ("to_trash", "read_again")
    change_list_template = "admin/lorebooks/change_list.html"

    def get_urls(self) -> list[URLPattern]:
        trash = self.admin_site.admin_view(self.trash_page)
        return [path("trash/", trash, name="lorebooks_lorebook_trash"), *super().get_urls()]

    def trash_page(self, request: HttpRequest) -> HttpResponse:
        """What is in the trash of everybody's lorebooks; one can be restored, or removed for good."""
        if not self.has_host_permission(request):
            raise PermissionDenied
        if request.method == "POST":
            self._settle_trash(request)
            return redirect("admin:lorebooks_lorebook_trash")
        owners = Person.objects.order_by("username")
        rows = [(owner, item) for owner in owners for item in shelf_of(owner).trashed()]
        rows.sort(key=lambda row: row[1].at, reverse=True)
        context = {
            **self.admin_site.each_context(request),
            "title": _("Trash of lorebooks"),
            "opts": self.opts,
            "page": Paginator(rows, TRASH_ROWS).get_page(request.GET.get("p")),
        }
        return TemplateResponse(request, "admin/lorebooks/trash.html", context)

    def _settle_trash(self, request: HttpRequest) -> None:
        """Do what a button of the trash page says, in the owner's name."""
        handle, _slash, entry_id = request.POST.get("entry", "").partition("/")
        owner = Person.objects.filter(handle=handle).first()
        if owner is None:
            return
        try:
            if request.POST.get("act") == "restore":
                book = actions.restore_lorebook(actor=owner, entry_id=entry_id)
                self.message_user(request, _("“%(name)s” is back on the shelf.") % {"name": book.name})
            elif request.POST.get("act") == "remove":
                actions.empty_trash(actor=owner, entry_ids=[entry_id])
                self.message_user(request, _("It is removed for good."))
        except DomainError as error:
            self.message_user(request, said(error), messages.ERROR)

    def has_host_permission(self, request: HttpRequest) -> bool:
        """Other people's books are moved by a host alone."""
        return isinstance(request.user, Person) and request.user.is_host

    def get_queryset(self, request: HttpRequest) -> _Rows:
        return (
            super()
            .get_queryset(request)
            .annotate(shares=_counted(Share, "item_id", kind=KIND), uses=_counted(LorebookUse, "lorebook_id"))
        )

    @admin.display(description=_("people who may read it"), ordering="shares")
    def shared_with(self, row: Lorebook) -> int:
        return int(getattr(row, "shares", 0))

    @admin.display(description=_("worlds"), ordering="uses")
    def used_by(self, row: Lorebook) -> int:
        return int(getattr(row, "uses", 0))

    @admin.action(description=_("Move to the trash of their owners"), permissions=["host"])
    def to_trash(self, request: HttpRequest, queryset: _Rows) -> None:
        moved = self._each(
            request, queryset, lambda book: actions.trash_lorebook(actor=book.owner, lorebook=book)
        )
        text = ngettext(
            "%d lorebook is in the trash of its owner, who can restore it.",
            "%d lorebooks are in the trash of their owners, who can restore them.",
            moved,
        )
        self.message_user(request, text % moved)

    @admin.action(description=_("Read again from disk"), permissions=["host"])
    def read_again(self, request: HttpRequest, queryset: _Rows) -> None:
        read = self._each(
            request,
            queryset,
            lambda book: actions.index_lorebook(owner=book.owner, lorebook_id=book.pk),
        )
        text = ngettext("%d lorebook was read again.", "%d lorebooks were read again.", read)
        self.message_user(request, text % read)

    def _each(self, request: HttpRequest, queryset: _Rows, act: Callable[[Lorebook], object]) -> int:
        """Do something to each book; one that is refused does not take the others with it."""
        done = 0
        for book in queryset.select_related("owner"):
            try:
                act(book)
            except DomainError as error:
                self.message_user(request, f"{book}: {said(error)}", messages.ERROR)
                continue
            done += 1
        return done

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


def _counted(model: type[Share] | type[LorebookUse], field: str, **only: str) -> Coalesce:
    rows = model._default_manager.filter(**{field: OuterRef("pk")}, **only).order_by()
    counted = rows.values(field).annotate(all=Count("pk")).values("all")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)
