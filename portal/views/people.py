"""Pages of one person: look, account, language; and the door for those who are invited."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import activate
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.i18n import set_language

from portal import actions, invitations
from portal.access import person_of
from portal.forms import EmailForm, LookForm
from portal.models import Person
from portal.render import render_page


@require_http_methods(["GET", "HEAD", "POST"])
def look(request: HttpRequest) -> HttpResponse:
    """Colours, text size, language, shortcuts: saved on the account, in force on the next page."""
    person = person_of(request)
    # A fresh copy: a form that is refused must not change the frame it is shown in.
    form = LookForm(request.POST or None, instance=Person.objects.get(pk=person.pk))
    if request.method == "POST" and form.is_valid():
        saved = form.save()
        if saved.language:
            activate(saved.language)
        messages.success(request, _("Saved."))
        return redirect("portal:look")
    return render_page(request, "portal/look.html", {"form": form}, status=422 if form.is_bound else 200)


@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def account(request: HttpRequest) -> HttpResponse:
    """Who I am here: name, address to sign in with, password, second factor, sessions."""
    person = person_of(request)
    form = EmailForm(request.POST or None, person=person, initial={"email": person.email})
    if request.method == "POST" and form.is_valid():
        actions.change_email(person=person, address=form.cleaned_data["email"])
        messages.success(request, _("Saved."))
        return redirect("portal:account")
    return render_page(request, "portal/account.html", {"form": form}, status=422 if form.is_bound else 200)


@login_not_required
@require_POST
def language(request: HttpRequest) -> HttpResponseBase:
    """The language switch: a cookie for visitors, the account for people."""
    response = set_language(request)
    code = request.POST.get("language", "")
    if isinstance(request.user, Person) and code in dict(Person.language.field.choices or ()):
        Person.objects.filter(pk=request.user.pk).update(language=code)
    return response


@login_not_required
@require_safe
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Who invited, to which server, and what the host can see. Kept in the session for the sign-up form."""
    found = invitations.open_invitation(token)
    if found is None:
        return render_page(request, "portal/invitation_gone.html", status=404)
    request.session[invitations.IN_SESSION] = token
    return render_page(request, "portal/invitation.html", {"invitation": found})


@login_not_required
@require_safe
def help_page(request: HttpRequest) -> HttpResponse:
    """One page, plain."""
    return render_page(request, "portal/help.html")
