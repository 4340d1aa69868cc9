"""Two people in one prompt: what is there, what was written, and for each field whose it shall be."""

from __future__ import annotations

from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.formats import localize
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from formats.preset.model import PresetPrompt
from formats.stable_json import write_json
from portal.models import Person
from presets import actions, queries
from presets.actions import PromptConflict
from presets.index import storable
from presets.models import Preset
from presets.pipeline.editing import PROMPT_FIELDS, check_field, fields_of
from presets.prompt_form import INSIDE, LINE, PLACES
from presets.prompt_list import key_of
from presets.prompt_words import FIELD_WORDS, ROLE_WORDS
from presets.views.frame import open_preset, preset_page
from presets.views.listing import prompt_address, stored_prompt
from worlds.library.pages.conflicts import Fields, carried_fields, last_saved
from worlds.library.shelves import folder_of
from worlds.versions import Saved
from worlds.views.frame import see_other

LONGEST: Final = 400


def _label(name: str) -> str:
    return str(FIELD_WORDS[name])


def _words(name: str, value: Any) -> str:
    if name == "role":
        return str(ROLE_WORDS.get(value, value))
    if name == "in_history":
        return str(dict(PLACES)[INSIDE if value else LINE])
    return str(localize(value)) if name in ("depth", "order") else storable(str(value))[:LONGEST]


FIELDS: Final = Fields(_label, _words, texts=("content",))


@require_POST
def settle(request: HttpRequest, preset_id: str, key: str) -> HttpResponse:
    """Save what was chosen field by field over what is there; when that changed again, ask again."""
    person, preset = open_preset(request, preset_id, "edit")
    yours = carried_fields(request.POST.get("yours", ""), PROMPT_FIELDS, check_field)
    stored = stored_prompt(queries.package_of(preset), key)
    chosen = FIELDS.chosen(fields_of(stored), yours, request.POST)
    etag = request.POST.get("etag", "")
    try:
        actions.save_prompt(actor=person, preset=preset, prompt_id=stored.id, fields=chosen, if_match=etag)
    except PromptConflict as conflict:
        return conflict_page(request, person, preset, stored, conflict)
    messages.success(request, _("Saved."))
    return see_other(prompt_address(preset, key))


def conflict_page(
    request: HttpRequest, person: Person, preset: Preset, stored: PresetPrompt, conflict: PromptConflict
) -> HttpResponse:
    """409: theirs beside yours, field by field. Nothing is lost or overwritten."""
    differing = FIELDS.differing(conflict.theirs, conflict.yours)
    key = key_of(stored.id)
    context = {
        "title": _("Two versions of a prompt"),
        "fields": differing,
        "yours": write_json({field.name: conflict.yours[field.name] for field in differing}),
        "etag": conflict.etag,
        "saved": saved_meanwhile(preset, stored.id, person),
        "settle": reverse("presets:settle", args=[preset.pk, key]),
        "back": prompt_address(preset, key),
    }
    return preset_page(
        request, person, preset, "entries", "presets/prompt_conflict.html", context, status=409
    )


def saved_meanwhile(preset: Preset, prompt_id: str, reader: Person) -> Saved:
    """Who saved a prompt last and when, as far as the history knows; `who` is "" where it does not."""
    # Saves of one sitting are one step with the note of one prompt alone: its author is the best guess.
    return last_saved(
        folder_of(preset),
        reader,
        lambda record: record.note == prompt_id[:200] or record.what in ("autosave", "restore", "branch"),
    )
