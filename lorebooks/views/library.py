"""`/lore/`: my lorebooks, a new one, and the trash (`portal.md` 3.8)."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy, ngettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from lorebooks import actions, queries
from lorebooks.access import lorebooks_for
from lorebooks.forms import NewLorebookForm
from lorebooks.models import Lorebook
from lorebooks.views.frame import FRAME
from lorebooks.words import language_word
from portal.access import person_of
from portal.models import Person
from portal.render import render_page
from worlds.library.pages.taking import megabytes
from worlds.library.pages.trash import Trash, TrashWords
from worlds.views.frame import see_other

PER_PAGE = 30
SORTS = ("used", "name", "changed", "created", "entries", "tokens")
OWNED = {"mine": True, "shared": False}
LANGUAGE = "in-"
TRASH = Trash(
    FRAME,
    TrashWords(
        title=gettext_lazy("Trash of lorebooks"),
        stay=gettext_lazy("Lorebooks stay here for 30 days. What is in them is untouched."),
        one=gettext_lazy("“%(name)s” with every entry, its versions and its history. This cannot be undone."),
        several=ngettext_lazy(
            "One lorebook with every entry. This cannot be undone.",
            "%(n)s lorebooks with every entry. This cannot be undone.",
            "n",
        ),
        gone=ngettext_lazy(
            "%(n)s lorebook was removed for good.", "%(n)s lorebooks were removed for good.", "n"
        ),
    ),
    lambda person, lorebook: queries.worlds_using(person, lorebook).count(),
)


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
        "largest_mb": megabytes(actions.MOST_BYTES),
    }
    return render_page(request, "lorebooks/library.html", context, "list")


def _row(person: Person, book: Lorebook) -> dict[str, Any]:
    mine = book.owner_id == person.pk
    return {
        "lorebook": book,
        "language": language_word(book.language),
        "shared_by": "" if mine else str(book.owner),
        "links": [("book", _("Open"), reverse("lorebooks:editor", args=[book.pk])), *FRAME.menu_links(book)],
        "posts": FRAME.menu_posts(book) if mine else [],
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
    return TRASH.show(request)


@require_POST
def restore(request: HttpRequest, entry_id: str) -> HttpResponse:
    """Back to the shelf; also the Undo of moving a book to the trash."""
    return TRASH.restore(request, entry_id)


@require_POST
def empty(request: HttpRequest) -> HttpResponse:
    """Remove one book, or all that the page showed, for good. The page has asked."""
    return TRASH.empty(request)


def crumbs() -> list[tuple[str, str]]:
    """The way back of pages that belong to no book."""
    return [(_("Lorebooks"), reverse("lorebooks:library"))]
