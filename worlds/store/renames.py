"""Renaming without ever replacing what is there: `renameat2(RENAME_NOREPLACE)`, which Python lacks."""

# ruff: noqa: PTH104, PTH108

from __future__ import annotations

import ctypes
import errno
import os
from pathlib import Path

_AT_FDCWD = -100
_RENAME_NOREPLACE = 1
_NOT_OFFERED = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP)


def rename_noreplace(source: Path, target: Path) -> None:
    """Rename a file or folder; atomic, and an existing target is never touched.

    Raises:
        FileExistsError: the target exists.
        OSError: as of `rename(2)`; EXDEV when source and target lie on two file systems.
    """
    code = _renameat2(os.fsencode(source), os.fsencode(target))
    if code in _NOT_OFFERED:
        _rename_without_kernel_help(source, target)
    elif code:
        raise OSError(code, os.strerror(code), str(source), None, str(target))


def _renameat2(source: bytes, target: bytes) -> int:
    """0 or the error number."""
    call = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if call is None:
        return errno.ENOSYS
    failed = call(_AT_FDCWD, source, _AT_FDCWD, target, _RENAME_NOREPLACE)
    return ctypes.get_errno() if failed else 0


def _rename_without_kernel_help(source: Path, target: Path) -> None:
    """The same promise where kernel or file system lack the flag.

    A hard link never replaces, so a file is linked, then unlinked at its old place. A plain rename of a
    folder never replaces a file or a folder with something in it; between the look and the rename it could
    at most replace an empty folder, which loses nothing.
    """
    if source.is_dir() and not source.is_symlink():
        if os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target))
        os.rename(source, target)
        return
    os.link(source, target, follow_symlinks=False)
    os.unlink(source)
