"""`/import/<id>/run/`: how far an import is, live; stopping it and going on (`portal.md` 3.4, step 3)."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from formats.errors import DomainError
from importer import actions, queries
from importer.model_progress import ModelProgress
from importer.progress import Progress
from importer.views.found import find_imported
from importer.views.reading import crumbs
from portal.endpoints.access import endpoints_for
from portal.jobs import stop
from portal.render import render_page, wants_fragment
from worlds.authoring.rows import conversations_of
from worlds.models import World
from worlds.views.frame import see_other

RUN = "importer/run.html"


@require_safe
def run(request: HttpRequest, import_id: str) -> HttpResponse:
    """The stages, in words. When all is written the page moves on to the result by itself."""
    person, world = find_imported(request, import_id)
    status = queries.status_of(world)
    if status.state.stage in ("done", "repair"):
        return move_on(request, world)
    progress = Progress.of(status, queries.just_built(world), ModelProgress.of(world))
    if wants_fragment(request) and request.GET.get("seen") == progress.seen:
        return HttpResponse(status=204)
    context = {
        "title": _("Importing “%(name)s”") % {"name": world.name},
        "crumbs": crumbs(),
        "world": world,
        "progress": progress,
        "can_stop": progress.live and status.job is not None and status.job.owner_id == person.pk,
        "mine": world.owner_id == person.pk,
        "endpoints": endpoints_for(world.owner) if progress.model and not progress.live else [],
        "conversation": conversations_of(world).first(),
    }
    return render_page(request, RUN, context, partial="run")


def move_on(request: HttpRequest, world: World) -> HttpResponse:
    """To the result: a fragment cannot be redirected, so the whole page is told to go."""
    address = reverse("importer:result", args=[world.pk])
    if wants_fragment(request):
        return HttpResponse(status=204, headers={"HX-Redirect": address})
    return see_other(address)


@require_POST
def stop_import(request: HttpRequest, import_id: str) -> HttpResponse:
    """Stop; what is finished is kept. It may have ended between the page and the press: no error then."""
    person, world = find_imported(request, import_id)
    job = queries.status_of(world).job
    try:
        if job is not None:
            stop(job, person)
    except DomainError as error:
        if error.kind != "conflict":
            raise
        messages.info(request, _("The import had ended already."))
    return see_other(reverse("importer:show", args=[world.pk]))


@require_POST
def go_on(request: HttpRequest, import_id: str) -> HttpResponse:
    """Go on from the stage that is stored (RUN-3)."""
    person, world = find_imported(request, import_id)
    actions.resume(actor=person, world=world)
    return see_other(reverse("importer:run", args=[world.pk]))


@require_POST
def retry(request: HttpRequest, import_id: str) -> HttpResponse:
    """Ask again what got no usable answer, and go on."""
    person, world = find_imported(request, import_id)
    actions.retry_failed(actor=person, world=world)
    return see_other(reverse("importer:run", args=[world.pk]))


@require_POST
def change_model(request: HttpRequest, import_id: str) -> HttpResponse:
    """Go on with another model."""
    person, world = find_imported(request, import_id)
    actions.change_endpoint(actor=person, world=world, endpoint_id=request.POST.get("endpoint", ""))
    return see_other(reverse("importer:run", args=[world.pk]))
