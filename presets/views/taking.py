"""`/presets/import/`: files that become presets at once, and those that are there already."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_POST, require_safe

from portal.access import person_of
from portal.models import Person
from portal.render import render_page
from presets import actions, queries
from presets.access import preset_for
from presets.actions import Upload
from presets.views.frame import FRAME
from presets.views.library import crumbs
from worlds.library.pages.taking import refuse_larger, take_files
from worlds.views.frame import see_other


@require_POST
def take(request: HttpRequest) -> HttpResponse:
    """Read each file that came. One that is refused does not take the others with it."""
    person = person_of(request)
    taken, alone = take_files(request, lambda file: take_one(person, file))
    if alone:
        return see_other(address_of(taken[0]))
    for upload in taken:
        say_taken(request, upload)
    return see_other(reverse("presets:library"))


def take_one(person: Person, file: UploadedFile[Any], name: str = "") -> Upload:
    """One file into the library. Raises DomainError: `too-large`, naming both sizes; as `upload_preset`."""
    refuse_larger(
        file,
        actions.MOST_BYTES,
        gettext_noop("This file is {size} MB; a preset may have {limit} MB. Nothing was kept of it."),
        gettext_noop("Save it again without scripts and old prompts, or split it into several."),
    )
    return actions.upload_preset(actor=person, data=file.read(), filename=file.name or "", name=name)


def address_of(upload: Upload) -> str:
    """Where a file that was taken in leads: its report, or the question whether it is needed twice."""
    if upload.preset is None:
        return reverse("presets:waiting", args=[upload.id])
    return reverse("presets:report", args=[upload.preset.pk])


def say_taken(request: HttpRequest, upload: Upload) -> None:
    """What became of one of several files, in a line."""
    told = {"name": upload.name}
    if upload.preset is None:
        messages.warning(request, _("“%(name)s” is in the library already and was not taken twice.") % told)
    else:
        messages.success(request, _("“%(name)s” is in the library.") % told)


@require_safe
def waiting(request: HttpRequest, upload_id: str) -> HttpResponse:
    """The same content is there already: use that preset, or make a copy?"""
    upload = queries.waiting_upload(person_of(request), upload_id)
    context = {"title": upload.name, "crumbs": crumbs(), "upload": upload}
    return render_page(request, "presets/identical.html", context)


@require_POST
def keep(request: HttpRequest, upload_id: str) -> HttpResponse:
    """A second preset of the same content after all."""
    preset = actions.keep_upload(actor=person_of(request), upload_id=upload_id)
    messages.success(request, _("“%(name)s” is in the library.") % {"name": preset.name})
    return see_other(reverse("presets:report", args=[preset.pk]))


@require_POST
def discard(request: HttpRequest, upload_id: str) -> HttpResponse:
    """The file is not kept; with `use`, because the preset that is there is enough, and leads to it."""
    person = person_of(request)
    used = preset_for(person, request.POST["use"]) if request.POST.get("use") else None
    actions.discard_upload(actor=person, upload_id=upload_id)
    if used is not None:
        return see_other(FRAME.home_of(used))
    messages.success(request, _("The file was discarded. The presets you have are untouched."))
    return see_other(reverse("presets:library"))
