"""The faces of an upload that is no card to choose from: still being read, or refused with its reason."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from formats.errors import DomainError
from importer import queries
from importer.models import Upload
from importer.pipeline.record import Reading
from importer.words import OTHER_KINDS
from portal.jobs import jobs_of
from portal.models import Job, Person
from portal.render import render_page, wants_fragment
from portal.say import sentence


def reading_face(request: HttpRequest, person: Person, upload: Upload) -> HttpResponse:
    """The file is being read; the page looks again by itself."""
    job = jobs_of(person).filter(subject=upload.pk, kind="read-upload").first()
    seen = f"{job.state}-{job.version}" if job else "none"
    if wants_fragment(request) and request.GET.get("seen") == seen:
        return HttpResponse(status=204)
    context = {
        "title": upload.filename,
        "crumbs": crumbs(),
        "upload": upload,
        "seen": seen,
        "job": job,
        "stuck": job is not None and job.state in (Job.State.FAILED, Job.State.STOPPED),
        "reason": sentence(job.error, job.error_args) if job else "",
    }
    return render_page(request, "importer/reading.html", context, partial="reading")


LIBRARIES = ("lorebook", "preset")
"""Kinds of files that are no cards and have a library of their own."""


def refused_face(request: HttpRequest, upload: Upload) -> HttpResponse:
    """No card, or one that cannot be read: why, where, and the file back (`portal.md` 3.4, step 2)."""
    reading = reading_or_none(upload)
    error = reading.error if reading else None
    context = {
        "title": upload.filename,
        "crumbs": crumbs(),
        "upload": upload,
        "reason": sentence(error.message, error.args) if error else "",
        "hint": sentence(error.hint, error.args) if error and upload.state != Upload.State.SEVERAL else "",
        "error": error,
        "more": OTHER_KINDS.get(upload.kind, ""),
        "kept": reading is not None,
        "library": upload.kind if reading and upload.kind in LIBRARIES else "",
        "parts": upload.parts().count() if upload.state == Upload.State.SEVERAL else 0,
    }
    return render_page(request, "importer/refused.html", context)


def reading_or_none(upload: Upload) -> Reading | None:
    """The verdict, unless its files have expired."""
    try:
        return queries.reading_of(upload)
    except DomainError:
        return None


def crumbs() -> list[tuple[str, str]]:
    """The way back of every page of an import."""
    return [(_("Worlds"), "/"), (_("Import"), reverse("importer:index"))]
