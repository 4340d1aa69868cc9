"""`/lore/<id>/`: the entries of a book: searched, filtered, sorted, paged, and changed many at a time."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from formats.lorebook.model import WorldBook
from formats.text.names import download_name
from lorebooks import actions, exports
from lorebooks.entry_list import Wanted, list_context
from lorebooks.models import Lorebook
from lorebooks.queries import NO_SECTION, book_model
from lorebooks.views.frame import lorebook_page, open_lorebook
from portal.models import Person
from portal.render import wants_fragment
from worlds.downloads import made_response
from worlds.views.frame import see_other

LIST_FIELDS = ("q", "show", "section", "sort", "page")
MOST_ORDER = 1_000_000


@require_safe
def editor(request: HttpRequest, lorebook_id: str) -> HttpResponse:
    """The list of entries; the list alone for a live search, with `beside` the one beside an open entry."""
    person, lorebook = open_lorebook(request, lorebook_id)
    beside = request.GET.get("beside", "")
    if beside and wants_fragment(request):
        context = list_context(lorebook, request.GET, key=beside)
        return lorebook_page(request, person, lorebook, "entries", "lorebooks/beside.html", context)
    actions.touch_lorebook(actor=person, lorebook=lorebook)
    context = {**list_context(lorebook, request.GET, with_keys=True), "carried": carried(request.GET)}
    return lorebook_page(request, person, lorebook, "entries", "lorebooks/editor.html", context, "list")


@require_POST
def bulk(request: HttpRequest, lorebook_id: str) -> HttpResponse:
    """One thing done to the ticked entries, or to all that the search found."""
    exporting = request.POST.get("do") == "export"
    person, lorebook = open_lorebook(request, lorebook_id, "read" if exporting else "edit")
    keys = _chosen(lorebook, request.POST)
    if not keys:
        messages.warning(request, _("No entry is ticked, so nothing was changed. Tick some first."))
        return see_other(list_address(lorebook, request.POST))
    if exporting:
        return _exported(lorebook, keys)
    _do(request, person, lorebook, keys)
    return see_other(list_address(lorebook, request.POST))


def list_address(lorebook: Lorebook, said: Mapping[str, str]) -> str:
    """The list as somebody had it."""
    query = carried(said)
    return reverse("lorebooks:editor", args=[lorebook.pk]) + (f"?{query}" if query else "")


def carried(said: Mapping[str, str]) -> str:
    """What the address of a list says, to be carried on."""
    query = QueryDict(mutable=True)
    for name in LIST_FIELDS:
        if said.get(name):
            query[name] = said[name][:200]
    return query.urlencode()


def _chosen(lorebook: Lorebook, said: Any) -> list[str]:
    if said.get("all"):
        return list(Wanted.of(said).rows(lorebook).values_list("key", flat=True))
    return list(dict.fromkeys(said.getlist("entry")))


def _do(request: HttpRequest, person: Person, lorebook: Lorebook, keys: list[str]) -> None:
    do = request.POST.get("do", "")
    if do == "delete":
        say_deleted(request, lorebook, actions.delete_entries(actor=person, lorebook=lorebook, keys=keys))
    elif do in ("on", "off"):
        n = actions.bulk_edit(actor=person, lorebook=lorebook, keys=keys, enabled=do == "on")
        told = (
            ngettext("%(n)s entry is on.", "%(n)s entries are on.", n)
            if do == "on"
            else ngettext("%(n)s entry is off.", "%(n)s entries are off.", n)
        )
        messages.success(request, told % {"n": n})
    elif do == "move" and request.POST.get("to"):
        section = request.POST["to"]
        section = "" if section == NO_SECTION else section
        n = actions.bulk_edit(actor=person, lorebook=lorebook, keys=keys, section=section)
        messages.success(request, ngettext("%(n)s entry moved.", "%(n)s entries moved.", n) % {"n": n})
    elif do == "order" and (by := _whole(request.POST.get("by", ""))):
        n = actions.bulk_edit(actor=person, lorebook=lorebook, keys=keys, order_by=by)
        told = ngettext("%(n)s entry has a new order.", "%(n)s entries have a new order.", n)
        messages.success(request, told % {"n": n})
    else:
        messages.warning(request, _("Say where to, or by how much. Nothing was changed."))


def say_deleted(request: HttpRequest, lorebook: Lorebook, deleted: actions.Deleted) -> None:
    """The notice after entries went, with the way back."""
    undo = reverse("lorebooks:put_back", args=[lorebook.pk, deleted.change_id])
    n = deleted.count
    text = ngettext("%(n)s entry was deleted.", "%(n)s entries were deleted.", n) % {"n": n}
    messages.success(request, text, extra_tags=f"undo:{undo}" if n else "")


def _exported(lorebook: Lorebook, keys: list[str]) -> HttpResponse:
    form = exports.FORMS["sillytavern"]
    name = _("%(name)s (a part)") % {"name": lorebook.name[:150]}
    part = _part_of(book_model(lorebook), keys)
    return made_response(form.write(part), form.kind, download_name(name, form.ending))


def _part_of(model: WorldBook, keys: Collection[str]) -> WorldBook:
    wanted = set(keys)
    return replace(model, entries=tuple(entry for entry in model.entries if entry.source.key in wanted))


def _whole(text: str) -> int:
    try:
        number = int(text.strip().replace("−", "-"))
    except ValueError:
        return 0
    return number if abs(number) <= MOST_ORDER else 0
