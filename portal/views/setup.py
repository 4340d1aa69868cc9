"""The first run: one page that makes the owner, then a welcome (`portal.md` 3.1, D44)."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import activate
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods, require_safe

from formats.errors import DomainError
from portal import actions, first_run
from portal.access import host_only, nothing_here, person_of
from portal.checklist import checklist
from portal.endpoint_forms import FirstModelForm, tell
from portal.endpoints import environment, told
from portal.endpoints.actions import save_endpoint
from portal.endpoints.queries import for_purpose
from portal.endpoints.services import SERVICES
from portal.forms import SetupForm
from portal.models import Person, SiteSettings
from portal.render import render_page

BACKEND = "django.contrib.auth.backends.ModelBackend"


@sensitive_post_parameters("password", "key")
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
    model = FirstModelForm(request.POST or None)
    if request.method == "POST" and form.is_valid() and model.is_valid():
        owner = _made(form, model)
        if owner is not None:
            login(request, owner, backend=BACKEND)
            activate(owner.language)
            return HttpResponseRedirect(reverse("portal:welcome"), status=303)
    context = {
        "form": form,
        "model": model,
        "given": environment.in_step(),
        "services": SERVICES,
        "checks": checklist(request),
    }
    return render_page(request, "portal/setup.html", context, status=422 if form.is_bound else 200)


@sensitive_variables("values", "key")
def _made(form: SetupForm, model: FirstModelForm) -> Person | None:
    """The owner, with the model endpoint of the third step; None, and nothing made, when that cannot be."""
    values = form.cleaned_data
    try:
        with transaction.atomic():
            owner = actions.make_owner(
                name=values["username"],
                password=values["password"],
                site_name=values["name"],
                language=values["language"],
                registration=values["registration"],
            )
            if model.wanted():
                key = model.cleaned_data["key"] or None
                listing = model.cleaned_data["list_address"]
                save_endpoint(actor=owner, fields=model.said(), key=key, list_address=listing)
    except DomainError as refusal:
        if refusal.where not in model.fields:
            raise
        tell(model, refusal)
        return None
    first_run.forget_token()
    return owner


@require_safe
@host_only
def welcome(request: HttpRequest) -> HttpResponse:
    """After the first run: what the server says about itself, and sample cards to start from."""
    endpoint = for_purpose(person_of(request))
    context = {
        "checks": checklist(request),
        "endpoint": endpoint,
        "state": told.state_of(endpoint) if endpoint else None,
    }
    return render_page(request, "portal/welcome.html", context)
