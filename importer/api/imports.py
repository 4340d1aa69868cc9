"""Starting an import, and going on with one that was interrupted."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.views.decorators.http import require_POST

from importer import actions
from importer.access import import_for, imported_world_for
from importer.api.bodies import asked_id, sent_object, unusable
from importer.models import Upload
from portal.access import person_of


@require_POST
def start(request: HttpRequest) -> HttpResponseBase:
    """`{id, endpoint?}`: start the import with a model; 202 with the world, whose id names it from now on.

    `endpoint` is the one to read with, else the person's for importing. Asked again the answer is the same.

    Raises:
        DomainError: `not-found` for an upload of somebody else; `invalid` where there is no model.
    """
    sent = sent_object(request)
    asked, endpoint = sent.get("id"), sent.get("endpoint", "")
    if not isinstance(asked, str):
        raise unusable("id")
    if not isinstance(endpoint, str):
        raise unusable("endpoint")
    return started(request, asked, way="model", endpoint=endpoint)


@require_POST
def structure(request: HttpRequest) -> JsonResponse:
    """Start the import without a model; 202 with the world, whose id names the import from now on (STRUCT-1).

    Asked again, or with the world's id, the answer is the same.
    """
    return started(request, asked_id(request), way="structure")


def started(request: HttpRequest, asked: str, **chosen: str) -> JsonResponse:
    """The world of an import that was started this way; one that had started goes its own."""
    person = person_of(request)
    found = import_for(person, asked)
    if isinstance(found, Upload):
        if not found.world:
            actions.choose(actor=person, upload=found, **chosen)
        found = actions.start_structure(actor=person, upload=found)
    return JsonResponse({"world": found.pk}, status=202)


@require_POST
def resume(request: HttpRequest) -> JsonResponse:
    """Go on from the stage that is stored; 422 when nothing waits (RUN-11)."""
    person = person_of(request)
    world = imported_world_for(person, asked_id(request))
    job = actions.resume(actor=person, world=world)
    return JsonResponse({"world": world.pk, "job": job.pk}, status=202)
