"""`/roleplay-api/worlds/import`: files in, previews out, choices, and away with an upload."""

from __future__ import annotations

import time
from typing import Final

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods

from formats.errors import DomainError
from importer import actions
from importer.access import import_for, upload_for
from importer.api.bodies import asked_id, changed_choices, sent_object
from importer.api.shapes import Json, choices_json, refusal_json, upload_json, world_json
from importer.models import Upload
from portal.access import person_of
from portal.models import Person

READING_SECONDS: Final = 8.0  # how long an answer waits for the reading; later the program asks again
LOOK_SECONDS: Final = 0.1


@require_http_methods(["POST", "GET", "HEAD", "PATCH", "DELETE"])
def uploads(request: HttpRequest) -> HttpResponseBase:
    """POST files; GET, PATCH and DELETE `?id=`."""
    match request.method:
        case "POST":
            return take_in(request)
        case "PATCH":
            return change(request)
        case "DELETE":
            return discard(request)
    return show(request)


def take_in(request: HttpRequest) -> JsonResponse:
    """Stage every `file` part; 201 with `{id, preview}` of the first, and all of them in `uploads`.

    With several parts one that is refused does not refuse the others: its place in `uploads` holds the error.
    """
    person, files = person_of(request), request.FILES.getlist("file")
    if not files:
        raise no_file()
    staged = [stage(person, file) for file in files]
    refused = [answer for answer in staged if isinstance(answer, DomainError)]
    if len(refused) == len(staged):
        raise refused[0]
    await_readings([upload for upload in staged if isinstance(upload, Upload)])
    told = [upload_json(answer) if isinstance(answer, Upload) else refusal_json(answer) for answer in staged]
    first = next(answer for answer in told if "id" in answer)
    return JsonResponse({**first, "uploads": told}, status=201)


def stage(person: Person, file: UploadedFile[bytes]) -> Upload | DomainError:
    """One file, chunk by chunk from Django's temporary file on the same disk: never whole in memory."""
    try:
        return actions.stage_upload(actor=person, chunks=file.chunks(), filename=file.name or "")
    except DomainError as error:
        return error


def await_readings(uploads: list[Upload]) -> None:
    """Wait a little until the readings are there, so that most answers have their preview at once."""
    waiting, until = list(uploads), time.monotonic() + READING_SECONDS
    while True:
        for upload in waiting:
            upload.refresh_from_db()
        waiting = [upload for upload in waiting if upload.state == Upload.State.READING]
        if not waiting or time.monotonic() >= until:
            return
        time.sleep(LOOK_SECONDS)


def show(request: HttpRequest) -> JsonResponse:
    """An upload with its preview, or the import of a world with its account."""
    found = import_for(person_of(request), asked_id(request))
    told: Json = upload_json(found) if isinstance(found, Upload) else world_json(found)
    return JsonResponse(told)


def change(request: HttpRequest) -> JsonResponse:
    """Change some choices; the answer holds all of them as they are kept now (PREV-1)."""
    person = person_of(request)
    upload = upload_for(person, asked_id(request))
    changes = changed_choices(sent_object(request))
    choices = actions.choose(actor=person, upload=upload, **changes)
    return JsonResponse({"id": upload.pk, "choices": choices_json(choices)})


def discard(request: HttpRequest) -> HttpResponse:
    """Remove an upload that was not started."""
    person = person_of(request)
    actions.discard_upload(actor=person, upload=upload_for(person, asked_id(request)))
    return HttpResponse(status=204)


def no_file() -> DomainError:
    return DomainError(
        "invalid",
        "no-file",
        "file",
        gettext_noop("No file was sent. Nothing was stored."),
        gettext_noop("Send a form of the type multipart/form-data with the card in a part called file."),
    )
