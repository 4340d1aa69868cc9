"""Documents to bytes, and the one way to change `world.json`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from formats.errors import DomainError
from formats.messages import gettext_noop as _
from formats.stable_json import write_json
from worlds.rules.documents import Document, Source, WorldFile
from worlds.rules.paths import document_path
from worlds.rules.reader import parse_document

if TYPE_CHECKING:
    from worlds.store.change import Change
    from worlds.store.folder import ItemFolder

__all__ = [
    "WORLD_FILE",
    "blank_world",
    "change_world_file",
    "document_bytes",
    "document_path",
    "moment",
    "update_world_file",
]

WORLD_FILE = "world.json"


def document_bytes(document: Document) -> bytes:
    """The file of a document: 2 spaces, declared key order, unknown keys last, a final newline.

    Raises:
        ValueError: the document holds what JSON or UTF-8 cannot (only possible for one made in code).
    """
    return write_json(document.to_json()).encode()


def moment(now: datetime) -> str:
    """A time as documents write it: `2026-11-30T19:00:00Z`.

    Raises:
        ValueError: `now` has no time zone.
    """
    if now.tzinfo is None:
        raise ValueError("a time without a time zone")
    return now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def blank_world(name: str, language: str, now: datetime) -> dict[str, bytes]:
    """The files of a world from nothing: path to bytes. It is a draft until an opening is written."""
    world = WorldFile(
        name=name,
        language=language,
        source=Source(kind="blank"),
        created_at=moment(now),
        updated_at=moment(now),
    )
    return {WORLD_FILE: document_bytes(world)}


def update_world_file(
    folder: ItemFolder,
    change: Callable[[WorldFile], WorldFile],
    by: str,
    *,
    what: str = "edit",
    now: datetime | None = None,
) -> WorldFile:
    """Change `world.json` under the world's lock (WORLD-2): read again, changed, written as one change.

    Two callers that change different fields at the same time both succeed, since each sees what the other
    wrote. `now` becomes `updated_at` where it is given and something changed.

    Raises:
        DomainError: `not-found` without a `world.json`, `invalid` where it cannot be read (nothing is
            written), or what the store raises (`busy`, `full`, …).
        ValueError: `change` gave a field a value of another type; nothing is written.
    """
    with folder.change(by=by, what=what) as staged:
        return change_world_file(staged, change, now=now)


def change_world_file(
    staged: Change, change: Callable[[WorldFile], WorldFile], *, now: datetime | None = None
) -> WorldFile:
    """As `update_world_file`, inside a change of the store that writes other files too."""
    world = _world_file(staged.read(WORLD_FILE))
    changed = change(world)
    if changed != world:
        if now is not None:
            changed = changed.model_copy(update={"updated_at": moment(now)})
        data = document_bytes(changed)
        _world_file(data)
        staged.write(WORLD_FILE, data)
    return changed


def _world_file(data: bytes) -> WorldFile:
    read = parse_document("world", data, WORLD_FILE)
    if not isinstance(read.document, WorldFile):
        reason = read.findings[0]
        raise DomainError(
            "invalid",
            "world-file-unreadable",
            reason.where,
            _("world.json would not be readable at {where}, so nothing was changed."),
            _("Correct this place in its source, or bring back a former version."),
            {"where": reason.where},
        )
    return read.document
