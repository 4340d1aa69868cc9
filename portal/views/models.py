"""`/settings/models/`: model endpoints, their test, and what each is used for (`portal.md` 3.11)."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from formats.errors import DomainError
from portal.access import nothing_here, person_of
from portal.endpoint_forms import EndpointForm, UseForm, tell
from portal.endpoints import actions, told
from portal.endpoints.access import endpoint_for, endpoints_for, looks_after, may_add, own_endpoint_for
from portal.endpoints.listed import names_in
from portal.endpoints.queries import choices_of, for_purpose, key_is_readable
from portal.endpoints.services import SERVICES
from portal.models import ModelEndpoint, Person
from portal.render import render_page
from portal.views.jobs import Shown

MOST_NAMES = 400  # models offered by name; any other can be written
LIST = "portal/models/list.html"
EDIT = "portal/models/edit.html"


@require_safe
def models(request: HttpRequest) -> HttpResponse:
    """My endpoints and those open to everyone, how each stands, and what I use it for."""
    person = person_of(request)
    return render_page(request, LIST, _list_context(person))


@require_POST
def use(request: HttpRequest) -> HttpResponse:
    """Choose what each purpose uses; a purpose that is not sent stays as it is."""
    person = person_of(request)
    form = _use_form(person, request.POST)
    if not form.is_valid():
        return render_page(request, LIST, _list_context(person) | {"form": form}, status=422)
    with transaction.atomic():
        sent = {name: value for name, value in form.chosen().items() if f"use_{name}" in request.POST}
        for purpose, endpoint_id in sent.items():
            row = endpoint_for(person, endpoint_id) if endpoint_id else None
            actions.choose(actor=person, purpose=purpose, endpoint=row)
    messages.success(request, _("Saved."))
    return redirect("portal:models")


@sensitive_post_parameters("key")
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """A new endpoint."""
    person = person_of(request)
    if not may_add(person):
        raise nothing_here()
    form = EndpointForm(_posted(request), endpoint=None, host=person.is_host)
    if request.method == "POST":
        saved = _saved(form, person, None)
        if saved is not None:
            return _on_to(request, person, saved)
    status = 422 if form.is_bound else 200
    return render_page(request, EDIT, _edit_context(form, None), status=status)


@sensitive_post_parameters("key")
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, endpoint_id: str) -> HttpResponse:
    """One endpoint of mine, with its last test; the part about the test alone for its own refreshing."""
    person = person_of(request)
    row = own_endpoint_for(person, endpoint_id)
    form = EndpointForm(_posted(request), endpoint=row, host=person.is_host)
    if request.method == "POST":
        saved = _saved(form, person, row)
        if saved is not None:
            return _on_to(request, person, saved)
    context = _edit_context(form, row)
    if request.GET.get("seen") == context["seen"]:
        return HttpResponse(status=204)
    status = 422 if form.is_bound else 200
    return render_page(request, EDIT, context, partial="tested", status=status)


@require_POST
def test(request: HttpRequest, endpoint_id: str) -> HttpResponse:
    """Test an endpoint of mine in the background."""
    person = person_of(request)
    row = own_endpoint_for(person, endpoint_id)
    actions.test_endpoint(actor=person, endpoint=row)
    return HttpResponseRedirect(_page_of(row) + "#tested", status=303)


@require_POST
def delete(request: HttpRequest, endpoint_id: str) -> HttpResponse:
    """Delete an endpoint of mine; its page has asked. The record of its calls stays."""
    person = person_of(request)
    row = own_endpoint_for(person, endpoint_id)
    actions.delete_endpoint(actor=person, endpoint=row)
    messages.success(request, _("“%(name)s” is deleted, with its key.") % {"name": row.name})
    return redirect("portal:models")


@sensitive_variables("key")
def _saved(form: EndpointForm, person: Person, row: ModelEndpoint | None) -> ModelEndpoint | None:
    """The endpoint as it was kept; None when the form cannot be, and says why."""
    if not form.is_valid():
        return None
    try:
        with transaction.atomic():
            key = form.key_said()
            saved = actions.save_endpoint(
                actor=person,
                endpoint=row,
                fields=form.said(),
                key=key,
                list_address=form.cleaned_data.get("list_address", False),
            )
            everyone = form.cleaned_data.get("everyone", saved.for_everyone)
            if everyone != saved.for_everyone:
                actions.share_with_everyone(actor=person, endpoint=saved, shared=everyone)
    except DomainError as refusal:
        tell(form, refusal)
        return None
    return saved


def _on_to(request: HttpRequest, person: Person, row: ModelEndpoint) -> HttpResponse:
    """After saving: the page of the endpoint, with its test under way where that was asked for."""
    if request.POST.get("then") == "test":
        actions.test_endpoint(actor=person, endpoint=row)
        return HttpResponseRedirect(_page_of(row) + "#tested", status=303)
    messages.success(request, _("Saved."))
    return HttpResponseRedirect(_page_of(row), status=303)


def _page_of(row: ModelEndpoint) -> str:
    return reverse("portal:model", args=[row.pk])


def _edit_context(form: EndpointForm, row: ModelEndpoint | None) -> dict[str, Any]:
    job = told.last_test(row) if row else None
    testing = bool(job and job.live)
    context: dict[str, Any] = {
        "form": form,
        "endpoint": row,
        "crumbs": [(_("Settings"), reverse("portal:account")), (_("Models"), reverse("portal:models"))],
        "title": row.name if row else _("New model endpoint"),
        "services": SERVICES,
        "models": names_in(row.listed)[:MOST_NAMES] if row else [],
        "seen": f"{job.pk}.{job.version}" if job else "-",
        "testing": testing,
    }
    if row is not None:
        context |= {
            "state": told.state_of(row, testing),
            "readable": key_is_readable(row),
            "steps": told.steps_of(row),
            "abilities": told.abilities_of(row) if row.abilities_found or row.abilities_set else [],
            "job": Shown.of(job) if job else None,
        }
    return context


def _list_context(person: Person) -> dict[str, Any]:
    testing = told.being_tested(person)
    rows = list(endpoints_for(person))
    default = for_purpose(person)
    failing = default is not None and told.fails(default)
    return {
        "title": _("Models"),
        "rows": [
            {
                "endpoint": row,
                "state": told.state_of(row, row.pk in testing),
                "mine": looks_after(person, row),
                "is_default": row == default,
                "is_better": failing and told.works(row),
            }
            for row in rows
        ],
        "form": _use_form(person, None) if rows else None,
        "may_add": may_add(person),
    }


def _use_form(person: Person, data: Any) -> UseForm:
    """The form of the purposes; its first choice says what holds while nothing is chosen."""
    chosen = choices_of(person)
    rows = list(endpoints_for(person))
    falls_to = for_purpose(person) if not chosen.get("") else None
    same = _("Not chosen: %(name)s") % {"name": falls_to.name} if falls_to else _("Not chosen")
    return UseForm(data, endpoints=rows, same=same, chosen=chosen)


def _posted(request: HttpRequest) -> Any:
    """What was sent; None to show a form as it is stored."""
    return request.POST if request.method == "POST" else None
