"""Opening an item to people on this server, and taking that back."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from formats.errors import DomainError
from portal import sharing
from portal.access import nothing_here, person_of
from portal.models import Person
from portal.say import hinted, said
from worlds.library.access import Item
from worlds.library.pages.forms import ShareForm
from worlds.library.pages.frame import Frame
from worlds.views.frame import see_other


def share_item(
    request: HttpRequest,
    frame: Frame[Item],
    item_id: str,
    show: Callable[[Person, Item, ShareForm], HttpResponse],
) -> HttpResponse:
    """Open an item to somebody, or change what they may do with it. `show` shows a form that was refused.

    A share that failed is shown at this address; whoever loads it again gets the page the form stands on.
    """
    if request.method != "POST":
        return redirect(_people(frame, item_id))
    person = person_of(request)
    item = frame.library.access.own_item_for(person, item_id)
    form = ShareForm(request.POST)
    if form.is_valid():
        try:
            made = sharing.share(
                actor=person,
                owner=item.owner,
                kind=frame.kind,
                item_id=item.pk,
                with_name=form.cleaned_data["name"],
                level=form.cleaned_data["level"],
            )
        except DomainError as error:
            if error.where not in form.fields:
                raise
            form.add_error(error.where, " ".join(filter(None, (said(error), hinted(error)))))
        else:
            messages.success(request, _("Shared with %(name)s.") % {"name": made.person.username})
            return see_other(_people(frame, item.pk))
    return show(person, item, form)


def unshare_item(request: HttpRequest, frame: Frame[Item], item_id: str) -> HttpResponse:
    """Take a share back; whoever was given it may give it up, too."""
    person = person_of(request)
    item = frame.library.access.item_for(person, item_id)
    given = (
        sharing.shares_of(frame.kind, item.pk).filter(person__handle=request.POST.get("person", "")).first()
    )
    if given is None or person.pk not in (given.person_id, item.owner_id):
        raise nothing_here()
    sharing.unshare(actor=person, owner=item.owner, kind=frame.kind, item_id=item.pk, person=given.person)
    if given.person_id == person.pk:
        messages.success(request, _("“%(name)s” is not in your list any more.") % {"name": item.name})
        return see_other(frame.address("library"))
    messages.success(request, _("No longer shared with %(name)s.") % {"name": given.person.username})
    return see_other(_people(frame, item.pk))


def _people(frame: Frame[Item], item_id: str) -> str:
    return f"{frame.address('settings', item_id)}#people"
