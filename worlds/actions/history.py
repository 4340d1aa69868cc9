"""Bringing back what a change replaced, as a new change: nothing is ever lost by it."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_noop

from formats.errors import DomainError
from portal.models import Person
from worlds.actions.writing import changing
from worlds.changes import can_be_undone, changed_files
from worlds.elements import entry_key
from worlds.kinds import ELEMENT_KINDS, ElementKind
from worlds.models import World
from worlds.queries import change_of, folder_of
from worlds.rules.documents import KINDS
from worlds.rules.reader import read_document
from worlds.rules.write import document_bytes
from worlds.store.change import Change
from worlds.store.etags import etag_of
from worlds.store.listing import no_such_file
from worlds.store.paths import is_hidden
from worlds.store.record import ChangeRecord

BY_FILE = {kind.file: kind for kind in ELEMENT_KINDS.values() if kind.holds == "entries"}


def restore_version(*, actor: Person, world: World, change_id: str, path: str) -> str:
    """Write the bytes that a change replaced again, as a new change; gives its id.

    Raises:
        DomainError: `not-found` when they are not kept (any more), or are a record of the import: those
            describe what happened and are written by the import alone; as `changing`.
    """
    if is_hidden(path):
        raise no_such_file(path[:200])
    data = folder_of(world).former(change_id, path)
    with changing(actor=actor, world=world, what="restore", note=path) as change:
        change.write(path, data)
    return change.id


def undo_change(*, actor: Person, world: World, change_id: str) -> str:
    """Take one change back, right after it: every file as it was before, files that it made removed.

    Where a list file was changed again since, the entries the change took out are put back one by one.
    Records of the import stay as they are.

    Raises:
        DomainError: `conflict` for an import, and when a file was changed since and only the history can
            help; as `changing`.
    """
    record = change_of(world, change_id)
    if not can_be_undone(record):
        raise _is_an_import(world)
    folder = folder_of(world)
    with changing(actor=actor, world=world, what="undo", note=record.note) as change:
        for path in changed_files(record):
            former = folder.former(change_id, path) if record.files[path].before else None
            if change.etag(path) == etag_of(record.files[path].after):
                _put_back(change, path, former)
            elif path in BY_FILE and former is not None and change.has(path):
                _put_entries_back(change, BY_FILE[path], former, record)
            else:
                raise _changed_since(path)
    return change.id


def _put_back(change: Change, path: str, former: bytes | None) -> None:
    if former is None:
        change.remove(path)
    else:
        change.write(path, former)


def _put_entries_back(change: Change, kind: ElementKind, former: bytes, record: ChangeRecord) -> None:
    before = read_document(kind.document, former, kind.file).document
    whole = change.read_json(kind.file)
    now = whole.get(kind.list_field) if isinstance(whole, dict) else None
    if before is None or not isinstance(now, list):
        raise _changed_since(kind.file)
    there = {entry_key(kind, entry) for entry in now if isinstance(entry, dict)}
    missing: list[Any] = []
    for entry in getattr(before, kind.list_field):
        value = entry.to_json()
        if entry_key(kind, value) not in there and record.note == f"{kind.file}: {entry_key(kind, value)}":
            missing.append(value)
    read = read_document(
        kind.document, {**whole, kind.list_field: [*now, *missing]}, KINDS[kind.document].file
    )
    if read.document is None or not missing:
        raise _changed_since(kind.file)
    change.write(kind.file, document_bytes(read.document))


def _is_an_import(world: World) -> DomainError:
    return DomainError(
        "conflict",
        "import-stays",
        world.id,
        gettext_noop("What an import wrote cannot be taken back by itself. Nothing was changed."),
        gettext_noop("To be rid of what was imported, move the whole world to the trash."),
    )


def _changed_since(path: str) -> DomainError:
    return DomainError(
        "conflict",
        "changed-since",
        path,
        gettext_noop(
            "{path} was changed again since, so this cannot be taken back by itself. Nothing was changed."
        ),
        gettext_noop("Open the history and restore the version you want."),
        {"path": path},
    )
