"""The first run: one page that makes the owner, then a welcome (`portal.md` 3.1, D44)."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import activate
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from portal import actions, first_run
from portal.access import host_only, nothing_here
from portal.checklist import checklist
from portal.forms import SetupForm
from portal.models import SiteSettings
from portal.render import render_page

BACKEND = "django.contrib.auth.backends.ModelBackend"


@sensitive_post_parameters("password")
@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def setup(request: HttpRequest) -> HttpResponse:
    """Without the right token this page does not exist; once somebody has an account it leads home."""
    if first_run.setup_token() is None:
        messages.info(request, _("This server is set up already."))
        return HttpResponseRedirect("/", status=303)
    token = request.GET.get("token", "")
    if not first_run.opens_setup(token):
        raise nothing_here()
    form = SetupForm(request.POST or None, instance=SiteSettings(pk=1))
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        owner = actions.make_owner(
            name=values["username"],
            password=values["password"],
            site_name=values["name"],
            language=values["language"],
            registration=values["registration"],
        )
        login(request, owner, backend=BACKEND)
        activate(owner.language)
        return HttpResponseRedirect(reverse("portal:welcome"), status=303)
    status = 422 if form.is_bound else 200
    context = {"form": form, "checks": checklist(request)}
    return render_page(request, "portal/setup.html", context, status=status)


@require_safe
@host_only
def welcome(request: HttpRequest) -> HttpResponse:
    """After the first run: what the server says about itself, and sample cards to start from."""
    return render_page(request, "portal/welcome.html", {"checks": checklist(request)})
