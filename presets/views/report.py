"""`/presets/<id>/report/`: the first page of a preset: what of it reaches a model here, and what does not."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from formats.preset.report import PresetImportReport
from formats.stable_json import write_json
from formats.text.names import download_name
from portal.models import Person
from portal.render import wants_fragment
from portal.told import told_groups
from presets import actions, exports, queries, report_page
from presets.models import Preset
from presets.report_words import SHAPES
from presets.views.frame import open_preset, preset_page
from worlds.downloads import made_response


@require_safe
def report(request: HttpRequest, preset_id: str) -> HttpResponse:
    """The report on the preset as it stands, with its edits; the list of prompts alone for a live search."""
    person, preset = open_preset(request, preset_id)
    found = queries.report_of(preset)
    listed = report_page.prompt_page(found, request.GET)
    if wants_fragment(request):
        return preset_page(request, person, preset, "report", "presets/report.html", listed, "prompts")
    actions.touch_preset(actor=person, preset=preset)
    context = {**_whole(person, preset, found), **listed}
    return preset_page(request, person, preset, "report", "presets/report.html", context)


def _whole(person: Person, preset: Preset, found: PresetImportReport) -> dict[str, Any]:
    package = queries.package_of(preset)
    names = {line.id: line.name for line in found.prompts}
    return {
        "title": _("Report"),
        "report": found,
        "headline": report_page.headline(found),
        "sent": report_page.fates_told(found, sent=True),
        "not_sent": report_page.fates_told(found, sent=False),
        "notices": report_page.notices(found),
        "rows": report_page.fidelity_rows(found, package),
        "parameters": report_page.parameter_rows(found.parameters),
        "read": told_groups(one for one in found.findings if one.code != "secrets-removed"),
        "effects": report_page.effects_told(found),
        "macros": report_page.macros_told(found, names),
        "pairs": report_page.pairs_told(found, names),
        "protocol": report_page.protocol_told(found, names),
        "unsupported": report_page.unsupported_rows(found.unsupported),
        "imported": queries.import_report(preset),
        "shape": SHAPES[found.shape],
        "original": exports.original_of(preset),
    }


@require_safe
def report_json(request: HttpRequest, preset_id: str) -> HttpResponse:
    """The report of the preset as it stands now, and what the import found, to keep."""
    _person, preset = open_preset(request, preset_id)
    found = queries.import_report(preset)
    told = {
        "preset": preset.name,
        "import": found.model_dump(mode="json", by_alias=True) if found else None,
        "report": queries.report_of(preset).to_json(),
    }
    name = download_name(f"{preset.name} report", "json")
    return made_response(write_json(told).encode("utf-8", "replace"), "application/json", name)
