"""One entry: its form, which saves by itself, its source, new, copied, deleted and brought back."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from formats.errors import DomainError
from formats.stable_json import write_json
from lorebooks import actions, queries
from lorebooks.actions import TOO_MANY_KEYS, EntryConflict
from lorebooks.entry_form import EntryForm
from lorebooks.entry_keys import MOST_FIELDS, shown_key, told_keys
from lorebooks.entry_list import list_context
from lorebooks.entry_words import decorators_told, kept_fields, when_said, where_said
from lorebooks.models import Lorebook
from lorebooks.pipeline.entry_facts import storable
from lorebooks.queries import NO_SECTION, EntryValue
from lorebooks.views.conflicts import conflict_page, saved_meanwhile
from lorebooks.views.editor import carried, list_address, say_deleted
from lorebooks.views.frame import lorebook_page, needed, open_lorebook
from lorebooks.words import BECOMES
from portal.models import Person
from portal.render import render_page, wants_fragment
from portal.say import said
from worlds.library.pages.forms import plain_lines
from worlds.views.frame import see_other


@require_http_methods(["GET", "HEAD", "POST"])
def entry(request: HttpRequest, lorebook_id: str, key: str) -> HttpResponse:
    """The form of an entry. POST saves it: htmx gets what changed on the page, a plain form the page anew."""
    person, lorebook = open_lorebook(request, lorebook_id, needed(request))
    value = queries.entry_value(lorebook, key)
    if request.method != "POST":
        return entry_page(request, person, lorebook, value, EntryForm(value.fields), value.etag)
    form, etag = EntryForm(value.fields, request.POST), request.POST.get("etag", "")
    if not form.is_valid():
        return _not_saved(request, person, lorebook, value, form, etag)
    try:
        actions.save_entry(actor=person, lorebook=lorebook, key=key, fields=form.changed, if_match=etag)
    except EntryConflict as conflict:
        return _conflict(request, person, lorebook, conflict)
    except DomainError as refusal:
        if refusal.code not in TOO_MANY_KEYS:
            raise
        form.add_error(refusal.where, said(refusal))
        return _not_saved(request, person, lorebook, value, form, etag)
    if wants_fragment(request):
        return _saved(request, lorebook, queries.saved_value(value, form.changed))
    messages.success(request, _("Saved."))
    return see_other(entry_address(lorebook, key, carried(request.GET)))


@require_http_methods(["GET", "HEAD", "POST"])
def source(request: HttpRequest, lorebook_id: str, key: str) -> HttpResponse:
    """An entry as the JSON that the file holds; POST saves it as it is written."""
    person, lorebook = open_lorebook(request, lorebook_id, needed(request))
    value = queries.entry_value(lorebook, key)
    stored = storable(write_json(value.raw))
    text, etag, error, status = stored, value.etag, "", 200
    if request.method == "POST":
        text, etag = plain_lines(request.POST.get("text", "")), request.POST.get("etag", "")
        try:
            actions.save_entry_source(actor=person, lorebook=lorebook, key=key, text=text, if_match=etag)
        except EntryConflict as conflict:
            # What was typed stays whole, unknown fields too; saving it once more puts it over theirs.
            error, etag, status = said(conflict), conflict.etag, 409
        except DomainError as refusal:
            if refusal.code not in (actions.BAD_SOURCE, *TOO_MANY_KEYS):
                raise
            error, status = said(refusal), 422
        else:
            messages.success(request, _("Saved."))
            return see_other(reverse("lorebooks:entry_source", args=[lorebook.pk, key]))
    context = {
        **_around(request, lorebook, value),
        "view": "source",
        "text": text,
        "etag": etag,
        "error": error,
        "theirs": stored if status == 409 else "",
    }
    return lorebook_page(request, person, lorebook, "entries", "lorebooks/entry.html", context, status=status)


@require_POST
def new_entry(request: HttpRequest, lorebook_id: str) -> HttpResponse:
    """An empty entry at the end of the book, opened."""
    person, lorebook = open_lorebook(request, lorebook_id, "edit")
    section = request.POST.get("section", "")
    section = "" if section == NO_SECTION else section
    saved = actions.add_entry(actor=person, lorebook=lorebook, fields={}, section=section)
    return see_other(entry_address(lorebook, saved.key, "new=1"))


@require_POST
def duplicate_entry(request: HttpRequest, lorebook_id: str, key: str) -> HttpResponse:
    """The same entry once more, opened."""
    person, lorebook = open_lorebook(request, lorebook_id, "edit")
    saved = actions.duplicate_entry(actor=person, lorebook=lorebook, key=key)
    messages.success(request, _("This is the copy."))
    return see_other(entry_address(lorebook, saved.key))


@require_POST
def delete_entry(request: HttpRequest, lorebook_id: str, key: str) -> HttpResponse:
    """Delete one entry; the notice offers the way back."""
    person, lorebook = open_lorebook(request, lorebook_id, "edit")
    say_deleted(request, lorebook, actions.delete_entries(actor=person, lorebook=lorebook, keys=[key]))
    return see_other(list_address(lorebook, request.GET))


@require_POST
def put_back(request: HttpRequest, lorebook_id: str, change_id: str) -> HttpResponse:
    """Undo of a deletion."""
    person, lorebook = open_lorebook(request, lorebook_id, "edit")
    n = actions.put_back_entries(actor=person, lorebook=lorebook, change_id=change_id)
    told = ngettext("%(n)s entry is back.", "%(n)s entries are back.", n)
    messages.success(request, told % {"n": n})
    return see_other(reverse("lorebooks:editor", args=[lorebook.pk]))


@require_safe
def told(request: HttpRequest, lorebook_id: str, key: str) -> HttpResponse:
    """What the page says about patterns among the keys, fetched once the page is there."""
    _person, lorebook = open_lorebook(request, lorebook_id)
    context = _told(queries.entry_value(lorebook, key))
    return render_page(request, "lorebooks/entry_told.html", context)


# --- the parts of these pages ---------------------------------------------------------------------------


def entry_address(lorebook: Lorebook, key: str, query: str = "") -> str:
    """Where an entry is edited."""
    return reverse("lorebooks:entry", args=[lorebook.pk, key]) + (f"?{query}" if query else "")


def entry_page(
    request: HttpRequest,
    person: Person,
    lorebook: Lorebook,
    value: EntryValue,
    form: EntryForm,
    etag: str,
    *,
    status: int = 200,
) -> HttpResponse:
    """The whole page: the list beside the form."""
    keys, second_keys = _key_fields(form, "keys"), _key_fields(form, "secondary_keys")
    context = {
        **_around(request, lorebook, value),
        **_told(value, patterns=False),
        "view": "form",
        "form": form,
        "etag": etag,
        "keys_as_lines": max(len(keys), len(value.entry.keys)) > MOST_FIELDS,
        "second_as_lines": max(len(second_keys), len(value.entry.secondary_keys)) > MOST_FIELDS,
        "keys": keys,
        "second_keys": second_keys,
        "becomes": [(str(place), *word) for place, word in BECOMES.items()],
        "kept": kept_fields(value.entry),
        "when_said": when_said(value.fields),
        "where_said": where_said(value.fields),
    }
    return lorebook_page(request, person, lorebook, "entries", "lorebooks/entry.html", context, status=status)


def _around(request: HttpRequest, lorebook: Lorebook, value: EntryValue) -> dict[str, Any]:
    return {
        **list_context(lorebook, request.GET, key=value.key),
        "title": title_of(value),
        "value": value,
        "section": value.section or NO_SECTION,
        "carried": carried(request.GET),
        "new": bool(request.GET.get("new")),
    }


def title_of(value: EntryValue) -> str:
    """What people call an entry."""
    title = " ".join(value.entry.comment.split()) or ", ".join(map(shown_key, value.entry.keys[:6]))
    return storable(title)[:120] or _("Untitled")


def _told(value: EntryValue, *, patterns: bool = True) -> dict[str, Any]:
    """What the page says about what is stored. Patterns are tried in a child process, so not at first."""
    keys = [*value.entry.keys, *value.entry.secondary_keys]
    return {
        "value": value,
        "patterns": told_keys(keys) if patterns else None,
        "slashed": any(key.startswith("/") for key in keys),
        "decorators": decorators_told(value.entry.content),
    }


def _key_fields(form: EntryForm, name: str) -> list[str]:
    """The keys as their fields show them."""
    written = form[name].value() or []
    return [shown for key in written if (shown := shown_key(key))]


def _not_saved(
    request: HttpRequest, person: Person, lorebook: Lorebook, value: EntryValue, form: EntryForm, etag: str
) -> HttpResponse:
    if wants_fragment(request):
        return render_page(request, "lorebooks/not_saved.html", {"form": form}, status=422)
    return entry_page(request, person, lorebook, value, form, etag, status=422)


def _saved(request: HttpRequest, lorebook: Lorebook, value: EntryValue) -> HttpResponse:
    context = {**_told(value), "title": title_of(value), "lorebook": lorebook, "now": timezone.localtime()}
    return render_page(request, "lorebooks/saved.html", context)


def _conflict(
    request: HttpRequest, person: Person, lorebook: Lorebook, conflict: EntryConflict
) -> HttpResponse:
    if not wants_fragment(request) or "compare" in request.POST:
        return conflict_page(request, person, lorebook, conflict.where, conflict)
    saved = saved_meanwhile(lorebook, conflict.where, person)
    context = {"saved": saved, "lorebook": lorebook, "key": conflict.where}
    return render_page(request, "lorebooks/saved_meanwhile.html", context, status=409)
