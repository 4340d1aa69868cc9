"""What the library adds to pages of other rooms: its place in the top bar, the preset of a world."""

from __future__ import annotations

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from portal import slots
from portal.access import person_of
from presets import attaching
from worlds.access import standing_of
from worlds.library.pages.uses import OFFERED
from worlds.models import World

NOTHING = mark_safe("")


def nav(request: HttpRequest) -> SafeString:
    """`shell.nav`: Presets, beside Lorebooks."""
    return render_to_string("presets/nav.html", {"here": request.path.startswith("/presets/")})


def keys(request: HttpRequest) -> SafeString:
    """`shell.keys`: the way there by keyboard."""
    return render_to_string("presets/keys.html")


def help_text(request: HttpRequest) -> SafeString:
    """`portal.help`: what a preset is, for the help page."""
    return render_to_string("presets/help.html")


def of_world(request: HttpRequest, world: World) -> SafeString:
    """`world.preset`: the preset a world plays with, and a choice of others for those who may edit it."""
    person = person_of(request)
    named = attaching.preset_of(person, world)
    editable = standing_of(person, world) in ("owner", "edit") and not world.importing
    free = attaching.presets_beside(person, world) if editable else []
    if named is None and not free:
        return NOTHING
    context = {"world": world, "named": named, "editable": editable, "free": free, "offered": OFFERED}
    return render_to_string("presets/of_world.html", context, request)


slots.register("shell.nav", nav)
slots.register("shell.keys", keys)
slots.register("portal.help", help_text)
slots.register("world.preset", of_world)
