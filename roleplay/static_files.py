"""Gathering the static files before the program serves them."""

from __future__ import annotations

import hashlib
from importlib.metadata import version
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command

from worlds.store.atomic import atomic_write, remove_file, sync_files, sync_folders


def gather() -> bool:
    """Gather the static files into `STATIC_ROOT`; gives False where the same ones lie there already.

    Hashing and packing them takes most of a second, which a restart need not spend.
    """
    root = Path(settings.STATIC_ROOT)
    stamp, sources = root.with_name(f"{root.name}.stamp"), _sources()
    if root.is_dir() and stamp.is_file() and stamp.read_text(encoding="ascii") == sources:
        return False
    remove_file(stamp)  # cut off from here on, everything is gathered anew
    call_command("collectstatic", interactive=False, verbosity=0)
    # The stamp outlives a power cut, so what it speaks of must too.
    sync_files(path for path in root.rglob("*") if path.is_file())
    sync_folders([root, *(path for path in root.rglob("*") if path.is_dir())])
    atomic_write(stamp, sources.encode("ascii"))
    return True


def _sources() -> str:
    """A hash that differs when any static file, or a program that packs them, does."""
    files = (
        (path, Path(storage.path(path)).stat())
        for finder in get_finders()
        for path, storage in finder.list([])
    )
    told = [f"{path} {stat.st_size} {stat.st_mtime_ns}" for path, stat in files]
    packers = [f"{name} {version(name)}" for name in ("django", "whitenoise")]
    return hashlib.sha256("\n".join([*packers, *sorted(told)]).encode()).hexdigest()
