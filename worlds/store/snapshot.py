"""Snapshots of an item's documents, to see later what people edited since (`.import/files.json`, UPD-1)."""

from __future__ import annotations

from collections.abc import Mapping

from worlds.store.folder import ItemFolder
from worlds.store.manifest import manifest_of


def snapshot(folder: ItemFolder) -> dict[str, str]:
    """SHA-256 by path of every document, without `images/` and without what starts with a dot."""
    return folder.consistently(lambda: _digests(folder))


def edited_since(folder: ItemFolder, earlier: Mapping[str, str]) -> list[str]:
    """Sorted paths that were added, changed or removed since `snapshot` gave `earlier`."""
    now = snapshot(folder)
    return sorted(path for path in {*now, *earlier} if now.get(path) != earlier.get(path))


def _digests(folder: ItemFolder) -> dict[str, str]:
    listed = [path for path in folder.paths() if not path.startswith("images/")]
    return {file.path: file.sha256 for file in manifest_of(folder.path, listed).files}
