"""One change of many files, applied all or not at all (reliability part 1, rule 4).

The steps, all under the item's lock:

1. `.pending/<n>` gets the new bytes of the n-th path, `.pending/files/<path>` the former ones (a second name
   for the same file, no copy). Nothing live is touched. All of it is made durable together, at the end. A
   crash here: the next holder removes `.pending`.
2. `.commit.json` names the paths. From the moment it is there the change has happened.
3. The new bytes are renamed into place, removed files unlinked, the folders made durable. A crash here: the
   next holder does the same again, which may itself be cut off and done again any number of times.
4. `.commit.json` becomes `.pending/change.json`, and `.pending` becomes `.trash/<change id>`.

The store's readers never see step 3 half done (`folder`). A program that reads the bare files sees each file
old or new, never a part of one, but may see some old and some new while `.commit.json` is there.

Someone may edit a file by hand, without our lock, between steps 1 and 3 (after a crash: days between). What
was put there then is neither what the change expected nor what it wrote; it is kept under `.pending/outside/`
before it is replaced.
"""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from worlds.store import atomic
from worlds.store.etags import digest_of_file
from worlds.store.locks import Holding
from worlds.store.record import ChangeRecord, FileChange, new_change_id

COMMIT: Final = ".commit.json"
PENDING: Final = ".pending"
TRASH: Final = ".trash"
RECORD: Final = "change.json"
FORMER: Final = "files"
OUTSIDE: Final = "outside"
UNREADABLE: Final = "unreadable-commit.json"


class Pending:
    """The folder `.pending` of one item, where a change is prepared. Raises OSError only."""

    def __init__(self, item: Path) -> None:
        self.folder = item / PENDING
        self._item = item
        self._made: set[Path] = set()
        self._staged: set[int] = set()

    def stage(self, number: int, data: bytes) -> None:
        """Write the new bytes of the n-th path; `make_durable` makes them so."""
        self._make(self.folder)
        slot = self.folder / str(number)
        atomic.remove_file(slot)
        atomic.write_new(slot, data, durable=False)
        self._staged.add(number)

    def stage_copy(self, number: int, path: str) -> None:
        """Let the bytes now at `path` be the new bytes of the n-th path too, as `atomic.keep_copy` does."""
        self._make(self.folder)
        slot = self.folder / str(number)
        atomic.remove_file(slot)
        atomic.keep_copy(self._item / path, slot)
        self._staged.add(number)

    def staged(self, number: int) -> bytes:
        """The bytes that `stage` wrote."""
        return (self.folder / str(number)).read_bytes()

    def drop(self, number: int) -> None:
        """Forget what was staged for the n-th path."""
        atomic.remove_file(self.folder / str(number))
        self._staged.discard(number)

    def make_durable(self) -> None:
        """Wait until everything staged is on the disk, apart from its names."""
        atomic.sync_files(self.folder / str(number) for number in sorted(self._staged))

    def keep_former(self, path: str) -> str | None:
        """Keep the bytes now at `path`.

        Returns:
            Their SHA-256, taken from what was kept; None when there is no file.
        """
        if not os.path.lexists(self._item / path):
            return None
        kept = self.folder / FORMER / path
        self._make(kept.parent)
        atomic.keep_copy(self._item / path, kept)
        return _digest(kept)

    def commit(self, record: ChangeRecord) -> None:
        """Make everything prepared durable and write `.commit.json`; an error takes that back if it can."""
        self._make(self.folder)  # a change that only removes what was never there stages nothing
        self.make_durable()
        atomic.sync_folders(self._made)
        commit = self._item / COMMIT
        try:
            atomic.atomic_write(commit, record.to_bytes())
        except OSError:
            atomic.remove_file(commit)
            raise

    def discard(self) -> None:
        """Forget everything prepared; nothing live was touched."""
        atomic.remove_for_good(self.folder)

    def _make(self, folder: Path) -> None:
        if folder != self._item and folder not in self._made:
            self._make(folder.parent)
            atomic.make_folder(folder)
            self._made.add(folder)


