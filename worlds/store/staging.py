"""`Staging`: uploads that are not a world yet, each in a folder of its own, kept seven days."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Final

from formats.errors import DomainError
from formats.messages import gettext_noop
from worlds.store import atomic
from worlds.store.folder import ItemFolder
from worlds.store.paths import DataFolder, new_token, no_such_item, refuse_bad_path
from worlds.store.refusals import plain_refusals

DAYS: Final = 7
_DISCARDED = ".discarded-"
_IMPORT = ".import"


class Receiving:
    """A file that arrives in chunks and may not grow beyond a limit. Made by `Staging.receive`."""

    def __init__(self, target: Path, limit: int) -> None:
        self._limit = limit
        self._file = atomic.NewFile(atomic.temporary_beside(target))
        self._target = target
        self._hash = sha256()

    @property
    def size(self) -> int:
        """Bytes received so far."""
        return self._file.size

    @property
    def sha256(self) -> str:
        """SHA-256 of what was received so far, in hexadecimal."""
        return self._hash.hexdigest()

    def write(self, chunk: bytes) -> None:
        """Append a chunk.

        Raises:
            DomainError: `too-large` as soon as the limit (bytes) is passed, before the chunk is written;
                `full`.
        """
        if self.size + len(chunk) > self._limit:
            raise DomainError(
                "too-large",
                "upload-too-large",
                message=gettext_noop(
                    "This file is larger than the {limit} bytes this server takes. Nothing was kept of it."
                ),
                args={"limit": self._limit},
            )
        with plain_refusals():
            self._file.write(chunk)
        self._hash.update(chunk)

    def keep(self) -> None:
        """Give the complete file its name; durable afterwards."""
        with plain_refusals():
            self._file.finish()
            atomic.place(self._file.path, self._target)
            atomic.sync_folder(self._target.parent)

    def discard(self) -> None:
        """Remove what was received."""
        self._file.discard()


@dataclass(frozen=True, slots=True)
class Staging:
    """The uploads of a data folder. Holds no state. Raises DomainError only."""

    data: DataFolder

    def begin(self, upload_id: str) -> Path:
        """Make the folder of a new upload. Raises `conflict` when there is one of this id."""
        folder = self.data.staging(upload_id)
        with plain_refusals():
            if folder.exists():
                raise DomainError(
                    "conflict",
                    "upload-exists",
                    message=gettext_noop("There is an upload of this name already. It was not touched."),
                )
            atomic.make_folders(folder)
        return folder

    def folder(self, upload_id: str) -> Path:
        """The folder of an upload. Raises `not-found` when it was discarded, started or has expired."""
        folder = self.data.staging(upload_id)
        if not folder.is_dir():
            raise no_such_item()
        return folder

    @contextmanager
    def receive(self, upload_id: str, name: str, limit: int) -> Iterator[Receiving]:
        """Receive one file of an upload in chunks; it has its name when the block ends, or is gone.

        Args:
            upload_id: of `begin`.
            name: of the file in the upload's folder (`original`).
            limit: the most bytes it may have.
        """
        refuse_bad_path(name)
        with plain_refusals():
            receiving = Receiving(self.folder(upload_id) / name, limit)
        try:
            yield receiving
            receiving.keep()
        except BaseException:
            receiving.discard()
            raise

    def write(self, upload_id: str, name: str, data: bytes) -> None:
        """Write a small file of an upload atomically (`choices.json`, `card.json` …)."""
        refuse_bad_path(name)
        target = self.folder(upload_id) / name
        with plain_refusals():
            atomic.make_folders(target.parent)
            atomic.atomic_write(target, data)

    def ids(self) -> list[str]:
        """Sorted ids of all uploads that wait."""
        with plain_refusals(), suppress(FileNotFoundError), os.scandir(self.data.staging_root) as entries:
            return sorted(entry.name for entry in entries if not entry.name.startswith("."))
        return []

    def touched(self, upload_id: str) -> datetime:
        """When something in an upload last changed; its seven days count from then."""
        folder = self.folder(upload_id)
        with plain_refusals():
            times = [folder.stat().st_mtime, *(path.lstat().st_mtime for path in folder.iterdir())]
        return datetime.fromtimestamp(max(times), UTC)

    def move_into(self, upload_id: str, item: ItemFolder) -> None:
        """Make an upload the `.import/` of a world: one rename. Moved already is fine (a start tried again).

        Raises:
            DomainError: `conflict` when the world has an `.import/` and the upload is still there;
                `not-found` when neither is there.
        """
        source, target = self.data.staging(upload_id), item.path / _IMPORT
        with item.locked("import"), plain_refusals():
            try:
                atomic.move_entry(source, target)
            except FileExistsError as error:
                raise _imported_already() from error
            except FileNotFoundError as error:
                if not target.is_dir():
                    raise no_such_item() from error

    def discard(self, upload_id: str) -> None:
        """Remove an upload for good; one that is gone already is fine."""
        doomed = self.data.staging_root / f"{_DISCARDED}{new_token()}"
        with plain_refusals(), suppress(FileNotFoundError):
            atomic.move_entry(self.data.staging(upload_id), doomed)
            atomic.remove_for_good(doomed)

    def sweep(self, now: datetime, days: int = DAYS) -> list[str]:
        """Discard uploads that nobody touched for `days`, and what crashes left of discarded ones.

        Returns:
            The ids that were discarded.
        """
        cutoff = now - timedelta(days=days)
        old = []
        for upload_id in self.ids():
            with suppress(DomainError):  # started or discarded in between
                if self.touched(upload_id) < cutoff:
                    self.discard(upload_id)
                    old.append(upload_id)
                else:
                    atomic.sweep_temporary(self.data.staging(upload_id), now.timestamp())
        with plain_refusals(), suppress(FileNotFoundError):
            for left in self.data.staging_root.glob(f"{_DISCARDED}*"):
                atomic.remove_for_good(left)
        return old


def _imported_already() -> DomainError:
    return DomainError(
        "conflict",
        "imported-already",
        message=gettext_noop("This world holds the records of another import. Nothing was overwritten."),
    )
