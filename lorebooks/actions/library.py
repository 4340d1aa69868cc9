"""Whole books: made, copied, indexed, moved to the trash and back."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import partial

from django.utils import timezone

from lorebooks import index
from lorebooks.access import refuse_unless_reader
from lorebooks.library import LIBRARY
from lorebooks.models import Lorebook
from lorebooks.pipeline.book_file import BOOK_FILE, write_book
from lorebooks.pipeline.item_file import Item, Source, item_bytes, read_item
from lorebooks.shelves import folder_of
from portal.models import Person
from worlds.library.files.cases import CASES_FILE
from worlds.library.files.item import ITEM_FILE
from worlds.rules.write import moment
from worlds.store.paths import new_item_id


def index_lorebook(*, owner: Person, lorebook_id: str) -> Lorebook | None:
    """Rebuild the rows of one book from its folder; rows without a folder are removed (then `None`)."""
    return index.index_lorebook(owner, lorebook_id)


def create_lorebook(*, actor: Person, name: str, language: str = "", description: str = "") -> Lorebook:
    """An empty book. Raises `full` when the actor has no room."""
    book = {"description": description, "entries": {}} if description else {"entries": {}}
    item = Item(name=name[:300], language=language[:40], source=Source(kind="blank"))
    return shelve(actor, item, {BOOK_FILE: write_book(book)})


def copy_lorebook(*, actor: Person, lorebook: Lorebook, name: str = "") -> Lorebook:
    """A copy on the actor's own shelf, with its sections and cases, without versions, records and history.

    Raises:
        DomainError: `not-found` for a stranger; `invalid` for a file that cannot be read; `full`.
    """
    refuse_unless_reader(actor, lorebook)
    folder = folder_of(lorebook)
    files = folder.consistently(
        lambda: {path: folder.read(path) for path in (ITEM_FILE, BOOK_FILE, CASES_FILE) if folder.has(path)}
    )
    copied = read_item(files.pop(ITEM_FILE)).model_copy(
        update={
            "name": (name or lorebook.name)[:300],
            "versions": (),
            "source": Source(kind="copy", format=lorebook.source_format),
        }
    )
    return shelve(actor, copied, files)


def shelve(actor: Person, item: Item, files: Mapping[str, bytes]) -> Lorebook:
    """Put a new book on the actor's shelf and give it its rows. Raises `full` when there is no room."""
    return shelve_as(actor, new_item_id(item.name), item, files)


def shelve_as(
    actor: Person, lorebook_id: str, item: Item, files: Mapping[str, bytes], facts: bytes = b""
) -> Lorebook:
    """As `shelve`, under an id that was chosen before, with what is known of its entries (`entry_facts`)."""
    now = moment(timezone.now())
    dated = item.model_copy(update={"created_at": now, "updated_at": now})
    indexed = partial(index.index_lorebook, facts=facts)
    return LIBRARY.shelve(actor, lorebook_id, {ITEM_FILE: item_bytes(dated), **files}, indexed)


def touch_lorebook(*, actor: Person, lorebook: Lorebook) -> None:
    """Note that its owner looked at a book, for the order of their list."""
    LIBRARY.note_use(actor, lorebook)


def trash_lorebook(*, actor: Person, lorebook: Lorebook) -> str:
    """Move a book to its owner's trash; gives the entry id that `restore_lorebook` takes.

    Raises:
        DomainError: `forbidden` unless the actor owns it; `busy` while somebody writes it.
    """
    return LIBRARY.trash(actor, lorebook)


def restore_lorebook(*, actor: Person, entry_id: str) -> Lorebook:
    """Bring a book back from the actor's own trash. It is shared with whom it was shared before.

    Raises:
        DomainError: `not-found` when the entry is gone; `conflict` when the place is taken.
    """
    return LIBRARY.restore(actor, entry_id)


def empty_trash(*, actor: Person, entry_ids: list[str]) -> int:
    """Remove books from the actor's trash for good, with their shares; gives how many."""
    return LIBRARY.empty(actor, entry_ids)


def reindex(*, owner: Person) -> tuple[int, int]:
    """Rebuild the rows of everything on one shelf; gives how many books were read and how many rows went."""
    return LIBRARY.reindex(owner)


def sweep(*, now: datetime) -> int:
    """Remove for good what was longer in a trash than `TRASH_DAYS`, and former versions that old."""
    return LIBRARY.sweep(now)
