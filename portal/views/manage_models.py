"""`/manage/models/`: what is open to everyone, and the host's rules about models (`portal.md` 3.12)."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from formats.errors import DomainError
from portal.access import host_only, person_of
from portal.endpoint_forms import ModelRulesForm, tell
from portal.endpoints import actions, told
from portal.endpoints.access import endpoint_for, endpoints_for, looks_after
from portal.models import SiteSettings
from portal.render import render_page


@require_http_methods(["GET", "HEAD", "POST"])
@host_only
def rules(request: HttpRequest) -> HttpResponse:
    """Who may add endpoints, which local addresses may be spoken to, and what is open to everyone."""
    person = person_of(request)
    site = SiteSettings.current()
    initial = {"members_add": site.members_add_endpoints, "model_addresses": site.model_addresses}
    form = ModelRulesForm(request.POST if request.method == "POST" else None, initial=initial)
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        try:
            actions.save_rules(
                actor=person,
                members_add=values["members_add"],
                addresses=values["model_addresses"].split(),
            )
        except DomainError as refusal:
            tell(form, refusal)
        else:
            messages.success(request, _("Saved."))
            return redirect("portal:manage_models")
    shared = [row for row in endpoints_for(person) if row.for_everyone]
    rows = [
        {"endpoint": row, "state": told.state_of(row), "mine": looks_after(person, row)} for row in shared
    ]
    context = {"form": form, "rows": rows, "section": "manage", "title": _("Models")}
    status = 422 if request.method == "POST" else 200
    return render_page(request, "portal/models/manage.html", context, status=status)


@require_POST
@host_only
def close(request: HttpRequest, endpoint_id: str) -> HttpResponse:
    """Take an endpoint back from everyone; whoever owns it goes on using it."""
    person = person_of(request)
    row = endpoint_for(person, endpoint_id)
    actions.share_with_everyone(actor=person, endpoint=row, shared=False)
    messages.success(request, _("“%(name)s” is no longer open to everyone.") % {"name": row.name})
    return redirect("portal:manage_models")
