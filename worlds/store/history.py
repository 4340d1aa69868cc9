"""What happened to an item: the changes under its `.trash`, and the bytes they replaced."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from formats.errors import DomainError
from formats.messages import gettext_noop
from worlds.store import atomic
from worlds.store.commit import FORMER, OUTSIDE, RECORD, TRASH
from worlds.store.paths import is_document_path
from worlds.store.record import ChangeRecord, FileChange, is_change_id, moment
from worlds.store.refusals import plain_refusals

_NOTE = 200  # characters of a note that names several things


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


def fold(item: Path, change_id: str, within: timedelta) -> bool:
    """Make a change one step with the one right before it, when both are parts of one sitting.

    They are when the same person did the same to the same files, the second going on from exactly what the
    first left, no longer than `within` after its beginning. The bytes from before the first stay, those
    between the two go for good. Under the item's lock. A crash in here leaves a step more, never one less.

    Returns:
        Whether the change was folded into the one before it.
    """
    earlier = max((known for known in _change_ids(item) if known < change_id), default="")
    first, second = _record(item, earlier), _record(item, change_id)
    if first is None or second is None or not _one_sitting(first, second, within):
        return False
    if os.path.lexists(item / TRASH / change_id / OUTSIDE):
        return False  # holds bytes that stand nowhere else
    files = {path: FileChange(first.files[path].before, file.after) for path, file in second.files.items()}
    whole = replace(first, files=files, note=_both_notes(first.note, second.note))
    atomic.atomic_write(item / TRASH / earlier / RECORD, whole.to_bytes())
    atomic.remove_for_good(item / TRASH / change_id)
    return True


def _one_sitting(first: ChangeRecord, second: ChangeRecord, within: timedelta) -> bool:
    same = (first.by, first.what, set(first.files)) == (second.by, second.what, set(second.files))
    soon = moment(second.id.split("-")[0]) - moment(first.id.split("-")[0]) <= within
    return (
        same and soon and all(first.files[path].after == file.before for path, file in second.files.items())
    )


def _both_notes(first: str, second: str) -> str:
    known = first.split(", ")
    return first if second in known or len(first) + len(second) > _NOTE else f"{first}, {second}"


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
