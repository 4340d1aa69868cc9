"""The list of a book's entries: searched, filtered, sorted, paged; and where one entry stands in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from lorebooks import queries
from lorebooks.entry_keys import shown_key
from lorebooks.models import Lorebook, LorebookEntry
from lorebooks.pipeline.book_file import BOOK_FILE, entries_of
from lorebooks.pipeline.books import read_entry
from lorebooks.pipeline.item_file import Section
from lorebooks.shelves import folder_of

PER_PAGE: Final = 50
KEYS_SHOWN: Final = 12
SORTS: Final[list[tuple[str, str | Promise]]] = [
    ("position", _("As in the file")),
    ("order", pgettext_lazy("entries", "Order")),
    ("title", _("Title")),
    ("tokens", _("Most tokens")),
    ("changed", _("Last changed")),
]
SHOWN: Final[list[tuple[str, str | Promise]]] = [
    ("all", pgettext_lazy("entries", "All")),
    ("on", pgettext_lazy("entries", "On")),
    ("off", pgettext_lazy("entries", "Off")),
    ("always", pgettext_lazy("lorebook entry", "Always on")),
    ("keys", pgettext_lazy("lorebook entry", "When words appear")),
    ("vector", pgettext_lazy("lorebook entry", "By meaning")),
]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What somebody asks of the list, from the address or from a form."""

    words: str = ""
    show: str = "all"
    section: str = ""
    sort: str = "position"

    @classmethod
    def of(cls, said: Mapping[str, str]) -> Wanted:
        """Only what the list knows."""
        sort, show = said.get("sort", ""), said.get("show", "")
        return cls(
            said.get("q", "").strip()[:100],
            show if show in dict(SHOWN) else "all",
            said.get("section", "")[:200],
            sort if sort in dict(SORTS) else "position",
        )

    @property
    def narrow(self) -> bool:
        """Whether it leaves anything out."""
        return bool(self.words or self.section or self.show != "all")

    def rows(self, lorebook: Lorebook) -> QuerySet[LorebookEntry]:
        """All entries that fit."""
        return queries.entry_rows(
            lorebook, search=self.words, show=self.show, section=self.section, sort=self.sort
        )


@dataclass(frozen=True, slots=True)
class Place:
    """Where an entry stands in a list: its page, its neighbours, its number of how many."""

    page: int
    before: str
    after: str
    number: int
    all: int


def place_of(rows: QuerySet[LorebookEntry], key: str) -> Place | None:
    """Where an entry stands; None when the list leaves it out."""
    keys = list(rows.values_list("key", flat=True))
    if key not in keys:
        return None
    at = keys.index(key)
    after = keys[at + 1] if at + 1 < len(keys) else ""
    return Place(at // PER_PAGE + 1, keys[at - 1] if at else "", after, at + 1, len(keys))


def list_context(
    lorebook: Lorebook, said: Mapping[str, str], *, key: str = "", with_keys: bool = False
) -> dict[str, Any]:
    """What the templates of the list take. With a `key` it is the page where that entry stands."""
    wanted = Wanted.of(said)
    rows = wanted.rows(lorebook)
    place = place_of(rows, key) if key else None
    page = Paginator(rows, PER_PAGE).get_page(said.get("page") or (place.page if place else 1))
    return {
        "page": page,
        "rows": _with_keys(lorebook, page) if with_keys else [(row, [], 0) for row in page],
        "wanted": wanted,
        "place": place,
        "key": key,
        "sorts": SORTS,
        "shown": SHOWN,
        "sections": sections_of(lorebook),
        "no_section": queries.NO_SECTION,
    }


def sections_of(lorebook: Lorebook) -> tuple[Section, ...]:
    """The sections of a book in their order."""
    return queries.item_of(lorebook).sections


def _with_keys(lorebook: Lorebook, page: Page[LorebookEntry]) -> list[tuple[LorebookEntry, list[str], int]]:
    """Each row with its first keys, read from the file, and how many more it has."""
    stored = entries_of(folder_of(lorebook).read(BOOK_FILE), [row.key for row in page])
    told = []
    for row in page:
        keys = list(read_entry(row.key, stored[row.key]).keys) if row.key in stored else []
        told.append((row, [shown_key(key) for key in keys[:KEYS_SHOWN]], max(0, len(keys) - KEYS_SHOWN)))
    return told
