"""Attaching books to worlds, and opening them to people on this server."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from formats.errors import DomainError
from lorebooks import actions, queries
from lorebooks.access import KIND, lorebook_for, own_lorebook_for
from lorebooks.forms import SettingsForm, ShareForm
from lorebooks.views.settings import show_settings
from portal import sharing
from portal.access import nothing_here, person_of
from portal.say import hinted, said
from worlds.access import world_for
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
    """Open a book to somebody, or change what they may do with it.

    A share that failed is shown at this address; whoever loads it again gets the page the form stands on.
    """
    if request.method != "POST":
        return redirect(_people(lorebook_id))
    person = person_of(request)
    lorebook = own_lorebook_for(person, lorebook_id)
    form = ShareForm(request.POST)
    if form.is_valid():
        try:
            made = sharing.share(
                actor=person,
                owner=lorebook.owner,
                kind=KIND,
                item_id=lorebook.pk,
                with_name=form.cleaned_data["name"],
                level=form.cleaned_data["level"],
            )
        except DomainError as error:
            if error.where not in form.fields:
                raise
            form.add_error(error.where, " ".join(filter(None, (said(error), hinted(error)))))
        else:
            messages.success(request, _("Shared with %(name)s.") % {"name": made.person.username})
            return see_other(_people(lorebook.pk))
    stored = queries.settings_of(lorebook)
    plain = SettingsForm(None, stored.fields)
    return show_settings(request, person, lorebook, plain, stored.etag, sharing=form, status=422)


@require_POST
def unshare(request: HttpRequest, lorebook_id: str) -> HttpResponse:
    """Take a share back; whoever was given it may give it up, too."""
    person = person_of(request)
    lorebook = lorebook_for(person, lorebook_id)
    given = sharing.shares_of(KIND, lorebook.pk).filter(person__handle=request.POST.get("person", "")).first()
    if given is None or person.pk not in (given.person_id, lorebook.owner_id):
        raise nothing_here()
    sharing.unshare(actor=person, owner=lorebook.owner, kind=KIND, item_id=lorebook.pk, person=given.person)
    if given.person_id == person.pk:
        messages.success(request, _("“%(name)s” is not in your list any more.") % {"name": lorebook.name})
        return see_other(reverse("lorebooks:library"))
    messages.success(request, _("No longer shared with %(name)s.") % {"name": given.person.username})
    return see_other(_people(lorebook.pk))


def _people(lorebook_id: str) -> str:
    return f"{reverse('lorebooks:settings', args=[lorebook_id])}#people"
