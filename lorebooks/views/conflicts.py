"""Two people in one entry: what is there, what was written, and for each field whose it shall be."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from formats.stable_json import read_json, write_json
from formats.text.diff import TextDiff, diff_text
from lorebooks import actions, queries
from lorebooks.actions import EntryConflict
from lorebooks.entry_words import label_of, value_words
from lorebooks.models import Lorebook, LorebookEntry
from lorebooks.pipeline.entry_facts import storable
from lorebooks.pipeline.entry_fields import CHECKS
from lorebooks.shelves import folder_of
from lorebooks.views.frame import lorebook_page, open_lorebook
from portal.access import nothing_here
from portal.models import Person
from worlds.changes import names_of
from worlds.versions import Saved
from worlds.views.frame import see_other

LOOKED_AT: Final = 50  # changes of the history, to find who saved
TEXTS: Final = ("content",)
WORDS: Final = ("keys", "secondary_keys", "triggers", "character_names", "character_tags")


@dataclass(frozen=True, slots=True)
class Field:
    """A field that is not the same: both values in words, for a text what differs; `both` can be had."""

    name: str
    label: str
    theirs: str
    yours: str
    diff: TextDiff | None
    both: bool


@require_POST
def settle(request: HttpRequest, lorebook_id: str, key: str) -> HttpResponse:
    """Save what was chosen field by field over what is there; when that changed again, ask again."""
    person, lorebook = open_lorebook(request, lorebook_id, "edit")
    yours = _fields(request.POST.get("yours", ""))
    theirs = queries.entry_value(lorebook, key).fields
    everything = request.POST.get("pick")
    chosen: dict[str, Any] = {}
    for name, value in yours.items():
        pick = everything or request.POST.get(f"pick-{name}", "yours")
        if theirs.get(name) != value and pick != "theirs":
            chosen[name] = both_of(name, theirs.get(name), value) if pick == "both" else value
    try:
        actions.save_entry(
            actor=person, lorebook=lorebook, key=key, fields=chosen, if_match=request.POST.get("etag", "")
        )
    except EntryConflict as conflict:
        return conflict_page(request, person, lorebook, key, conflict)
    messages.success(request, _("Saved."))
    return see_other(reverse("lorebooks:entry", args=[lorebook.pk, key]))


def conflict_page(
    request: HttpRequest, person: Person, lorebook: Lorebook, key: str, conflict: EntryConflict
) -> HttpResponse:
    """409: theirs beside yours, field by field. Nothing is lost or overwritten."""
    differing = [
        _field(name, conflict.theirs.get(name), value)
        for name, value in conflict.yours.items()
        if conflict.theirs.get(name) != value
    ]
    context = {
        "title": _("Two versions of an entry"),
        "key": key,
        "fields": differing,
        "yours": write_json({field.name: conflict.yours[field.name] for field in differing}),
        "etag": conflict.etag,
        "saved": saved_meanwhile(lorebook, key, person),
    }
    template = "lorebooks/entry_conflict.html"
    return lorebook_page(request, person, lorebook, "entries", template, context, status=409)


def saved_meanwhile(lorebook: Lorebook, key: str, reader: Person) -> Saved:
    """Who saved an entry last and when, as far as the history knows; `who` is "" where it does not."""
    # Saves of one sitting are one step of the history, with the time of its beginning: the row knows better.
    at = LorebookEntry.objects.filter(lorebook=lorebook, key=key).values_list("changed_at", flat=True).first()
    for record in islice(folder_of(lorebook).history(), LOOKED_AT):
        if key in record.note.split(", ") or record.what in ("bulk", "restore"):
            who = names_of({record.by}, reader).get(record.by, record.by)
            return Saved(who, record.by == reader.handle, at or datetime.fromisoformat(record.at))
    return Saved("", False, at)


def both_of(name: str, theirs: Any, yours: Any) -> Any:
    """A value that keeps what either says, where there is one; else yours."""
    if name in TEXTS:
        return _both_texts(theirs, yours)
    if name in WORDS:
        return list(dict.fromkeys([*theirs, *yours]))
    return yours


def _both_texts(theirs: str, yours: str) -> str:
    """Every sentence of either, theirs before yours where they differ."""
    diff = diff_text(theirs, yours)
    if diff.uncompared:
        return f"{theirs}\n\n{yours}"
    joined = ""
    for change in diff.changes:
        if change.kind == "added" and joined and not joined[-1].isspace():
            joined += "\n"
        joined += change.text
    return joined


def _field(name: str, theirs: Any, yours: Any) -> Field:
    text = name in TEXTS
    return Field(
        name,
        label_of(name),
        value_words(name, theirs),
        value_words(name, yours),
        diff_text(storable(str(theirs)), storable(str(yours))) if text else None,
        text or name in WORDS,
    )


def _fields(text: str) -> dict[str, Any]:
    """What the page carried of somebody's own fields. Raises `not-found` for what it never wrote."""
    try:
        value = read_json(text)
    except ValueError:
        value = None
    if not isinstance(value, dict) or not value.keys() <= CHECKS.keys():
        raise nothing_here()
    return value
