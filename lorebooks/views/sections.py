"""`/lore/<id>/sections/`: the named heaps of a book's entries: added, renamed, ordered, taken away."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from lorebooks import actions, queries
from lorebooks.models import Lorebook
from lorebooks.pipeline.item_file import MOST_SECTIONS, Section
from lorebooks.views.frame import lorebook_page, needed, open_lorebook
from worlds.store.paths import new_token
from worlds.views.frame import see_other

LONGEST_NAME = 300


@require_http_methods(["GET", "HEAD", "POST"])
def sections(request: HttpRequest, lorebook_id: str) -> HttpResponse:
    """The sections in their order; POST saves all of them at once."""
    person, lorebook = open_lorebook(request, lorebook_id, needed(request))
    if request.method == "POST":
        actions.edit_sections(actor=person, lorebook=lorebook, sections=_said(lorebook, request.POST))
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


def _said(lorebook: Lorebook, said: Any) -> list[Section]:
    """The sections as the form has them. One that somebody added meanwhile is not in it, and stays."""
    placed: list[tuple[float, Section]] = []
    for number, section in enumerate(queries.item_of(lorebook).sections, 1):
        name = said.get(f"name-{section.id}")
        if said.get(f"remove-{section.id}"):
            continue
        kept = section if name is None else section.model_copy(update={"name": _name(name) or section.name})
        placed.append((_number(said.get(f"place-{section.id}"), number), kept))
    placed.sort(key=lambda pair: pair[0])
    found = [section for _place, section in placed]
    names = [_name(name) for name in said.get("new", "").split("\n")]
    found += [Section(id=new_token(), name=name) for name in names if name]
    return found[:MOST_SECTIONS]


def _name(text: str) -> str:
    return " ".join(text.split())[:LONGEST_NAME]


def _number(text: str | None, otherwise: int) -> float:
    try:
        return float(int(text or ""))
    except ValueError:
        return float(otherwise)
