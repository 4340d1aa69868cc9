"""`/presets/<id>/entries/`: the prompts in the order in which they take effect, switched and moved."""

from __future__ import annotations

from collections.abc import Mapping

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST, require_safe

from formats.preset.model import PresetPackage
from portal.access import nothing_here
from portal.models import Person
from portal.render import wants_fragment
from presets import actions, queries
from presets.access import may_edit
from presets.models import Preset
from presets.prompt_list import id_of, key_of
from presets.views.frame import open_preset, preset_page
from presets.views.listing import (
    Wanted,
    list_address,
    list_answer,
    page_context,
    prompt_address,
    shown_before,
)
from worlds.views.frame import see_other

MOST_PLACES = 100_000
KINDS = ("up", "down", "on", "off", "to", "out", "in", "move")


@require_safe
def editor(request: HttpRequest, preset_id: str) -> HttpResponse:
    """The list; `prompt` in the address leads to the prompt of that id, wherever it came from."""
    person, preset = open_preset(request, preset_id)
    if "prompt" in request.GET:
        return see_other(prompt_address(preset, key_of(request.GET["prompt"])))
    if wants_fragment(request) and request.GET.get("seen") == preset.fingerprint:
        return HttpResponse(status=204)  # the bell rang for what is shown already
    actions.touch_preset(actor=person, preset=preset)
    wanted, package = Wanted.of(request.GET), queries.package_of(preset)
    may, opened = may_edit(person, preset), request.GET.get("open", "")
    context = page_context(preset, wanted, package, editable=may, here=opened)
    return preset_page(request, person, preset, "entries", "presets/editor.html", context, "list")


@require_POST
def act(request: HttpRequest, preset_id: str) -> HttpResponse:
    """Switch or move one prompt; htmx gets the rows that are others now, a plain form the page anew."""
    person, preset = open_preset(request, preset_id, "edit")
    before = shown_before(request, preset)
    key = _done(request, person, preset)
    if not wants_fragment(request):
        if "stay" in request.POST:
            return see_other(prompt_address(preset, key))
        return see_other(list_address(preset, Wanted.of(request.POST), key))
    return list_answer(request, preset, before, key)


def _done(request: HttpRequest, person: Person, preset: Preset) -> str:
    """Do what the form says; gives the key of the prompt."""
    said = request.POST
    package = queries.package_of(preset)
    # The handle sends its own name with whichever key was pressed on it.
    for what in KINDS:
        if said.get(what):
            key = said["key"] if what == "to" and said.get("key") else said[what]
            prompt_id = id_of(package, key)
            _do(what, said, person, preset, package, prompt_id)
            return key
    raise nothing_here()


def _do(
    what: str,
    said: Mapping[str, str],
    person: Person,
    preset: Preset,
    package: PresetPackage,
    prompt_id: str,
) -> None:
    if what in ("on", "off"):
        actions.switch_prompt(actor=person, preset=preset, prompt_id=prompt_id, on=what == "on")
    elif what == "out":
        actions.unplace_prompt(actor=person, preset=preset, prompt_id=prompt_id)
    elif what == "move":
        neighbour = id_of(package, said.get("beside", ""))
        before, after = (None, neighbour) if said.get("after") == "1" else (neighbour, None)
        actions.move_prompt(actor=person, preset=preset, prompt_id=prompt_id, before=before, after=after)
    elif what == "to":
        actions.move_prompt(actor=person, preset=preset, prompt_id=prompt_id, place=_number(said["to"]))
    else:
        by = {"up": -1, "down": 1}.get(what, 0)
        actions.move_prompt(actor=person, preset=preset, prompt_id=prompt_id, by=by)


def _number(text: str) -> int:
    text = text.strip()
    return min(int(text), MOST_PLACES) if text.isascii() and text.isdigit() and len(text) < 10 else 1
