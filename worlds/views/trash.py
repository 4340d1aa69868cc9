"""`/trash/`: worlds that were moved there, with the days they have left."""

from __future__ import annotations

from datetime import timedelta
from math import ceil

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from portal.access import person_of
from portal.render import render_page
from worlds import actions
from worlds.queries import shelf_of
from worlds.store.shelf import TrashedItem
from worlds.views.frame import see_other


@require_safe
def trash(request: HttpRequest) -> HttpResponse:
    """What is in my trash, newest first."""
    items = shelf_of(person_of(request)).trashed()
    context = {
        "title": _("Trash"),
        "crumbs": [(_("Worlds"), "/")],
        "items": [(item, _days_left(item)) for item in items],
        "oldest": items[-1].at if items else None,
    }
    return render_page(request, "worlds/trash.html", context)


@require_POST
def restore(request: HttpRequest, entry_id: str) -> HttpResponse:
    """Back to the shelf; also the Undo of moving a world to the trash."""
    world = actions.restore_world(actor=person_of(request), entry_id=entry_id)
    messages.success(request, _("“%(name)s” is back.") % {"name": world.name})
    return see_other(reverse("worlds:overview", args=[world.pk]))


@require_POST
def empty(request: HttpRequest) -> HttpResponse:
    """Remove one world, or all that the page showed, for good. The page has asked."""
    person = person_of(request)
    asked = set(request.POST.getlist("entry"))
    there = [item.entry_id for item in shelf_of(person).trashed() if item.entry_id in asked]
    gone = actions.empty_trash(actor=person, entry_ids=there)
    text = ngettext("%(n)s world was removed for good.", "%(n)s worlds were removed for good.", gone)
    messages.success(request, text % {"n": gone})
    return see_other(reverse("worlds:trash"))


def _days_left(item: TrashedItem) -> int:
    end = item.at + timedelta(days=settings.TRASH_DAYS)
    return max(0, ceil((end - timezone.now()) / timedelta(days=1)))
