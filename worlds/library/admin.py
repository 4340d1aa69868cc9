"""The host's view of a library: to find an item for somebody, see who may read it, and mind the trash.

Rows are an index of files, so nothing is edited here; what is done to an item is done by the library's own
actions, in the name of its owner, as they would do it themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin, messages
from django.contrib.admin import SimpleListFilter
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Count, IntegerField, Model, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from formats.errors import DomainError
from portal.models import Person, Share
from portal.say import said
from worlds.library.models import LibraryItem
from worlds.library.whole import Library

# Django's admin classes are generic in the stubs only.
if TYPE_CHECKING:
    _Admin = admin.ModelAdmin[Any]
    _Rows = QuerySet[Any]
else:
    _Admin = admin.ModelAdmin
    _Rows = QuerySet

TRASH_ROWS = 100


class VisibilityFilter(SimpleListFilter):
    """Whether somebody besides the owner may read an item."""

    title = _("visibility")
    parameter_name = "shared"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("yes", _("Shared")), ("no", _("Only its owner"))]

    def queryset(self, request: HttpRequest, queryset: _Rows) -> _Rows:
        shared = Share.objects.filter(kind=queryset.model.kind).values("item_id")
        if self.value() == "yes":
            return queryset.filter(pk__in=shared)
        return queryset.exclude(pk__in=shared) if self.value() == "no" else queryset


class LibraryAdmin(_Admin):
    """Rows of the index, read only; items go to the trash of their owner, and may be read again from disk."""

    library: ClassVar[Library[Any]]
    trash_title: ClassVar[str | Promise]

    search_fields: ClassVar[tuple[str, ...]] = ("name", "id", "owner__username")
    date_hierarchy = "created_at"
    list_select_related = ("owner",)
    actions = ("to_trash", "read_again")
    change_list_template = "admin/library/change_list.html"

    @property
    def trash_name(self) -> str:
        """The name of the address of the trash page."""
        return f"{self.opts.app_label}_{self.opts.model_name}_trash"

    def get_urls(self) -> list[URLPattern]:
        trash = self.admin_site.admin_view(self.trash_page)
        return [path("trash/", trash, name=self.trash_name), *super().get_urls()]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        links = {"trash_url": reverse(f"admin:{self.trash_name}"), "trash_title": self.trash_title}
        return super().changelist_view(request, {**(extra_context or {}), **links})

    def trash_page(self, request: HttpRequest) -> HttpResponse:
        """What is in the trash of everybody; one item can be restored, or removed for good."""
        if not self.has_host_permission(request):
            raise PermissionDenied
        if request.method == "POST":
            self._settle_trash(request)
            return redirect(f"admin:{self.trash_name}")
        owners = Person.objects.order_by("username")
        rows = [(owner, item) for owner in owners for item in self.library.trashed(owner)]
        rows.sort(key=lambda row: row[1].at, reverse=True)
        context = {
            **self.admin_site.each_context(request),
            "title": self.trash_title,
            "opts": self.opts,
            "list_url": reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist"),
            "page": Paginator(rows, TRASH_ROWS).get_page(request.GET.get("p")),
        }
        return TemplateResponse(request, "admin/library/trash.html", context)

    def _settle_trash(self, request: HttpRequest) -> None:
        """Do what a button of the trash page says, in the owner's name."""
        handle, _slash, entry_id = request.POST.get("entry", "").partition("/")
        owner = Person.objects.filter(handle=handle).first()
        if owner is None:
            return
        try:
            if request.POST.get("act") == "restore":
                item = self.library.restore(owner, entry_id)
                self.message_user(request, _("“%(name)s” is back on the shelf.") % {"name": item.name})
            elif request.POST.get("act") == "remove":
                self.library.empty(owner, [entry_id])
                self.message_user(request, _("It is removed for good."))
        except DomainError as error:
            self.message_user(request, said(error), messages.ERROR)

    def has_host_permission(self, request: HttpRequest) -> bool:
        """Other people's items are moved by a host alone."""
        return isinstance(request.user, Person) and request.user.is_host

    def get_queryset(self, request: HttpRequest) -> _Rows:
        rows: _Rows = super().get_queryset(request)
        annotated: _Rows = rows.annotate(shares=counted(Share, "item_id", kind=self.model.kind))
        return annotated

    @admin.display(description=_("people who may read it"), ordering="shares")
    def shared_with(self, row: LibraryItem) -> int:
        return int(getattr(row, "shares", 0))

    @admin.action(description=_("Move to the trash of their owners"), permissions=["host"])
    def to_trash(self, request: HttpRequest, queryset: _Rows) -> None:
        moved = self._each(request, queryset, lambda item: self.library.trash(item.owner, item))
        told = _("Moved to the trash of their owners, who can restore them: %d")
        self.message_user(request, told % moved)

    @admin.action(description=_("Read again from disk"), permissions=["host"])
    def read_again(self, request: HttpRequest, queryset: _Rows) -> None:
        read = self._each(request, queryset, lambda item: self.library.index(item.owner, item.pk))
        self.message_user(request, _("Read again from disk: %d") % read)

    def _each(self, request: HttpRequest, queryset: _Rows, act: Callable[[Any], object]) -> int:
        """Do something to each item; one that is refused does not take the others with it."""
        done = 0
        for item in queryset.select_related("owner"):
            try:
                act(item)
            except DomainError as error:
                self.message_user(request, f"{item}: {said(error)}", messages.ERROR)
                continue
            done += 1
        return done

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


def counted(model: type[Model], field: str, **only: str) -> Coalesce:
    """How many rows of another table name a row in their `field`."""
    rows = model._default_manager.filter(**{field: OuterRef("pk")}, **only).order_by()
    numbers = rows.values(field).annotate(all=Count("pk")).values("all")
    return Coalesce(Subquery(numbers, output_field=IntegerField()), 0)
