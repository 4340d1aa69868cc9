"""Starting an import, and going on with one that was interrupted."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_POST

from formats.errors import DomainError
from importer import actions
from importer.access import import_for, imported_world_for, upload_for
from importer.api.bodies import asked_id, sent_object, unusable
from importer.models import Upload
from portal.access import person_of


@require_POST
def start(request: HttpRequest) -> HttpResponseBase:
    """`{id, update?}`: the import by a model. This server has none, and says so instead of pretending.

    Raises:
        DomainError: `not-found` for an upload of somebody else; else always `invalid`.
    """
    sent = sent_object(request)
    asked = sent.get("id")
    if not isinstance(asked, str):
        raise unusable("id")
    upload_for(person_of(request), asked)
    raise no_model()


@require_POST
def structure(request: HttpRequest) -> JsonResponse:
    """Start the import without a model; 202 with the world, whose id names the import from now on (STRUCT-1).

    Asked again, or with the world's id, the answer is the same.
    """
    person = person_of(request)
    found = import_for(person, asked_id(request))
    world = actions.start_structure(actor=person, upload=found) if isinstance(found, Upload) else found
    return JsonResponse({"world": world.pk}, status=202)


@require_POST
def resume(request: HttpRequest) -> JsonResponse:
    """Go on from the stage that is stored; 422 when nothing waits (RUN-11)."""
    person = person_of(request)
    world = imported_world_for(person, asked_id(request))
    job = actions.resume(actor=person, world=world)
    return JsonResponse({"world": world.pk, "job": job.pk}, status=202)


def no_model() -> DomainError:
    """Nothing on this server can read a card with a model."""
    return DomainError(
        "invalid",
        "import.no-model",
        "id",
        gettext_noop("This server has no model to import with. The upload is kept as it is."),
        gettext_noop(
            "Import it without a model: POST /roleplay-api/worlds/import/structure?id= with the same id."
        ),
    )
