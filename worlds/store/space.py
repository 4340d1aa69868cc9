"""How much room items take on the disk: everything that is kept of them, records and former versions too."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from worlds.store.shelf import Shelf


def bytes_below(folder: Path) -> int:
    """Bytes of every file below a folder, whatever its name; links are not followed.

    A file of several names counts once. About 30 ms for 2,000 files. A folder or file that goes away
    meanwhile counts nothing.
    """
    seen: set[int] = set()
    return sum(_size(entry, seen) for entry in _files_below(folder))


def _files_below(folder: Path) -> Iterator[os.DirEntry[str]]:
    with suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from _files_below(Path(entry.path))
            else:
                yield entry


def _size(entry: os.DirEntry[str], seen: set[int]) -> int:
    """Bytes of a file; 0 when another name of it was seen already."""
    try:
        status = entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        return 0
    if status.st_nlink > 1:
        if status.st_ino in seen:
            return 0
        seen.add(status.st_ino)
    return status.st_size


def bytes_in_trash(shelf: Shelf) -> int:
    """Bytes of what is in the trash of a shelf.

    Nothing changes inside the trash, and no entry id comes twice: each entry is measured once by a process.
    """
    return sum(_bytes_of_entry(shelf.trash_path / entry_id) for entry_id in shelf.trashed_ids())


@lru_cache(maxsize=50_000)
def _bytes_of_entry(path: Path) -> int:
    return bytes_below(path)
