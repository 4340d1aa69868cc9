"""What the importer adds to pages of other rooms: the drop zone, what to continue, where a world is from."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from formats.errors import DomainError
from importer import queries, samples
from importer.actions.start import PICTURES_JOB, STRUCTURE_JOB
from importer.models import Upload
from importer.outcome import outcome_of
from importer.picture_line import PictureLine
from importer.views.uploads import drop_context
from portal import slots
from portal.access import person_of
from portal.models import Job
from worlds.access import standing_of
from worlds.models import World

NOTHING = mark_safe("")
CONTINUED = 3


def drop(request: HttpRequest) -> SafeString:
    """`home.drop`: the strip that takes files."""
    return render_to_string("importer/strip.html", drop_context(), request)


def empty(request: HttpRequest) -> SafeString:
    """`home.empty`: a shelf without worlds offers the import and the sample."""
    return render_to_string("importer/empty.html", {"samples": samples.SAMPLES}, request)


def to_continue(request: HttpRequest) -> SafeString:
    """`home.continue`: up to three things that wait — running imports, drafts, files to look at."""
    person = person_of(request)
    mine = World.objects.filter(owner=person).only("id", "name", "stage", "draft", "updated_at")
    running = list(mine.filter(stage__in=World.IMPORTING_STAGES).order_by("-updated_at")[:CONTINUED])
    drafts = list(mine.filter(stage="repair").order_by("-updated_at")[:CONTINUED])
    waiting = [u for u in queries.waiting_uploads(person, CONTINUED) if u.state in WAITING]
    items: list[dict[str, Any]] = [
        *({"kind": "running", "world": world} for world in running),
        *({"kind": "draft", "world": world} for world in drafts),
        *({"kind": "file", "upload": upload} for upload in waiting),
    ]
    if not items:
        return NOTHING
    return render_to_string("importer/continue.html", {"items": items[:CONTINUED]}, request)


WAITING = (Upload.State.READY, Upload.State.READING)


def from_card(request: HttpRequest, world: World) -> SafeString:
    """`world.from_card`: the source of a world and its account, for the owner and editors (D38)."""
    if not world.stage or standing_of(person_of(request), world) not in ("owner", "edit"):
        return NOTHING
    try:
        status = queries.status_of(world)
    except DomainError:  # the record is gone or another program's: the world stands without it
        return NOTHING
    context = {"world": world, "status": status, "pieces": sum(queries.totals_of(world).values())}
    return render_to_string("importer/from_card.html", context, request)


def export(request: HttpRequest, world: World) -> SafeString:
    """`world.export`: the card does not go along; how its owner and editors get it (D37, D38)."""
    if not world.stage or standing_of(person_of(request), world) not in ("owner", "edit"):
        return NOTHING
    return render_to_string("importer/export.html", {"world": world}, request)


def pictures(request: HttpRequest, world: World) -> SafeString:
    """`world.pictures`: those that are being fetched or could not be, with another try (PIC-1)."""
    if not world.stage or standing_of(person_of(request), world) not in ("owner", "edit"):
        return NOTHING
    try:
        line = PictureLine.of(queries.status_of(world), queries.picture_report(world))
    except DomainError:  # the record is gone or another program's: the pictures stand without it
        return NOTHING
    if not line.live and not line.failures and not line.ended:
        return NOTHING
    context = {"world": world, "pictures": line, "beside_pictures": True}
    return render_to_string("importer/world_pictures.html", context, request)


def draft(request: HttpRequest, world: World) -> SafeString:
    """`world.draft`: the way to the repair page, or to the import that is running."""
    if standing_of(person_of(request), world) not in ("owner", "edit"):
        return NOTHING
    if not world.importing and not world.draft:
        return NOTHING
    return render_to_string("importer/draft.html", {"world": world}, request)


def sample_cards(request: HttpRequest, language: str = "") -> SafeString:
    """`setup.samples`: a card to begin with, in each language; the reader's own first."""
    wanted = language or getattr(request, "LANGUAGE_CODE", "en")
    ordered = sorted(samples.SAMPLES, key=lambda sample: sample.language != wanted)
    return render_to_string("importer/samples.html", {"samples": ordered}, request)


def link(job: Job) -> str:
    """`job.link`: the page of the import a job works for."""
    if job.kind in (STRUCTURE_JOB, "read-upload"):
        return reverse("importer:show", args=[job.subject])
    return reverse("importer:result", args=[job.subject]) if job.kind == PICTURES_JOB else ""


slots.register("home.drop", drop)
slots.register("home.empty", empty)
slots.register("home.continue", to_continue)
slots.register("world.from_card", from_card)
slots.register("world.draft", draft)
slots.register("world.export", export)
slots.register("world.pictures", pictures)
slots.register("setup.samples", sample_cards)
slots.register("job.link", link)
slots.register("job.outcome", outcome_of)
