"""One import from the outside, cut off anywhere: what was promised, how it goes on, what must be there."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import sqlite3
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx

from tests.support import cards
from tests.support.portal_client import LIVE, Portal
from tests.support.servers import wait_until
from tests.support.warm import Warm
from worlds.rules.check import can_start, check_world
from worlds.store.atomic import is_temporary
from worlds.store.folder import ItemFolder
from worlds.store.paths import DataFolder
from worlds.store.shelf import Shelf

CHOICES: Final = {"name": "Fog & Harbour", "opening": "greeting:1"}
MOMENT: Final = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)")
CHANGE: Final = re.compile(rb"\d{8}T\d{6,}Z-[0-9a-f]{8}")
FENCE: Final = re.compile(rb'"fence": \d+')
DIGEST: Final = re.compile(rb"[0-9a-f]{64}")
LEFT_BEHIND: Final = (".pending", ".commit.json")


@dataclass(frozen=True)
class Sent:
    """A file as a person sends it; `pictures`: its card names some, so a second job must end too."""

    filename: str
    data: bytes
    pictures: bool


def rich_card() -> Sent:
    """A PNG with three greetings, a book, a note, and a picture address that is refused without a network."""
    card = cards.english_card()
    card["data"]["creator_notes"] = "Slow evenings.\n\n![cover](http://10.0.0.7/cover.png)"
    return Sent("mira.png", cards.png_card(card), pictures=True)


def large_card(entries: int) -> Sent:
    """A JSON card with a book of so many entries."""
    names = [f"Pier {number}" for number in range(entries)]
    book = cards.book(
        *(
            cards.entry(number, comment=name, keys=[name], content=f"{name}. 雾" * 40)
            for number, name in enumerate(names)
        )
    )
    card = cards.v3(character_book=book, alternate_greetings=["A second way in."])
    return Sent("piers.json", cards.json_bytes(card), pictures=False)


@dataclass
class Acknowledged:
    """What the server has promised so far."""

    upload: str = ""
    chosen: bool = False
    world: str = ""
    finished: dict[str, Any] = field(default_factory=dict)


def upload(portal: Portal, sent: Sent, told: Acknowledged) -> None:
    """Send the file and wait until it is read."""
    told.upload = portal.upload(sent.data, sent.filename)["id"]
    assert portal.read(told.upload)["state"] == "ready"


def choose(portal: Portal, told: Acknowledged) -> None:
    """Another name and another opening than the card's own."""
    portal.choose(told.upload, **CHOICES)
    told.chosen = True


def start(portal: Portal, sent: Sent, told: Acknowledged) -> None:
    """Choose, start, and wait for the end."""
    choose(portal, told)
    told.world = portal.start(told.upload)
    told.finished = portal.finished(told.world, sent.pictures)


def until_it_dies(warm: Warm, sent: Sent, told: Acknowledged) -> Acknowledged:
    """Import for as long as somebody answers, from wherever `told` says it stands."""
    with contextlib.suppress(httpx.HTTPError), warm.portal() as portal:
        if not told.upload:
            upload(portal, sent, told)
        start(portal, sent, told)
    return told


def go_on(warm: Warm, sent: Sent, told: Acknowledged) -> None:
    """After a restart what was acknowledged is there, what was started ends by itself; then ask for the rest.

    Only what was never acknowledged is asked for a second time.
    """
    rows = uploads_in(warm.data)
    if told.upload:
        assert told.upload in rows, "an acknowledged upload is lost"
    told.upload = told.upload or next(iter(rows), "")
    with warm.portal() as portal:
        if not told.upload:
            upload(portal, sent, told)
        if not (world := told.world or rows.get(told.upload, ("", ""))[1]):
            assert portal.read(told.upload)["state"] == "ready"
            if told.chosen:
                assert portal.import_of(told.upload)["choices"]["name"] == CHOICES["name"], "a choice is lost"
            start(portal, sent, told)
            return
        if not told.world:  # nobody knows its address yet: the recovery runs beside the pages
            wait_until(lambda: uploads_in(warm.data)[told.upload][0] == "started")
        told.world, told.finished = world, portal.finished(world, sent.pictures)


def uploads_in(data: Path) -> dict[str, tuple[str, str]]:
    """Id → (state, world) of every upload in the database of a data folder."""
    found = rows_of(data, "SELECT id, state, world FROM importer_upload ORDER BY created_at")
    return {row[0]: (row[1], row[2]) for row in found}


def rows_of(data: Path, query: str) -> list[tuple[Any, ...]]:
    with contextlib.closing(sqlite3.connect(data / "portal.sqlite3", timeout=20)) as database:
        return database.execute(query).fetchall()


def result(warm: Warm, told: Acknowledged) -> dict[str, str]:
    """Everything the import left, after looking whether it holds together; equal for equal imports."""
    worlds = Shelf(DataFolder(warm.data), "ana", "worlds")
    assert worlds.ids() == [told.world], "one import is one world"
    folder = worlds.folder(told.world)
    assert told.finished["state"] == "done"
    assert can_start(check_world(folder.path))
    assert rows_of(warm.data, "SELECT id, stage FROM worlds_world") == [(told.world, "done")]
    assert uploads_in(warm.data) == {told.upload: ("started", told.world)}
    jobs = rows_of(warm.data, "SELECT kind, state FROM portal_job")
    assert not [kind for kind, state in jobs if state in LIVE or state == "failed"], jobs
    with warm.portal() as portal:
        assert portal.page(f"/w/{told.world}/").status_code == 200
    assert left_behind(folder) == []
    snapshot_is_true(folder.path)
    return everything(folder.path, told.world, told.upload)


def left_behind(folder: ItemFolder) -> list[str]:
    """What a sweep of old temporary files leaves of interrupted writes."""
    for path in folder.path.rglob(".*.tmp"):
        os.utime(path, (0, 0))
    folder.settle()
    names = (path.name for path in folder.path.rglob(".*"))
    return [name for name in names if name in LEFT_BEHIND or is_temporary(name)]


def snapshot_is_true(world: Path) -> None:
    """`files.json` holds the digests of the files as they are."""
    listed = json.loads((world / ".import/files.json").read_bytes())["files"]
    assert listed == {path: hashlib.sha256((world / path).read_bytes()).hexdigest() for path in listed}


def everything(world: Path, *ids: str) -> dict[str, str]:
    """Path → digest of every file of a world, dot folders included: times, ids and turns of workers aside."""
    return {
        plain(str(path.relative_to(world)).encode(), ids).decode(): digest(path, ids)
        for path in sorted(world.rglob("*"))
        if path.is_file()
    }


def digest(path: Path, ids: tuple[str, ...]) -> str:
    data = plain(path.read_bytes(), ids)
    if path.name in ("change.json", "files.json"):  # digests of files that hold times; judged by their own
        data = DIGEST.sub(b"DIGEST", data)
    return hashlib.sha256(data).hexdigest()


def plain(data: bytes, ids: tuple[str, ...]) -> bytes:
    for known in ids:
        data = data.replace(known.encode(), b"ID")
    return FENCE.sub(b'"fence": N', CHANGE.sub(b"CHANGE", MOMENT.sub(b"MOMENT", data)))
