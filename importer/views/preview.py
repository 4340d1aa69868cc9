"""`/import/<id>/`: the right face of an import; of a card that waits, what is in it and the choices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from formats.errors import DomainError
from importer import actions, queries
from importer.actions.uploads import refuse_unless_ready
from importer.card_text import text_of
from importer.entry_table import EntryTable
from importer.forms import ChoicesForm
from importer.mechanisms import mechanism_rows, told_groups
from importer.models import Upload
from importer.queries import ImportPreview
from importer.views.found import find_import, find_upload
from importer.views.reading import crumbs, reading_face, refused_face
from importer.words import EDITED, FIELDS, Word, container_word
from portal.models import Person
from portal.render import render_page, wants_fragment
from worlds.models import World
from worlds.views.frame import see_other

PREVIEW = "importer/preview.html"


@require_safe
def show(request: HttpRequest, import_id: str) -> HttpResponse:
    """The face that fits: being read, ready, no card, running, finished."""
    person, found = find_import(request, import_id)
    if isinstance(found, World):
        name = "importer:run" if found.importing else "importer:result"
        return see_other(reverse(name, args=[found.pk]))
    if "seen" in request.GET and wants_fragment(request) and found.state != Upload.State.READING:
        here = reverse("importer:show", args=[found.pk])
        return HttpResponse(status=204, headers={"HX-Redirect": here})
    if found.state == Upload.State.READING:
        return reading_face(request, person, found)
    if found.state != Upload.State.READY:
        return refused_face(request, found)
    preview = queries.preview_of(found)
    table = table_of(request.GET, preview)
    return preview_page(request, preview, ChoicesForm(None, preview), table, partial="entries")


@require_safe
def text(request: HttpRequest, import_id: str, text_id: str) -> HttpResponse:
    """One text of the card as it stands there; the preview fetches it when it is opened."""
    _person, upload = find_upload(request, import_id)
    refuse_unless_ready(upload)
    start = request.GET.get("start", "")[:12]
    shown = text_of(upload, text_id, int(start) if start.isascii() and start.isdigit() else 0)
    context = {
        "title": shown.title or shown.label,
        "crumbs": [*crumbs(), (str(upload), reverse("importer:show", args=[upload.pk]))],
        "upload": upload,
        "shown": shown,
    }
    return render_page(request, "importer/text.html", context, partial="text")


@require_POST
def choices(request: HttpRequest, import_id: str) -> HttpResponse:
    """Keep the choices; the answer is the part of the page that asked, or the page."""
    person, upload = find_upload(request, import_id)
    saved = save_choices(request, person, upload)
    if isinstance(saved, HttpResponse):
        return saved
    preview, form, table = saved
    if wants_fragment(request):
        wanted = request.headers.get("HX-Target", "")
        partial = "entries" if wanted == "entries" else "saved"
        return preview_page(request, preview, form, table, partial=partial, saved=True)
    address = reverse("importer:show", args=[upload.pk])
    query = table_query(request.POST)
    return see_other(f"{address}?{urlencode(query)}#entries-title" if query else address)


@require_POST
def start(request: HttpRequest, import_id: str) -> HttpResponse:
    """Keep the choices of the form and start; a second press leads to the same world."""
    person, found = find_import(request, import_id)
    if isinstance(found, World):
        return see_other(reverse("importer:show", args=[found.pk]))
    if "name" in request.POST and not found.world:
        saved = save_choices(request, person, found)
        if isinstance(saved, HttpResponse):
            return saved
    world = actions.start_structure(actor=person, upload=found)
    return see_other(reverse("importer:run", args=[world.pk]))


def save_choices(
    request: HttpRequest, person: Person, upload: Upload
) -> HttpResponse | tuple[ImportPreview, ChoicesForm, EntryTable]:
    """Store what the form says; gives the page again, with what to correct, where it cannot be stored."""
    refuse_unless_ready(upload)
    preview = queries.preview_of(upload)
    form, table = ChoicesForm(request.POST, preview), table_of(request.POST, preview)
    if form.is_valid():
        try:
            actions.choose(actor=person, upload=upload, **form.changes(table))
        except DomainError as error:
            if error.kind != "invalid" or error.where not in form.fields:
                raise
            form.refuse(error)
        else:
            fresh = queries.preview_of(upload)
            return fresh, ChoicesForm(None, fresh), table_of(request.POST, fresh)
    return preview_page(request, preview, form, table, partial="saved", status=422)


def table_query(data: Mapping[str, Any]) -> dict[str, str]:
    """Search and page of the entries, as an address has them."""
    page, words = str(data.get("page", "")), str(data.get("q", "")).strip()[:100]
    query = {"q": words} if words else {}
    known = page.isascii() and page.isdigit() and "search" not in data
    return {**query, "page": page} if known else query


def table_of(data: Mapping[str, Any], preview: ImportPreview) -> EntryTable:
    """The entries as the address or the form asks for them."""
    words = str(data.get("q", "")).strip()
    page = 1 if "search" in data else data.get("page")
    return EntryTable.of(preview.card, preview.choices.off, words, page)


def field_rows(sizes: Mapping[str, int]) -> list[tuple[str, Word, int]]:
    """The card's own texts: the id of each, what it is called, its characters."""
    return [(field, word, sizes[field]) for field, word in FIELDS.items() if field in sizes]


def preview_page(
    request: HttpRequest,
    preview: ImportPreview,
    form: ChoicesForm,
    table: EntryTable,
    *,
    partial: str,
    saved: bool = False,
    status: int = 200,
) -> HttpResponse:
    """The preview of a card (CARD-4), or one part of it."""
    upload, card = preview.upload, preview.card
    namesakes = [target for target in preview.targets if target.same_name]
    others = [target for target in preview.targets if not target.same_name]
    context = {
        "title": card.name or upload.filename,
        "crumbs": crumbs(),
        "upload": upload,
        "card": card,
        "fields": field_rows(card.fields),
        "container": container_word(card.container),
        "form": form,
        "table": table,
        "saved": saved,
        # Called by the part that shows it only: whether a world was edited is read from all its files.
        "namesakes": lambda: [(target, EDITED[target.edited]) for target in namesakes],
        "others": others,
        "same_file": preview.same_file,
        "expires_at": preview.expires_at,
        "mechanisms": mechanism_rows(card.mechanisms),
        "findings": told_groups(card.findings),
        "estimate": preview.estimate,
    }
    return render_page(request, PREVIEW, context, partial, status=status)
