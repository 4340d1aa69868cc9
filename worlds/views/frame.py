"""What every page of a world shares: finding the world, its header, tabs and breadcrumbs."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from formats.errors import DomainError
from formats.finding import Finding
from portal.access import Level, person_of
from portal.models import Person
from portal.render import render_page
from worlds import index
from worlds.access import standing_of, world_for
from worlds.models import World
from worlds.overview import who_plays
from worlds.queries import folder_of, shelf_of

# Problems told at once beside a save; the rest is a number (FIN-3).
TOLD = 8


def open_world(request: HttpRequest, world_id: str, level: Level = "read") -> tuple[Person, World]:
    """The person and the world of a page; its rows are brought up to date when its files were edited by hand.

    Raises:
        DomainError: `not-found` (for the owner with the way back when it is in the trash), `forbidden`.
    """
    person = person_of(request)
    try:
        world = world_for(person, world_id, level)
    except DomainError as error:
        if error.kind == "not-found":
            _refuse_trashed(person, world_id)
        raise
    folder = folder_of(world)
    if not folder.exists() or index.standing_of(folder.path).fingerprint != world.fingerprint:
        fresh = index.index_world(world.owner, world.id)
        if fresh is None:
            _refuse_trashed(person, world_id)
            raise DomainError("not-found", "world.not-found", world_id, NO_FOLDER, NO_FOLDER_HINT)
        world = fresh
    return person, world


def needed(request: HttpRequest) -> Level:
    """What a page that shows and saves needs: to save, one must be allowed to edit."""
    return "edit" if request.method == "POST" else "read"


NO_FOLDER = gettext_noop("The folder of this world is not on the server any more.")
NO_FOLDER_HINT = gettext_noop("Look in the trash, or ask the host of this server.")


def _refuse_trashed(person: Person, world_id: str) -> None:
    for item in shelf_of(person).trashed():
        if item.item_id == world_id:
            day = item.at + timedelta(days=settings.TRASH_DAYS)
            raise DomainError(
                "not-found",
                "world.in-trash",
                world_id,
                gettext_noop("“{name}” is in the trash until {day}."),
                gettext_noop("You can restore it from your trash."),
                {"name": item.name or world_id, "day": date_format(day, "DATE_FORMAT")},
            )


def world_page(
    request: HttpRequest,
    person: Person,
    world: World,
    tab: str,
    template: str,
    context: Mapping[str, Any],
    partial: str | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    """A page below the header of a world. `tab` is the tab it belongs to."""
    standing = standing_of(person, world)
    crumbs = [(_("Worlds"), "/")]
    if tab != "overview" or "title" in context:
        crumbs.append((world.name, reverse("worlds:overview", args=[world.id])))
    frame = {
        "title": world.name,
        "crumbs": [*crumbs, *context.get("further", ())],
        "world": world,
        "tab": tab,
        "players": who_plays(world),
        "tabs": tabs_of(world),
        "standing": standing,
        "editable": standing in ("owner", "edit") and not world.importing,
        "menu_links": menu_links(world),
        "menu_posts": menu_posts(world) if standing == "owner" else [],
    }
    return render_page(request, template, {**frame, **context}, partial, status=status)


def tabs_of(world: World) -> list[tuple[str, str, str]]:
    """Name, label and address of each tab."""
    return [
        ("overview", _("Overview"), reverse("worlds:overview", args=[world.id])),
        ("elements", _("Elements"), reverse("worlds:elements", args=[world.id])),
        ("images", _("Images"), reverse("worlds:images", args=[world.id])),
        ("files", _("Files"), reverse("worlds:files", args=[world.id])),
        ("history", _("History"), reverse("worlds:history", args=[world.id])),
    ]


def menu_links(world: World) -> list[tuple[str, str, str]]:
    """What the ⋯ of a world leads to: icon, label, address."""
    return [
        ("edit", _("Rename"), reverse("worlds:rename", args=[world.id])),
        ("copy", _("Duplicate"), reverse("worlds:duplicate", args=[world.id])),
        ("download", _("Export"), reverse("worlds:export", args=[world.id])),
    ]


def menu_posts(world: World) -> list[tuple[str, str, str]]:
    """What the owner can do at once from the ⋯ of a world."""
    return [("trash", _("Move to trash"), reverse("worlds:trash_world", args=[world.id]))]


def findings_of(world: World) -> list[Finding]:
    """The findings of the row, as findings."""
    return [Finding.from_json(stored) for stored in world.findings]


def say_saved(request: HttpRequest, world: World, text: str, undo: str = "") -> None:
    """Say that something was written, and how the world stands now: a hint, not a refusal (FIN-3)."""
    messages.success(request, text, extra_tags=f"undo:{undo}" if undo else "")
    problems = [finding for finding in findings_of(world) if finding.severity == "error"]
    if problems:
        number = len(problems)
        told = _("%(number)s to fix before a story can start.") % {"number": number}
        messages.warning(request, told)


def see_other(address: str) -> HttpResponse:
    """After a write: look at the result by GET, so that a reload writes nothing again."""
    response = HttpResponseRedirect(address)
    response.status_code = 303
    return response
