"""What every page of a lorebook shares: finding the book, its header, tabs and breadcrumbs."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from formats.errors import DomainError
from lorebooks import queries
from lorebooks.access import lorebook_for, standing_of
from lorebooks.models import Lorebook
from portal.access import Level, person_of
from portal.models import Person
from portal.render import render_page


def open_lorebook(request: HttpRequest, lorebook_id: str, level: Level = "read") -> tuple[Person, Lorebook]:
    """The person and the book of a page; its rows are brought up to date when its files were edited by hand.

    Raises:
        DomainError: `not-found` (for the owner with the way back when it is in the trash), `forbidden`.
    """
    person = person_of(request)
    try:
        return person, queries.in_step(lorebook_for(person, lorebook_id, level))
    except DomainError as error:
        if error.kind == "not-found":
            _refuse_trashed(person, lorebook_id)
        raise


def needed(request: HttpRequest) -> Level:
    """What a page that shows and saves needs: to save, one must be allowed to edit."""
    return "edit" if request.method == "POST" else "read"


def lorebook_page(
    request: HttpRequest,
    person: Person,
    lorebook: Lorebook,
    tab: str,
    template: str,
    context: Mapping[str, Any],
    partial: str | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    """A page below the header of a book. `tab` is the tab it belongs to; `title` names what is not a tab.

    `further` in the context adds breadcrumbs below the book's own.
    """
    standing = standing_of(person, lorebook)
    crumbs = [(_("Lorebooks"), reverse("lorebooks:library"))]
    if tab != "entries" or "title" in context:
        crumbs.append((lorebook.name, reverse("lorebooks:editor", args=[lorebook.pk])))
    frame = {
        "title": lorebook.name,
        "crumbs": [*crumbs, *context.get("further", ())],
        "lorebook": lorebook,
        "tab": tab,
        "tabs": tabs_of(lorebook),
        "standing": standing,
        "editable": standing in ("owner", "edit"),
        "mine": standing == "owner",
        "menu_links": menu_links(lorebook),
        "menu_posts": menu_posts(lorebook) if standing == "owner" else [],
    }
    return render_page(request, template, {**frame, **context}, partial, status=status)


def tabs_of(lorebook: Lorebook) -> list[tuple[str, str, str]]:
    """Name, label and address of each tab."""
    return [
        ("entries", _("Entries"), reverse("lorebooks:editor", args=[lorebook.pk])),
        ("test", _("Match tester"), reverse("lorebooks:tester", args=[lorebook.pk])),
        ("versions", _("Versions"), reverse("lorebooks:versions", args=[lorebook.pk])),
        ("report", _("Import report"), reverse("lorebooks:report", args=[lorebook.pk])),
        ("settings", _("Settings"), reverse("lorebooks:settings", args=[lorebook.pk])),
    ]


def menu_links(lorebook: Lorebook) -> list[tuple[str, str, str]]:
    """What the ⋯ of a book leads to: icon, label, address."""
    return [
        ("copy", _("Duplicate"), reverse("lorebooks:duplicate", args=[lorebook.pk])),
        ("download", _("Export"), reverse("lorebooks:export", args=[lorebook.pk])),
    ]


def menu_posts(lorebook: Lorebook) -> list[tuple[str, str, str]]:
    """What the owner can do at once from the ⋯ of a book."""
    return [("trash", _("Move to trash"), reverse("lorebooks:trash_lorebook", args=[lorebook.pk]))]


def _refuse_trashed(person: Person, lorebook_id: str) -> None:
    for item in queries.trashed(person):
        if item.item_id == lorebook_id:
            day = item.at + timedelta(days=settings.TRASH_DAYS)
            raise DomainError(
                "not-found",
                "lorebook.in-trash",
                lorebook_id,
                gettext_noop("“{name}” is in the trash until {day}."),
                gettext_noop("You can restore it from the trash of your lorebooks."),
                {"name": item.name or lorebook_id, "day": date_format(day, "DATE_FORMAT")},
            )
