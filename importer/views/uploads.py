"""`/import/`: taking files in, the list of what came, and the files themselves (`portal.md` 3.4, step 1)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from formats.errors import DomainError
from importer import actions, queries, samples
from importer.access import uploads_for
from importer.models import Upload
from importer.views.found import find_import, find_upload
from portal.access import person_of
from portal.models import Person
from portal.render import render_page
from portal.say import said
from worlds.downloads import file_response, harmless, parts_of, streamed
from worlds.library.pages.taking import megabytes, refuse_larger, take_files
from worlds.store.etags import etag_of
from worlds.views.frame import see_other

CHUNK = 256 * 1024
PER_PAGE = 20


@require_http_methods(["GET", "HEAD", "POST"])
def index(request: HttpRequest) -> HttpResponse:
    """The zone, what is brought over, and the recent imports; or files that are taken in."""
    person = person_of(request)
    if request.method == "POST":
        return take_in(request, person)
    context = {
        "title": _("Import"),
        "crumbs": [(_("Worlds"), "/")],
        "page": Paginator(uploads_for(person), PER_PAGE).get_page(request.GET.get("page")),
        "waiting": uploads_for(person).exclude(state=Upload.State.STARTED).count(),
        "until": timezone.now().isoformat(),
        "samples": samples.SAMPLES,
        **drop_context(),
    }
    return render_page(request, "importer/index.html", context, partial="recent")


def drop_context() -> dict[str, Any]:
    """What the zone for files needs: the limit in bytes and in MB."""
    limit = settings.IMPORTS.max_upload_bytes
    return {"largest": limit, "largest_mb": megabytes(limit)}


def take_in(request: HttpRequest, person: Person) -> HttpResponse:
    """Stage each file that came. One that is refused does not take the others with it."""
    taken, alone = take_files(request, lambda file: stage(person, file))
    if alone:
        return see_other(reverse("importer:show", args=[taken[0].pk]))
    return see_other(reverse("importer:waiting"))


def stage(person: Person, file: UploadedFile[Any]) -> Upload:
    """Take one file in; its bytes pass through in chunks and are never together in memory (CARD-3).

    Raises:
        DomainError: `too-large`, naming both sizes; as `actions.stage_upload`.
    """
    refuse_larger(
        file,
        settings.IMPORTS.max_upload_bytes,
        gettext_noop("This file is {size} MB; this server takes {limit} MB. Nothing was kept of it."),
        gettext_noop("Ask the author for a smaller version, or the person who runs this server."),
    )
    return actions.stage_upload(actor=person, chunks=file.chunks(CHUNK), filename=file.name or "")


@require_safe
def waiting(request: HttpRequest) -> HttpResponse:
    """Files that wait for a decision, one row each: the page after several were uploaded."""
    person = person_of(request)
    uploads = queries.waiting_uploads(person)
    seen = " ".join(f"{upload.pk[:4]}{upload.state}" for upload in uploads)
    context = {
        "title": _("Files that wait"),
        "crumbs": [(_("Worlds"), "/"), (_("Import"), reverse("importer:index"))],
        "uploads": uploads,
        "ready": sum(upload.state == Upload.State.READY for upload in uploads),
        "reading": any(upload.state == Upload.State.READING for upload in uploads),
        "seen": seen,
        "waiting": len(uploads),
        "until": timezone.now().isoformat(),
    }
    if request.htmx and request.GET.get("seen") == seen:  # type: ignore[attr-defined]
        return HttpResponse(status=204)
    return render_page(request, "importer/waiting.html", context, partial="uploads")


@require_POST
def start_all(request: HttpRequest) -> HttpResponse:
    """Start every card the page showed as ready, each with its choices as they stand."""
    person = person_of(request)
    asked = set(request.POST.getlist("upload"))
    started = 0
    for upload in queries.waiting_uploads(person):
        if upload.pk not in asked or upload.state != Upload.State.READY:
            continue
        try:
            actions.start_structure(actor=person, upload=upload)
            started += 1
        except DomainError as error:
            told = {"file": str(upload), "reason": said(error)}
            messages.error(request, _("%(file)s: %(reason)s") % told)
    text = ngettext("%(n)s import has started.", "%(n)s imports have started.", started)
    messages.success(request, text % {"n": started})
    return see_other(reverse("importer:index"))


@require_POST
def sample(request: HttpRequest, language: str) -> HttpResponse:
    """Bring a sample card in, as if it had been uploaded."""
    person = person_of(request)
    found = samples.sample_for(language)
    if found is None:
        raise Http404
    chunks = iter([found.read()])
    upload = actions.stage_upload(actor=person, chunks=chunks, filename=found.filename)
    return see_other(reverse("importer:show", args=[upload.pk]))


@require_POST
def discard(request: HttpRequest, import_id: str) -> HttpResponse:
    """Remove a file that was not started; nothing of a world was made of it."""
    person, upload = find_upload(request, import_id)
    actions.discard_upload(actor=person, upload=upload)
    messages.success(request, _("The file “%(name)s” was discarded.") % {"name": str(upload)})
    more = queries.waiting_uploads(person)
    return see_other(reverse("importer:waiting") if len(more) > 1 else reverse("importer:index"))


@require_POST
def discard_all(request: HttpRequest) -> HttpResponse:
    """Remove every file that waits and was there when the page was made; this cannot be undone."""
    person, number = person_of(request), 0
    until = moment_of(request.POST.get("until", ""))
    for upload in queries.waiting_uploads(person, None):
        if until is None or upload.created_at > until:
            continue
        try:
            actions.discard_upload(actor=person, upload=upload)
            number += 1
        except DomainError as error:
            if error.kind != "conflict":  # one that was started meanwhile is no file that waits
                raise
    text = ngettext("%(n)s file was discarded.", "%(n)s files were discarded.", number)
    messages.success(request, text % {"n": number})
    return see_other(reverse("importer:index"))


def moment_of(text: str) -> datetime | None:
    """The moment a page was made, as its form says it; None for anything else."""
    try:
        moment = parse_datetime(text[:40])
    except ValueError:
        return None
    return moment if moment is not None and moment.tzinfo is not None else None


@require_safe
def original(request: HttpRequest, import_id: str) -> HttpResponseBase:
    """The very file that was uploaded, byte for byte; it is only ever saved, never shown."""
    _person, found = find_import(request, import_id)
    path, name, size, sha256 = queries.original_of(found)
    # Opened before the answer begins: a start may move the folder while the file is being sent.
    response = StreamingHttpResponse(streamed(request, parts_of(path.open("rb"))))
    response.headers["Content-Type"] = "application/octet-stream"
    response.headers["Content-Length"] = str(size)
    response.headers["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    return harmless(response, etag_of(sha256))


@require_safe
def picture(request: HttpRequest, import_id: str) -> HttpResponseBase:
    """The picture of a card that waits, sent a part at a time; nothing in it can run."""
    _person, upload = find_upload(request, import_id)
    found = queries.picture_of(upload) if upload.state == Upload.State.READY else None
    if found is None:
        raise Http404
    try:
        file = found.open("rb")
    except FileNotFoundError:  # discarded or started meanwhile
        raise Http404 from None
    return file_response(request, file, f"{upload.pk}{found.suffix}", as_picture=True)
