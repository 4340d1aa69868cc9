"""A disk that is full, has no inodes left, or turns read-only: a plain refusal, and every byte as before."""

from collections.abc import Callable
from pathlib import Path

import pytest

from formats.errors import DomainError
from tests.hard.disks import Disk, disk, missing
from worlds.store.folder import ItemFolder
from worlds.store.paths import DataFolder, new_item_id
from worlds.store.shelf import Shelf
from worlds.store.staging import Staging

pytestmark = [pytest.mark.hard, pytest.mark.timeout(600)]


@pytest.fixture(autouse=True)
def _needs_disks() -> None:
    if reason := missing("ext4"):
        pytest.skip(reason)


def begin(made: Disk) -> tuple[Shelf, ItemFolder]:
    shelf = Shelf(DataFolder(made.root / "data"), "ana", "worlds")
    world = shelf.create(new_item_id("Fog"), {"world.json": b"{}", "lore/fog.json": b"f" * 5000})
    return shelf, world


def everything(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.suffix != ".lock"
    }


def save(world: ItemFolder, name: str, data: bytes) -> None:
    with world.change(by="ana", what="edit") as change:
        change.write(name, data)
        change.write("world.json", data[:100])


@pytest.mark.req("WORLD-1")
@pytest.mark.parametrize(("options", "size"), [((), 200_000), (("-N", "64"), 100)], ids=["bytes", "inodes"])
def test_a_full_disk_refuses_and_keeps(tmp_path: Path, options: tuple[str, ...], size: int) -> None:
    with disk(tmp_path, megabytes=6, options=options) as made:
        shelf, world = begin(made)
        staging = Staging(shelf.data)
        staging.begin("up-1")
        number, refused = 0, None
        while refused is None:
            before = everything(made.root)
            number += 1
            try:
                save(world, f"images/{number}.png", number.to_bytes(4) * (size // 4))
            except DomainError as error:
                refused = error
        assert (refused.kind, refused.code) == ("full", "disk-full")
        assert everything(made.root) == before
        acts: list[Callable[[], object]] = [
            lambda: save(world, f"images/{number}.png", b"m" * 1_000_000),
            lambda: shelf.create(new_item_id("Sea"), {f"{n}/x.png": b"x" * 100_000 for n in range(30)}),
        ]
        if not options:  # one file more still finds an inode
            acts.append(lambda: staging.write("up-1", "original", b"o" * 4_000_000))
        for act in acts:
            with pytest.raises(DomainError) as told:
                act()
            assert told.value.kind == "full"
            assert everything(made.root) == before
        shelf.empty(shelf.to_trash(world.id))
        assert everything(made.root) == {}, "the trash can be emptied on a full disk"
        shelf.create(new_item_id("Sea"), {"world.json": b"{}"})
    print(f"\nfull disk, {options or 'bytes'}: refused at change {number}, nothing changed")


@pytest.mark.req("WORLD-1")
def test_a_read_only_disk_refuses_and_can_be_read(tmp_path: Path) -> None:
    with disk(tmp_path, megabytes=6) as made:
        shelf, world = begin(made)
        staging = Staging(shelf.data)
        staging.begin("up-1")
        entry = shelf.to_trash(shelf.create(new_item_id("Sea"), {"world.json": b"{}"}).id)
        made.read_only()
        before = everything(made.root)
        for act in (
            lambda: save(world, "images/1.png", b"x"),
            lambda: shelf.create(new_item_id("Sea"), {"world.json": b"{}"}),
            lambda: shelf.to_trash(world.id),
            lambda: shelf.restore(entry),
            lambda: shelf.empty(entry),
            lambda: staging.write("up-1", "original", b"o"),
            lambda: staging.begin("up-2"),
            lambda: staging.discard("up-1"),
        ):
            with pytest.raises(DomainError) as told:
                act()
            assert (told.value.kind, told.value.code) == ("unavailable", "read-only")
        assert everything(made.root) == before
        assert world.read_all()["lore/fog.json"] == b"f" * 5000
        assert [item.entry_id for item in shelf.trashed()] == [entry]
        assert shelf.ids() == [world.id]
