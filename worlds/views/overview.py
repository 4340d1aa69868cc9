"""The overview of a world: what it is, how its stories open, what is missing (`portal.md` 3.5)."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from formats.errors import DomainError
from portal.models import Person
from worlds import actions, overview
from worlds.actions import Refused
from worlds.actions.info import fields_etag
from worlds.differences import value_diff
from worlds.document_form import DocumentForm
from worlds.models import World
from worlds.references import WorldReferences
from worlds.rules.documents import WorldFile
from worlds.versions import last_saved
from worlds.views.frame import findings_of, open_world, say_saved, see_other, world_page

SECTIONS = {"about": overview.ABOUT, "openings": overview.OPENINGS}
SHOWN_FINDINGS = 30


@require_safe
def show(request: HttpRequest, world_id: str) -> HttpResponse:
    """The overview."""
    person, world = open_world(request, world_id)
    actions.touch_world(actor=person, world=world)
    info = overview.info_of(world)
    findings = findings_of(world)
    blocking = [finding for finding in findings if finding.severity == "error"]
    # Where nothing stands in the way, the top of the page says by itself who can be played.
    said_above = () if blocking else ("no-playable-character",)
    others = [found for found in findings if found.severity != "error" and found.code not in said_above]
    context = {
        "info": info,
        "counts": overview.counts_of(world),
        "people": overview.playable_people(world),
        "variables": overview.variables_of(world),
        "place": overview.starting_place(world, info),
        "blocking": overview.told(world, blocking[:SHOWN_FINDINGS]),
        "others": overview.told(world, others[:SHOWN_FINDINGS]),
        "more_blocking": max(0, len(blocking) - SHOWN_FINDINGS),
        "more_others": max(0, world.problems - len(blocking) - SHOWN_FINDINGS),
    }
    return world_page(request, person, world, "overview", "worlds/overview.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, world_id: str, section: str) -> HttpResponse:
    """A section of the overview as a form; a fragment for editing in place."""
    person, world = open_world(request, world_id, "edit")
    fields = section_fields(section)
    info = overview.info_of(world)
    if not info:
        return see_other(reverse("worlds:source_file", args=[world.pk, "world.json"]))
    more = request.POST.get("more", "")
    form = _form(request, world, fields, info, more)
    etag = request.POST.get("etag") or fields_etag(info, fields)
    if request.method == "POST" and not more and form.is_valid():
        value = form.value()
        try:
            actions.edit_info(actor=person, world=world, fields=fields, values=value, etag=etag)
        except Refused as error:
            form.accept(error.findings, root="world.json: ")
        except DomainError as error:
            if error.kind != "precondition":
                raise
            return _conflict(request, person, world, section, value)
        else:
            say_saved(request, world, _("Saved."))
            return see_other(reverse("worlds:overview", args=[world.pk]))
    context = {"form": form, "etag": etag, "part": section, "title": _section_title(section)}
    status = 422 if form.is_bound and form.errors else 200
    return world_page(request, person, world, "overview", "worlds/edit.html", context, "form", status=status)


@require_POST
def opening(request: HttpRequest, world_id: str, number: int, act: str) -> HttpResponse:
    """Make an alternate opening the first one, or move it up or down."""
    person, world = open_world(request, world_id, "edit")
    text = request.POST.get("text", "").replace("\r\n", "\n")
    if act == "first":
        actions.choose_opening(actor=person, world=world, number=number, text=text)
        say_saved(request, world, _("Stories now start with this opening. The former one is kept below."))
    else:
        by = -1 if act == "up" else 1
        actions.move_opening(actor=person, world=world, number=number, text=text, by=by)
    return see_other(reverse("worlds:overview", args=[world.pk]) + "#openings")


def section_fields(section: str) -> tuple[str, ...]:
    """The fields of `world.json` that a section shows.

    Raises:
        DomainError: `not-found` for another word.
    """
    if section not in SECTIONS:
        raise DomainError(
            "not-found",
            "no-such-section",
            message=gettext_noop("A world has no such part to edit."),
        )
    return SECTIONS[section]


def _form(
    request: HttpRequest, world: World, fields: tuple[str, ...], info: dict[str, Any], more: str
) -> DocumentForm:
    shown = {field: info[field] for field in fields if field in info}
    data = request.POST if request.method == "POST" else None
    return DocumentForm(WorldFile, shown, WorldReferences(world), data=data, more=more, only=fields)


def _conflict(
    request: HttpRequest, person: Person, world: World, section: str, mine: dict[str, Any]
) -> HttpResponse:
    info = overview.info_of(world)
    fields = section_fields(section)
    theirs = {field: info.get(field) for field in fields}
    shown = DocumentForm(
        WorldFile, {**theirs, **mine}, WorldReferences(world), only=fields
    )  # what this person sent, over what is there now
    context = {
        "form": shown,
        "etag": fields_etag(info, fields),
        "part": section,
        "title": _section_title(section),
        "saved": last_saved(world, "world.json", person),
        "differences": value_diff(WorldFile, theirs, {**theirs, **mine}),
    }
    return world_page(request, person, world, "overview", "worlds/edit.html", context, status=409)


def _section_title(section: str) -> str:
    return _("Openings") if section == "openings" else _("About this world")
