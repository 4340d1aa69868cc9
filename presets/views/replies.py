"""Trials that are sent: the question before, the run with its replies, and exactly what was sent (PRE-18)."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from llm.asking import Ask
from portal.endpoints.access import may_add
from portal.models import ModelEndpoint, Person
from portal.models.jobs import new_job_id
from presets import actions, trials
from presets.long_texts import MOST_KEPT
from presets.models import Preset, TrialReply, TrialRun
from presets.pipeline.copies import ask_of, kind_of
from presets.run_names import named_runs
from presets.trial_replies import settled
from presets.trial_words import counter_name, estimate_of, named_state, told_reply
from presets.trials import Assembled, keyless
from presets.views.frame import open_preset, preset_page
from presets.views.trial import assemble
from worlds.views.frame import see_other

LONGEST_SHOWN = 100_000
TRIAL = "presets:trial"


@require_http_methods(["GET", "HEAD", "POST"])
def send(request: HttpRequest, preset_id: str) -> HttpResponse:
    """Ask first, with an estimate; then store the run and have it asked.

    What was shown is what is sent: where the preset has changed since, the page is shown again.
    """
    person, preset = open_preset(request, preset_id)
    setup = trials.setup_of(person, preset)
    chosen = trials.chosen_endpoints(person, setup.endpoints)
    made = assemble(person, preset, setup)
    asks = [ask_of(made.fitted.assembly, made.package.generation, kind_of(keyless(row))) for row in chosen]
    digest = _digest(chosen, asks)
    shown = request.POST.get("digest", "")
    if request.method == "POST" and chosen and shown == digest:
        return _sent(request, person, preset, made, chosen)
    context = {
        "title": _("Send it for real"),
        "further": [(_("Trial run"), reverse(TRIAL, args=[preset.pk]))],
        "made": made,
        "estimates": [
            estimate_of(row, made.fitted.total, ask.settings) for row, ask in zip(chosen, asks, strict=True)
        ],
        "counter": counter_name(),
        "digest": digest,
        "run_id": new_job_id(),
        "changed": bool(shown) and shown != digest,
        "may_add": may_add(person),
    }
    status = 409 if context["changed"] else 200
    return preset_page(request, person, preset, "trial", "presets/trial/send.html", context, status=status)


@require_safe
def run(request: HttpRequest, preset_id: str, run_id: str) -> HttpResponse:
    """A run: what was asked in a line, and the replies side by side, as far as they have come."""
    person, preset = open_preset(request, preset_id)
    found = trials.run_for(person, preset, run_id)
    replies = [told_reply(settled(reply)) for reply in found.replies.all()]
    named = named_runs(person, preset)
    number = next((one.number for one in named if one.run == found), None)
    context = {
        "title": _("Run %(n)s") % {"n": number} if number else _("Trial run"),
        "further": [(_("Trial run"), reverse(TRIAL, args=[preset.pk]))],
        "run": found,
        "number": number,
        "count": len(json.loads(found.ask)["messages"]),
        "tried": named_state(found.state, found.base),
        "replies": replies,
        "most_kept": MOST_KEPT,
        "others": [one for one in named if one.run != found],
    }
    return preset_page(request, person, preset, "trial", "presets/trial/run.html", context)


@require_safe
def reply(request: HttpRequest, preset_id: str, run_id: str, number: int) -> HttpResponse:
    """One reply for its own refreshing; nothing where it is as it was seen. A part of it whole, as a file."""
    person, preset = open_preset(request, preset_id)
    found = settled(trials.reply_for(person, preset, run_id, number))
    part = request.GET.get("as", "")
    if part == "calls":
        return JsonResponse(found.calls, safe=False)
    if part in ("text", "thinking"):
        return HttpResponse(getattr(found, part), content_type="text/plain; charset=utf-8")
    if request.GET.get("seen") == str(found.version):
        return HttpResponse(status=204)
    context = {
        "preset": preset,
        "run": found.run,
        "told": told_reply(found),
        "came": True,
        "most_kept": MOST_KEPT,
    }
    return render(request, "presets/trial/reply.html", context)


@require_POST
def stop(request: HttpRequest, preset_id: str, run_id: str, number: int) -> HttpResponse:
    """Stop one reply; what has come is kept."""
    person, preset = open_preset(request, preset_id)
    actions.stop_reply(actor=person, reply=trials.reply_for(person, preset, run_id, number))
    return see_other(reverse("presets:run", args=[preset.pk, run_id]))


@require_POST
def again(request: HttpRequest, preset_id: str, run_id: str, number: int) -> HttpResponse:
    """Ask the same again for one reply."""
    person, preset = open_preset(request, preset_id)
    found = settled(trials.reply_for(person, preset, run_id, number))
    actions.ask_again(actor=person, preset=preset, reply=found)
    return see_other(reverse("presets:run", args=[preset.pk, run_id]))


@require_POST
def delete(request: HttpRequest, preset_id: str, run_id: str) -> HttpResponse:
    """Delete a run. It cannot be brought back, and costs nothing but asking again."""
    person, preset = open_preset(request, preset_id)
    actions.delete_run(actor=person, run=trials.run_for(person, preset, run_id))
    messages.success(request, _("The trial run is deleted."))
    return see_other(reverse(TRIAL, args=[preset.pk]))


@require_safe
def sent(request: HttpRequest, preset_id: str, run_id: str, number: int) -> HttpResponse:
    """Exactly what was sent for a reply: its messages, and the body byte for byte."""
    person, preset = open_preset(request, preset_id)
    found = trials.reply_for(person, preset, run_id, number)
    if request.GET.get("as") == "file":
        return HttpResponse(found.sent, content_type="application/json; charset=utf-8")
    context = {
        "title": _("What was sent"),
        "further": [
            (_("Trial run"), reverse(TRIAL, args=[preset.pk])),
            (found.endpoint_name, reverse("presets:run", args=[preset.pk, run_id])),
        ],
        "reply": found,
        "told": told_reply(found),
        "body": _laid_out(found),
        "longest": LONGEST_SHOWN,
    }
    return preset_page(request, person, preset, "trial", "presets/trial/sent.html", context)


def _sent(
    request: HttpRequest, person: Person, preset: Preset, made: Assembled, chosen: list[ModelEndpoint]
) -> HttpResponse:
    wanted = request.POST.get("run", "")
    is_id = len(wanted) == len(new_job_id()) and wanted.isascii() and wanted.isalnum()
    others = TrialRun.objects.filter(pk=wanted).exclude(owner=person, preset_id=preset.pk)
    run_id = wanted if is_id and not others.exists() else ""
    stored, gone = actions.send_trial(
        actor=person, preset=preset, made=made, endpoints=chosen, run_id=run_id or new_job_id()
    )
    if gone:
        text = ngettext(
            "The oldest run was deleted to make room: the last %(all)s are kept.",
            "The oldest %(n)s runs were deleted to make room: the last %(all)s are kept.",
            gone,
        )
        messages.info(request, text % {"n": gone, "all": trials.MOST_RUNS})
    return see_other(reverse("presets:run", args=[preset.pk, stored.pk]))


def _digest(chosen: list[ModelEndpoint], asks: list[Ask]) -> str:
    said: list[Any] = [
        [row.pk, row.model, ask.messages, dict(ask.settings), ask.tools]
        for row, ask in zip(chosen, asks, strict=True)
    ]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:32]


def _laid_out(reply: TrialReply) -> str:
    """The body on many lines, to be read; as it stands where it is no JSON."""
    try:
        return json.dumps(json.loads(reply.sent), ensure_ascii=False, indent=2)
    except ValueError:
        return reply.sent
