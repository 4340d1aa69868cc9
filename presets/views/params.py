"""`/presets/<id>/params/`: the parameters a preset has, who takes them, merging and tools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import localize
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from formats.errors import DomainError
from formats.preset.kinds import body_of
from formats.preset.model import PARAMETERS
from formats.stable_json import write_json
from portal.models import Person
from portal.render import render_page, wants_fragment
from presets import actions, queries
from presets.index import storable
from presets.models import Preset
from presets.parameter_form import ParameterForm
from presets.pipeline.editing import OTHER_SETTINGS, check_setting
from presets.prompt_words import LEVELS, SETTING_WORDS, TOOL_WAYS
from presets.queries import SettingsValue
from presets.views.draft import draft_context
from presets.views.frame import needed, open_preset, preset_page
from presets.views.prompt_conflicts import saved_meanwhile
from worlds.library.pages.conflicts import Fields, carried_fields
from worlds.views.frame import see_other

APART: Final = frozenset({"prompts", "prompt_order", "extensions"})
"""What of the file has pages of its own, or is far too long for this one."""
LONGEST_RAW: Final = 40_000


@require_http_methods(["GET", "HEAD", "POST"])
def params(request: HttpRequest, preset_id: str) -> HttpResponse:
    """The form; POST saves it into the draft. `add` in the address shows the field of one more."""
    person, preset = open_preset(request, preset_id, needed(request))
    there = queries.settings_of(preset)
    added = [name for name in PARAMETERS if name == request.GET.get("add")]
    if request.method != "POST":
        return _page(request, person, preset, ParameterForm(there.fields, added), there.etag)
    form, etag = ParameterForm(there.fields, added, request.POST), request.POST.get("etag", "")
    if not form.is_valid():
        if wants_fragment(request):
            return render_page(request, "presets/not_saved.html", {"form": form}, status=422)
        return _page(request, person, preset, form, etag, status=422)
    had = preset.has_draft
    try:
        etag = actions.save_parameters(actor=person, preset=preset, fields=form.changed, if_match=etag)
    except DomainError as conflict:
        if conflict.kind != "conflict":
            raise
        return _conflict(request, person, preset, there, form.changed)
    if not wants_fragment(request):
        messages.success(request, _("Saved."))
        return see_other(reverse("presets:params", args=[preset.pk]))
    context = {
        **_told(preset, form, etag),
        **draft_context(preset, had and "had" in request.POST),
        "preset": preset,
        "editable": True,
        "now": timezone.localtime(),
    }
    return render_page(request, "presets/params_saved.html", context)


@require_POST
def settle(request: HttpRequest, preset_id: str) -> HttpResponse:
    """Save what was chosen setting by setting over what is there."""
    person, preset = open_preset(request, preset_id, "edit")
    known = (*PARAMETERS, *OTHER_SETTINGS)
    yours = carried_fields(request.POST.get("yours", ""), known, check_setting)
    there = queries.settings_of(preset)
    chosen = FIELDS.chosen(there.fields, yours, request.POST)
    etag = request.POST.get("etag", "")
    try:
        actions.save_parameters(actor=person, preset=preset, fields=chosen, if_match=etag)
    except DomainError as conflict:
        if conflict.kind != "conflict":
            raise
        return _conflict(request, person, preset, there, yours)
    messages.success(request, _("Saved."))
    return see_other(reverse("presets:params", args=[preset.pk]))


def _label(name: str) -> str:
    return str(SETTING_WORDS[name])


def _words(name: str, value: Any) -> str:
    if value is None:
        return _("not said")
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    named = {"squash": LEVELS, "tool_mode": TOOL_WAYS}.get(name)
    return str(named[value][0]) if named else storable(str(localize(value)))[:200]


FIELDS: Final = Fields(_label, _words, texts=())


def _told(preset: Preset, form: ParameterForm, etag: str) -> dict[str, Any]:
    return {"form": form, "etag": etag, "rows": form.rows(queries.package_of(preset).generation)}


def _page(
    request: HttpRequest,
    person: Person,
    preset: Preset,
    form: ParameterForm,
    etag: str,
    *,
    status: int = 200,
) -> HttpResponse:
    raw = body_of(queries.package_of(preset).raw)
    text = storable(write_json({name: value for name, value in raw.items() if name not in APART}))
    context = {
        **_told(preset, form, etag),
        **draft_context(preset),
        "title": _("Parameters"),
        "raw": text[:LONGEST_RAW] if raw else "",
        "cut": len(text) > LONGEST_RAW,
        "added": request.GET.get("add", ""),
    }
    return preset_page(request, person, preset, "params", "presets/params.html", context, status=status)


def _conflict(
    request: HttpRequest,
    person: Person,
    preset: Preset,
    there: SettingsValue,
    yours: Mapping[str, Any],
) -> HttpResponse:
    saved = saved_meanwhile(preset, "parameters", person)
    if wants_fragment(request) and "compare" not in request.POST:
        context = {"saved": saved, "preset": preset}
        return render_page(request, "presets/params_meanwhile.html", context, status=409)
    differing = FIELDS.differing(there.fields, yours)
    here = reverse("presets:params", args=[preset.pk])
    context = {
        "title": _("Two versions of the parameters"),
        "fields": differing,
        "yours": write_json({field.name: yours[field.name] for field in differing}),
        "etag": there.etag,
        "saved": saved,
        "settle": reverse("presets:settle_params", args=[preset.pk]),
        "back": here,
    }
    return preset_page(request, person, preset, "params", "presets/prompt_conflict.html", context, status=409)
