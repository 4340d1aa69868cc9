"""`/presets/<id>/settings/`: what a preset is called and where it came from, its worlds, its people."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from portal.models import Person
from portal.sharing import shares_of
from presets import actions, attaching, queries
from presets.access import KIND, standing_of
from presets.forms import SettingsForm
from presets.models import Preset
from presets.views.frame import needed, open_preset, preset_page
from presets.words import source_word
from worlds.library.pages.forms import ShareForm
from worlds.library.pages.uses import OFFERED, free_worlds, told_uses
from worlds.views.frame import see_other


@require_http_methods(["GET", "HEAD", "POST"])
def settings_page(request: HttpRequest, preset_id: str) -> HttpResponse:
    """The settings; POST saves the form of the preset itself."""
    person, preset = open_preset(request, preset_id, needed(request))
    form = SettingsForm(request.POST or None, queries.item_of(preset))
    if request.method == "POST" and form.is_valid():
        actions.edit_item(actor=person, preset=preset, fields=form.cleaned_data)
        messages.success(request, _("Saved."))
        return see_other(reverse("presets:settings", args=[preset.pk]))
    return show_settings(request, person, preset, form, status=422 if form.is_bound else 200)


def show_settings(
    request: HttpRequest,
    person: Person,
    preset: Preset,
    form: SettingsForm,
    *,
    sharing: ShareForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """The whole page; a reader sees the settings without a form."""
    item, using = queries.item_of(preset), queries.worlds_using(person, preset)
    context: dict[str, Any] = {
        "title": _("Settings"),
        "form": form,
        "tags": item.tags,
        "source": item.source,
        "source_word": source_word(preset.form, item.source.kind),
        "report": queries.import_report(preset),
        "uses": told_uses(person, using),
        "offered": OFFERED,
        "free_worlds": attaching.replaced_in(free_worlds(person, using)),
    }
    if standing_of(person, preset) == "owner":
        context |= {"shares": shares_of(KIND, preset.pk), "sharing": sharing or ShareForm()}
    return preset_page(request, person, preset, "settings", "presets/settings.html", context, status=status)
