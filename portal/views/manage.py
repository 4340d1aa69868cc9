"""Pages of the host: people, invitations, the site (`portal.md` 3.12)."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from portal import actions, invitations
from portal.access import host_only, nothing_here, person_of
from portal.forms import InviteForm, SiteForm
from portal.models import Invitation, Person, SiteSettings
from portal.people import everybody, how_many
from portal.people import invitations as all_invitations
from portal.render import render_page

PER_PAGE = 50


@require_http_methods(["GET", "HEAD", "POST"])
@host_only
def people(request: HttpRequest) -> HttpResponse:
    """Everybody with an account, and the invitations; POST makes an invitation and shows its link once."""
    form = InviteForm(request.POST or None)
    link = ""
    if request.method == "POST" and form.is_valid():
        _made, token = invitations.make_invitation(actor=person_of(request), note=form.cleaned_data["note"])
        link = settings.PUBLIC_URL + reverse("portal:invitation", kwargs={"token": token})
        form = InviteForm()
    words = request.GET.get("q", "").strip()[:100]
    context = {
        "form": form,
        "link": link,
        "words": words,
        "page": Paginator(everybody(words), PER_PAGE).get_page(request.GET.get("page")),
        "invitations": all_invitations()[:PER_PAGE],
        "counts": how_many(),
        "mode": SiteSettings.current().registration_mode,
        "section": "manage",
    }
    status = 422 if form.is_bound and not form.is_valid() else 200
    return render_page(request, "portal/manage_people.html", context, "people", status=status)


@require_POST
@host_only
def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    """Withdraw an invitation."""
    found = Invitation.objects.filter(pk=pk).first()
    if found is None:
        raise nothing_here()
    actions.revoke_invitation(actor=person_of(request), invitation=found)
    messages.success(request, _("The invitation is withdrawn. Its link opens nothing any more."))
    return redirect("portal:people")


@require_POST
@host_only
def set_active(request: HttpRequest, handle: str, active: bool) -> HttpResponse:
    """Disable an account, or open it again; a notice offers the way back."""
    person, actor = _person(handle), person_of(request)
    if active:
        actions.enable_person(actor=actor, person=person)
        text = _("%(name)s can sign in again.")
        undo = reverse("portal:disable", kwargs={"handle": handle})
    else:
        actions.disable_person(actor=actor, person=person)
        text = _("%(name)s is signed out everywhere and cannot sign in. Their things stay.")
        undo = reverse("portal:enable", kwargs={"handle": handle})
    messages.success(request, text % {"name": person.username}, extra_tags=f"undo:{undo}")
    return redirect("portal:people")


@require_POST
@host_only
def new_password(request: HttpRequest, handle: str) -> HttpResponse:
    """Show a link with which the person sets a new password."""
    person = _person(handle)
    link = settings.PUBLIC_URL + actions.password_link(actor=person_of(request), person=person)
    context = {"person": person, "link": link, "section": "manage"}
    return render_page(request, "portal/manage_password.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@host_only
def site(request: HttpRequest) -> HttpResponse:
    """Name, language, and who may make an account."""
    form = SiteForm(request.POST or None, instance=SiteSettings.current())
    if request.method == "POST" and form.is_valid():
        actions.save_site(actor=person_of(request), **form.cleaned_data)
        messages.success(request, _("Saved."))
        return redirect("portal:site")
    context = {"form": form, "section": "manage"}
    return render_page(request, "portal/manage_site.html", context, status=422 if form.is_bound else 200)


def _person(handle: str) -> Person:
    """The person of a folder name.

    Raises:
        DomainError: `not-found`.
    """
    found = Person.objects.filter(handle=handle).first()
    if found is None:
        raise nothing_here()
    return found
