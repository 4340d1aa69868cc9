"""`/presets/<id>/trial/`: what a preset would send, message by message; it costs nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from formats.preset.model import SQUASHES
from llm.endpoint import Endpoint
from portal.endpoints.access import endpoints_for, may_add
from portal.models import Person
from portal.render import wants_fragment
from presets import actions, queries, trials
from presets.case_runs import case_of
from presets.models import Preset
from presets.pipeline.copies import ask_of, copy_of, kind_of
from presets.run_names import named_runs
from presets.trial_form import TrialForm
from presets.trial_result import TrialResult
from presets.trial_sources import inputs_of_world, sample_inputs
from presets.trial_words import counter_name, states_of
from presets.trials import Assembled, Setup, keyless
from presets.views.frame import open_preset, preset_page
from worlds.access import worlds_for
from worlds.views.frame import see_other

MOST_WORLDS = 100
ANYWHERE = Endpoint("openai", "https://models.example/v1", "model")
"""Stands in a copy where no endpoint is chosen."""


@require_http_methods(["GET", "HEAD", "POST"])
def trial(request: HttpRequest, preset_id: str) -> HttpResponse:
    """The form and what comes of it. What is set is kept for this person; a live request gets the result."""
    person, preset = open_preset(request, preset_id)
    setup = trials.setup_of(person, preset)
    states, find = states_of(preset), request.GET.get("find", "")[:100]
    form = _form(request.POST if request.method == "POST" else None, person, preset, setup, states)
    if form.is_bound and form.is_valid():
        setup = form.made()
        actions.keep_setup(actor=person, preset=preset, setup=setup)
        if not wants_fragment(request):
            return see_other(reverse("presets:trial", args=[preset.pk]))
    failed = form.is_bound and bool(form.errors)
    made = None if failed else assemble(person, preset, setup)
    context = {
        "title": _("Trial run"),
        "form": form,
        "setup": setup,
        "set_up": trials.is_set_up(person, preset),
        "result": made and TrialResult(made, request.GET.get("page"), find),
        "find": find,
        "live": wants_fragment(request),
        "counter": counter_name(),
        "tried": dict(states)[str(setup.state)],
        "worlds": worlds_for(person).order_by("-used_at", "pk")[:MOST_WORLDS],
        "may_add": may_add(person),
        "runs": named_runs(person, preset),
    }
    status = 422 if failed else 200
    return preset_page(
        request, person, preset, "trial", "presets/trial/trial.html", context, "result", status=status
    )


@require_POST
def fill(request: HttpRequest, preset_id: str) -> HttpResponse:
    """Fill the form at once: with the sample, a world, a test case, or another shape for the messages."""
    person, preset = open_preset(request, preset_id)
    setup = trials.setup_of(person, preset)
    shape, world, case = (request.POST.get(name, "") for name in ("policy", "world", "case"))
    if shape in SQUASHES:
        inputs = setup.inputs.model_copy(update={"policy": shape})
    elif case:
        inputs = case_of(preset, case).inputs
    else:
        found = inputs_of_world(person, world) if world else sample_inputs(get_language() or "en")
        user = found.user or setup.inputs.user
        kept = {"policy": setup.inputs.policy, "seed": setup.inputs.seed, "user": user}
        inputs = found.model_copy(update=kept)
        text = _("The scene of “%(name)s” is filled in.") if world else _("A sample scene is filled in.")
        messages.success(request, text % {"name": inputs.char})
    actions.keep_setup(actor=person, preset=preset, setup=replace(setup, inputs=inputs))
    back = "presets:send_trial" if shape in SQUASHES else "presets:trial"
    return see_other(reverse(back, args=[preset.pk]))


@require_safe
def message(request: HttpRequest, preset_id: str, number: int) -> HttpResponse:
    """One message, whole."""
    person, preset = open_preset(request, preset_id)
    result = TrialResult(assemble(person, preset, trials.setup_of(person, preset)))
    if not 1 <= number <= len(result.messages):
        raise Http404
    context = {
        "title": _("Message %(n)s") % {"n": number},
        "further": [(_("Trial run"), reverse("presets:trial", args=[preset.pk]))],
        "message": result.message(number - 1),
    }
    return preset_page(request, person, preset, "trial", "presets/trial/message_page.html", context, "whole")


@require_safe
def copy(request: HttpRequest, preset_id: str) -> HttpResponse:
    """The request as JSON and as a line for a shell, for one of the chosen endpoints; never its key."""
    person, preset = open_preset(request, preset_id)
    setup = trials.setup_of(person, preset)
    made = assemble(person, preset, setup)
    chosen = trials.chosen_endpoints(person, setup.endpoints)
    wanted = next((row for row in chosen if row.pk == request.GET.get("endpoint")), None)
    row = wanted or next(iter(chosen), None)
    endpoint = keyless(row) if row else ANYWHERE
    ask = ask_of(made.fitted.assembly, made.package.generation, kind_of(endpoint))
    found = copy_of(ask, endpoint, streamed=endpoint.abilities.streaming is not False)
    as_curl = request.GET.get("form") == "curl"
    context = {
        "title": _("Copy of the request"),
        "further": [(_("Trial run"), reverse("presets:trial", args=[preset.pk]))],
        "text": found.as_curl() if as_curl else found.as_json(),
        "as_curl": as_curl,
        "chosen": chosen,
        "endpoint": row,
    }
    if request.GET.get("as") == "file":
        kind = "text/plain" if as_curl else "application/json"
        return HttpResponse(context["text"], content_type=f"{kind}; charset=utf-8")
    return preset_page(request, person, preset, "trial", "presets/trial/copy.html", context)


def assemble(person: Person, preset: Preset, setup: Setup) -> Assembled:
    """What a setup gives for the first endpoint that is chosen and still open to the person."""
    chosen = trials.chosen_endpoints(person, setup.endpoints)
    return trials.assemble_setup(preset, setup, chosen[0] if chosen else None)


def _form(
    data: Any, person: Person, preset: Preset, setup: Setup, states: list[tuple[str, str]]
) -> TrialForm:
    return TrialForm(
        data,
        setup,
        states=states,
        own_policy=queries.package_of(preset, setup.state).squash,
        endpoints=list(endpoints_for(person)),
    )
