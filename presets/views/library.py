"""`/presets/`: my presets, a new one, and the trash (`portal.md` 3.9)."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy, pgettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from portal.access import person_of
from portal.models import Person
from portal.render import render_page
from presets import actions, queries
from presets.access import presets_for
from presets.models import Preset
from presets.views.frame import FRAME
from presets.words import source_word
from worlds.library.pages.forms import NameForm
from worlds.library.pages.taking import megabytes
from worlds.library.pages.trash import Trash, TrashWords
from worlds.views.frame import see_other

PER_PAGE = 30
SORTS = (
    ("used", gettext_lazy("Last used")),
    ("name", gettext_lazy("Name")),
    ("changed", gettext_lazy("Last changed")),
    ("created", gettext_lazy("Newest")),
    ("prompts", gettext_lazy("Most prompts")),
    ("tokens", gettext_lazy("Most tokens")),
)
FILTERS = (
    ("", pgettext_lazy("presets", "All")),
    ("mine", pgettext_lazy("presets", "My own")),
    ("shared", gettext_lazy("Shared with me")),
)
OWNED = {"mine": True, "shared": False}
TRASH = Trash(
    FRAME,
    TrashWords(
        title=gettext_lazy("Trash of presets"),
        stay=gettext_lazy("Presets stay here for 30 days. What is in them is untouched."),
        one=gettext_lazy(
            "“%(name)s” with every prompt, its versions and its history. This cannot be undone."
        ),
        several=ngettext_lazy(
            "One preset with every prompt and version. This cannot be undone.",
            "%(n)s presets with every prompt and version. This cannot be undone.",
            "n",
        ),
        gone=ngettext_lazy("%(n)s preset was removed for good.", "%(n)s presets were removed for good.", "n"),
    ),
    lambda person, preset: queries.worlds_using(person, preset).count(),
)


@require_safe
def library(request: HttpRequest) -> HttpResponse:
    """The list of presets: searched, sorted, filtered, paged; only from the index, never from a folder."""
    person = person_of(request)
    words = request.GET.get("q", "").strip()[:100]
    sort = request.GET.get("sort", "used")
    only = request.GET.get("only", "")
    found = queries.library_rows(person, search=words, sort=sort, owned=OWNED.get(only))
    page = Paginator(found, PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "title": _("Presets"),
        "rows": [_row(person, preset) for preset in page.object_list],
        "page": page,
        "words": words,
        "sort": sort if sort in dict(SORTS) else "used",
        "sorts": SORTS,
        "filters": FILTERS,
        "only": only,
        "any": bool(words or only or page.paginator.count) or presets_for(person).exists(),
        "waiting": lambda: queries.waiting_uploads(person),
        "largest": actions.MOST_BYTES,
        "largest_mb": megabytes(actions.MOST_BYTES),
    }
    return render_page(request, "presets/library.html", context, "list")


def _row(person: Person, preset: Preset) -> dict[str, Any]:
    mine = preset.owner_id == person.pk
    return {
        "preset": preset,
        "address": FRAME.home_of(preset),
        "source": source_word(preset.form, preset.source_kind),
        "shared_by": "" if mine else str(preset.owner),
        "links": [("file", _("Open"), FRAME.home_of(preset)), *FRAME.menu_links(preset)],
        "posts": FRAME.menu_posts(preset) if mine else [],
    }


@require_http_methods(["GET", "HEAD", "POST"])
def new_preset(request: HttpRequest) -> HttpResponse:
    """A preset from nothing."""
    person = person_of(request)
    form = NameForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        preset = actions.create_preset(actor=person, name=form.cleaned_data["name"])
        messages.success(request, _("The preset “%(name)s” is made.") % {"name": preset.name})
        return see_other(FRAME.home_of(preset))
    context = {"title": _("A new preset"), "form": form, "crumbs": crumbs()}
    return render_page(request, "presets/new.html", context, status=422 if form.is_bound else 200)


@require_safe
def trash(request: HttpRequest) -> HttpResponse:
    """What is in my trash of presets, newest first."""
    return TRASH.show(request)


@require_POST
def restore(request: HttpRequest, entry_id: str) -> HttpResponse:
    """Back to the shelf; also the Undo of moving a preset to the trash."""
    return TRASH.restore(request, entry_id)


@require_POST
def empty(request: HttpRequest) -> HttpResponse:
    """Remove one preset, or all that the page showed, for good. The page has asked."""
    return TRASH.empty(request)


def crumbs() -> list[tuple[str, str]]:
    """The way back of pages that belong to no preset."""
    return [(_("Presets"), reverse("presets:library"))]
