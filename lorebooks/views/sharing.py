"""Attaching books to worlds, and opening them to people on this server."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from lorebooks import actions, queries
from lorebooks.access import lorebook_for
from lorebooks.forms import SettingsForm
from lorebooks.models import Lorebook
from lorebooks.views.frame import FRAME
from lorebooks.views.settings import show_settings
from portal.access import person_of
from portal.models import Person
from worlds.access import world_for
from worlds.library.pages.forms import ShareForm
from worlds.library.pages.people import share_item, unshare_item
from worlds.views.frame import see_other


@require_POST
def attach(request: HttpRequest) -> HttpResponse:
    """Put a book on a world; both pages offer it, and `back` says which one asked."""
    person = person_of(request)
    lorebook = lorebook_for(person, request.POST.get("lorebook", ""))
    world = world_for(person, request.POST.get("world", ""), "edit")
    actions.attach_lorebook(actor=person, lorebook=lorebook, world=world)
    told = {"name": lorebook.name, "world": world.name}
    messages.success(request, _("“%(world)s” now uses “%(name)s”.") % told)
    return see_other(_back(request, lorebook.pk, world.pk))


@require_POST
def detach(request: HttpRequest) -> HttpResponse:
    """Take a book off a world; the book itself stays. It need not be in the library any more."""
    person = person_of(request)
    lorebook_id = request.POST.get("lorebook", "")
    world = world_for(person, request.POST.get("world", ""), "edit")
    actions.detach_lorebook(actor=person, lorebook_id=lorebook_id, world=world)
    told = {"world": world.name}
    messages.success(request, _("The lorebook was taken off “%(world)s”. Its entries are untouched.") % told)
    return see_other(_back(request, lorebook_id, world.pk))


def _back(request: HttpRequest, lorebook_id: str, world_id: str) -> str:
    if request.POST.get("back") == "world":
        return reverse("worlds:overview", args=[world_id])
    return f"{reverse('lorebooks:settings', args=[lorebook_id])}#worlds"


@require_http_methods(["GET", "HEAD", "POST"])
def share(request: HttpRequest, lorebook_id: str) -> HttpResponse:
    """Open a book to somebody, or change what they may do with it."""

    def show(person: Person, lorebook: Lorebook, form: ShareForm) -> HttpResponse:
        stored = queries.settings_of(lorebook)
        plain = SettingsForm(None, stored.fields)
        return show_settings(request, person, lorebook, plain, stored.etag, sharing=form, status=422)

    return share_item(request, FRAME, lorebook_id, show)


@require_POST
def unshare(request: HttpRequest, lorebook_id: str) -> HttpResponse:
    """Take a share back; whoever was given it may give it up, too."""
    return unshare_item(request, FRAME, lorebook_id)
