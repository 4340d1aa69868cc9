"""History: who changed what and when, what differed, and bringing a version back."""

from __future__ import annotations

from datetime import timedelta
from math import ceil

from django.conf import settings
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from worlds import actions
from worlds.changes import (
    can_be_undone,
    changed_files,
    deleted_something,
    entries_of,
    files_of,
    what_word,
)
from worlds.overview import address_of
from worlds.queries import change_of, folder_of
from worlds.store.listing import no_such_file
from worlds.subjects import subject_of
from worlds.versions import compared_versions, versions_of
from worlds.views.frame import open_world, say_saved, see_other, world_page

PER_PAGE = 40
DIFFS_SHOWN = 40


@require_safe
def history(request: HttpRequest, world_id: str) -> HttpResponse:
    """The timeline, newest first; filtered by what was done, or by what is in the trash."""
    person, world = open_world(request, world_id)
    only = request.GET.get("only", "")
    records = folder_of(world).history()
    kinds = sorted({record.what for record in records})
    if only == "deleted":
        records = [record for record in records if deleted_something(record)]
    elif only in kinds:
        records = [record for record in records if record.what == only]
    page = Paginator(records, PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "entries": entries_of(world, page.object_list, person),
        "kinds": [(kind, what_word(kind)) for kind in kinds],
        "only": only,
        "days": settings.TRASH_DAYS,
    }
    return world_page(request, person, world, "history", "worlds/history.html", context)


@require_safe
def change(request: HttpRequest, world_id: str, change_id: str) -> HttpResponse:
    """One change: every file with what differed, and the way to bring its former version back."""
    person, world = open_world(request, world_id)
    record = change_of(world, change_id)
    [entry] = entries_of(world, [record], person)
    end = entry.at + timedelta(days=settings.TRASH_DAYS)
    context = {
        "title": entry.what,
        "further": [(_("History"), reverse("worlds:history", args=[world.pk]))],
        "entry": entry,
        "files": files_of(world, record, DIFFS_SHOWN),
        "more_files": max(0, len(changed_files(record)) - DIFFS_SHOWN),
        "undoable": can_be_undone(record),
        "days_left": max(0, ceil((end - timezone.now()) / timedelta(days=1))),
    }
    return world_page(request, person, world, "history", "worlds/change.html", context)


@require_safe
def compare(request: HttpRequest, world_id: str, path: str) -> HttpResponse:
    """Any two versions of one file side by side; without a choice the last that was replaced and what is
    there now.
    """
    person, world = open_world(request, world_id)
    versions = versions_of(world, path, person)
    if not versions:
        raise no_such_file(path[:200])
    old = request.GET.get("old") or versions[min(1, len(versions) - 1)].id
    new = request.GET.get("new") or versions[0].id
    context = {
        "title": _("Compare versions"),
        "further": [(_("History"), reverse("worlds:history", args=[world.pk]))],
        "path": path,
        "subject": subject_of(world, path),
        "versions": versions,
        "old": old,
        "new": new,
        "differences": compared_versions(world, path, old, new),
    }
    return world_page(request, person, world, "history", "worlds/compare.html", context)


@require_POST
def restore(request: HttpRequest, world_id: str, change_id: str) -> HttpResponse:
    """Bring the version of one file before a change back, as a new change."""
    person, world = open_world(request, world_id, "edit")
    path = request.POST.get("path", "")
    made = actions.restore_version(actor=person, world=world, change_id=change_id, path=path)
    undo = reverse("worlds:undo", args=[world.pk, made])
    say_saved(request, world, _("%(file)s is as it was before that change.") % {"file": path}, undo)
    return see_other(reverse("worlds:history", args=[world.pk]))


@require_POST
def undo(request: HttpRequest, world_id: str, change_id: str) -> HttpResponse:
    """Take a change back."""
    person, world = open_world(request, world_id, "edit")
    record = change_of(world, change_id)
    actions.undo_change(actor=person, world=world, change_id=change_id)
    say_saved(request, world, _("Taken back."))
    address = next(filter(None, (address_of(world, path) for path in changed_files(record))), "")
    return see_other(address or reverse("worlds:history", args=[world.pk]))
