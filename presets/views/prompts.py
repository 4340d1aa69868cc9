"""One prompt: its form, which saves by itself into the draft, new, copied, deleted and brought back."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_http_methods, require_POST

from formats.preset.fates import line_of
from formats.preset.model import FIXED_HOLES, PresetPackage, PresetPrompt
from formats.text.tokens import count_tokens
from portal.models import Person
from portal.render import render_page, wants_fragment
from presets import actions, queries
from presets.access import may_edit
from presets.actions import PromptConflict
from presets.macro_marks import marked
from presets.models import Preset
from presets.pipeline.editing import etag_of_prompt
from presets.prompt_form import PromptForm
from presets.prompt_kept import kept_of
from presets.prompt_list import id_of, key_of
from presets.views.frame import needed, open_preset, preset_page
from presets.views.listing import (
    Wanted,
    changes_context,
    list_address,
    page_context,
    prompt_address,
    shown_before,
    stored_prompt,
)
from presets.views.prompt_conflicts import conflict_page, saved_meanwhile
from worlds.views.frame import see_other


@require_http_methods(["GET", "HEAD", "POST"])
def prompt(request: HttpRequest, preset_id: str, key: str) -> HttpResponse:
    """The form of a prompt beside the list, the form alone for htmx. POST saves it into the draft."""
    person, preset = open_preset(request, preset_id, needed(request))
    package = queries.package_of(preset)
    stored = stored_prompt(package, key)
    if request.method != "POST":
        return _page(request, person, preset, package, stored, PromptForm(stored), etag_of_prompt(stored))
    form, etag = PromptForm(stored, request.POST), request.POST.get("etag", "")
    if not form.is_valid():
        if wants_fragment(request):
            return render_page(request, "presets/not_saved.html", {"form": form}, status=422)
        return _page(request, person, preset, package, stored, form, etag, status=422)
    before = shown_before(request, preset)
    try:
        actions.save_prompt(
            actor=person, preset=preset, prompt_id=stored.id, fields=form.changed, if_match=etag
        )
    except PromptConflict as conflict:
        return _conflict(request, person, preset, stored, conflict)
    if not wants_fragment(request):
        messages.success(request, _("Saved."))
        return see_other(prompt_address(preset, key, Wanted.of(request.GET)))
    now = queries.package_of(preset)
    context = {
        **changes_context(preset, before, Wanted.of(request.POST), key),
        **_about(now, stored_prompt(now, key)),
        "now": timezone.localtime(),
    }
    return render_page(request, "presets/saved.html", context)


@require_POST
def add(request: HttpRequest, preset_id: str) -> HttpResponse:
    """A new prompt, below another one or at the end, opened."""
    person, preset = open_preset(request, preset_id, "edit")
    after = id_of(queries.package_of(preset), request.POST.get("after", ""))
    name = _("New prompt")
    saved = actions.add_prompt(actor=person, preset=preset, fields={"name": name}, after=after)
    return see_other(f"{prompt_address(preset, key_of(saved.id))}?new=1")


@require_POST
def duplicate(request: HttpRequest, preset_id: str, key: str) -> HttpResponse:
    """The same prompt once more, below it, opened."""
    person, preset = open_preset(request, preset_id, "edit")
    stored = stored_prompt(queries.package_of(preset), key)
    saved = actions.duplicate_prompt(actor=person, preset=preset, prompt_id=stored.id)
    messages.success(request, _("This is the copy."))
    return see_other(prompt_address(preset, key_of(saved.id)))


@require_POST
def delete(request: HttpRequest, preset_id: str, key: str) -> HttpResponse:
    """Delete a prompt from the draft at once; the notice brings it back."""
    person, preset = open_preset(request, preset_id, "edit")
    stored = stored_prompt(queries.package_of(preset), key)
    gone = actions.delete_prompt(actor=person, preset=preset, prompt_id=stored.id)
    address = reverse("presets:put_back_prompt", args=[preset.pk, gone.change_id])
    undo = f"{address}?{urlencode({'prompt': stored.id})}"
    text = _("“%(name)s” is deleted. Earlier versions keep it.") % {"name": gone.name[:200]}
    messages.success(request, text, extra_tags=f"undo:{undo}")
    return see_other(list_address(preset, Wanted.of(request.POST)))


@require_POST
def put_back(request: HttpRequest, preset_id: str, change_id: str) -> HttpResponse:
    """Undo of the deletion of the prompt that the address names."""
    person, preset = open_preset(request, preset_id, "edit")
    prompt_id = request.GET.get("prompt", "")
    name = actions.put_back_prompt(actor=person, preset=preset, change_id=change_id, prompt_id=prompt_id)
    messages.success(request, _("“%(name)s” is back.") % {"name": name[:200]})
    return see_other(prompt_address(preset, key_of(prompt_id)))


def _about(package: PresetPackage, stored: PresetPrompt) -> dict[str, Any]:
    """What the page says of what is stored."""
    return {
        "prompt": stored,
        "key": key_of(stored.id),
        "etag": etag_of_prompt(stored),
        "tokens": count_tokens(stored.content),
        "marked": marked("" if stored.is_hole else stored.content),
        "line": line_of(package, stored.id),
        "placed": any(item.prompt_id == stored.id for item in package.prompt_order),
        "fixed": stored.is_hole and stored.source_identifier in FIXED_HOLES,
        "title": " ".join(stored.name.split())[:120],
    }


def _page(
    request: HttpRequest,
    person: Person,
    preset: Preset,
    package: PresetPackage,
    stored: PresetPrompt,
    form: PromptForm,
    etag: str,
    *,
    status: int = 200,
) -> HttpResponse:
    wanted = Wanted.of(request.GET)
    alone = request.headers.get("HX-Target") == "pane"
    about = {
        **_about(package, stored),
        "etag": etag,
        "form": form,
        "kept": kept_of(package, stored),
        "new": bool(request.GET.get("new")),
        "further": [(pgettext("of a preset", "Prompts"), list_address(preset, wanted))],
    }
    if alone:
        context = {"preset": preset, "wanted": wanted, "seen": preset.fingerprint, **about}
        return preset_page(request, person, preset, "entries", "presets/pane.html", context, status=status)
    editable = may_edit(person, preset)
    context = {**page_context(preset, wanted, package, editable=editable, here=about["key"]), **about}
    return preset_page(request, person, preset, "entries", "presets/editor.html", context, status=status)


def _conflict(
    request: HttpRequest, person: Person, preset: Preset, stored: PresetPrompt, conflict: PromptConflict
) -> HttpResponse:
    if not wants_fragment(request) or "compare" in request.POST:
        return conflict_page(request, person, preset, stored, conflict)
    saved = saved_meanwhile(preset, stored.id, person)
    context = {"saved": saved, "preset": preset, "key": key_of(stored.id)}
    return render_page(request, "presets/saved_meanwhile.html", context, status=409)
