"""What an item holds, file by file, for sync and backup (reliability notes, part 2)."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from worlds.store.etags import etag_of
from worlds.store.listing import measure


@dataclass(frozen=True, slots=True)
class ManifestFile:
    """One file: its path, size in bytes and SHA-256."""

    path: str
    size: int
    sha256: str

    @property
    def etag(self) -> str:
        """Strong ETag, made of the content alone: edits made outside the portal change it too."""
        return etag_of(self.sha256)

    def to_json(self) -> dict[str, Any]:
        """`{path, size, sha256, etag}`."""
        return {"path": self.path, "size": self.size, "sha256": self.sha256, "etag": self.etag}


@dataclass(frozen=True, slots=True)
class Manifest:
    """All files of an item, sorted by path."""

    files: tuple[ManifestFile, ...]

    @property
    def etag(self) -> str:
        """One ETag over all paths and contents."""
        whole = sha256()
        for file in self.files:
            whole.update(f"{file.sha256} {file.path}\n".encode())
        return etag_of(whole.hexdigest())

    def to_json(self) -> dict[str, Any]:
        """`{etag, files: [...]}`."""
        return {"etag": self.etag, "files": [file.to_json() for file in self.files]}


def manifest_of(item: Path, paths: list[str]) -> Manifest:
    """The manifest of the named files; one that vanished since it was listed is left out."""
    files = []
    for path in sorted(paths):
        if measured := measure(item, path):
            files.append(ManifestFile(path, *measured))
    return Manifest(tuple(files))
