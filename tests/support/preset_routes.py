"""The rows of the presets app for `tests.support.routes`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from presets.actions import trash_preset, upload_preset
from presets.models import Preset
from tests.support.people import People, share
from tests.support.preset_shelf import shelved_preset
from tests.support.presets import as_file, harbour_preset
from tests.support.route_row import EDIT, OWN, PEOPLE, READ, Row


def a_preset(people: People) -> dict[str, Any]:
    """A small preset of Ana's; Ben may read it."""
    made = shelved_preset(people.ana, harbour_preset())
    share(people.ben, "preset", made.pk, "read")
    return {"preset_id": made.pk, "form": "sillytavern"}


def a_trashed_preset(people: People) -> Mapping[str, Any]:
    made = Preset.objects.get(pk=a_preset(people)["preset_id"])
    return {"entry_id": trash_preset(actor=people.ana, preset=made)}


def a_waiting_preset(people: People) -> Mapping[str, Any]:
    """A file of Ana's that says what a preset of hers says already."""
    a_preset(people)
    data = as_file(harbour_preset())
    return {"upload_id": upload_preset(actor=people.ana, data=data, filename="again.json").id}


P, WAITS = "presets/<str:preset_id>/", "presets/import/waiting/<str:upload_id>/"
PRESETS: list[Row] = [
    Row("presets/", "GET", PEOPLE),
    Row("presets/new/", "GET", PEOPLE),
    Row("presets/new/", "POST", PEOPLE, data={"name": "Harbour"}),
    Row("presets/trash/", "GET", PEOPLE),
    Row("presets/trash/empty/", "POST", PEOPLE),
    Row("presets/trash/<str:entry_id>/restore/", "POST", OWN, a_trashed_preset),
    Row("presets/import/", "POST", "in 422 422 422 422"),  # without a file
    Row(WAITS, "GET", OWN, a_waiting_preset),
    Row(f"{WAITS}keep/", "POST", OWN, a_waiting_preset),
    Row(f"{WAITS}discard/", "POST", "in ok ok ok ok", a_waiting_preset),  # a stranger's file stays
    # Which preset and which world stand in the form; `test_settings_pages.py` asks with both.
    Row("presets/attach/", "POST", "in 404 404 404 404"),
    Row("presets/detach/", "POST", "in 404 404 404 404"),
    Row(f"{P}report/", "GET", READ, a_preset),
    Row(f"{P}report.json", "GET", READ, a_preset),
    Row(f"{P}settings/", "GET", READ, a_preset),
    Row(f"{P}settings/", "POST", EDIT, a_preset, data={"name": "Fog"}),
    Row(f"{P}share/", "POST", EDIT, a_preset, data={"name": "cyd", "level": "read"}),
    Row(f"{P}unshare/", "POST", "in ok 404 ok 404", a_preset, data={"person": "ben"}),
    Row(f"{P}duplicate/", "GET", READ, a_preset),
    Row(f"{P}duplicate/", "POST", READ, a_preset, data={"name": "Harbour, again"}),
    Row(f"{P}export/", "GET", READ, a_preset),
    Row(f"{P}export/<slug:form>/", "GET", READ, a_preset),
    Row(f"{P}trash/", "POST", EDIT, a_preset),
]
