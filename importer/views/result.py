"""`/import/<id>/result/`: what became of every piece, what was left out, and the report to keep (OUT-1)."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from formats.errors import DomainError
from formats.finding import Finding
from formats.text.names import download_name
from importer import actions, queries
from importer.account import account_csv, account_rows
from importer.mechanisms import MechanismRow, mechanism_rows
from importer.model_progress import told_failures
from importer.picture_line import PictureLine
from importer.pipeline.record import OUTCOMES as ORDER
from importer.views.found import find_imported
from importer.views.reading import crumbs
from importer.words import BROUGHT, OUTCOMES
from portal.render import render_page, wants_fragment
from portal.told import told_groups
from worlds.authoring.rows import conversations_of
from worlds.downloads import made_response
from worlds.models import World
from worlds.overview import who_plays
from worlds.views.frame import findings_of, see_other

PER_PAGE = 20


@require_safe
def result(request: HttpRequest, import_id: str) -> HttpResponse:
    """The account. Its numbers are links to lists that have that many rows."""
    person, world = find_imported(request, import_id)
    if world.importing:
        return see_other(reverse("importer:run", args=[world.pk]))
    status = queries.status_of(world)
    totals = queries.totals_of(world)
    outcome = request.GET.get("outcome", "")
    outcome = outcome if outcome in OUTCOMES else ""
    rows = queries.piece_rows(world, outcome)
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    report, relied_on = status.report or {}, mechanisms_of(world)
    context = {
        "title": _("Result of the import"),
        "crumbs": [*crumbs(), (world.name, reverse("worlds:overview", args=[world.pk]))],
        "world": world,
        "status": status,
        "blocking": sum(finding.severity == "error" for finding in findings_of(world)),
        "counts": [(name, *OUTCOMES[name], totals.get(name, 0)) for name in ORDER if name in totals],
        "pieces": sum(totals.values()),
        "outcome": outcome,
        "outcome_word": OUTCOMES[outcome][0] if outcome else "",
        "page": page,
        "rows": account_rows(world, list(page.object_list), queries.card_name_of(world)),
        "left_out": [row for row in relied_on if row.becomes_code not in BROUGHT],
        "brought": [row for row in relied_on if row.becomes_code in BROUGHT],
        "omitted": totals.get("omitted", 0),
        "players": who_plays(world),
        "notes": told_groups(map(Finding.from_json, report.get("notes", []))),
        "book_entries": book_entries(world),
        "pictures": PictureLine.of(status, queries.picture_report(world)),
        "mine": world.owner_id == person.pk,
        "cost": report.get("cost"),
        "survey": report.get("survey"),
        "failures": told_failures((report.get("cost") or {}).get("failed", [])),
        "conversation": conversations_of(world).first(),
    }
    return render_page(request, "importer/result.html", context, partial="rows")


def book_entries(world: World) -> int:
    """How many entries the lorebook of the card has; none where the record is gone."""
    try:
        return len(queries.card_preview_of(world).entries)
    except DomainError:
        return 0


def mechanisms_of(world: World) -> list[MechanismRow]:
    """What the card's maker relied on; nothing where the record is gone."""
    try:
        return mechanism_rows(queries.card_preview_of(world).mechanisms)
    except DomainError:
        return []


@require_http_methods(["GET", "HEAD", "POST"])
def pictures(request: HttpRequest, import_id: str) -> HttpResponse:
    """The line about the card's pictures, for its own refreshing; POST asks again for those that failed."""
    person, world = find_imported(request, import_id)
    beside = request.POST.get("beside", request.GET.get("beside", "")) == "pictures"
    if request.method == "POST":
        actions.retry_pictures(actor=person, world=world)
        messages.success(request, _("The pictures that failed are asked for again."))
        return see_other(reverse("worlds:images" if beside else "importer:result", args=[world.pk]))
    line = PictureLine.of(queries.status_of(world), queries.picture_report(world))
    if wants_fragment(request) and request.GET.get("seen") == line.seen:
        return HttpResponse(status=204)
    context = {"pictures": line, "world": world, "beside_pictures": beside, "refreshed": True}
    return render_page(request, "importer/pictures.html", context)


@require_safe
def report_json(request: HttpRequest, import_id: str) -> HttpResponse:
    """The report of the import with the account of every piece, as it is stored."""
    _person, world = find_imported(request, import_id)
    report: dict[str, Any] = dict(queries.status_of(world).report or {})
    report["account"] = [row.record.model_dump(mode="json") for row in queries.piece_rows(world)]
    report["pictures"] = queries.picture_report(world)
    text = json.dumps(report, ensure_ascii=False, indent=2)
    return made_response(text, "application/json", download_name(f"{world.name} import", "json"))


@require_safe
def report_csv(request: HttpRequest, import_id: str) -> HttpResponse:
    """The account of every piece as a table; the mark at its start tells spreadsheets that it is UTF-8."""
    _person, world = find_imported(request, import_id)
    text = "\ufeff" + account_csv(queries.piece_rows(world))
    return made_response(text, "text/csv; charset=utf-8", download_name(f"{world.name} import", "csv"))
