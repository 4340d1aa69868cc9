"""Errors of the operating system turned into plain sentences."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from formats.errors import DomainError, ErrorKind
from formats.messages import gettext_noop

_SENTENCES: dict[int, tuple[ErrorKind, str, str, str]] = {
    errno.ENOSPC: (
        "full",
        "disk-full",
        gettext_noop("The disk of the server is full. Nothing was changed; what was there is safe."),
        gettext_noop("Make room on the disk (emptying the trash helps), then try again."),
    ),
    errno.EROFS: (
        "unavailable",
        "read-only",
        gettext_noop("The server may not write into its data folder now. Nothing was changed."),
        gettext_noop("Whoever runs the server can make the data folder writable again."),
    ),
    errno.EMFILE: (
        "unavailable",
        "too-many-files",
        gettext_noop("The server has too many files open at the moment. Nothing was changed."),
        gettext_noop("Try again in a minute."),
    ),
    errno.EXDEV: (
        "unavailable",
        "two-file-systems",
        gettext_noop("Source and target lie on two different file systems. Nothing was moved."),
        gettext_noop("Whoever runs the server can put the whole data folder on one file system."),
    ),
    errno.ENAMETOOLONG: (
        "invalid",
        "name-too-long",
        gettext_noop("This name is too long for the file system of the server. Nothing was changed."),
        gettext_noop("Choose a shorter name."),
    ),
    errno.ENOTDIR: (
        "conflict",
        "not-a-folder",
        gettext_noop("There is a file where a folder is needed. Nothing was changed."),
        gettext_noop("Rename or remove that file, then try again."),
    ),
}
_SAME_AS = {
    errno.EDQUOT: errno.ENOSPC,
    errno.EACCES: errno.EROFS,
    errno.EPERM: errno.EROFS,
    errno.ENFILE: errno.EMFILE,
    errno.EISDIR: errno.ENOTDIR,
    errno.ELOOP: errno.ENOTDIR,
}
_ANY_OTHER: tuple[ErrorKind, str, str, str] = (
    "unavailable",
    "disk-error",
    gettext_noop(
        "The disk of the server reported an error ({reason}). Nothing was changed as far as we know."
    ),
    gettext_noop("Try again; if it comes back, whoever runs the server should look at the disk."),
)


def refusal(error: OSError, where: str = "") -> DomainError:
    """The plain sentence for an error of the operating system; the edge answers 507 and 503."""
    number = error.errno or 0
    kind, code, message, hint = _SENTENCES.get(_SAME_AS.get(number, number), _ANY_OTHER)
    return DomainError(kind, code, where, message, hint, args={"reason": errno.errorcode.get(number, "?")})


@contextmanager
def plain_refusals(where: str = "") -> Iterator[None]:
    """Let no OSError out of the block; each becomes its DomainError."""
    try:
        yield
    except OSError as error:
        raise refusal(error, where) from error
