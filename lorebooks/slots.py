"""What the library adds to pages of other rooms: its place in the top bar, the books of a world."""

from __future__ import annotations

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from lorebooks import attaching, queries
from portal import slots
from portal.access import person_of
from worlds.access import standing_of
from worlds.library.pages.uses import OFFERED
from worlds.models import World

NOTHING = mark_safe("")


def nav(request: HttpRequest) -> SafeString:
    """`shell.nav`: Lorebooks, beside Worlds."""
    return render_to_string("lorebooks/nav.html", {"here": request.path.startswith("/lore/")})


def keys(request: HttpRequest) -> SafeString:
    """`shell.keys`: the way there by keyboard."""
    return render_to_string("lorebooks/keys.html")


def help_text(request: HttpRequest) -> SafeString:
    """`portal.help`: what a lorebook is, for the help page."""
    return render_to_string("lorebooks/help.html")


def of_world(request: HttpRequest, world: World) -> SafeString:
    """`world.lorebooks`: the books a world uses, and a choice of others for those who may edit it."""
    person = person_of(request)
    attached = queries.attached_books(person, world)
    editable = standing_of(person, world) in ("owner", "edit") and not world.importing
    free = attaching.books_without(person, world) if editable else []
    if not attached and not free:
        return NOTHING
    context = {
        "world": world,
        "attached": attached,
        "editable": editable,
        "free": free,
        "offered": OFFERED,
    }
    return render_to_string("lorebooks/of_world.html", context, request)


slots.register("shell.nav", nav)
slots.register("shell.keys", keys)
slots.register("portal.help", help_text)
slots.register("world.lorebooks", of_world)
