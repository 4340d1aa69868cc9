"""`/presets/<id>/cases/`: trials kept with a preset, assembled again on any version, and compared."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.crypto import get_random_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from formats.text.diff import TextDiff
from portal.models import Person
from presets import actions, queries, trials
from presets.case_runs import Messages, case_of, case_to_keep, count_cases, counted, run_case
from presets.index import storable
from presets.models import Preset
from presets.pipeline.cases import grouped
from presets.pipeline.message_diff import MessageChange, diff_messages
from presets.pipeline.trial import text_of
from presets.pipeline.word_diff import diff_words
from presets.queries import DRAFT, State
from presets.run_names import beginning, named_runs
from presets.trial_words import named_state, states_of
from presets.trials import state_named
from presets.views.frame import open_preset, preset_page
from presets.views.trial import assemble
from worlds.views.frame import see_other

PER_PAGE: Final = 10
MOST_SECONDS: Final = 1.5
"""So long the cases of other pages are assembled to be counted with those of this one."""
CHANGES_SHOWN: Final = 30
LONGEST: Final = 3_000
RUN: Final = "run-"


@dataclass(frozen=True, slots=True)
class ChangeTold:
    """A message that came, went or changed, as a page shows it."""

    change: MessageChange
    role: str
    text: str
    diff: TextDiff | None
    more: int


@require_safe
def cases(request: HttpRequest, preset_id: str) -> HttpResponse:
    """The cases by their groups, each assembled on the preset as it is now or on a version."""
    person, preset = open_preset(request, preset_id)
    state = state_named(request.GET.get("state", ""))
    found = [case for group in grouped(queries.cases_of(preset)).values() for case in group]
    page = Paginator(found, PER_PAGE).get_page(request.GET.get("page"))
    runs = [run_case(preset, case, state) for case in page.object_list]
    others = found[: max(0, page.start_index() - 1)] + found[page.end_index() :]
    beyond = count_cases(preset, others, state, MOST_SECONDS)
    context = {
        "title": _("Test cases"),
        "further": [(_("Trial run"), reverse("presets:trial", args=[preset.pk]))],
        "page": page,
        "groups": [(name, list(some)) for name, some in groupby(runs, key=lambda run: run.case.group)],
        "counted": counted(runs) + beyond,
        "beyond": beyond,
        "named": beyond.differing[:PER_PAGE],
        "state": str(state),
        "states": states_of(preset),
    }
    return preset_page(request, person, preset, "trial", "presets/trial/cases.html", context, "list")


@require_safe
def case(request: HttpRequest, preset_id: str, case_id: str) -> HttpResponse:
    """One case on a state: what is not as it was when it was kept."""
    person, preset = open_preset(request, preset_id)
    state = state_named(request.GET.get("state", ""))
    run = run_case(preset, case_of(preset, case_id), state)
    context = {
        "title": run.case.name,
        "further": [
            (_("Trial run"), reverse("presets:trial", args=[preset.pk])),
            (_("Test cases"), reverse("presets:cases", args=[preset.pk])),
        ],
        "run": run,
        "was": named_state(run.case.version or DRAFT),
        "state": str(state),
        "states": states_of(preset),
        **_compared(request, run.changes),
    }
    return preset_page(request, person, preset, "trial", "presets/trial/case.html", context)


@require_POST
def save(request: HttpRequest, preset_id: str) -> HttpResponse:
    """Keep what is set on the trial page as a case."""
    person, preset = open_preset(request, preset_id, "edit")
    made = assemble(person, preset, trials.setup_of(person, preset))
    group = " ".join(request.POST.get("group", "").split())[:200]
    name = " ".join(request.POST.get("name", "").split())[:200] or beginning(made.setup.inputs.current_turn)
    name = name or _("Without a turn")
    expected = request.POST.get("expected", "").replace("\r\n", "\n").replace("\0", "")[:20_000]
    kept = case_to_keep(made, id=get_random_string(12).lower(), name=name, group=group, expected=expected)
    actions.save_case(actor=person, preset=preset, case=kept)
    messages.success(request, _("“%(name)s” is kept as a test case.") % {"name": name})
    return see_other(reverse("presets:cases", args=[preset.pk]))


@require_POST
def accept(request: HttpRequest, preset_id: str, case_id: str) -> HttpResponse:
    """What a case gives now is right: compare with this from now on."""
    person, preset = open_preset(request, preset_id, "edit")
    old = case_of(preset, case_id)
    setup = trials.Setup(old.inputs, DRAFT, (), old.context_length)
    made = trials.assemble_setup(preset, setup, None)
    kept = case_to_keep(made, id=old.id, name=old.name, group=old.group, expected=old.expected)
    kept = kept.model_copy(update={"inputs": old.inputs, "context_length": old.context_length})
    actions.save_case(actor=person, preset=preset, case=kept)
    messages.success(request, _("“%(name)s” is compared with this from now on.") % {"name": old.name})
    return see_other(reverse("presets:cases", args=[preset.pk]))


@require_POST
def delete(request: HttpRequest, preset_id: str, case_id: str) -> HttpResponse:
    """Take a case away at once; the notice offers the way back."""
    person, preset = open_preset(request, preset_id, "edit")
    gone = case_of(preset, case_id)
    change_id = actions.delete_case(actor=person, preset=preset, case_id=case_id)
    undo = reverse("presets:put_back_cases", args=[preset.pk, change_id])
    text = _("The test case “%(name)s” is deleted.") % {"name": gone.name}
    messages.success(request, text, extra_tags=f"undo:{undo}")
    return see_other(reverse("presets:cases", args=[preset.pk]))


@require_POST
def put_back(request: HttpRequest, preset_id: str, change_id: str) -> HttpResponse:
    """Undo a deletion."""
    person, preset = open_preset(request, preset_id, "edit")
    actions.put_back_cases(actor=person, preset=preset, change_id=change_id)
    messages.success(request, _("The test case is back."))
    return see_other(reverse("presets:cases", args=[preset.pk]))


@require_safe
def compare(request: HttpRequest, preset_id: str) -> HttpResponse:
    """Two states with what is set now, or two runs, message by message."""
    person, preset = open_preset(request, preset_id)
    head = queries.item_of(preset).head
    old, new = request.GET.get("old", str(head)), request.GET.get("new", DRAFT)
    context = {
        "title": _("Compare messages"),
        "further": [(_("Trial run"), reverse("presets:trial", args=[preset.pk]))],
        "old": old,
        "new": new,
        "states": states_of(preset),
        "runs": named_runs(person, preset),
        **_compared(request, diff_messages(*_sides(person, preset, old, new))),
    }
    return preset_page(request, person, preset, "trial", "presets/trial/compare.html", context)


def _sides(person: Person, preset: Preset, old: str, new: str) -> list[Messages]:
    """Both lists of messages. Beside a run a state is assembled with the scene of that run."""
    named = [name.removeprefix(RUN) if name.startswith(RUN) else "" for name in (old, new)]
    runs = [trials.run_for(person, preset, run_id) if run_id else None for run_id in named]
    scene = next((trials.inputs_of(run.inputs) for run in runs if run is not None), None)
    sides: list[Messages] = []
    for name, run in zip((old, new), runs, strict=True):
        state: State = state_named(name)
        if run is not None:
            sides.append(json.loads(run.ask)["messages"])
        elif scene is not None:
            sides.append(queries.assembled(preset, state, scene).messages)
        else:
            setup = trials.with_state(trials.setup_of(person, preset), state)
            sides.append(assemble(person, preset, setup).fitted.assembly.messages)
    return sides


def _compared(request: HttpRequest, changes: list[MessageChange]) -> dict[str, Any]:
    differing = [change for change in changes if change.kind != "same"]
    page = Paginator(differing, CHANGES_SHOWN).get_page(request.GET.get("page"))
    return {
        "page": page,
        "changes": [_told(change) for change in page.object_list],
        "same": len(changes) - len(differing),
        "differing": len(differing),
    }


def _told(change: MessageChange) -> ChangeTold:
    before, after = (
        storable(text_of(one)) if one is not None else "" for one in (change.before, change.after)
    )
    roles = [str(one.get("role", "")) for one in (change.before, change.after) if one is not None]
    role = " → ".join(dict.fromkeys(roles))
    if change.kind == "changed":
        return ChangeTold(change, role, "", diff_words(before, after), 0)
    text = after
    return ChangeTold(change, role, text[:LONGEST], None, max(0, len(text) - LONGEST))
