"""`/`: my worlds, and a world from nothing (`portal.md` 3.2)."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from formats.text.names import compared
from portal.access import person_of
from portal.models import Job, Person
from portal.render import render_page, wants_fragment
from worlds import actions
from worlds.access import world_for, worlds_for
from worlds.forms import NewWorldForm
from worlds.models import World
from worlds.views.frame import see_other

PER_PAGE = 30
SORTS = {"used": ("-used_at", "pk"), "name": ("name_key", "pk"), "created": ("-created_at", "pk")}
FILTERS = {
    "draft": Q(draft=True),
    "importing": Q(stage__in=World.IMPORTING_STAGES),
    "problems": Q(problems__gt=0),
}


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The list of worlds: searched, sorted, filtered, paged; only from the index, never from a folder."""
    person = person_of(request)
    words = request.GET.get("q", "").strip()[:100]
    sort = request.GET.get("sort", "used")
    only = request.GET.get("only", "")
    found = _found(person, words, only).order_by(*SORTS.get(sort, SORTS["used"]))
    page = Paginator(found, PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "title": _("Worlds"),
        "rows": rows_of(person, list(page.object_list)),
        "page": page,
        "words": words,
        "sort": sort if sort in SORTS else "used",
        "only": only if only in FILTERS or only == "shared" else "",
        "any": bool(words or only or page.paginator.count) or worlds_for(person).exists(),
    }
    return render_page(request, "worlds/home.html", context, "list")


def _found(person: Person, words: str, only: str) -> QuerySet[World]:
    worlds = worlds_for(person)
    if only == "shared":
        worlds = worlds.exclude(owner=person)
    for word in compared(words).split():
        worlds = worlds.filter(Q(name_key__contains=word) | Q(description__icontains=word))
    worlds = worlds.filter(FILTERS.get(only, Q()))
    # The findings and picture lists of 30 rows are not for a list.
    return worlds.select_related("owner").defer("findings", "picture_uses")


def rows_of(person: Person, worlds: list[World]) -> list[dict[str, Any]]:
    """What a row shows, with the live job of each world; one query for all of them."""
    jobs: dict[str, Job] = {}
    live = Job.objects.filter(subject__in=[world.pk for world in worlds], state__in=Job.LIVE)
    for job in live.order_by("-created_at"):
        jobs[job.subject] = job
    return [_row(person, world, jobs.get(world.pk)) for world in worlds]


def _row(person: Person, world: World, job: Job | None) -> dict[str, Any]:
    mine = world.owner_id == person.pk
    posts = [("trash", _("Move to trash"), reverse("worlds:trash_world", args=[world.pk]))] if mine else []
    return {
        "world": world,
        "job": job,
        "seen": f"{world.updated_at.timestamp():.0f}-{job.version if job else 0}",
        "shared_by": "" if mine else str(world.owner),
        "links": [
            ("world", _("Open"), reverse("worlds:overview", args=[world.pk])),
            ("copy", _("Duplicate"), reverse("worlds:duplicate", args=[world.pk])),
            ("download", _("Export"), reverse("worlds:export", args=[world.pk])),
        ],
        "posts": posts,
    }


@require_safe
def row(request: HttpRequest, world_id: str) -> HttpResponse:
    """One row, for its own refreshing while a job works on its world."""
    person = person_of(request)
    [shown] = rows_of(person, [world_for(person, world_id)])
    if wants_fragment(request) and request.GET.get("seen") == shown["seen"]:
        return HttpResponse(status=204)
    return render_page(request, "worlds/row.html", {"row": shown})


@require_http_methods(["GET", "HEAD", "POST"])
def new_world(request: HttpRequest) -> HttpResponse:
    """A world from nothing: a name, and what is known already."""
    person = person_of(request)
    form = NewWorldForm(request.POST or None, initial={"language": get_language() or "en"})
    if request.method == "POST" and form.is_valid():
        world = actions.create_world(actor=person, **form.cleaned_data)
        messages.success(request, _("The world “%(name)s” is made.") % {"name": world.name})
        return see_other(reverse("worlds:overview", args=[world.pk]))
    context = {"title": _("A world from nothing"), "form": form, "crumbs": [(_("Worlds"), "/")]}
    return render_page(request, "worlds/new.html", context, status=422 if form.is_bound else 200)
