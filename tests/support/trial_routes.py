"""The rows of versions, trial runs and test cases of presets for `tests.support.routes`."""

from __future__ import annotations

import json
from typing import Any

from portal.models import ModelEndpoint
from presets import actions, queries
from presets.models import Preset, TrialReply, TrialRun
from presets.pipeline.cases import Case
from presets.pipeline.trial import TrialInputs
from presets.trial_sources import ENGLISH
from presets.trials import Setup
from tests.support.people import People
from tests.support.preset_routes import a_preset
from tests.support.route_row import EDIT, OWN, READ, Row


def a_draft(people: People) -> dict[str, Any]:
    """A preset of Ana's with two versions and a draft; Ben may read it."""
    made = a_preset(people)
    preset = Preset.objects.get(pk=made["preset_id"])
    for note in ("calmer", ""):
        etag = queries.prompt_row(preset, "tone").etag
        fields = {"content": f"Write {note or 'loudly'}."}
        actions.save_prompt(actor=people.ana, preset=preset, prompt_id="tone", fields=fields, if_match=etag)
        if note:
            actions.make_version(actor=people.ana, preset=preset, note=note)
    return {"preset_id": preset.pk, "number": 1}


def versions(people: People) -> dict[str, Any]:
    """The same without the draft, and the change that took it away."""
    made = a_draft(people)
    preset = Preset.objects.get(pk=made["preset_id"])
    return {**made, "change_id": actions.discard_draft(actor=people.ana, preset=preset)}


def a_trial(people: People) -> dict[str, Any]:
    """A preset with a scene set up, and a run of Ana's with one reply."""
    made = a_draft(people)
    preset = Preset.objects.get(pk=made["preset_id"])
    actions.keep_setup(actor=people.ana, preset=preset, setup=Setup(ENGLISH))
    asked = {"messages": [{"role": "user", "content": "Who is there?"}], "tools": []}
    run = TrialRun.objects.create(owner=people.ana, preset_id=preset.pk, ask=json.dumps(asked), tokens=4)
    TrialReply.objects.create(
        run=run, endpoint_id="gone", endpoint_name="Fog", state="done", text="Nobody.", sent=json.dumps(asked)
    )
    return {**made, "run_id": run.pk}


def a_first_message(people: People) -> dict[str, Any]:
    return {**a_trial(people), "number": 1}


def a_reply(people: People) -> dict[str, Any]:
    """A reply of a model that is still there."""
    made = a_trial(people)
    endpoint = ModelEndpoint.objects.create(
        owner=people.ana, name="Fog", base_url="https://models.example/v1", model="fog"
    )
    TrialReply.objects.filter(run_id=made["run_id"]).update(endpoint_id=endpoint.pk)
    return {**made, "number": 0}


def a_preset_case(people: People) -> dict[str, Any]:
    """A preset with a test case."""
    made = a_draft(people)
    preset = Preset.objects.get(pk=made["preset_id"])
    case = Case(id="door", name="At the door", inputs=TrialInputs(current_turn="I knock."), version=1)
    actions.save_case(actor=people.ana, preset=preset, case=case)
    return {**made, "case_id": "door"}


def a_deleted_preset_case(people: People) -> dict[str, Any]:
    made = a_preset_case(people)
    preset = Preset.objects.get(pk=made["preset_id"])
    return {**made, "change_id": actions.delete_case(actor=people.ana, preset=preset, case_id="door")}


P, T = "presets/<str:preset_id>/", "presets/<str:preset_id>/trial/"
RUN = f"{T}runs/<str:run_id>/"
REPLY = f"{RUN}<int:number>/"
TRIALS: list[Row] = [
    Row(f"{P}versions/", "GET", READ, a_draft),
    Row(f"{P}versions/make/", "POST", EDIT, a_draft),
    Row(f"{P}versions/compare/", "GET", READ, a_draft),
    Row(f"{P}versions/<int:number>/restore/", "POST", EDIT, versions),
    Row(f"{P}versions/<int:number>/branch/", "POST", EDIT, versions),
    Row(f"{P}draft/discard/", "POST", EDIT, a_draft),
    Row(f"{P}draft/back/<str:change_id>/", "POST", EDIT, versions),
    Row(T, "GET", READ, a_trial),
    Row(T, "POST", READ, a_trial, data={"current_turn": "I knock."}),
    Row(f"{T}fill/", "POST", READ, a_trial),
    Row(f"{T}copy/", "GET", READ, a_trial),
    Row(f"{T}compare/", "GET", READ, a_trial),
    Row(f"{T}messages/<int:number>/", "GET", READ, a_first_message),
    Row(f"{T}send/", "GET", READ, a_trial),
    Row(f"{T}send/", "POST", READ, a_trial),  # without an endpoint it asks again
    # A run is its person's own, whoever may read the preset.
    Row(RUN, "GET", OWN, a_trial),
    Row(f"{RUN}delete/", "POST", OWN, a_trial),
    Row(REPLY, "GET", OWN, a_reply),
    Row(f"{REPLY}stop/", "POST", OWN, a_reply),
    Row(f"{REPLY}again/", "POST", OWN, a_reply),
    Row(f"{REPLY}sent/", "GET", OWN, a_reply),
    Row(f"{P}cases/", "GET", READ, a_preset_case),
    Row(f"{P}cases/save/", "POST", EDIT, a_trial),
    Row(f"{P}cases/back/<str:change_id>/", "POST", EDIT, a_deleted_preset_case),
    Row(f"{P}cases/<str:case_id>/", "GET", READ, a_preset_case),
    Row(f"{P}cases/<str:case_id>/accept/", "POST", EDIT, a_preset_case),
    Row(f"{P}cases/<str:case_id>/delete/", "POST", EDIT, a_preset_case),
]
