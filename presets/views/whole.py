"""What is done to a preset as a whole: its report, duplicate, move to the trash."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from formats.stable_json import write_json
from formats.text.names import download_name
from presets import actions, queries
from presets.views.frame import FRAME, open_preset, preset_page
from presets.views.library import TRASH
from worlds.downloads import made_response
from worlds.library.pages.forms import NameForm, name_of_copy
from worlds.views.frame import see_other


@require_safe
def report(request: HttpRequest, preset_id: str) -> HttpResponse:
    """What of it reaches a model here, what does not, and why (`portal.md` 3.9)."""
    person, preset = open_preset(request, preset_id)
    context = {"title": _("Report"), "report": queries.report_of(preset)}
    return preset_page(request, person, preset, "report", "presets/report.html", context)


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


@require_http_methods(["GET", "HEAD", "POST"])
def duplicate(request: HttpRequest, preset_id: str) -> HttpResponse:
    """A copy among one's own presets."""
    person, preset = open_preset(request, preset_id)
    form = NameForm(request.POST or None, initial={"name": name_of_copy(preset.name)})
    if request.method == "POST" and form.is_valid():
        copy = actions.copy_preset(actor=person, preset=preset, name=form.cleaned_data["name"])
        messages.success(request, _("This is the copy, “%(name)s”.") % {"name": copy.name})
        return see_other(FRAME.home_of(copy))
    context = {"form": form, "title": _("Duplicate")}
    status = 422 if form.is_bound else 200
    return preset_page(request, person, preset, "", "presets/duplicate.html", context, status=status)


@require_POST
def trash(request: HttpRequest, preset_id: str) -> HttpResponse:
    """To the trash at once."""
    return TRASH.move(request, preset_id)
