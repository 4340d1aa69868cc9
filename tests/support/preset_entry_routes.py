"""The rows of prompts and parameters of presets for `tests.support.routes`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from presets import actions
from presets.models import Preset
from presets.prompt_list import key_of
from tests.support.people import People
from tests.support.preset_routes import a_preset
from tests.support.route_row import EDIT, READ, Row


def a_prompt(people: People) -> dict[str, Any]:
    """One prompt of Ana's preset."""
    return {**a_preset(people), "key": key_of("tone")}


def a_deleted_prompt(people: People) -> Mapping[str, Any]:
    made = a_preset(people)
    preset = Preset.objects.get(pk=made["preset_id"])
    gone = actions.delete_prompt(actor=people.ana, preset=preset, prompt_id="tone")
    return {**made, "change_id": gone.change_id}


E = "presets/<str:preset_id>/entries/"
PROMPT = f"{E}<slug:key>/"
# Every form that saves says against what; one that says nothing and changes nothing is taken.
SAME = {"name": "Tone", "role": "system", "content": "Write calmly. Rain is never far.", "in_history": "line"}
PRESET_ENTRIES: list[Row] = [
    Row(E, "GET", READ, a_prompt),
    Row(f"{E}act/", "POST", EDIT, a_prompt, data={"off": key_of("tone")}),
    Row(f"{E}add/", "POST", EDIT, a_prompt),
    # Which prompt comes back stands in the address; `test_prompt_pages.py` asks with one.
    Row(f"{E}back/<str:change_id>/", "POST", "in 404 404 403 404", a_deleted_prompt),
    Row(PROMPT, "GET", READ, a_prompt),
    Row(PROMPT, "POST", EDIT, a_prompt, data=SAME),
    Row(f"{PROMPT}settle/", "POST", EDIT, a_prompt, data={"yours": "{}"}),
    Row(f"{PROMPT}duplicate/", "POST", EDIT, a_prompt),
    Row(f"{PROMPT}delete/", "POST", EDIT, a_prompt),
    Row("presets/<str:preset_id>/params/", "GET", READ, a_prompt),
    Row(
        "presets/<str:preset_id>/params/",
        "POST",
        EDIT,
        a_prompt,
        data={"temperature": "0.8", "squash": "none", "tool_mode": "adapt"},
    ),
    Row("presets/<str:preset_id>/params/settle/", "POST", EDIT, a_prompt, data={"yours": "{}"}),
]
