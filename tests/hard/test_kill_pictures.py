"""Fetching pictures, killed or out of disk at every single call of the store: the next run ends the same."""

from __future__ import annotations

import errno
from itertools import count
from pathlib import Path

import pytest

from importer.pipeline.picture_report import PictureReport, read_report
from importer.pipeline.pictures import fetch_pictures
from net.download import MISSING, Fetched, NotFetched
from tests.support.faults import broken
from tests.support.pictures import picture, with_text
from worlds.store.folder import ItemFolder
from worlds.store.paths import DataFolder, new_item_id
from worlds.store.pictures import PictureLibrary
from worlds.store.shelf import Shelf

pytestmark = [pytest.mark.hard, pytest.mark.req("PIC-1")]

WEB: dict[str, Fetched | NotFetched] = {
    url: Fetched(data, url)
    for url, data in (
        ("https://a.example/one.png", picture(1)),
        ("https://a.example/two.png", picture(2)),
        ("https://a.example/copy.png", with_text(1, "the first one again")),
    )
} | {"https://a.example/gone.png": MISSING}


class Web:
    async def fetch(self, url: str) -> Fetched | NotFetched:
        return WEB[url]


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(DataFolder(tmp_path / "data"), "ana", "worlds")


def new_world(shelf: Shelf) -> ItemFolder:
    return shelf.create(new_item_id("Fog Harbour"), {"world.json": b"{}"})


async def run(world: ItemFolder) -> PictureReport:
    async def ignore(done: int, total: int) -> None:
        pass

    return await fetch_pictures(
        world,
        WEB,
        Web(),
        by="ana",
        quota_left=lambda: None,
        on_progress=ignore,
        stopped=lambda: False,
    )


def end_of(world: ItemFolder) -> dict[str, object]:
    """What a run left in the world, times aside."""
    return {
        "results": sorted((found.address, found.result, found.file) for found in read_report(world).pictures),
        "library": sorted(listed.file for listed in PictureLibrary(world).pictures()),
        "bytes": {path: world.read(path) for path in world.paths("images/library")},
    }


async def test_killed_at_every_call(shelf: Shelf) -> None:
    undisturbed = new_world(shelf)
    await run(undisturbed)
    for at in count(1):
        world = new_world(shelf)
        with broken(crash=True, at=at) as fault:
            await run(world)
        await run(world)
        assert end_of(world) == end_of(undisturbed), f"killed at call {at}: {fault.calls[-1]}"
        if not fault.hit:
            break
    assert at > 20


async def test_disk_full_from_every_call_on(shelf: Shelf) -> None:
    undisturbed = new_world(shelf)
    await run(undisturbed)
    told = 0
    for at in count(1):
        world = new_world(shelf)
        with broken(error=errno.ENOSPC, persistent=True, at=at) as fault:
            report = await run(world)
        if report.ended:
            told += 1
            assert report.ended.message.endswith(".")
        await run(world)
        assert end_of(world) == end_of(undisturbed), f"full from call {at}: {fault.calls[-1]}"
        if not fault.hit:
            break
    assert told > 20
