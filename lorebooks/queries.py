"""Reads of the lorebooks app: from the index where a list is asked, from the folder where content is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from django.db.models import Count, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from formats.errors import DomainError
from formats.lorebook.model import Entry, WorldBook
from formats.text.names import compared
from formats.text.tokens import count_tokens
from lorebooks.access import lorebooks_for
from lorebooks.kept_models import book_model
from lorebooks.library import LIBRARY
from lorebooks.models import Lorebook, LorebookEntry, LorebookUse
from lorebooks.pipeline import book_settings
from lorebooks.pipeline.book_file import BOOK_FILE, entry_of, head_of
from lorebooks.pipeline.book_settings import SettingsValue
from lorebooks.pipeline.books import etag_of_entry, model_of, raw_of, read_entry
from lorebooks.pipeline.cases import CASES, Case
from lorebooks.pipeline.entry_fields import fields_of, with_fields
from lorebooks.pipeline.import_report import ImportReport, read_report
from lorebooks.pipeline.item_file import ITEM, Item, Version, read_item
from lorebooks.shelves import folder_of, no_such_entry
from lorebooks.waiting import identical_books, waiting_upload, waiting_uploads
from portal.models import Person
from worlds.access import worlds_for
from worlds.library.files.cases import CASES_FILE
from worlds.library.files.import_report import REPORT
from worlds.library.files.item import ITEM_FILE
from worlds.models import World
from worlds.store.shelf import TrashedItem

__all__ = [
    "NO_SECTION",
    "AttachedBook",
    "EntryValue",
    "attached_books",
    "book_model",
    "cases_of",
    "entry_keys",
    "entry_rows",
    "entry_value",
    "has_cases",
    "identical_books",
    "import_report",
    "in_step",
    "item_of",
    "library_rows",
    "saved_value",
    "settings_of",
    "trashed",
    "version_model",
    "version_rows",
    "waiting_upload",
    "waiting_uploads",
    "worlds_using",
]

LibrarySort = Literal["used", "name", "changed", "created", "entries", "tokens"]
EntrySort = Literal["position", "order", "title", "tokens", "changed"]
Show = Literal["all", "on", "off", "always", "keys", "vector"]

_LIBRARY_ORDER: Final[Mapping[str, tuple[str, ...]]] = {
    "used": ("-used_at", "id"),
    "name": ("name_key", "id"),
    "changed": ("-updated_at", "id"),
    "created": ("-created_at", "id"),
    "entries": ("-entries_total", "id"),
    "tokens": ("-tokens_total", "id"),
}
_ENTRY_ORDER: Final[Mapping[str, tuple[str, ...]]] = {
    "position": ("position", "pk"),
    "order": ("-order", "position"),
    "title": ("title_key", "position"),
    "tokens": ("-tokens", "position"),
    "changed": ("-changed_at", "position"),
}
_SHOWN: Final[Mapping[str, Q]] = {
    "all": Q(),
    "on": Q(enabled=True),
    "off": Q(enabled=False),
    "always": Q(strategy=LorebookEntry.Strategy.ALWAYS),
    "keys": Q(strategy=LorebookEntry.Strategy.KEYS),
    "vector": Q(strategy=LorebookEntry.Strategy.VECTOR),
}
NO_SECTION: Final = "-"
"""What `entry_rows(section=…)` takes for the entries that are in none."""


@dataclass(frozen=True, slots=True)
class EntryValue:
    """One entry for its form: `fields` by their flat names, the file's own object in `raw`."""

    key: str
    entry: Entry
    fields: dict[str, Any]
    etag: str
    section: str
    tokens: int
    raw: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class AttachedBook:
    """A book that a world names; `lorebook` is None when the reader may not see it or it is in a trash."""

    id: str
    lorebook: Lorebook | None


def library_rows(
    person: Person, *, search: str = "", sort: str = "used", owned: bool | None = None, language: str = ""
) -> QuerySet[Lorebook]:
    """The books a person may read, with `.uses`: in how many worlds of theirs each one is attached."""
    found = lorebooks_for(person).select_related("owner")
    if owned is not None:
        found = found.filter(owner=person) if owned else found.exclude(owner=person)
    if language:
        found = found.filter(language=language)
    for word in compared(search).split()[:8]:
        found = found.filter(Q(name_key__contains=word) | Q(description__icontains=word))
    mine = LorebookUse.objects.filter(lorebook_id=OuterRef("pk"), world__in=worlds_for(person))
    counted = mine.order_by().values("lorebook_id").annotate(all=Count("pk")).values("all")
    uses = Coalesce(Subquery(counted, output_field=IntegerField()), 0)
    return found.annotate(uses=uses).order_by(*_LIBRARY_ORDER.get(sort, _LIBRARY_ORDER["used"]))


