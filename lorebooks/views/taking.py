"""`/lore/import/`: files that become lorebooks at once, and those that are there already."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_POST, require_safe

from formats.errors import DomainError
from lorebooks import actions, queries
from lorebooks.access import lorebook_for
from lorebooks.actions import Upload
from lorebooks.views.library import crumbs
from portal.access import person_of
from portal.models import Person
from portal.render import render_page
from portal.say import said
from worlds.views.frame import see_other

MEGABYTE = 1024 * 1024


@require_POST
def take(request: HttpRequest) -> HttpResponse:
    """Read each file that came. One that is refused does not take the others with it."""
    person = person_of(request)
    files = request.FILES.getlist("file")
    if not files:
        raise DomainError(
            "invalid",
            "upload.no-file",
            "file",
            gettext_noop("No file came with this. Nothing was stored."),
            gettext_noop("Choose one or more files, then upload them."),
        )
    taken: list[Upload] = []
    for file in files:
        try:
            taken.append(take_one(person, file))
        except DomainError as error:
            if len(files) == 1:
                raise
            told = {"file": file.name or "", "reason": said(error)}
            messages.error(request, _("%(file)s: %(reason)s") % told)
    if len(files) == 1:
        return see_other(address_of(taken[0]))
    for upload in taken:
        say_taken(request, upload)
    return see_other(reverse("lorebooks:library"))


def take_one(person: Person, file: UploadedFile[Any], name: str = "", language: str = "") -> Upload:
    """One file into the library. Raises DomainError: `too-large`, naming both sizes; as `upload_lorebook`."""
    if (file.size or 0) > actions.MOST_BYTES:
        raise DomainError(
            "too-large",
            "upload.too-large",
            (file.name or "")[:200],
            gettext_noop("This file is {size} MB; a lorebook may have {limit} MB. Nothing was kept of it."),
            gettext_noop("Split it into several, or leave out entries that are off."),
            {
                "size": f"{(file.size or 0) / MEGABYTE:.1f}",
                "limit": str(actions.MOST_BYTES // MEGABYTE),
            },
        )
    return actions.upload_lorebook(
        actor=person, data=file.read(), filename=file.name or "", name=name, language=language
    )


def address_of(upload: Upload) -> str:
    """Where a file that was taken in leads: its report, or the question whether it is needed twice."""
    if upload.lorebook is None:
        return reverse("lorebooks:waiting", args=[upload.id])
    return reverse("lorebooks:report", args=[upload.lorebook.pk])


def say_taken(request: HttpRequest, upload: Upload) -> None:
    """What became of one of several files, in a line."""
    told = {"name": upload.name}
    if upload.lorebook is None:
        messages.warning(request, _("“%(name)s” is in the library already and was not taken twice.") % told)
    else:
        messages.success(request, _("“%(name)s” is in the library.") % told)


@require_safe
def waiting(request: HttpRequest, upload_id: str) -> HttpResponse:
    """The same content is there already: use that book, or make a copy?"""
    upload = queries.waiting_upload(person_of(request), upload_id)
    context = {"title": upload.name, "crumbs": crumbs(), "upload": upload}
    return render_page(request, "lorebooks/identical.html", context)


@require_POST
def keep(request: HttpRequest, upload_id: str) -> HttpResponse:
    """A second book of the same content after all."""
    book = actions.keep_upload(actor=person_of(request), upload_id=upload_id)
    messages.success(request, _("“%(name)s” is in the library.") % {"name": book.name})
    return see_other(reverse("lorebooks:report", args=[book.pk]))


@require_POST
def discard(request: HttpRequest, upload_id: str) -> HttpResponse:
    """The file is not kept; with `use`, because the book that is there is enough, and leads to it."""
    person = person_of(request)
    used = lorebook_for(person, request.POST["use"]) if request.POST.get("use") else None
    actions.discard_upload(actor=person, upload_id=upload_id)
    if used is not None:
        return see_other(reverse("lorebooks:editor", args=[used.pk]))
    messages.success(request, _("The file was discarded. The lorebooks you have are untouched."))
    return see_other(reverse("lorebooks:library"))