def is_cut_off(item: Path) -> bool:
    """Whether a commit is being applied, or was when its process ended: bare files may be old and new."""
    return os.path.lexists(item / COMMIT)


def has_happened(item: Path) -> bool:
    """Whether the change in `.pending` is committed, applied or not: then it is never thrown away."""
    return is_cut_off(item) or os.path.lexists(item / PENDING / RECORD)


def settle(item: Path, holding: Holding) -> None:
    """Finish or roll back what an earlier process left; may be cut off and called again at any point."""
    if is_cut_off(item):
        record = _commit_record(item)
        if record is None or not (item / PENDING).is_dir():
            _set_aside(item)
        else:
            apply(item, record, holding)
    elif os.path.lexists(item / PENDING / RECORD):
        _move_to_trash(item)
    else:
        atomic.remove_for_good(item / PENDING)


def apply(item: Path, record: ChangeRecord, holding: Holding) -> None:
    """Put a committed change in place (steps 3 and 4); doing it again changes nothing.

    Raises:
        OSError: the change stays committed; the next holder of the lock goes on with it.
    """
    for number, (path, file) in enumerate(record.files.items()):
        _apply_one(item, number, path, file, record.history)
    atomic.sync_folders(folder for path in record.files if (folder := (item / path).parent).is_dir())
    holding.mark()  # before `.commit.json` goes: a reader that no longer sees it must see another mark
    if record.history:
        atomic.rename_file(item / COMMIT, item / PENDING / RECORD)
        atomic.sync_folder(item / PENDING)
        _move_to_trash(item)
    else:
        atomic.remove_file(item / COMMIT)
        atomic.sync_folder(item)
        with suppress(OSError):  # all is in place; the next holder of the lock clears what is left
            atomic.remove_for_good(item / PENDING)


def _apply_one(item: Path, number: int, path: str, file: FileChange, history: bool) -> None:
    target, staged = item / path, item / PENDING / str(number)
    waits = os.path.lexists(staged) if file.after is not None else os.path.lexists(target)
    if not waits:
        return  # done before the crash
    if history:
        _keep_outside_edit(item, path, file)
    if file.after is None:
        atomic.remove_file(target)
    else:
        atomic.make_folders(target.parent)
        atomic.rename_file(staged, target)


def _keep_outside_edit(item: Path, path: str, file: FileChange) -> None:
    """Keep what is at `path` now when it is neither what was kept as former nor what the change wrote."""
    target, kept = item / path, item / PENDING / FORMER / path
    if not os.path.lexists(target):
        return
    with suppress(FileNotFoundError):
        if target.samefile(kept):
            return
    digest = _digest(target)
    if digest in (file.before, file.after):
        return
    outside = item / PENDING / OUTSIDE
    atomic.make_folders(outside)
    with suppress(FileExistsError):  # kept by an attempt that was cut off
        atomic.keep_copy(target, outside / digest)
    atomic.sync_folder(outside)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return digest_of_file(file)


def _commit_record(item: Path) -> ChangeRecord | None:
    try:
        return ChangeRecord.from_bytes((item / COMMIT).read_bytes())
    except ValueError:
        return None


def _move_to_trash(item: Path) -> None:
    """Move `.pending` with its `change.json` to `.trash/<change id>`."""
    record = ChangeRecord.from_bytes((item / PENDING / RECORD).read_bytes())
    atomic.make_folders(item / TRASH)
    try:
        atomic.move_entry(item / PENDING, item / TRASH / record.id)
    except FileExistsError:  # a folder copied by hand brought this id along
        atomic.move_entry(item / PENDING, item / TRASH / new_change_id(datetime.now(UTC)))


def _set_aside(item: Path) -> None:
    """A `.commit.json` that is not ours to apply (damaged, or copied here) is kept in the trash, unread."""
    aside = item / TRASH / new_change_id(datetime.now(UTC))
    atomic.make_folders(aside)
    if os.path.lexists(item / PENDING):
        atomic.move_entry(item / PENDING, aside / PENDING.removeprefix("."))
    atomic.move_entry(item / COMMIT, aside / UNREADABLE)