def entry_rows(
    lorebook: Lorebook, *, search: str = "", show: str = "all", section: str = "", sort: str = "position"
) -> QuerySet[LorebookEntry]:
    """The entries of a book as rows, to be paged; every word of `search` is in title, keys or text."""
    found = LorebookEntry.objects.filter(_SHOWN.get(show, Q()), lorebook=lorebook).defer("words")
    if section:
        found = found.filter(section="" if section == NO_SECTION else section)
    for word in compared(search).split()[:8]:
        found = found.filter(words__contains=word)
    return found.order_by(*_ENTRY_ORDER.get(sort, _ENTRY_ORDER["position"]))


def entry_keys(lorebook: Lorebook, keys: Iterable[str]) -> set[str]:
    """Those of the keys that a book has an entry of."""
    found = LorebookEntry.objects.filter(lorebook=lorebook, key__in=list(keys))
    return set(found.values_list("key", flat=True))


def entry_value(lorebook: Lorebook, key: str) -> EntryValue:
    """One entry as it is in the file. Raises DomainError `not-found`, or `invalid` for a spoilt file."""
    folder = folder_of(lorebook)
    raw = entry_of(folder.read(BOOK_FILE), key)
    if raw is None:
        raise no_such_entry(key)
    entry = read_entry(key, raw)
    section = item_of(lorebook).section_of().get(key, "")
    return EntryValue(
        key, entry, fields_of(entry), etag_of_entry(raw), section, count_tokens(entry.content), raw
    )


def saved_value(value: EntryValue, fields: Mapping[str, Any]) -> EntryValue:
    """The entry as it was read, with fields saved over it: what a page shows then, under the ETag of that.

    Where somebody else wrote between the reading and the save, nothing in the book has this ETag, and the
    next save from that page is a conflict.
    """
    entry = with_fields(value.entry, fields)
    raw = value.raw if entry == value.entry else raw_of(entry)
    tokens = count_tokens(entry.content)
    return replace(
        value, entry=entry, fields=fields_of(entry), etag=etag_of_entry(raw), tokens=tokens, raw=raw
    )


def item_of(lorebook: Lorebook) -> Item:
    """The book's tags, sections and versions. Raises DomainError `invalid` for a spoilt `item.json`."""
    return read_item(folder_of(lorebook).read(ITEM_FILE))


def settings_of(lorebook: Lorebook) -> SettingsValue:
    """What the book says about itself, as the fields of its form. Raises as `item_of`."""
    folder = folder_of(lorebook)
    return folder.consistently(
        lambda: book_settings.settings_of(read_item(folder.read(ITEM_FILE)), head_of(folder.read(BOOK_FILE)))
    )


def import_report(lorebook: Lorebook) -> ImportReport | None:
    """What the import found; None for a book that was made here."""
    try:
        return read_report(folder_of(lorebook).read(REPORT))
    except DomainError as error:
        if error.kind == "not-found":
            return None
        raise


def version_rows(lorebook: Lorebook) -> list[Version]:
    """The versions somebody kept, newest first."""
    return sorted(item_of(lorebook).versions, key=lambda version: -version.number)


def version_model(lorebook: Lorebook, number: int) -> WorldBook:
    """The book as it was in a version; 0 is now (two of them are compared by `diff_books`).

    Raises:
        DomainError: `not-found` for a number that is none; `invalid` where a hand has spoilt a file.
    """
    if number == 0:
        return book_model(lorebook)
    version = ITEM.version_in(item_of(lorebook).versions, number)
    return model_of(folder_of(lorebook).read(version.path), lorebook.name)


def in_step(lorebook: Lorebook) -> Lorebook:
    """The row, brought up to date when files were edited by hand. Raises `not-found` for a folder gone."""
    return LIBRARY.in_step(lorebook)


def has_cases(lorebook: Lorebook) -> bool:
    """Whether test cases were ever kept with a book; reads nothing."""
    return folder_of(lorebook).has(CASES_FILE)


def cases_of(lorebook: Lorebook) -> tuple[Case, ...]:
    """The test cases kept with a book. Raises DomainError `invalid` for a spoilt file."""
    return CASES.of(folder_of(lorebook))


def worlds_using(person: Person, lorebook: Lorebook) -> QuerySet[World]:
    """The worlds a person may read that attach a book, by name."""
    using = LorebookUse.objects.filter(lorebook_id=lorebook.pk).values("world_id")
    return worlds_for(person).filter(pk__in=using).order_by("name_key", "pk")


def attached_books(person: Person, world: World) -> list[AttachedBook]:
    """The books a world names, in its order. One that its reader may not open keeps its place, unnamed."""
    ids = list(
        LorebookUse.objects.filter(world=world).order_by("number").values_list("lorebook_id", flat=True)
    )
    readable = {book.pk: book for book in lorebooks_for(person).filter(pk__in=ids).select_related("owner")}
    return [AttachedBook(book_id, readable.get(book_id)) for book_id in ids]


def trashed(person: Person) -> list[TrashedItem]:
    """What is in a person's trash of lorebooks, newest first."""
    return LIBRARY.trashed(person)
