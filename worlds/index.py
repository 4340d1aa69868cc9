"""From a folder to its rows: the one way by which the index is written."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils import timezone

from formats.errors import DomainError
from formats.finding import Finding
from formats.text.names import compared
from portal import bell, slots
from portal.models import Person
from worlds.elements import Row, picture_uses, rows_of
from worlds.models import Element, World
from worlds.queries import PICTURES, folder_at
from worlds.rules.check import can_start, check_world
from worlds.rules.load import LoadedWorld, load_world
from worlds.store.folder import ItemFolder
from worlds.store.space import bytes_below

# Findings kept in the row: enough for every page that lists them; the number of all is kept beside.
FINDINGS_KEPT = 200
IMPORT_RECORDS = (".import/state.json", ".import/upload.json")


@dataclass(frozen=True, slots=True)
class Standing:
    """How a folder looks from outside: a print of names, sizes and times, and the latest time."""

    fingerprint: str
    changed_at: datetime


def standing_of(path: Path) -> Standing:
    """Look at a world folder without reading a file; about 10 ms for 2,000 documents.

    The print differs whenever a file was written, by us or by hand: a page can tell that its row is old.
    """
    seen = sha256()
    latest = 0
    for name, entry in sorted(files_below(path, "")):
        status = entry.stat(follow_symlinks=False)
        latest = max(latest, status.st_mtime_ns)
        seen.update(f"{name}\0{status.st_size}\0{status.st_mtime_ns}\0{status.st_ino}\n".encode())
    records = path / ".import"
    for name, entry in sorted(files_below(records, ".import/")) if records.is_dir() else ():
        if name in IMPORT_RECORDS:
            status = entry.stat(follow_symlinks=False)
            seen.update(f"{name}\0{status.st_size}\0{status.st_mtime_ns}\n".encode())
    changed = datetime.fromtimestamp(latest / 1e9, UTC) if latest else timezone.now()
    return Standing(seen.hexdigest(), changed)


def files_below(path: Path, under: str) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Every file below a folder but those that start with a dot: its path with `under` before it."""
    with os.scandir(path) as entries:
        for entry in entries:
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False):
                yield from files_below(Path(entry.path), f"{under}{entry.name}/")
            else:
                yield f"{under}{entry.name}", entry


def index_world(owner: Person, world_id: str) -> World | None:
    """Read a world's folder and write its rows; `None`, and no row, when the folder is gone."""
    folder = folder_at(owner, world_id)
    if not folder.path.is_dir():
        World.objects.filter(pk=world_id, owner=owner).delete()
        return None
    standing, loaded = folder.consistently(lambda: (standing_of(folder.path), load_world(folder.path)))
    findings = check_world(loaded)
    fields = _fields(folder, loaded, findings, standing)
    with transaction.atomic():
        now = timezone.now()
        world, _made = World.objects.update_or_create(
            pk=world_id,
            defaults={"owner": owner, **fields},
            create_defaults={"owner": owner, "used_at": now, **fields},
        )
        _write_elements(world, list(rows_of(loaded, findings)))
        for follow in slots.filled("world.indexed"):
            follow(world, loaded)
    bell.ring(f"item:{world_id}")
    return world


def _fields(
    folder: ItemFolder, loaded: LoadedWorld, findings: list[Finding], standing: Standing
) -> dict[str, Any]:
    world = loaded.world
    name = (world.name.strip() if world else "") or folder.path.name
    state, upload = (_record(folder, name) for name in IMPORT_RECORDS)
    serious = [finding for finding in findings if finding.severity != "info"]
    cover = world.cover if world and world.cover in loaded.images else ""
    stage = str(state.get("stage", ""))[:20]
    return {
        "name": name[:300],
        "name_key": compared(name)[:300],
        "description": " ".join((world.description if world else "").split())[:300],
        "language": (world.language if world else "")[:40],
        # A world that an import is still writing is not a draft yet: it is not finished.
        "draft": not can_start(findings) and stage not in World.IMPORTING_STAGES,
        "problems": len(serious),
        "findings": [finding.to_json() for finding in findings[:FINDINGS_KEPT]],
        "counts": _counts(loaded),
        "cover": cover or "",
        "picture_uses": picture_uses(loaded),
        "size": bytes_below(folder.path),
        "cover_etag": folder.etag(cover) if cover else "",
        "source_kind": (world.source.kind if world and world.source else ""),
        "source_sha256": str(upload.get("sha256", ""))[:64],
        "stage": stage,
        "fingerprint": standing.fingerprint,
        "created_at": _time(world.created_at if world else "") or standing.changed_at,
        "updated_at": standing.changed_at,
    }


def _record(folder: ItemFolder, path: str) -> dict[str, Any]:
    """An import record as an object; empty when it is not there or cannot be read (the import tells why)."""
    try:
        value = folder.read_json(path)
    except DomainError:
        return {}
    return value if isinstance(value, dict) else {}


def _counts(loaded: LoadedWorld) -> dict[str, int]:
    counts = {kind: len(documents) for kind, documents in loaded.documents.items() if kind != "world"}
    for kind, _key in loaded.broken:
        counts[kind] = counts.get(kind, 0) + (kind != "world")
    return counts | {
        "relationships": len(loaded.relationships.relationships),
        "variables": len(loaded.variables.variables),
        "commands": len(loaded.commands.commands),
        "triggers": len(loaded.triggers.triggers),
        "prompts": len(loaded.prompts),
        "images": sum(path.endswith(PICTURES) for path in loaded.images),
        "playable": sum(character.playable for character in loaded.characters.values()),
    }


def _time(text: str) -> datetime | None:
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return None
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def _write_elements(world: World, rows: list[Row]) -> None:
    """Bring the element rows of a world to `rows`, touching only what differs."""
    stored = {
        (row.kind, row.key): row
        for row in Element.objects.filter(world=world).only("id", "kind", "key", "etag")
    }
    wanted = {(row.kind, row.key): row for row in rows}
    gone = [
        stored_row.pk
        for address, stored_row in stored.items()
        if address not in wanted or wanted[address].etag != stored_row.etag
    ]
    Element.objects.filter(pk__in=gone).delete()
    new = [
        _element(world, row)
        for address, row in wanted.items()
        if address not in stored or stored[address].etag != row.etag
    ]
    Element.objects.bulk_create(new, batch_size=500)


def _element(world: World, row: Row) -> Element:
    return Element(
        world=world,
        kind=row.kind,
        key=row.key[:200],
        position=row.position,
        title=row.title,
        title_key=compared(row.title)[:300],
        summary=row.summary,
        words=row.search,
        mark=row.mark,
        problems=row.problems,
        etag=row.etag,
    )
