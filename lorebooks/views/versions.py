"""`/lore/<id>/versions/`: what is kept of a book, two states of it compared, and one brought back."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from formats.lorebook.model import Entry
from formats.text.diff import TextDiff, diff_text
from lorebooks import actions, queries, timeline
from lorebooks.entry_words import label_of, value_words
from lorebooks.pipeline.differences import BookDiff, EntryChange
from lorebooks.pipeline.entry_facts import storable
from lorebooks.timeline import NOW
from lorebooks.views.frame import lorebook_page, open_lorebook
from worlds.library.files.changes import FieldChange
from worlds.library.files.item import LONGEST_NOTE
from worlds.views.frame import see_other

STEPS_SHOWN = 20
DIFFERENCES_SHOWN = 30


@dataclass(frozen=True, slots=True)
class ToldField:
    """A field before and after in words; `diff` for a text."""

    label: str
    before: str
    after: str
    diff: TextDiff | None


@dataclass(frozen=True, slots=True)
class ToldEntry:
    """An entry that came, went or changed. `kind`: added, removed, changed."""

    kind: str
    title: str
    key: str
    fields: list[ToldField]


@require_safe
def versions(request: HttpRequest, lorebook_id: str) -> HttpResponse:
    """The timeline: versions somebody kept, and the steps that are kept by themselves."""
    person, lorebook = open_lorebook(request, lorebook_id)
    steps = timeline.steps_of(lorebook, person)
    context = {
        "title": _("Versions"),
        "versions": timeline.kept_versions(lorebook),
        "has_cases": queries.has_cases(lorebook),
        "steps": steps,
        "page": Paginator(steps, STEPS_SHOWN).get_page(request.GET.get("page")),
    }
    return lorebook_page(request, person, lorebook, "versions", "lorebooks/versions.html", context)


@require_POST
def keep(request: HttpRequest, lorebook_id: str) -> HttpResponse:
    """Keep the book as it is now, with a note."""
    person, lorebook = open_lorebook(request, lorebook_id, "edit")
    note = " ".join(request.POST.get("note", "").split())[:LONGEST_NOTE]
    number = actions.keep_version(actor=person, lorebook=lorebook, note=note)
    messages.success(request, _("Version %(n)s is kept.") % {"n": number})
    return see_other(reverse("lorebooks:versions", args=[lorebook.pk]))


@require_safe
def compare(request: HttpRequest, lorebook_id: str) -> HttpResponse:
    """Any two states; without a choice the newest that is kept, and now."""
    person, lorebook = open_lorebook(request, lorebook_id)
    kept, steps = timeline.kept_versions(lorebook), timeline.steps_of(lorebook, person)
    newest = kept[0].id if kept else steps[0].id if steps else NOW
    old, new = request.GET.get("old") or newest, request.GET.get("new") or NOW
    found = timeline.compared(lorebook, old, new)
    entries: list[EntryChange | Entry] = [*found.changed, *found.added, *found.removed]
    page = Paginator(entries, DIFFERENCES_SHOWN).get_page(request.GET.get("page"))
    context = {
        "title": _("Compare versions"),
        "further": [(_("Versions"), reverse("lorebooks:versions", args=[lorebook.pk]))],
        "versions": kept,
        "steps": steps,
        "old": old,
        "new": new,
        "found": found,
        "page": page,
        "settings_changed": [_told_field(change) for change in found.settings] if page.number == 1 else [],
        "entries": [_told_entry(found, one) for one in page],
    }
    return lorebook_page(request, person, lorebook, "versions", "lorebooks/compare.html", context)


@require_POST
def restore(request: HttpRequest, lorebook_id: str) -> HttpResponse:
    """Make the book what it was; the notice takes that back again."""
    person, lorebook = open_lorebook(request, lorebook_id, "edit")
    state = request.POST.get("state", "")
    if state.isascii() and state.isdigit() and len(state) < 6:
        done = actions.restore_version(actor=person, lorebook=lorebook, number=int(state))
    else:
        done = actions.restore_former(actor=person, lorebook=lorebook, change_id=state)
    if not done.changed:
        messages.success(request, _("The book is as it was then already. Nothing was changed."))
    else:
        undo = reverse("lorebooks:restore_before", args=[lorebook.pk, done.change_id])
        told = _("The book is as it was then.")
        if not done.with_sections:
            told = _("The entries are as they were then. Their sections were not kept and are those of now.")
        messages.success(request, told, extra_tags=f"undo:{undo}")
    return see_other(reverse("lorebooks:versions", args=[lorebook.pk]))


@require_POST
def restore_before(request: HttpRequest, lorebook_id: str, change_id: str) -> HttpResponse:
    """Undo: the book as it was before a change."""
    person, lorebook = open_lorebook(request, lorebook_id, "edit")
    actions.restore_former(actor=person, lorebook=lorebook, change_id=change_id)
    messages.success(request, _("Taken back."))
    return see_other(reverse("lorebooks:versions", args=[lorebook.pk]))


def _told_entry(found: BookDiff, one: EntryChange | Entry) -> ToldEntry:
    if isinstance(one, EntryChange):
        fields = [_told_field(change) for change in one.fields]
        return ToldEntry("changed", storable(one.title)[:200], one.key, fields)
    title = one.comment or ", ".join(one.keys)
    text = ToldField("", "", value_words("content", one.content), None)
    kind = "added" if any(one is entry for entry in found.added) else "removed"
    return ToldEntry(kind, storable(title)[:200], one.source.key, [text])


def _told_field(change: FieldChange) -> ToldField:
    before, after = change.before, change.after
    text = isinstance(before, str) and isinstance(after, str) and change.name in ("content", "description")
    return ToldField(
        label_of(change.name),
        value_words(change.name, before),
        value_words(change.name, after),
        diff_text(storable(before), storable(after)) if text else None,
    )
