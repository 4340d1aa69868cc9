"""Letting worlds play with a preset, and opening it to people on this server."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from portal.access import person_of
from portal.models import Person
from presets import actions, queries
from presets.access import preset_for, presets_for
from presets.forms import SettingsForm
from presets.models import Preset
from presets.views.frame import FRAME
from presets.views.settings import show_settings
from worlds.access import world_for
from worlds.library.pages.forms import ShareForm
from worlds.library.pages.people import share_item, unshare_item
from worlds.views.frame import see_other


@require_POST
def attach(request: HttpRequest) -> HttpResponse:
    """Let a world play with a preset; both pages offer it, and `back` says which one asked."""
    person = person_of(request)
    preset = preset_for(person, request.POST.get("preset", ""))
    world = world_for(person, request.POST.get("world", ""), "edit")
    before = actions.attach_preset(actor=person, preset=preset, world=world)
    told = {"name": preset.name, "world": world.name}
    text = _("“%(world)s” now plays with “%(name)s”.") % told
    replaced = presets_for(person).filter(pk=before).exclude(pk=preset.pk).first()
    if replaced is not None:
        before_that = _("Before, it was “%(name)s”.") % {"name": replaced.name}
        text = f"{text} {before_that}"
    messages.success(request, text)
    return see_other(_back(request, preset.pk, world.pk))


@require_POST
def detach(request: HttpRequest) -> HttpResponse:
    """Let a world play without its preset; the preset itself stays. It may be in a trash by now."""
    person = person_of(request)
    preset_id = request.POST.get("preset", "")
    world = world_for(person, request.POST.get("world", ""), "edit")
    actions.detach_preset(actor=person, preset_id=preset_id, world=world)
    told = {"world": world.name}
    messages.success(request, _("“%(world)s” plays without a preset now. The preset is untouched.") % told)
    return see_other(_back(request, preset_id, world.pk))


def _back(request: HttpRequest, preset_id: str, world_id: str) -> str:
    if request.POST.get("back") == "world":
        return reverse("worlds:overview", args=[world_id])
    return f"{reverse('presets:settings', args=[preset_id])}#worlds"


@require_http_methods(["GET", "HEAD", "POST"])
def share(request: HttpRequest, preset_id: str) -> HttpResponse:
    """Open a preset to somebody, or change what they may do with it."""

    def show(person: Person, preset: Preset, form: ShareForm) -> HttpResponse:
        plain = SettingsForm(None, queries.item_of(preset))
        return show_settings(request, person, preset, plain, sharing=form, status=422)

    return share_item(request, FRAME, preset_id, show)


@require_POST
def unshare(request: HttpRequest, preset_id: str) -> HttpResponse:
    """Take a share back; whoever was given it may give it up, too."""
    return unshare_item(request, FRAME, preset_id)
