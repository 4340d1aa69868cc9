"""`/lore/<id>/`: the entries of a book: searched, filtered, sorted, paged."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from lorebooks import actions, queries
from lorebooks.views.frame import lorebook_page, open_lorebook

PER_PAGE = 50


@require_safe
def editor(request: HttpRequest, lorebook_id: str) -> HttpResponse:
    """The list of entries; the list alone for a live search."""
    person, lorebook = open_lorebook(request, lorebook_id)
    actions.touch_lorebook(actor=person, lorebook=lorebook)
    words = request.GET.get("q", "").strip()[:100]
    page = Paginator(queries.entry_rows(lorebook, search=words), PER_PAGE).get_page(request.GET.get("page"))
    context = {"page": page, "words": words}
    return lorebook_page(request, person, lorebook, "entries", "lorebooks/editor.html", context, "list")
