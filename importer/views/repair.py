"""`/w/<id>/repair/`: what keeps a story from starting, each with its smallest fix (DRAFT-4, DRAFT-5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from formats.errors import DomainError
from importer import actions, queries
from importer.mending import Mending, mendings_of
from portal.access import person_of
from portal.models import Person
from portal.render import wants_fragment
from portal.say import hinted, said
from worlds.access import own_world_for
from worlds.models import Element, World
from worlds.overview import who_plays
from worlds.views.frame import open_world, see_other, world_page

REPAIR = "importer/repair.html"
SHOWN = 30
SHOWN_PEOPLE = 6


@require_safe
def repair(request: HttpRequest, world_id: str) -> HttpResponse:
    """The problems that are left. The page turns green by itself when none is."""
    person, world = open_world(request, world_id, "edit")
    if world.importing:
        return see_other(reverse("importer:run", args=[world.pk]))
    return repair_page(request, person, world)


@require_POST
def mend(request: HttpRequest, world_id: str) -> HttpResponse:
    """Apply one of the fixes that are offered; what cannot be applied is told beside its problem."""
    person, world = open_world(request, world_id, "edit")
    fix = {name: request.POST.get(name, "") for name in ("code", "where", "value")}
    fix["value"] = fix["value"].replace("\r\n", "\n")
    try:
        actions.mend_draft(actor=person, world=world, **fix)
    except DomainError as error:
        if error.kind not in ("invalid", "conflict"):
            raise
        refused = {**fix, "told": f"{said(error)} {hinted(error)}".strip()}
        return repair_page(request, person, world, refused=refused, status=422)
    left = len(queries.draft_problems(world))
    if left:
        messages.success(request, _("Mended. What is left stands below."))
    elif who_plays(world) == "choose-someone":
        messages.success(request, _("Mended. Nobody can be played yet."))
    else:
        messages.success(request, _("Mended. A story can start."))
    return see_other(reverse("importer:repair", args=[world.pk]))


def repair_page(
    request: HttpRequest,
    person: Person,
    world: World,
    *,
    refused: Mapping[str, str] | None = None,
    status: int = 200,
) -> HttpResponse:
    """The page, or its list alone when it looks again by itself."""
    mendings = mendings_of(world, queries.draft_problems(world))
    seen = world.fingerprint[:16]
    if refused is None and wants_fragment(request) and request.GET.get("seen") == seen:
        return HttpResponse(status=204)
    context: dict[str, Any] = {
        "title": _("Repair"),
        "mendings": mendings[:SHOWN],
        "left": len(mendings),
        "people": [] if mendings else people_of(world),
        "more": max(0, len(mendings) - SHOWN),
        "refused": refused,
        "refused_at": first_refused(mendings, refused),
        "seen": seen,
        "waits": world.stage == "repair",
        "mine": world.owner_id == person.pk,
    }
    return world_page(request, person, world, "overview", REPAIR, context, "problems", status=status)


def people_of(world: World) -> list[Element]:
    """The first people of the world, by name: one of them may be made playable."""
    return list(Element.objects.filter(world=world, kind="character").order_by("title_key")[:SHOWN_PEOPLE])


def first_refused(mendings: list[Mending], refused: Mapping[str, str] | None) -> int:
    """Which problem (from 1) a refused fix was for; 0 for one that is not there any more."""
    if refused is None:
        return 0
    places = [mending.finding.where for mending in mendings]
    return places.index(refused["where"]) + 1 if refused["where"] in places else 0


@require_POST
def keep(request: HttpRequest, world_id: str) -> HttpResponse:
    """Leave the draft as it is; nothing asks any more, the mark stays until a story can start (D35)."""
    person, world = open_world(request, world_id, "edit")
    actions.keep_draft(actor=person, world=world)
    messages.success(request, _("Kept as a draft. You can mend it whenever you like."))
    return see_other(reverse("worlds:overview", args=[world.pk]))


@require_POST
def discard(request: HttpRequest, world_id: str) -> HttpResponse:
    """To the trash, with its import; the notice offers the way back (DRAFT-5)."""
    person = person_of(request)
    world = own_world_for(person, world_id)
    name = world.name
    entry = actions.discard_draft(actor=person, world=world)
    text = _("“%(name)s” is in the trash for 30 days.") % {"name": name}
    messages.success(request, text, extra_tags=f"undo:{reverse('worlds:restore_world', args=[entry])}")
    return see_other(reverse("worlds:home"))
