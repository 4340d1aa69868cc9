"""`/presets/<id>/versions/`: the tree of versions, two states compared, made, brought back, branched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from formats.preset.model import PresetPrompt
from formats.text.diff import TextDiff
from presets import actions, queries
from presets.index import storable
from presets.models import Preset
from presets.pipeline.differences import Move, PromptChange
from presets.pipeline.word_diff import diff_words
from presets.queries import DRAFT
from presets.trial_words import states_of
from presets.trials import state_named
from presets.version_rows import TALL, tree_rows
from presets.version_words import field_label, told_value
from presets.views.frame import open_preset, preset_page
from worlds.library.files.changes import FieldChange
from worlds.library.files.item import LONGEST_NOTE
from worlds.views.frame import see_other

CHANGES_SHOWN: Final = 30
VERSIONS_SHOWN: Final = 60
LONGEST: Final = 2_000
VERSIONS: Final = "presets:versions"
WAYS_BACK: Final = ("editor", "params")
"""The pages whose bar makes versions and discards the draft, by the name of their route."""


@dataclass(frozen=True, slots=True)
class ToldField:
    """A field before and after in words; `diff` for a text."""

    label: str
    before: str
    after: str
    diff: TextDiff | None = None


@dataclass(frozen=True, slots=True)
class ToldPrompt:
    """A prompt that came, went, moved or changed. `places`: where it stood and stands."""

    kind: str
    name: str
    fields: list[ToldField]
    places: tuple[int, int] | None = None


@require_safe
def versions(request: HttpRequest, preset_id: str) -> HttpResponse:
    """The tree: every version with its note, author and time, and the draft before them."""
    person, preset = open_preset(request, preset_id)
    item = queries.item_of(preset)
    base = queries.draft_base(preset)
    rows, width = tree_rows(item.versions, item.head, base)
    context = {
        "title": _("Versions"),
        "page": Paginator(rows, VERSIONS_SHOWN).get_page(request.GET.get("page")),
        "width": width,
        "tall": TALL,
        "base": base,
        "head": item.head,
        "longest_note": LONGEST_NOTE,
        "several": len(item.versions) > 1 or base is not None,
    }
    return preset_page(request, person, preset, "versions", "presets/versions/versions.html", context)


@require_POST
def make(request: HttpRequest, preset_id: str) -> HttpResponse:
    """Make the draft a version, with a note."""
    person, preset = open_preset(request, preset_id, "edit")
    note = storable(" ".join(request.POST.get("note", "").split()))
    number = actions.make_version(actor=person, preset=preset, note=note)
    messages.success(request, _("Version %(n)s is made and in force.") % {"n": number})
    return see_other(_way_back(request, preset))


@require_POST
def restore(request: HttpRequest, preset_id: str, number: int) -> HttpResponse:
    """A new version that says what an older one said."""
    person, preset = open_preset(request, preset_id, "edit")
    made = actions.restore_version(actor=person, preset=preset, number=number)
    text = _("Version %(new)s is in force now; it says what version %(old)s said. Nothing was lost.")
    messages.success(request, text % {"new": made, "old": number})
    return see_other(reverse(VERSIONS, args=[preset.pk]))


@require_POST
def branch(request: HttpRequest, preset_id: str, number: int) -> HttpResponse:
    """Begin a draft from an older version."""
    person, preset = open_preset(request, preset_id, "edit")
    actions.branch(actor=person, preset=preset, number=number)
    text = _("The draft says what version %(n)s says. A version made of it branches off there.")
    messages.success(request, text % {"n": number})
    return see_other(reverse(VERSIONS, args=[preset.pk]))


@require_POST
def discard(request: HttpRequest, preset_id: str) -> HttpResponse:
    """Forget the draft; the notice offers the way back."""
    person, preset = open_preset(request, preset_id, "edit")
    change_id = actions.discard_draft(actor=person, preset=preset)
    if change_id:
        undo = reverse("presets:put_back_draft", args=[preset.pk, change_id])
        undo += f"?{urlencode({'from': request.POST.get('from', '')})}"
        messages.success(request, _("The draft is discarded."), extra_tags=f"undo:{undo}")
    return see_other(_way_back(request, preset))


@require_POST
def put_back(request: HttpRequest, preset_id: str, change_id: str) -> HttpResponse:
    """Undo: the draft is back."""
    person, preset = open_preset(request, preset_id, "edit")
    actions.put_back_draft(actor=person, preset=preset, change_id=change_id)
    messages.success(request, _("The draft is back."))
    return see_other(_way_back(request, preset))


@require_safe
def compare(request: HttpRequest, preset_id: str) -> HttpResponse:
    """Any two states; without a choice the draft with its version, else the newest with its parent."""
    person, preset = open_preset(request, preset_id)
    item, base = queries.item_of(preset), queries.draft_base(preset)
    first = base or item.version(item.head).parent or item.head
    old = state_named(request.GET.get("old", str(first)))
    new = state_named(request.GET.get("new", DRAFT if base else str(item.head)))
    found = queries.compare(preset, old, new)
    parts: list[PromptChange | Move | PresetPrompt]
    parts = [*found.changed, *found.moved, *found.added, *found.removed]
    page = Paginator(parts, CHANGES_SHOWN).get_page(request.GET.get("page"))
    removed = {id(prompt) for prompt in found.removed}
    context = {
        "title": _("Compare versions"),
        "further": [(_("Versions"), reverse(VERSIONS, args=[preset.pk]))],
        "states": states_of(preset),
        "old": str(old),
        "new": str(new),
        "found": found,
        "page": page,
        "parameters": [_told_field(one) for one in found.parameters] if page.number == 1 else [],
        "prompts": [_told(one, gone=id(one) in removed) for one in page.object_list],
    }
    return preset_page(request, person, preset, "versions", "presets/versions/compare.html", context)


def _way_back(request: HttpRequest, preset: Preset) -> str:
    """The page that was left for a moment; the versions where none is named."""
    name = request.POST.get("from", request.GET.get("from", ""))
    return reverse(f"presets:{name}" if name in WAYS_BACK else VERSIONS, args=[preset.pk])


def _told(one: PromptChange | Move | PresetPrompt, *, gone: bool) -> ToldPrompt:
    if isinstance(one, PromptChange):
        return ToldPrompt("changed", _name(one.title, one.id), [_told_field(field) for field in one.fields])
    if isinstance(one, Move):
        return ToldPrompt("moved", _name(one.title, one.id), [], (one.before, one.after))
    text = storable(one.content)
    shown = text if len(text) <= LONGEST else text[:LONGEST] + " …"
    return ToldPrompt("removed" if gone else "added", _name(one.name, one.id), [ToldField("", "", shown)])


def _told_field(change: FieldChange) -> ToldField:
    label = field_label(change.name)
    if change.name == "content":
        texts: list[Any] = [storable(str(one or "")) for one in (change.before, change.after)]
        return ToldField(label, "", "", diff_words(*texts))
    return ToldField(label, told_value(change.name, change.before), told_value(change.name, change.after))


def _name(name: str, prompt_id: str) -> str:
    return storable(name)[:200] or prompt_id[:200]
