"""The only functions that touch the disk for writing (WORLD-1; reliability part 1, rules 1 to 6).

All system calls go through this module's name `os` and `rename_noreplace`, so that the tests can fail or kill
each single one. Everything here raises plain OSError; `refusals` turns it into sentences further up.
"""

# Plain os calls, since the fault layer of the tests counts and breaks them one by one.
# ruff: noqa: PTH102, PTH105, PTH108

from __future__ import annotations

import errno
import os
import re
import secrets
import shutil
import stat
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from worlds.store.renames import rename_noreplace

STALE_SECONDS: Final = 600
"""A temporary file older than this has no living writer."""

_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0)
_FILE = os.O_RDONLY | os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0)
_FOLDER = os.O_RDONLY | os.O_CLOEXEC | getattr(os, "O_DIRECTORY", 0)
_TEMPORARY = re.compile(r"\..+\.\d+\.[0-9a-f]{16}\.tmp", re.DOTALL)
_TEMPORARY_STEM_BYTES = 200  # with the rest of the name it stays below the 255 bytes of a file name
_PART = 1 << 20  # bytes of a large file that are in memory at a time
_NO_HARD_LINKS = (errno.EPERM, errno.ENOTSUP, errno.EMLINK, errno.ENOSYS)


class NewFile:
    """A file being written under a name nobody reads yet.

    The content is durable when `finish` returns. Whatever fails on the way, `close` included, removes the
    file. A failed fsync is never tried again on the same file: the kernel may have forgotten the pages.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.size = 0
        self._fd = os.open(path, _NEW_FILE, 0o600)

    def write(self, data: bytes) -> None:
        """Append all of `data`, however little the system takes at a time."""
        try:
            view = memoryview(data)
            while view:
                taken = os.write(self._fd, view)
                view = view[taken:]
            self.size += len(data)
        except BaseException:
            self.discard()
            raise

    def write_all(self, parts: Iterable[bytes]) -> None:
        """Append part after part; what taking the next one raises removes the file."""
        try:
            for part in parts:
                self.write(part)
        except BaseException:
            self.discard()
            raise

    def finish(self, durable: bool = True) -> None:
        """Make the content durable and close; `durable=False` leaves that to `sync_files`."""
        try:
            if durable:
                os.fsync(self._fd)
            fd, self._fd = self._fd, -1  # after a failed close the number is free: never close it twice
            os.close(fd)
        except BaseException:
            self.discard()
            raise

    def discard(self) -> None:
        """Close and remove; never raises OSError."""
        fd, self._fd = self._fd, -1
        with suppress(OSError):
            if fd >= 0:
                os.close(fd)
        with suppress(OSError):
            os.unlink(self.path)


def temporary_beside(path: Path) -> Path:
    """A free name in the same folder: `.NAME.<pid>.<random>.tmp`, NAME cut where it would be too long."""
    stem = path.name.encode()[:_TEMPORARY_STEM_BYTES].decode(errors="ignore")
    return path.with_name(f".{stem}.{os.getpid()}.{secrets.token_hex(8)}.tmp")


def is_temporary(name: str) -> bool:
    """Whether a file name is one that `temporary_beside` makes."""
    return name.endswith(".tmp") and _TEMPORARY.fullmatch(name) is not None


def atomic_write(path: Path, data: bytes | Iterable[bytes]) -> None:
    """Put `data` at `path`: durable when this returns; before that, and after any failure, the old content.

    Large data is given in parts, which are never together in memory.

    Raises:
        OSError: nothing was changed, unless it is the last step that failed (the fsync of the folder): then
            either content may be found after a power cut, but never a part.
    """
    new = NewFile(temporary_beside(path))
    new.write_all([data] if isinstance(data, bytes) else data)
    new.finish()
    place(new.path, path)
    sync_folder(path.parent)


def place(finished: Path, target: Path) -> None:
    """Rename a finished file over `target`; on failure the finished file is removed. Not durable yet."""
    try:
        os.replace(finished, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(finished)
        raise


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable."""
    fd = os.open(folder, _FOLDER)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def sync_folders(folders: Iterable[Path]) -> None:
    """`sync_folder` once for each, in sorted order."""
    for folder in sorted(set(folders)):
        sync_folder(folder)


def make_folders(folder: Path) -> None:
    """Make a folder and what is missing above it; each new one and its parent are durable afterwards."""
    missing: list[Path] = []
    above = folder
    while not above.is_dir():
        missing.append(above)
        above = above.parent
    for new in reversed(missing):
        with suppress(FileExistsError):  # made by another process in between: synced all the same
            os.mkdir(new, 0o700)
        sync_folder(new)
        sync_folder(new.parent)


def make_folder(folder: Path) -> None:
    """Make one folder if it is missing. Not durable yet."""
    with suppress(FileExistsError):
        os.mkdir(folder, 0o700)


def move_entry(source: Path, target: Path) -> None:
    """Move a file or folder to a free name on the same file system; durable afterwards in both folders.

    Raises:
        FileExistsError: something is at `target`; nothing was moved.
        OSError: EXDEV when the two lie on different file systems; never answered by copy and delete.
    """
    rename_noreplace(source, target)
    sync_folders((source.parent, target.parent))


def keep_copy(source: Path, copy: Path) -> None:
    """Give the bytes of a file a second name, which survives the first being replaced. Not durable yet.

    A hard link where there are hard links; else a copy of the bytes, which is made durable.

    Raises:
        IsADirectoryError: `source` is no plain file.
    """
    if not stat.S_ISREG(os.lstat(source).st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(source))
    try:
        os.link(source, copy, follow_symlinks=False)
    except OSError as error:
        if error.errno not in _NO_HARD_LINKS:
            raise
        with source.open("rb") as file:
            write_new(copy, iter(partial(file.read, _PART), b""))


def write_new(path: Path, data: bytes | Iterable[bytes], durable: bool = True) -> None:
    """Write a file that must not exist yet, under its own name; its content is durable, its name not yet.

    With `durable=False` neither is: for many files at once, followed by `sync_files`.
    """
    new = NewFile(path)
    new.write_all([data] if isinstance(data, bytes) else data)
    new.finish(durable)


def sync_files(paths: Iterable[Path]) -> None:
    """Make the content of files durable that were written before.

    For many files this takes a fraction of the time that a sync after each write takes: the first one makes
    the file system write out its journal for all of them.
    """
    for path in paths:
        fd = os.open(path, _FILE)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)


def rename_file(source: Path, target: Path) -> None:
    """Rename, replacing a file at `target`. Not durable yet."""
    os.replace(source, target)


def remove_file(path: Path) -> None:
    """Remove one name if it is there. Not durable yet."""
    with suppress(FileNotFoundError):
        os.unlink(path)


def remove_for_good(path: Path) -> None:
    """Remove a file or a whole folder, following no link. Only for what is in the trash or was never live."""
    if not os.path.lexists(path):
        return
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        os.unlink(path)
    sync_folder(path.parent)


def sweep_temporary(folder: Path, now: float, age: float = STALE_SECONDS) -> int:
    """Remove temporary files in one folder (not below it) that are older than `age` seconds at time `now`.

    Returns:
        How many were removed. What vanishes or cannot be removed meanwhile is left to the next sweep.
    """
    swept = 0
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            with suppress(OSError):
                if is_temporary(entry.name) and now - entry.stat(follow_symlinks=False).st_mtime > age:
                    os.unlink(entry.path)
                    swept += 1
    return swept
