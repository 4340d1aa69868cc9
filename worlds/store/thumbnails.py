"""Small pictures for pages, made from untrusted bytes in a child process and kept outside of the worlds.

A thumbnail can always be made again, so the cache belongs to no world, is in no export, and may be deleted.
"""

from __future__ import annotations

import logging
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, Final

from formats.image import MOST_PIXELS
from worlds.store.atomic import atomic_write, make_folders, remove_file
from worlds.store.thumbnail_child import REFUSED

log = logging.getLogger(__name__)

SIZES: Final = (96, 256, 512)  # pixels of the longer side; few, so that nobody can fill the cache with sizes
LARGEST: Final = 110_000_000  # bytes of a picture; a card may be 100 MB
SECONDS: Final = 15.0
AT_ONCE: Final = 2
KEEP_SECONDS: Final = 90 * 24 * 3600.0

_CHILD = Path(__file__).with_name("thumbnail_child.py")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_slots = threading.BoundedSemaphore(AT_ONCE)


class NotNow(Exception):
    """The child ran out of time or memory, or died: another try may go better."""


def thumbnail(picture: BinaryIO, size: int = 256) -> bytes | None:
    """A WebP of at most `size` by `size` pixels, or None when the file is no picture that can be decoded.

    Blocks for up to `SECONDS` (and while `AT_ONCE` others are being made): call it from a thread. PNG, JPEG,
    WebP and GIF of at most 40 million pixels are decoded, the first frame of animated ones. The child reads
    the file itself: a card's picture may be large.

    Raises:
        ValueError: a size that is not one of `SIZES`.
        NotNow: the child was stopped at a limit or died.
    """
    if size not in SIZES:
        raise ValueError(f"no thumbnail is made in the size {size}")
    if not 0 < picture.seek(0, os.SEEK_END) <= LARGEST:
        return None
    picture.seek(0)
    with _slots:
        try:
            child = subprocess.run(
                [sys.executable, "-I", "-B", str(_CHILD), str(size), str(MOST_PIXELS)],
                stdin=picture,
                capture_output=True,
                timeout=SECONDS,
                check=False,
                env={},
            )
        except subprocess.TimeoutExpired as error:
            raise NotNow("out of time") from error
    if child.returncode == REFUSED:
        return None
    if child.returncode != 0 or not child.stdout:
        raise NotNow(f"the child ended with {child.returncode}")
    return child.stdout


class ThumbnailCache:
    """Thumbnails by the SHA-256 of their picture, below `cache/thumbnails/` of the data folder.

    A picture that cannot be decoded is remembered by an empty file, so that a page does not try it each time.
    """

    def __init__(self, data_root: Path) -> None:
        self._folder = data_root / "cache" / "thumbnails"

    def get(self, sha256: str, size: int, opened: Callable[[], BinaryIO]) -> bytes | None:
        """The thumbnail of a picture; `opened` opens its file and is called only when none is kept.

        None means: show something else. Blocks as `thumbnail` does.

        Raises:
            ValueError: not a SHA-256 in hexadecimal, or not one of `SIZES`.
            DomainError, OSError: what `opened` or the disk says.
        """
        path = self._path(sha256, size)
        try:
            return path.read_bytes() or None
        except FileNotFoundError:
            pass
        try:
            with opened() as picture:
                made = thumbnail(picture, size)
        except NotNow as reason:
            log.warning("no thumbnail of %s: %s", sha256, reason)
            return None
        make_folders(path.parent)
        atomic_write(path, made or b"")
        return made

    def sweep(self, now: float, age: float = KEEP_SECONDS) -> int:
        """Remove thumbnails made more than `age` seconds before the time `now` (seconds since 1970).

        Returns:
            How many were removed. What is still wanted is made again.
        """
        old = [path for path in self._folder.glob("*/*") if path.stat().st_mtime < now - age]
        for path in old:
            remove_file(path)
        return len(old)

    def _path(self, sha256: str, size: int) -> Path:
        if not _SHA256.fullmatch(sha256) or size not in SIZES:
            raise ValueError("not the name of a thumbnail")
        return self._folder / sha256[:2] / f"{sha256[2:]}-{size}.webp"
