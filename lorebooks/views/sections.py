"""`/lore/<id>/sections/`: the named heaps of a book's entries: added, renamed, ordered, taken away."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from lorebooks import actions, queries
from lorebooks.actions import SectionEdits
from lorebooks.views.frame import lorebook_page, needed, open_lorebook
from worlds.views.frame import see_other

LONGEST_NAME = 300


@require_http_methods(["GET", "HEAD", "POST"])
def sections(request: HttpRequest, lorebook_id: str) -> HttpResponse:
    """The sections in their order; POST saves what the form says of them."""
    person, lorebook = open_lorebook(request, lorebook_id, needed(request))
    if request.method == "POST":
        actions.edit_sections(actor=person, lorebook=lorebook, edits=_said(request.POST))
        messages.success(request, _("Saved."))
        return see_other(reverse("lorebooks:sections", args=[lorebook.pk]))
    context = {
        "title": _("Sections"),
        "sections": [
            (number, section, len(section.entries))
            for number, section in enumerate(queries.item_of(lorebook).sections, 1)
        ],
    }
    return lorebook_page(request, person, lorebook, "entries", "lorebooks/sections.html", context)


def _said(said: QueryDict) -> SectionEdits:
    """What the form says, about the sections it showed: one that somebody added meanwhile stays as it is."""
    places, names, removed = {}, {}, set()
    for field, value in said.items():
        what, _dash, section = field.partition("-")
        if what == "place" and (place := _number(str(value))) is not None:
            places[section] = place
        elif what == "name":
            names[section] = _name(str(value))
        elif what == "remove" and value:
            removed.add(section)
    added = [name for name in map(_name, said.get("new", "").split("\n")) if name]
    return SectionEdits(places, names, removed, added)


def _name(text: str) -> str:
    return " ".join(text.split())[:LONGEST_NAME]


def _number(text: str) -> float | None:
    try:
        return float(int(text))
    except (ValueError, OverflowError):
        return None
