"""`/presets/<id>/export/`: the preset as a file, and beforehand what is not in that file."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from formats.text.names import download_name
from portal.access import nothing_here
from presets import exports, queries
from presets.models import Preset
from presets.queries import DRAFT, NOW, State
from presets.views.frame import open_preset, preset_page
from worlds.downloads import made_response


@require_safe
def export(request: HttpRequest, preset_id: str) -> HttpResponse:
    """The forms a preset can be saved in, each with what it leaves out."""
    person, preset = open_preset(request, preset_id)
    report = queries.import_report(preset)
    context = {
        "title": _("Export"),
        "forms": exports.FORMS.values(),
        "holes": exports.holes_left_out(queries.package_of(preset, NOW)),
        "secrets": report.reading.secrets if report else (),
        "version": queries.item_of(preset).head,
        "original": exports.original_of(preset),
    }
    return preset_page(request, person, preset, "", "presets/export.html", context)


@require_safe
def download(request: HttpRequest, preset_id: str, form: str) -> HttpResponse:
    """The file itself: of the version in force, or with the edits beside it (`?state=draft`)."""
    _person, preset = open_preset(request, preset_id)
    if form == "original":
        original = exports.original_of(preset)
        if original is None:
            raise nothing_here()
        return made_response(original.read(), "application/octet-stream", original.filename)
    if form not in exports.FORMS:
        raise nothing_here()
    state = _state(request, preset)
    name = preset.name if form == "sillytavern" else f"{preset.name} {form}"
    data = exports.file_of(preset, exports.FORMS[form], state)
    return made_response(data, "application/json", download_name(name, "json"))


def _state(request: HttpRequest, preset: Preset) -> State:
    return DRAFT if request.GET.get("state") == "draft" and preset.has_draft else NOW
