"""What is done to a world as a whole: rename, duplicate, export, move to the trash."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from portal.access import person_of
from worlds import actions, jobs
from worlds.access import own_world_for
from worlds.downloads import zip_response
from worlds.forms import NameForm
from worlds.queries import folder_of
from worlds.views.frame import open_world, say_saved, see_other, world_page


@require_http_methods(["GET", "HEAD", "POST"])
def rename(request: HttpRequest, world_id: str) -> HttpResponse:
    """Another name; the address stays."""
    person, world = open_world(request, world_id, "edit")
    form = NameForm(request.POST or None, initial={"name": world.name})
    if request.method == "POST" and form.is_valid():
        actions.rename_world(actor=person, world=world, name=form.cleaned_data["name"])
        say_saved(request, world, _("The world is now called “%(name)s”.") % {"name": world.name})
        return see_other(reverse("worlds:overview", args=[world.pk]))
    context = {
        "form": form,
        "title": _("Rename"),
        "label": _("Rename"),
        "text": _("Its address and everything in it stay as they are."),
    }
    return world_page(request, person, world, "overview", "worlds/name.html", context, status=_status(form))


@require_http_methods(["GET", "HEAD", "POST"])
def duplicate(request: HttpRequest, world_id: str) -> HttpResponse:
    """A copy among one's own worlds: at once for a small world, as a job for a large one."""
    person, world = open_world(request, world_id)
    form = NameForm(request.POST or None, initial={"name": _("%(name)s (copy)") % {"name": world.name[:190]}})
    if request.method == "POST" and form.is_valid():
        name = form.cleaned_data["name"]
        if not jobs.copies_at_once(world):
            job = jobs.submit_copy(actor=person, world=world, name=name)
            return see_other(reverse("portal:job", args=[job.pk]))
        copy = actions.copy_world(actor=person, world=world, name=name)
        messages.success(request, _("This is the copy, “%(name)s”.") % {"name": copy.name})
        return see_other(reverse("worlds:overview", args=[copy.pk]))
    context = {
        "form": form,
        "title": _("Duplicate"),
        "label": _("Make the copy"),
        "text": _(
            "The copy is yours alone. The card it was imported from and its history stay with the original."
        ),
    }
    return world_page(request, person, world, "overview", "worlds/name.html", context, status=_status(form))


@require_safe
def export(request: HttpRequest, world_id: str) -> HttpResponse:
    """What an export holds and what stays behind, with the ways to have both."""
    person, world = open_world(request, world_id)
    context = {"title": _("Export")}
    return world_page(request, person, world, "overview", "worlds/export.html", context)


@require_safe
def export_zip(request: HttpRequest, world_id: str) -> HttpResponseBase:
    """The world as a zip, without what starts with a dot (WORLD-3, D37)."""
    _person, world = open_world(request, world_id)
    return zip_response(request, folder_of(world), world.name)


@require_POST
def trash(request: HttpRequest, world_id: str) -> HttpResponse:
    """To the trash at once; the notice offers the way back."""
    person = person_of(request)
    world = own_world_for(person, world_id)
    entry_id = actions.trash_world(actor=person, world=world)
    text = _("“%(name)s” is in the trash for 30 days.") % {"name": world.name}
    messages.success(request, text, extra_tags=f"undo:{reverse('worlds:restore_world', args=[entry_id])}")
    return see_other(reverse("worlds:home"))


def _status(form: NameForm) -> int:
    return 422 if form.is_bound and form.errors else 200
