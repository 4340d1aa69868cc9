"""`/lore/`: my lorebooks, a new one, and the trash (`portal.md` 3.8)."""

from __future__ import annotations

from datetime import timedelta
from math import ceil
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from lorebooks import actions, queries
from lorebooks.access import lorebooks_for
from lorebooks.forms import NewLorebookForm
from lorebooks.models import Lorebook
from lorebooks.views.frame import menu_links, menu_posts
from lorebooks.words import language_word
from portal.access import person_of
from portal.models import Person
from portal.render import render_page
from worlds.store.shelf import TrashedItem
from worlds.views.frame import see_other

PER_PAGE = 30
SORTS = ("used", "name", "changed", "created", "entries", "tokens")
OWNED = {"mine": True, "shared": False}
LANGUAGE = "in-"
MEGABYTE = 1024 * 1024


@require_safe
def library(request: HttpRequest) -> HttpResponse:
    """The list of books: searched, sorted, filtered, paged; only from the index, never from a folder."""
    person = person_of(request)
    words = request.GET.get("q", "").strip()[:100]
    sort = request.GET.get("sort", "used")
    only = request.GET.get("only", "")
    language = only.removeprefix(LANGUAGE) if only.startswith(LANGUAGE) else ""
    found = queries.library_rows(person, search=words, sort=sort, owned=OWNED.get(only), language=language)
    page = Paginator(found, PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "title": _("Lorebooks"),
        "rows": [_row(person, book) for book in page.object_list],
        "page": page,
        "words": words,
        "sort": sort if sort in SORTS else "used",
        "only": only,
        "languages": lambda: _languages(person),
        "any": bool(words or only or page.paginator.count) or lorebooks_for(person).exists(),
        "waiting": lambda: queries.waiting_uploads(person),
        "largest": actions.MOST_BYTES,
        "largest_mb": actions.MOST_BYTES // MEGABYTE,
    }
    return render_page(request, "lorebooks/library.html", context, "list")


def _row(person: Person, book: Lorebook) -> dict[str, Any]:
    mine = book.owner_id == person.pk
    return {
        "lorebook": book,
        "language": language_word(book.language),
        "shared_by": "" if mine else str(book.owner),
        "links": [("book", _("Open"), reverse("lorebooks:editor", args=[book.pk])), *menu_links(book)],
        "posts": menu_posts(book) if mine else [],
    }


def _languages(person: Person) -> list[tuple[str, str]]:
    """The languages of the books, as choices of the filter; none where there is nothing to choose."""
    codes = lorebooks_for(person).exclude(language="").order_by("language").values_list("language", flat=True)
    found = [(f"{LANGUAGE}{code}", language_word(code)) for code in codes.distinct()[:60]]
    return found if len(found) > 1 else []


@require_http_methods(["GET", "HEAD", "POST"])
def new_lorebook(request: HttpRequest) -> HttpResponse:
    """A book from nothing."""
    person = person_of(request)
    form = NewLorebookForm(request.POST or None, initial={"language": get_language() or "en"})
    if request.method == "POST" and form.is_valid():
        book = actions.create_lorebook(actor=person, **form.cleaned_data)
        messages.success(request, _("The lorebook “%(name)s” is made.") % {"name": book.name})
        return see_other(reverse("lorebooks:editor", args=[book.pk]))
    context = {"title": _("A new lorebook"), "form": form, "crumbs": crumbs()}
    return render_page(request, "lorebooks/new.html", context, status=422 if form.is_bound else 200)


@require_safe
def trash(request: HttpRequest) -> HttpResponse:
    """What is in my trash of lorebooks, newest first."""
    items = queries.trashed(person_of(request))
    context = {
        "title": _("Trash of lorebooks"),
        "crumbs": crumbs(),
        "items": [(item, _days_left(item)) for item in items],
        "oldest": items[-1].at if items else None,
    }
    return render_page(request, "lorebooks/trash.html", context)


@require_POST
def restore(request: HttpRequest, entry_id: str) -> HttpResponse:
    """Back to the shelf; also the Undo of moving a book to the trash."""
    book = actions.restore_lorebook(actor=person_of(request), entry_id=entry_id)
    messages.success(request, _("“%(name)s” is back.") % {"name": book.name})
    return see_other(reverse("lorebooks:editor", args=[book.pk]))


@require_POST
def empty(request: HttpRequest) -> HttpResponse:
    """Remove one book, or all that the page showed, for good. The page has asked."""
    person = person_of(request)
    asked = set(request.POST.getlist("entry"))
    there = [item.entry_id for item in queries.trashed(person) if item.entry_id in asked]
    gone = actions.empty_trash(actor=person, entry_ids=there)
    text = ngettext("%(n)s lorebook was removed for good.", "%(n)s lorebooks were removed for good.", gone)
    messages.success(request, text % {"n": gone})
    return see_other(reverse("lorebooks:trash"))


def crumbs() -> list[tuple[str, str]]:
    """The way back of pages that belong to no book."""
    return [(_("Lorebooks"), reverse("lorebooks:library"))]


def _days_left(item: TrashedItem) -> int:
    end = item.at + timedelta(days=settings.TRASH_DAYS)
    return max(0, ceil((end - timezone.now()) / timedelta(days=1)))
