"""Two people in one entry: what is there, what was written, and for each field whose it shall be."""

from __future__ import annotations

from typing import Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from formats.stable_json import write_json
from lorebooks import actions, queries
from lorebooks.actions import EntryConflict
from lorebooks.entry_words import label_of, value_words
from lorebooks.models import Lorebook, LorebookEntry
from lorebooks.pipeline.entry_fields import CHECKS, check_field
from lorebooks.shelves import folder_of
from lorebooks.views.frame import lorebook_page, open_lorebook
from portal.models import Person
from worlds.library.pages.conflicts import Fields, carried_fields, last_saved
from worlds.versions import Saved
from worlds.views.frame import see_other

WORDS: Final = ("keys", "secondary_keys", "triggers", "character_names", "character_tags")
FIELDS: Final = Fields(label_of, value_words, texts=("content",), lists=WORDS)


@require_POST
def settle(request: HttpRequest, lorebook_id: str, key: str) -> HttpResponse:
    """Save what was chosen field by field over what is there; when that changed again, ask again."""
    person, lorebook = open_lorebook(request, lorebook_id, "edit")
    yours = carried_fields(request.POST.get("yours", ""), CHECKS, check_field)
    chosen = FIELDS.chosen(queries.entry_value(lorebook, key).fields, yours, request.POST)
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
    differing = FIELDS.differing(conflict.theirs, conflict.yours)
    context = {
        "title": _("Two versions of an entry"),
        "fields": differing,
        "yours": write_json({field.name: conflict.yours[field.name] for field in differing}),
        "etag": conflict.etag,
        "saved": saved_meanwhile(lorebook, key, person),
        "settle": reverse("lorebooks:settle", args=[lorebook.pk, key]),
        "back": reverse("lorebooks:entry", args=[lorebook.pk, key]),
    }
    template = "lorebooks/entry_conflict.html"
    return lorebook_page(request, person, lorebook, "entries", template, context, status=409)


def saved_meanwhile(lorebook: Lorebook, key: str, reader: Person) -> Saved:
    """Who saved an entry last and when, as far as the history knows; `who` is "" where it does not."""
    at = LorebookEntry.objects.filter(lorebook=lorebook, key=key).values_list("changed_at", flat=True).first()
    return last_saved(
        folder_of(lorebook),
        reader,
        lambda record: key in record.note.split(", ") or record.what in ("bulk", "restore"),
        at,
    )
