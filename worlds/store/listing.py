"""Looking at the files of one item: which are documents, which belong to other programs, and their bytes.

No symbolic link is ever followed inside an item, so nothing outside of it can be read or written through one.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import Any, Literal

from formats.errors import DomainError
from formats.messages import gettext_noop
from formats.stable_json import read_json
from worlds.store.atomic import is_temporary
from worlds.store.commit import COMMIT, PENDING, TRASH
from worlds.store.etags import digest_of_file
from worlds.store.paths import (
    RECORD_FOLDERS,
    foreign_kind,
    is_document_path,
    is_hidden,
    no_such_item,
    refuse_bad_path,
)
from worlds.store.refusals import plain_refusals

_OWN = frozenset({COMMIT, PENDING, TRASH})
_READ = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | getattr(os, "O_NOFOLLOW", 0)

ForeignKind = Literal["conflict", "junk", "link", "name"]


@dataclass(frozen=True, slots=True)
class ForeignFile:
    """Something in an item's folder that is no part of it (reliability notes, sync rule 4).

    `kind`: `conflict` (a copy that a sync tool set beside a document), `junk` (litter of a desktop, editor or
    download), `link` (a symbolic link, pipe or device), `name` (a name the store does not take).
    """

    path: str
    kind: ForeignKind


def document_paths(item: Path, under: str = "", hidden: bool = False) -> list[str]:
    """Sorted paths of the documents of an item; with `hidden` those in `.import` and `.checks` too.

    `under` is a folder (`characters`, `.import/built`): only what lies in it is listed.
    """
    found = [path for path, entry in _walk(item, under) if _foreign(path, entry) is None]
    return sorted(path for path in found if is_wanted(path, under, hidden))


def foreign_files(item: Path) -> list[ForeignFile]:
    """What lies in an item and is none of its documents, sorted by path; temporary files left out."""
    found = []
    for path, entry in _walk(item, ""):
        kind = _foreign(path, entry)
        if kind is not None and not is_temporary(entry.name):
            found.append(ForeignFile(path, kind))
    return sorted(found, key=lambda foreign: foreign.path)


def folders(item: Path) -> list[Path]:
    """The item's folder and every folder of its documents and records."""
    found = [item]
    for folder in found:
        known = RECORD_FOLDERS if folder == item else ()
        with suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False) and (entry.name[0] != "." or entry.name in known):
                    found.append(folder / entry.name)
    return found


def is_wanted(path: str, under: str, hidden: bool) -> bool:
    """Whether a document path is in a listing of `under`. Naming a dot folder asks for what is in it."""
    asked = hidden or is_hidden(under)
    return (asked or not is_hidden(path)) and (not under or path.startswith(f"{under.rstrip('/')}/"))


def has_file(item: Path, path: str) -> bool:
    """Whether a document is there, as a plain file reached through no link."""
    return is_document_path(path) and _plain_size(item, path) is not None


def size_of(item: Path, path: str) -> int:
    """Bytes of a document. Raises DomainError `not-found`."""
    size = _plain_size(item, path) if is_document_path(path) else None
    if size is None:
        raise no_such_file(path)
    return size


def open_file(item: Path, path: str) -> BufferedReader:
    """A document opened for reading.

    Raises:
        DomainError: `not-found` for a file or item that is not there; `invalid` for a path that is none, or
            leads through a link; `unavailable` when the disk does not answer.
    """
    refuse_bad_path(path)
    _refuse_links(item, path)
    try:
        fd = os.open(item / path, _READ)
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.ENOTDIR):
            raise (no_such_file(path) if item.is_dir() else no_such_item(item.name)) from error
        if error.errno == errno.ELOOP:
            raise _link_in_path(path) from error
        with plain_refusals(path):
            raise
        raise AssertionError("unreachable") from error
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise no_such_file(path)
    return os.fdopen(fd, "rb")


def read_file(item: Path, path: str) -> bytes:
    """The bytes of a document. Raises as `open_file`."""
    with plain_refusals(path), open_file(item, path) as file:
        return file.read()


def measure(item: Path, path: str) -> tuple[int, str] | None:
    """Size and SHA-256 of a document as it is now; None when there is no file. Raises as `open_file`."""
    try:
        with plain_refusals(path), open_file(item, path) as file:
            digest = digest_of_file(file)
            return file.tell(), digest
    except DomainError as error:
        if error.code == "no-such-file":
            return None
        raise


def digest_on_disk(item: Path, path: str) -> str | None:
    """SHA-256 of a document as it is now; None when there is no file. Raises as `open_file`."""
    measured = measure(item, path)
    return measured[1] if measured else None


def parsed(data: bytes, path: str) -> Any:
    """The JSON value in the bytes of a file. Raises DomainError `invalid` when there is none."""
    try:
        return read_json(data)
    except ValueError as error:
        raise DomainError(
            "invalid",
            "not-json",
            path,
            gettext_noop("{path} cannot be read as JSON. The file was left as it is."),
            gettext_noop("Restore an earlier version from its history, or mend the file by hand."),
            args={"path": path},
        ) from error


def no_such_file(path: str) -> DomainError:
    """The refusal for a document that is not there."""
    return DomainError(
        "not-found",
        "no-such-file",
        path,
        gettext_noop("There is no file {path} here."),
        args={"path": path},
    )


def _walk(item: Path, under: str) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Every entry below `under` that is not a folder."""
    for path, entry in _entries(item, under):
        if not _is_folder(path, entry):
            yield path, entry


def _entries(item: Path, under: str) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Every entry below `under`, folders before what is in them; the store's own dot names left out.

    A folder that cannot be read or vanishes in between has no entries.
    """
    waiting = [under.rstrip("/")]
    while waiting:
        folder = waiting.pop()
        try:
            with os.scandir(item / folder) as scan:
                entries = list(scan)
        except (FileNotFoundError, NotADirectoryError):
            continue
        for entry in entries:
            path = f"{folder}/{entry.name}" if folder else entry.name
            if path in _OWN:
                continue
            yield path, entry
            if _is_folder(path, entry):
                waiting.append(path)


def _is_folder(path: str, entry: os.DirEntry[str]) -> bool:
    """Dot folders other than `.import` and `.checks` are foreign as a whole and not looked into."""
    known = not entry.name.startswith(".") or path in RECORD_FOLDERS
    return known and entry.is_dir(follow_symlinks=False)


def _foreign(path: str, entry: os.DirEntry[str]) -> ForeignKind | None:
    named = foreign_kind(entry.name)
    if named == "conflict":
        return "conflict"
    if named == "junk":
        return "junk"
    if entry.is_symlink() or not entry.is_file(follow_symlinks=False):
        return "name" if entry.is_dir(follow_symlinks=False) else "link"
    return None if is_document_path(path) else "name"


def _plain_size(item: Path, path: str) -> int | None:
    try:
        _refuse_links(item, path)
        found = os.lstat(item / path)
    except (DomainError, OSError):
        return None
    return found.st_size if stat.S_ISREG(found.st_mode) else None


def _refuse_links(item: Path, path: str) -> None:
    """Raises DomainError `invalid` when a folder on the way to `path` is a symbolic link."""
    for parent in list(Path(path).parents)[:-1]:
        if (item / parent).is_symlink():
            raise _link_in_path(path)


def _link_in_path(path: str) -> DomainError:
    return DomainError(
        "invalid",
        "link-in-path",
        path,
        gettext_noop(
            "{path} is reached through a symbolic link, which is not followed. Nothing was changed."
        ),
        gettext_noop("Replace the link by the file or folder itself."),
        args={"path": path},
    )
