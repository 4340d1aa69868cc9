"""`/lore/<id>/settings/`: what a book is called and how it is searched, its worlds, its people."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from formats.errors import DomainError
from lorebooks import actions, queries
from lorebooks.access import KIND, standing_of
from lorebooks.forms import SettingsForm
from lorebooks.models import Lorebook
from lorebooks.views.frame import lorebook_page, needed, open_lorebook
from portal.models import Person
from portal.sharing import shares_of
from worlds.library.pages.forms import ShareForm
from worlds.library.pages.uses import OFFERED, free_worlds, told_uses
from worlds.views.frame import see_other


@require_http_methods(["GET", "HEAD", "POST"])
def settings_page(request: HttpRequest, lorebook_id: str) -> HttpResponse:
    """The settings; POST saves the form of the book itself."""
    person, lorebook = open_lorebook(request, lorebook_id, needed(request))
    stored = queries.settings_of(lorebook)
    form = SettingsForm(request.POST or None, stored.fields)
    etag, status = request.POST.get("etag", stored.etag), 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                actions.edit_settings(
                    actor=person, lorebook=lorebook, fields=form.cleaned_data, if_match=etag
                )
            except DomainError as error:
                if error.kind != "conflict":
                    raise
                return _conflict(request, person, lorebook, form)
            messages.success(request, _("Saved."))
            return see_other(reverse("lorebooks:settings", args=[lorebook.pk]))
    return show_settings(request, person, lorebook, form, etag, status=status)


def show_settings(
    request: HttpRequest,
    person: Person,
    lorebook: Lorebook,
    form: SettingsForm,
    etag: str,
    *,
    sharing: ShareForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """The whole page; a reader sees the settings without a form."""
    using = queries.worlds_using(person, lorebook)
    context: dict[str, Any] = {
        "title": _("Settings"),
        "form": form,
        "etag": etag,
        "settings": queries.settings_of(lorebook).fields,
        "uses": told_uses(person, using),
        "offered": OFFERED,
        "free_worlds": free_worlds(person, using),
    }
    if standing_of(person, lorebook) == "owner":
        context |= {"shares": shares_of(KIND, lorebook.pk), "sharing": sharing or ShareForm()}
    return lorebook_page(
        request, person, lorebook, "settings", "lorebooks/settings.html", context, status=status
    )


def _conflict(request: HttpRequest, person: Person, lorebook: Lorebook, form: SettingsForm) -> HttpResponse:
    """Somebody else saved meanwhile: what is stored now, beside what was written; the form saves over it."""
    stored = queries.settings_of(lorebook)
    theirs = SettingsForm(None, stored.fields).initial
    changed = [
        (field.label, _shown(form, name, theirs[name]))
        for name, field in form.fields.items()
        if form.cleaned_data.get(name) != stored.fields.get(name)
    ]
    context = {"title": _("Settings"), "form": form, "etag": stored.etag, "theirs": changed}
    return lorebook_page(
        request, person, lorebook, "settings", "lorebooks/settings_conflict.html", context, status=409
    )


def _shown(form: SettingsForm, name: str, value: Any) -> str:
    choices = dict(getattr(form.fields[name], "choices", ()))
    if value in choices:
        return str(choices[value])
    return "—" if value in (None, "") else str(value)
