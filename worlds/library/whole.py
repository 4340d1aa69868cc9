"""Whole items of a library: shelved, moved to the trash and back, indexed, swept, matched at a start."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Generic, TypeAlias

from django.conf import settings
from django.db.models import Sum
from django.utils import timezone

from formats.errors import DomainError
from portal import bell, slots
from portal.models import Person
from portal.sharing import forget_shares
from worlds.index import standing_of
from worlds.library.access import Access, Item
from worlds.library.models import LibraryItem
from worlds.library.room import no_longer_there, refuse_over_quota
from worlds.library.shelves import folder_of, shelf_of
from worlds.store.shelf import Shelf, TrashedItem
from worlds.store.space import bytes_below, bytes_in_trash

logger = logging.getLogger(__name__)

Index: TypeAlias = Callable[[Person, str], Item | None]
"""Writes the row of a folder, by owner and id; gives None, and no row, without a folder."""

TOUCH_AFTER: Final = timedelta(minutes=1)
"""How long a person's list keeps its order while they click about in one item."""


@dataclass(frozen=True, slots=True)
class Library(Generic[Item]):
    """One kind of item. `index` writes the row of a folder; it gives None, and no row, without a folder."""

    access: Access[Item]
    index: Index[Item]

    @property
    def model(self) -> type[Item]:
        """The rows."""
        return self.access.model

    def shelf_of(self, owner: Person) -> Shelf:
        """All items of a person, and their trash."""
        return shelf_of(self.model, owner)

    def shelve(
        self, owner: Person, item_id: str, files: Mapping[str, bytes], index: Index[Item] | None = None
    ) -> Item:
        """Put a new item on a person's shelf and give it its row. Raises `full` when there is no room.

        `index` writes the row in place of `self.index` where more is known of a new item than its files.
        """
        refuse_over_quota(owner, sum(map(len, files.values())))
        self.shelf_of(owner).create(item_id, files)
        return self.indexed(owner, item_id, index)

    def indexed(self, owner: Person, item_id: str, index: Index[Item] | None = None) -> Item:
        """The row of an item, read from its folder. Raises `not-found` when it is gone."""
        item = (index or self.index)(owner, item_id)
        if item is None:  # moved away by somebody between two steps of ours
            raise no_longer_there(item_id)
        bell.ring(f"person:{owner.pk}")
        return item

    def in_step(self, item: Item) -> Item:
        """The row, brought up to date when files were edited by hand. Raises `not-found` without a folder."""
        if _is_in_step(item):
            return item
        fresh = self.index(item.owner, item.pk)
        if fresh is None:
            raise no_longer_there(item.name)
        return fresh

    def note_use(self, actor: Person, item: Item) -> None:
        """Note that its owner looked at an item, for the order of their list."""
        now = timezone.now()
        if item.owner_id == actor.pk and now - item.used_at > TOUCH_AFTER:
            self.model._default_manager.filter(pk=item.pk).update(used_at=now)

    def trash(self, actor: Person, item: Item) -> str:
        """Move an item to its owner's trash; gives the entry id that `restore` takes.

        Worlds that use it keep naming it, so that restoring it brings everything back.

        Raises:
            DomainError: `forbidden` unless the actor owns it; `busy` while somebody writes it.
        """
        self.access.refuse_unless_owner(actor, item)
        entry = self.shelf_of(item.owner).to_trash(item.pk)
        self.model._default_manager.filter(pk=item.pk).delete()
        bell.ring(f"item:{item.pk}")
        bell.ring(f"person:{item.owner_id}")
        return entry

    def restore(self, actor: Person, entry_id: str) -> Item:
        """Bring an item back from the actor's own trash. It is shared with whom it was shared before.

        Raises:
            DomainError: `not-found` when the entry is gone; `conflict` when the place is taken.
        """
        return self.indexed(actor, self.shelf_of(actor).restore(entry_id).id)

    def empty(self, actor: Person, entry_ids: Iterable[str]) -> int:
        """Remove items from the actor's trash for good, with their shares; gives how many."""
        shelf = self.shelf_of(actor)
        gone = 0
        for entry_id in entry_ids:
            try:
                shelf.empty(entry_id)
            except DomainError as error:
                if error.kind != "not-found":
                    raise
                continue  # restored or removed meanwhile: that is what was asked for, or better
            gone += 1
            self._forget_shares(entry_id)
        return gone

    def trashed(self, owner: Person) -> list[TrashedItem]:
        """What is in a person's trash of this kind, newest first."""
        return self.shelf_of(owner).trashed()

    def bytes_kept(self, owner: Person) -> int:
        """Slot `storage.used`: bytes of a person's items, their records, former versions and trash."""
        rows = self.model._default_manager.filter(owner=owner)
        shelved = rows.aggregate(all=Sum("size"))["all"] or 0
        return int(shelved) + bytes_in_trash(self.shelf_of(owner))

    def reindex(self, owner: Person) -> tuple[int, int]:
        """Slot `worlds.reindexed`: every row of a shelf made again; how many were read, how many went."""
        ids = self.shelf_of(owner).ids()
        for item_id in ids:
            self.index(owner, item_id)
        without_folder = self.model._default_manager.filter(owner=owner).exclude(pk__in=ids)
        gone = without_folder.count()
        without_folder.delete()
        return len(ids), gone

    def sweep(self, now: datetime) -> int:
        """Remove for good what was longer in a trash than `TRASH_DAYS`, and former versions that old.

        Gives how many items went. One that is being written is passed over; the next sweep finds it again.
        """
        swept = 0
        cutoff = now - timedelta(days=settings.TRASH_DAYS)
        for owner in Person.objects.all():
            shelf = self.shelf_of(owner)
            for entry_id in shelf.sweep(now, settings.TRASH_DAYS):
                self._forget_shares(entry_id)
                swept += 1
            for item_id in shelf.ids():
                try:
                    folder = shelf.folder(item_id)
                    if folder.forget_history(cutoff):  # the room they took is free again
                        rows = self.model._default_manager.filter(pk=item_id)
                        rows.update(size=bytes_below(folder.path))
                except DomainError as error:
                    if error.kind not in ("busy", "not-found"):
                        raise
        return swept

    def sweep_now(self) -> None:
        """Slot `worlds.swept`."""
        self.sweep(timezone.now())

    def match_shelves(self) -> None:
        """Slot `server.started`: every item has its row, no row is without a folder, changed ones are read.

        Of the others no file is read: names, sizes and times tell that nothing was written.
        """
        for owner in Person.objects.all():
            mine = self.model._default_manager.filter(owner=owner).select_related("owner")
            rows = {row.pk: row for row in mine}
            for item_id in sorted(rows.keys() | set(self.shelf_of(owner).ids())):
                try:
                    self._match(owner, item_id, rows.get(item_id))
                except DomainError as error:
                    logger.warning("the %s %s cannot be listed: %s", self.model.kind, item_id, error)

    def fill_slots(self) -> None:
        """Register what every library does for the rooms below it; called once, when its app is ready."""
        slots.register("bell.item", self.access.hears)
        slots.register("server.started", self.match_shelves)
        slots.register("worlds.reindexed", self.reindex)
        slots.register("worlds.swept", self.sweep_now)
        slots.register("storage.used", self.bytes_kept)

    def _match(self, owner: Person, item_id: str, row: Item | None) -> None:
        if row is None or not _is_in_step(row):
            self.index(owner, item_id)

    def _forget_shares(self, entry_id: str) -> None:
        forget_shares(self.model.kind, entry_id.partition("-")[2])


def _is_in_step(item: LibraryItem) -> bool:
    """Whether the folder looks as its row was written; what a dead process left there is finished first."""
    folder = folder_of(item)
    if not folder.exists():
        return False
    return folder.consistently(lambda: standing_of(folder.path).fingerprint) == item.fingerprint
