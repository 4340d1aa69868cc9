"""The two places a world is read from: a folder on disk, and files that are about to be written."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Protocol

from formats.finding import Finding
from formats.messages import gettext_noop as _
from worlds.rules.documents import FOLDER_KINDS
from worlds.rules.json_text import MAX_BYTES
from worlds.rules.paths import is_hidden, printable
from worlds.store.paths import foreign_kind

_DEEP = ("images", "prompts")
_READ = (*FOLDER_KINDS, *_DEEP)
"""The folders of a world. What lies in any other folder is named once, not listed."""


class UnreadableFile(Exception):
    """A file is there but its bytes cannot be had."""

    def __init__(self, finding: Finding) -> None:
        self.finding = finding
        super().__init__(finding.text)


class WorldFiles(Protocol):
    """Where the bytes of a world come from."""

    findings: list[Finding]

    def paths(self) -> Iterable[str]:
        """Relative paths with `/`, without dot folders and litter; complete before `findings` is."""

    def read(self, path: str) -> bytes:
        """The bytes of one file. Raises `UnreadableFile`."""


class MappedFiles:
    """Files by path, not written yet; pictures may be given by their paths alone."""

    def __init__(self, files: Mapping[str, bytes], images: Iterable[str]) -> None:
        self._files = files
        self._images = images
        self.findings: list[Finding] = []

    def paths(self) -> list[str]:
        """Every path but those with a part that starts with a dot."""
        every = dict.fromkeys((*self._files, *self._images))
        return sorted(path for path in every if not is_hidden(path))

    def read(self, path: str) -> bytes:
        """The bytes staged for the path."""
        return self._files[path]


class FolderFiles:
    """A world folder. Links and special files are named and not opened."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.findings: list[Finding] = []

    def paths(self) -> list[str]:
        """Every file of the world, sorted."""
        return sorted(self._walk(""))

    def read(self, path: str) -> bytes:
        """The bytes, at most one more than a document may have."""
        try:
            handle = os.open(self._folder / path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
            with os.fdopen(handle, "rb") as opened:
                if not stat.S_ISREG(os.fstat(handle).st_mode):
                    raise OSError("not a file")
                return opened.read(MAX_BYTES + 1)
        except OSError as error:
            raise UnreadableFile(_unreadable(path, error)) from error

    def _walk(self, under: str) -> Iterator[str]:
        try:
            with os.scandir(self._folder / under) as entries:
                found = list(entries)
        except OSError as error:
            self.findings.append(_unreadable(under, error))
            return
        for entry in found:
            yield from self._entry(entry, under + entry.name)

    def _entry(self, entry: os.DirEntry[str], path: str) -> Iterator[str]:
        if entry.name.startswith(".") or foreign_kind(entry.name) == "junk":
            return
        if entry.is_file(follow_symlinks=False):
            yield path
        elif not entry.is_dir(follow_symlinks=False):
            self.findings.append(_special(path))
        elif path in _READ or path.split("/")[0] in _DEEP:
            yield from self._walk(f"{path}/")
        else:
            yield f"{path}/"


def _unreadable(path: str, error: OSError) -> Finding:
    path = printable(path)
    return Finding(
        "error",
        "file-unreadable",
        path,
        _("{file} could not be read ({reason})."),
        _("Nothing was changed. Look whether the disk and the file's permissions are in order."),
        {"file": path, "reason": error.strerror or str(error)},
    )


def _special(path: str) -> Finding:
    path = printable(path)
    return Finding(
        "warning",
        "not-a-plain-file",
        path,
        _("{file} is a link or a special file, so it was not opened."),
        _("Put a plain file in its place if it belongs to the world."),
        {"file": path},
    )
