"""What happened to an item: the changes under its `.trash`, and the bytes they replaced."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from formats.errors import DomainError
from formats.messages import gettext_noop
from worlds.store import atomic
from worlds.store.commit import FORMER, RECORD, TRASH
from worlds.store.paths import is_document_path
from worlds.store.record import ChangeRecord, is_change_id, moment
from worlds.store.refusals import plain_refusals


def changes(item: Path) -> Iterator[ChangeRecord]:
    """The changes of an item, newest first, read one by one as they are asked for.

    A record that cannot be read (damaged, edited by hand) is passed over; its kept files stay.
    """
    for change_id in sorted(_change_ids(item), reverse=True):
        record = _record(item, change_id)
        if record is not None:
            yield record


def change(item: Path, change_id: str) -> ChangeRecord:
    """One change. Raises DomainError `not-found`."""
    record = _record(item, change_id) if is_change_id(change_id) else None
    if record is None:
        raise _no_such_version(change_id)
    return record


def former(item: Path, change_id: str, path: str) -> bytes:
    """The bytes that a change replaced or removed at `path`.

    Raises:
        DomainError: `not-found` when the change kept none: the file did not exist before it, or the change is
            older than what is kept.
    """
    if not is_change_id(change_id) or not is_document_path(path):
        raise _no_such_version(change_id)
    with plain_refusals(path):
        try:
            return (item / TRASH / change_id / FORMER / path).read_bytes()
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            raise _no_such_version(change_id) from None


def forget_before(item: Path, cutoff: datetime) -> int:
    """Remove for good the kept bytes of changes older than `cutoff`. Under the item's lock.

    Returns:
        How many changes were forgotten.
    """
    old = [change_id for change_id in _change_ids(item) if moment(change_id.split("-")[0]) < cutoff]
    for change_id in old:
        with plain_refusals():
            atomic.remove_for_good(item / TRASH / change_id)
    return len(old)


def _change_ids(item: Path) -> list[str]:
    with suppress(FileNotFoundError, NotADirectoryError), os.scandir(item / TRASH) as entries:
        return [entry.name for entry in entries if is_change_id(entry.name)]
    return []


def _record(item: Path, change_id: str) -> ChangeRecord | None:
    try:
        return ChangeRecord.from_bytes((item / TRASH / change_id / RECORD).read_bytes())
    except (ValueError, OSError):
        return None


def _no_such_version(change_id: str) -> DomainError:
    return DomainError(
        "not-found",
        "no-such-version",
        change_id if is_change_id(change_id) else "",
        gettext_noop("No earlier version of this is kept. What is there now was not touched."),
    )
