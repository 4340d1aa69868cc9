"""What is done to a book as a whole: its import report, duplicate, move to the trash."""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from formats.text.names import download_name
from lorebooks import actions, queries
from lorebooks.kept_models import book_model
from lorebooks.models import Lorebook
from lorebooks.patterns_told import told_patterns
from lorebooks.regex.worker import pattern_worker
from lorebooks.views.frame import lorebook_page, open_lorebook
from lorebooks.views.library import TRASH
from lorebooks.words import BECOMES, POSITIONS, Word, format_word
from portal.told import told_groups
from worlds.downloads import made_response
from worlds.library.pages.forms import NameForm, name_of_copy
from worlds.views.frame import see_other


@require_safe
def report(request: HttpRequest, lorebook_id: str) -> HttpResponse:
    """What reading the file found: numbers, repairs, where entries go (`portal.md` 3.8)."""
    person, lorebook = open_lorebook(request, lorebook_id)
    found = queries.import_report(lorebook)
    context = {
        "title": _("Import report"),
        "report": found,
        "source": queries.item_of(lorebook).source,
        "format": format_word(found.format) if found else "",
        "on": found.entries - found.off if found else 0,
        "places": _places(found.positions) if found else [],
        "told": told_groups(found.findings, _addresses(lorebook, found.named)) if found else [],
        "patterns": told_patterns(book_model(lorebook), pattern_worker()),
    }
    return lorebook_page(request, person, lorebook, "report", "lorebooks/report.html", context)


def _addresses(lorebook: Lorebook, named: Mapping[str, str]) -> dict[str, str]:
    """The pages of the entries that places of the report name, for those that are still in the book."""
    there = queries.entry_keys(lorebook, named.values())
    return {
        place: reverse("lorebooks:entry", args=[lorebook.pk, key])
        for place, key in named.items()
        if key in there
    }


@require_safe
def report_json(request: HttpRequest, lorebook_id: str) -> HttpResponse:
    """The report as it is stored, to keep."""
    _person, lorebook = open_lorebook(request, lorebook_id)
    found = queries.import_report(lorebook)
    text = found.model_dump_json(by_alias=True, indent=2) if found else "null"
    return made_response(text, "application/json", download_name(f"{lorebook.name} import", "json"))


def _places(positions: Mapping[str, int]) -> list[tuple[Word, int, Word, str]]:
    """The positions that are used: where, how many entries, what a world here does with them."""
    return [
        (label, positions[position], *BECOMES[position])
        for position, label in POSITIONS.items()
        if positions.get(position)
    ]


@require_http_methods(["GET", "HEAD", "POST"])
def duplicate(request: HttpRequest, lorebook_id: str) -> HttpResponse:
    """A copy among one's own books."""
    person, lorebook = open_lorebook(request, lorebook_id)
    form = NameForm(request.POST or None, initial={"name": name_of_copy(lorebook.name)})
    if request.method == "POST" and form.is_valid():
        copy = actions.copy_lorebook(actor=person, lorebook=lorebook, name=form.cleaned_data["name"])
        messages.success(request, _("This is the copy, “%(name)s”.") % {"name": copy.name})
        return see_other(reverse("lorebooks:editor", args=[copy.pk]))
    context = {"form": form, "title": _("Duplicate")}
    status = 422 if form.is_bound else 200
    return lorebook_page(
        request, person, lorebook, "entries", "lorebooks/duplicate.html", context, status=status
    )


@require_POST
def trash(request: HttpRequest, lorebook_id: str) -> HttpResponse:
    """To the trash at once."""
    return TRASH.move(request, lorebook_id)
