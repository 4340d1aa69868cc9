"""`ItemFolder`: one world, lorebook or preset on disk; reading it, and the one way to change it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from io import BufferedReader
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from worlds.store import commit, history, listing
from worlds.store.atomic import sweep_temporary
from worlds.store.change import Change
from worlds.store.etags import etag_of
from worlds.store.history import fold as fold_into_earlier
from worlds.store.listing import ForeignFile
from worlds.store.locks import WAIT_SECONDS, Holding, held, mark_of, without_blocking
from worlds.store.manifest import Manifest, manifest_of
from worlds.store.paths import no_such_item
from worlds.store.record import ChangeRecord
from worlds.store.refusals import plain_refusals

T = TypeVar("T")
_TRIES_BESIDE_WRITERS = 8


@dataclass(frozen=True, slots=True)
class ItemFolder:
    """One item. Holds no state: two of them for one folder are the same, in any thread or process.

    Readers take no lock. A read that finds a commit being applied (`.commit.json`) waits for it, or
    finishes it when its process is dead; so no read sees a half of it. For several files that must belong
    together use `consistently` or `read_all`.

    Every method raises DomainError: `not-found` (item or file), `invalid`, `busy`, `full`, `unavailable`.
    """

    path: Path
    lock_file: Path

    @property
    def id(self) -> str:
        """The item's id, which is its folder's name."""
        return self.path.name

    def exists(self) -> bool:
        """Whether the item is there (not in the trash)."""
        return self.path.is_dir()

    def read(self, path: str) -> bytes:
        """The bytes of one file."""
        self._settle()
        return listing.read_file(self.path, path)

    def open(self, path: str) -> BufferedReader:
        """One file opened for reading, for large ones; it goes on showing what it was when opened."""
        self._settle()
        return listing.open_file(self.path, path)

    def read_json(self, path: str) -> Any:
        """The JSON value of one file; `invalid` with code `not-json` when it holds none."""
        return listing.parsed(self.read(path), path)

    def read_all(self, under: str = "", hidden: bool = False) -> dict[str, bytes]:
        """All files that `paths` lists with their bytes, of one moment."""
        return self.consistently(lambda: {p: self.read(p) for p in self.paths(under, hidden)})

    def etag(self, path: str) -> str:
        """The strong ETag of the bytes now there, which is what `if_match` takes; ABSENT without a file."""
        self._settle()
        return etag_of(listing.digest_on_disk(self.path, path))

    def has(self, path: str) -> bool:
        """Whether a file is there."""
        self._settle()
        return listing.has_file(self.path, path)

    def size(self, path: str) -> int:
        """Bytes of one file."""
        self._settle()
        return listing.size_of(self.path, path)

    def paths(self, under: str = "", hidden: bool = False) -> list[str]:
        """Sorted paths of the documents below the folder `under`; with `hidden` also `.import`, `.checks`.

        Trash, locks, temporary files, links and the litter of other programs are never listed.
        """
        self._settle()
        with plain_refusals(under):
            return listing.document_paths(self.path, under, hidden)

    def published_paths(self) -> list[str]:
        """What an export, a catalogue copy or a translation may hold: nothing in a dot folder (WORLD-3)."""
        return self.paths()

    def foreign_files(self) -> list[ForeignFile]:
        """Litter and conflict copies of other programs; they are never read as documents."""
        with plain_refusals():
            return listing.foreign_files(self.path)

    def manifest(self, records: bool = False) -> Manifest:
        """Path, size, SHA-256 and ETag of every document, with an ETag over the whole.

        With `records` the files of `.import` too, which travel with sync; `.checks` and `.trash` never.
        """

        def read() -> Manifest:
            return manifest_of(self.path, [*self.paths(), *(self.paths(".import") if records else ())])

        return self.consistently(read)

    def consistently(self, read: Callable[[], T]) -> T:
        """Run `read` (any reading of this item's files) so that no change is applied meanwhile.

        It runs again when one was. Beside writers that never pause it runs under the lock in the end.
        """
        for _ in range(_TRIES_BESIDE_WRITERS):
            mark = mark_of(self.lock_file)
            self._settle()
            result = read()
            # This order: whoever removes `.commit.json` has changed the mark before.
            if not commit.is_cut_off(self.path) and mark_of(self.lock_file) == mark:
                return result
        with self.locked("reading"):
            return read()

    @contextmanager
    def change(
        self,
        *,
        by: str,
        what: str,
        note: str = "",
        history: bool = True,
        fold: timedelta | None = None,
        wait: float = WAIT_SECONDS,
    ) -> Iterator[Change]:
        """Change files of the item, all or nothing, under its lock (WORLD-1, WORLD-2).

        Args:
            by: who does it; shown in the history and to those who wait for the lock.
            what: a short word for it (`edit`, `import`, `restore`).
            note: free text for the history.
            history: False for records in dot folders only: no former bytes are kept, nothing is listed.
            fold: for a file that saves itself while somebody writes: changes of one person that follow each
                other this soon are one step of the history, with the bytes from before the first.
            wait: seconds to wait for the lock.

        Leaving the block applies what was staged; an exception inside it leaves everything as it was. A crash
        at any moment leaves all old or all new. The lock is held for the whole block: read, compare and write
        in it, but never wait for anything else.

        Raises:
            DomainError: `busy` with who holds the lock; `not-found` when the item is gone or in the trash;
                `precondition` for a file that changed; `full`, `unavailable`.
        """
        with self.locked(by, wait) as holding:
            change = Change(self.path, by, what, note, history)
            try:
                yield change
                change.apply(holding)
            except BaseException:
                change.abandon()
                raise
            if fold is not None:
                with suppress(OSError):  # the change stands; its history has a step more
                    fold_into_earlier(self.path, change.id, fold)

    async def change_soon(
        self, edit: Callable[[Change], T], *, by: str, what: str, note: str = "", history: bool = True
    ) -> T:
        """`change` for async code: `edit` runs in a thread, and waiting for the lock blocks nothing."""

        def attempt(wait: float) -> T:
            with self.change(by=by, what=what, note=note, history=history, wait=wait) as change:
                return edit(change)

        return await without_blocking(attempt)

    def history(self, limit: int | None = None) -> list[ChangeRecord]:
        """The changes of the item, newest first."""
        self._settle_history()
        return list(islice(history.changes(self.path), limit))

    def recorded(self, change_id: str) -> ChangeRecord:
        """One change of the history; `not-found` when it is not kept."""
        self._settle_history()
        return history.change(self.path, change_id)

    def former(self, change_id: str, path: str) -> bytes:
        """The bytes that a change replaced or removed; `not-found` when it kept none."""
        self._settle_history()
        return history.former(self.path, change_id, path)

    def restore(self, change_id: str, path: str | None = None, *, by: str) -> str:
        """Bring back what a change replaced, as a new change.

        Args:
            change_id: of `history`.
            path: one file, whose former bytes are written again; None takes the whole change back: every file
                as it was before, files that it made are removed.
            by: who does it.

        Returns:
            The id of the new change.
        """
        record = self.recorded(change_id)
        with self.change(by=by, what="restore", note=change_id) as change:
            for changed in record.changed if path is None else [path]:
                if path is None and record.files[changed].before is None:
                    if change.has(changed):
                        change.remove(changed)
                else:
                    change.write(changed, history.former(self.path, change_id, changed))
        return change.id

    def forget_history(self, before: datetime) -> int:
        """Remove for good the former bytes of changes older than a moment; returns how many changes."""
        with self.locked("sweep"):
            return history.forget_before(self.path, before)

    def settle(self, by: str = "recovery") -> None:
        """Finish or roll back what a dead process left, and sweep its temporary files."""
        with self.locked(by):
            pass

    @contextmanager
    def locked(self, by: str, wait: float = WAIT_SECONDS) -> Iterator[Holding]:
        """Hold the lock of the item, with whatever a dead process left finished or rolled back.

        For moving the item as a whole; its files are written by `change` only.
        """
        with held(self.lock_file, wait, by) as holding:
            if not self.exists():
                raise no_such_item(self.id)
            with plain_refusals():
                commit.settle(self.path, holding)
                now = time.time()
                for folder in listing.folders(self.path):
                    sweep_temporary(folder, now)
            yield holding

    def _settle_history(self) -> None:
        """A change may be in place while its record did not reach the trash yet."""
        if commit.has_happened(self.path):
            self.settle("reading")

    def _settle(self) -> None:
        if commit.is_cut_off(self.path):
            self.settle("reading")
