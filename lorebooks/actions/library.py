"""Whole books: made, copied, indexed, moved to the trash and back."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

from formats.errors import DomainError
from lorebooks import index
from lorebooks.access import KIND, refuse_unless_owner
from lorebooks.actions.writing import refuse_over_quota
from lorebooks.models import Lorebook
from lorebooks.pipeline.book_file import BOOK_FILE, write_book
from lorebooks.pipeline.cases import CASES_FILE
from lorebooks.pipeline.item_file import ITEM_FILE, Item, Source, item_bytes, read_item
from lorebooks.shelves import folder_of, shelf_of
from portal import bell
from portal.models import Person
from portal.sharing import forget_shares
from worlds.rules.write import moment
from worlds.store.paths import new_item_id
from worlds.store.space import bytes_below

# How long a person's list keeps its order while they click about in one book.
TOUCH_AFTER = timedelta(minutes=1)


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
        DomainError: `invalid` for a file that cannot be read; `full`.
    """
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


def shelve(actor: Person, item: Item, files: dict[str, bytes]) -> Lorebook:
    """Put a new book on the actor's shelf and give it its rows. Raises `full` when there is no room."""
    return shelve_as(actor, new_item_id(item.name), item, files)


def shelve_as(actor: Person, lorebook_id: str, item: Item, files: dict[str, bytes]) -> Lorebook:
    """As `shelve`, under an id that was chosen before."""
    now = moment(timezone.now())
    dated = item.model_copy(update={"created_at": now, "updated_at": now})
    whole = {ITEM_FILE: item_bytes(dated), **files}
    refuse_over_quota(actor, sum(map(len, whole.values())))
    shelf_of(actor).create(lorebook_id, whole)
    return _indexed(actor, lorebook_id)


def touch_lorebook(*, actor: Person, lorebook: Lorebook) -> None:
    """Note that its owner looked at a book, for the order of their list."""
    now = timezone.now()
    if lorebook.owner_id == actor.pk and now - lorebook.used_at > TOUCH_AFTER:
        Lorebook.objects.filter(pk=lorebook.pk).update(used_at=now)


def trash_lorebook(*, actor: Person, lorebook: Lorebook) -> str:
    """Move a book to its owner's trash; gives the entry id that `restore_lorebook` takes.

    Worlds that attach it keep naming it, so that restoring it brings everything back.

    Raises:
        DomainError: `forbidden` unless the actor owns it; `busy` while somebody writes it.
    """
    refuse_unless_owner(actor, lorebook)
    entry = shelf_of(lorebook.owner).to_trash(lorebook.pk)
    Lorebook.objects.filter(pk=lorebook.pk).delete()
    bell.ring(f"item:{lorebook.pk}")
    bell.ring(f"person:{lorebook.owner_id}")
    return entry


def restore_lorebook(*, actor: Person, entry_id: str) -> Lorebook:
    """Bring a book back from the actor's own trash. It is shared with whom it was shared before.

    Raises:
        DomainError: `not-found` when the entry is gone; `conflict` when the place is taken.
    """
    return _indexed(actor, shelf_of(actor).restore(entry_id).id)


def empty_trash(*, actor: Person, entry_ids: list[str]) -> int:
    """Remove books from the actor's trash for good, with their shares; gives how many."""
    shelf = shelf_of(actor)
    gone = 0
    for entry_id in entry_ids:
        try:
            shelf.empty(entry_id)
        except DomainError as error:
            if error.kind != "not-found":
                raise
            continue  # restored or removed meanwhile: that is what was asked for, or better
        gone += 1
        forget_shares(KIND, entry_id.partition("-")[2])
    return gone


def reindex(*, owner: Person) -> tuple[int, int]:
    """Rebuild the rows of everything on one shelf; gives how many books were read and how many rows went."""
    ids = shelf_of(owner).ids()
    for lorebook_id in ids:
        index.index_lorebook(owner, lorebook_id)
    without_folder = Lorebook.objects.filter(owner=owner).exclude(pk__in=ids)
    gone = without_folder.count()
    without_folder.delete()
    return len(ids), gone


def sweep(*, now: datetime) -> int:
    """Remove for good what was longer in a trash than `TRASH_DAYS`, and former versions that old.

    Gives how many books went. One that is being written is passed over; the next sweep finds it again.
    """
    swept = 0
    cutoff = now - timedelta(days=settings.TRASH_DAYS)
    for owner in Person.objects.all():
        shelf = shelf_of(owner)
        for entry_id in shelf.sweep(now, settings.TRASH_DAYS):
            forget_shares(KIND, entry_id.partition("-")[2])
            swept += 1
        for lorebook_id in shelf.ids():
            try:
                folder = shelf.folder(lorebook_id)
                if folder.forget_history(cutoff):  # the room they took is free again
                    Lorebook.objects.filter(pk=lorebook_id).update(size=bytes_below(folder.path))
            except DomainError as error:
                if error.kind not in ("busy", "not-found"):
                    raise
    return swept


def _indexed(owner: Person, lorebook_id: str) -> Lorebook:
    lorebook = index.index_lorebook(owner, lorebook_id)
    if lorebook is None:  # moved away by somebody between two steps of ours
        raise index.no_longer_there(lorebook_id)
    bell.ring(f"person:{owner.pk}")
    return lorebook
