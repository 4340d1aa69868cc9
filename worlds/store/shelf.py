"""`Shelf`: all worlds (or lorebooks, or presets) of one person, and their trash (D4)."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from formats.errors import DomainError
from formats.messages import gettext_noop
from formats.stable_json import read_json
from worlds.store import atomic
from worlds.store.folder import ItemFolder
from worlds.store.locks import held
from worlds.store.paths import DataFolder, is_item_id, new_token, no_such_item, refuse_bad_path
from worlds.store.record import moment, stamp
from worlds.store.refusals import plain_refusals

TRASH_DAYS: Final = 30
_BUILDING = ".new-"
_EMPTYING = ".emptying-"
_BUILDING_HOURS = 24
_NAME_FILE = {"worlds": "world.json", "lorebooks": "item.json", "presets": "item.json"}
_TRIES = 100


@dataclass(frozen=True, slots=True)
class TrashedItem:
    """One item in the trash.

    `entry_id` names it there, `item_id` is what it was and will be again, `name` what it called itself (None
    where that cannot be read), `at` when it was moved there, `origin` where it stood (`worlds/<id>`).
    """

    entry_id: str
    item_id: str
    name: str | None
    at: datetime
    origin: str


@dataclass(frozen=True, slots=True)
class Shelf:
    """The items of one kind of one person. Holds no state. Every method raises DomainError only."""

    data: DataFolder
    handle: str
    kind: str

    @property
    def path(self) -> Path:
        """The shelf's folder, which need not exist yet."""
        return self.data.shelf(self.handle, self.kind)

    @property
    def trash_path(self) -> Path:
        """The folder of this shelf's trash, which need not exist yet."""
        return self.data.trash(self.handle, self.kind)

    def ids(self) -> list[str]:
        """Sorted ids of the items on the shelf; nothing inside them is read."""
        return _names(self.path, is_item_id)

    def folder(self, item_id: str) -> ItemFolder:
        """One item. Raises `not-found` when it is not on the shelf."""
        folder = self._item(item_id)
        if not folder.exists():
            raise no_such_item(item_id)
        return folder

    def create(self, item_id: str, files: Mapping[str, bytes]) -> ItemFolder:
        """Put a new item on the shelf, complete and durable; a crash leaves none of it.

        Args:
            item_id: of `paths.new_item_id`.
            files: bytes by document path, `.import/…` included.

        Raises:
            DomainError: `conflict` when there is an item of this id; `invalid` for a path in `files`.
        """
        target = self._item(item_id)
        for path in files:
            refuse_bad_path(path)
        building = self.path / f"{_BUILDING}{new_token()}"
        with plain_refusals():
            try:
                atomic.make_folders(building)
                for path, data in files.items():
                    atomic.make_folders((building / path).parent)
                    atomic.write_new(building / path, data, durable=False)
                atomic.sync_files(building / path for path in files)
                atomic.sync_folders((building / path).parent for path in files)
                atomic.move_entry(building, target.path)
            except BaseException as error:
                with suppress(OSError):
                    atomic.remove_for_good(building)
                if isinstance(error, FileExistsError):
                    raise _taken(item_id) from error
                raise
        return target

    def to_trash(self, item_id: str, now: datetime | None = None) -> str:
        """Move an item to the trash, whole; returns the entry's id there. Never copies, never deletes."""
        folder = self._item(item_id)
        with folder.locked(self.handle), plain_refusals():
            atomic.make_folders(self.trash_path)
            at = now or datetime.now(UTC)
            for _ in range(_TRIES):  # the same item trashed twice in one microsecond of a stopped clock
                with suppress(FileExistsError):
                    entry_id = f"{stamp(at)}-{item_id}"
                    atomic.move_entry(folder.path, self.trash_path / entry_id)
                    return entry_id
                at += timedelta(microseconds=1)
        raise _taken(item_id)

    def trashed(self) -> list[TrashedItem]:
        """What is in the trash of this shelf, newest first."""
        return [self._trashed(entry_id) for entry_id in reversed(self.trashed_ids())]

    def trashed_ids(self) -> list[str]:
        """Entry ids of what is in the trash, oldest first; nothing inside the entries is read."""
        return _names(self.trash_path, _is_entry_id)

    def restore(self, entry_id: str) -> ItemFolder:
        """Move an item back to where it stood.

        Raises:
            DomainError: `conflict` when an item of this id stands there again: nothing is overwritten;
                `not-found` when it is not in the trash any more.
        """
        folder = self._item(self._item_id(entry_id))
        with held(folder.lock_file, by=self.handle), plain_refusals():
            try:
                atomic.make_folders(self.path)
                atomic.move_entry(self.trash_path / entry_id, folder.path)
            except FileExistsError as error:
                raise _taken(folder.id) from error
            except FileNotFoundError as error:
                raise _not_in_trash() from error
        return folder

    def empty(self, entry_id: str) -> None:
        """Remove one item from the trash for good. Raises `not-found` when it is not there.

        It is renamed first, so that a crash leaves nothing that could be restored by half.
        """
        item_id = self._item_id(entry_id)
        doomed = self.trash_path / f"{_EMPTYING}{new_token()}"
        with plain_refusals():
            with held(self._item(item_id).lock_file, by=self.handle):
                try:
                    atomic.move_entry(self.trash_path / entry_id, doomed)
                except FileNotFoundError as error:
                    raise _not_in_trash() from error
            atomic.remove_for_good(doomed)

    def sweep(self, now: datetime, days: int = TRASH_DAYS) -> list[str]:
        """Empty what has been in the trash longer than `days`, and clear what crashes left.

        Returns:
            The entry ids that were removed for good.
        """
        cutoff = stamp(now - timedelta(days=days))
        old = [entry_id for entry_id in self.trashed_ids() if entry_id < cutoff]
        for entry_id in old:
            self.empty(entry_id)
        with plain_refusals():
            for name in _names(self.trash_path, lambda name: name.startswith(_EMPTYING)):
                atomic.remove_for_good(self.trash_path / name)
            for name in _names(self.path, lambda name: name.startswith(_BUILDING)):
                if now.timestamp() - (self.path / name).stat().st_mtime > _BUILDING_HOURS * 3600:
                    atomic.remove_for_good(self.path / name)
        return old

    def _item(self, item_id: str) -> ItemFolder:
        place = (self.handle, self.kind, item_id)
        return ItemFolder(self.data.item(*place), self.data.lock_file(*place))

    def _item_id(self, entry_id: str) -> str:
        if not _is_entry_id(entry_id):
            raise _not_in_trash()
        return entry_id.partition("-")[2]

    def _trashed(self, entry_id: str) -> TrashedItem:
        time, _, item_id = entry_id.partition("-")
        name = _name_in(self.trash_path / entry_id / _NAME_FILE[self.kind])
        return TrashedItem(entry_id, item_id, name, moment(time), f"{self.kind}/{item_id}")


def _names(folder: Path, wanted: Callable[[str], bool]) -> list[str]:
    """Sorted names of the folders in `folder` that are wanted; none when it does not exist."""
    with plain_refusals():
        try:
            with os.scandir(folder) as entries:
                return sorted(e.name for e in entries if wanted(e.name) and e.is_dir(follow_symlinks=False))
        except FileNotFoundError:
            return []


def _is_entry_id(name: str) -> bool:
    time, _, item_id = name.partition("-")
    try:
        moment(time)
    except ValueError:
        return False
    return is_item_id(item_id)


def _name_in(path: Path) -> str | None:
    try:
        value = read_json(path.read_bytes())
    except (OSError, ValueError):
        return None
    name = value.get("name") if isinstance(value, dict) else None
    return name if isinstance(name, str) else None


def _taken(item_id: str) -> DomainError:
    return DomainError(
        "conflict",
        "place-taken",
        item_id,
        gettext_noop("Something stands in this place already. Nothing was overwritten or moved."),
        gettext_noop("Move what stands there to the trash first."),
    )


def _not_in_trash() -> DomainError:
    return DomainError(
        "not-found",
        "not-in-trash",
        message=gettext_noop("This is not in the trash any more. It was restored or removed meanwhile."),
    )
