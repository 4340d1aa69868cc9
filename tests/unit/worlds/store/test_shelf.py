import errno
import threading
import time
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest

from formats.errors import DomainError
from tests.support.faults import broken
from worlds.store.folder import ItemFolder
from worlds.store.paths import DataFolder, new_item_id
from worlds.store.shelf import Shelf

NOW = datetime(2026, 11, 30, 10, 11, 12, tzinfo=UTC)


def test_a_new_item_is_complete_when_it_appears(shelf: Shelf) -> None:
    item_id = new_item_id("雾港")
    files = {"world.json": b"{}", "characters/莉娜.json": b"x", ".import/state.json": b"{}"}
    folder = shelf.create(item_id, files)
    assert folder.read_all(hidden=True) == files
    assert shelf.ids() == [item_id]
    assert shelf.folder(item_id) == folder
    assert folder.id == item_id


@pytest.mark.req("WORLD-1")
@pytest.mark.parametrize("error", [0, errno.ENOSPC, errno.EIO])
def test_killed_or_failing_at_every_call_an_item_is_there_whole_or_not_at_all(
    shelf: Shelf, error: int
) -> None:
    files = {"world.json": b"{}", "lore/fog.json": b"x"}
    for at in count(1):
        item_id = new_item_id("Fog")
        told = False
        with broken(at=at, crash=not error, error=error) as fault:
            try:
                shelf.create(item_id, files)
            except DomainError as refused:
                told = refused.kind == ("full" if error == errno.ENOSPC else "unavailable")
        if item_id in shelf.ids():
            assert shelf.folder(item_id).read_all() == files
        else:
            assert told or not error
        if not fault.hit:
            assert item_id in shelf.ids()
            break
    in_two_days = datetime.now(UTC) + timedelta(days=2)
    shelf.sweep(in_two_days)
    assert {path.name for path in shelf.path.iterdir()} <= {*shelf.ids(), ".locks"}


def test_an_id_is_given_once(shelf: Shelf, world: ItemFolder) -> None:
    before = world.read_all()
    with pytest.raises(DomainError) as refused:
        shelf.create(world.id, {"world.json": b"other"})
    assert refused.value.kind == "conflict"
    assert world.read_all() == before
    assert [path.name for path in shelf.path.iterdir() if path.name.startswith(".new")] == []


@pytest.mark.req("CARD-10")
@pytest.mark.parametrize("path", ["../x", ".trash/x", "a//b", ""])
def test_a_new_item_takes_no_bad_path(shelf: Shelf, path: str) -> None:
    with pytest.raises(DomainError):
        shelf.create(new_item_id("Fog"), {path: b"x"})
    assert not shelf.path.exists()


@pytest.mark.parametrize("item_id", ["", "..", "../../ben/worlds/x", ".locks", "fog"])
def test_what_is_no_id_is_not_found(shelf: Shelf, item_id: str) -> None:
    for call in (shelf.folder, shelf.to_trash):
        with pytest.raises(DomainError) as refused:
            call(item_id)
        assert refused.value.kind == "not-found"


def test_the_trash_keeps_everything_and_gives_it_back(shelf: Shelf, world: ItemFolder) -> None:
    before = world.read_all(hidden=True)
    entry_id = shelf.to_trash(world.id, now=NOW)
    assert shelf.ids() == []
    [entry] = shelf.trashed()
    assert (entry.entry_id, entry.item_id, entry.name) == (entry_id, world.id, "Fog Harbour")
    assert (entry.at, entry.origin) == (NOW, f"worlds/{world.id}")
    assert shelf.trash_path.parent.name == ".trash"
    assert shelf.restore(entry_id).read_all(hidden=True) == before
    assert shelf.trashed() == []
    for call in (shelf.restore, shelf.empty):
        with pytest.raises(DomainError) as refused:
            call(entry_id)
        assert refused.value.code == "not-in-trash"


def test_restoring_never_overwrites(shelf: Shelf, world: ItemFolder) -> None:
    entry_id = shelf.to_trash(world.id)
    shelf.create(world.id, {"world.json": b"newer"})
    with pytest.raises(DomainError) as refused:
        shelf.restore(entry_id)
    assert refused.value.kind == "conflict"
    assert world.read("world.json") == b"newer"
    assert [entry.entry_id for entry in shelf.trashed()] == [entry_id]


def test_one_id_trashed_twice_in_one_moment(shelf: Shelf, world: ItemFolder) -> None:
    first = shelf.to_trash(world.id, now=NOW)
    shelf.create(world.id, {"world.json": b'{"name": "Second"}'})
    second = shelf.to_trash(world.id, now=NOW)
    assert first != second
    assert [entry.name for entry in shelf.trashed()] == ["Second", "Fog Harbour"]


@pytest.mark.parametrize("content", [None, b"", b"\0\0", b"[]", b'{"name": 7}', b"[" * 99_999])
def test_a_damaged_item_is_listed_in_the_trash_without_a_name(
    shelf: Shelf, world: ItemFolder, content: bytes | None
) -> None:
    (world.path / "world.json").unlink()
    if content is not None:
        (world.path / "world.json").write_bytes(content)
    shelf.to_trash(world.id)
    assert [entry.name for entry in shelf.trashed()] == [None]


def test_emptying_removes_one_entry_for_good(shelf: Shelf, world: ItemFolder) -> None:
    other = shelf.create(new_item_id("Sea"), {"world.json": b"{}"})
    shelf.empty(shelf.to_trash(world.id))
    kept = shelf.to_trash(other.id)
    assert [entry.entry_id for entry in shelf.trashed()] == [kept]
    assert [path.name for path in shelf.trash_path.iterdir()] == [kept]


@pytest.mark.req("WORLD-1", "DRAFT-6")
def test_killed_while_moving_to_the_trash_and_back_the_item_is_in_one_place(
    shelf: Shelf, world: ItemFolder
) -> None:
    before = world.read_all(hidden=True)
    for at in count(1):
        with broken(at=at, crash=True) as fault:
            shelf.restore(shelf.to_trash(world.id))
        places = len(shelf.ids()) + len(shelf.trashed())
        assert places == 1
        for entry in shelf.trashed():
            shelf.restore(entry.entry_id)
        assert world.read_all(hidden=True) == before
        if not fault.hit:
            break


def test_killed_while_emptying_nothing_half_can_be_restored(shelf: Shelf) -> None:
    for at in count(1):
        entry_id = shelf.to_trash(shelf.create(new_item_id("Fog"), {"world.json": b"{}", "a/b": b"x"}).id)
        with broken(at=at, crash=True) as fault:
            shelf.empty(entry_id)
        for entry in shelf.trashed():
            assert shelf.restore(entry.entry_id).read_all() == {"world.json": b"{}", "a/b": b"x"}
        shelf.sweep(datetime.now(UTC))
        assert not any(path.name.startswith(".") for path in shelf.trash_path.iterdir())
        if not fault.hit:
            break


def test_the_sweep_empties_what_is_old(shelf: Shelf) -> None:
    old = shelf.to_trash(shelf.create(new_item_id("Old"), {"world.json": b"{}"}).id, now=NOW)
    new = shelf.to_trash(
        shelf.create(new_item_id("New"), {"world.json": b"{}"}).id, now=NOW + timedelta(days=2)
    )
    assert shelf.sweep(NOW + timedelta(days=30)) == []
    assert shelf.sweep(NOW + timedelta(days=31)) == [old]
    assert [entry.entry_id for entry in shelf.trashed()] == [new]


def test_an_unfinished_commit_is_finished_before_the_item_is_trashed(shelf: Shelf, world: ItemFolder) -> None:
    with broken() as fault, world.change(by="ana", what="edit") as change:
        change.write("lore/fog.json", b"fog 2")
    with (
        broken(at=fault.calls.index("replace") + 2, crash=True),
        world.change(by="ana", what="edit") as change,
    ):
        change.write("lore/fog.json", b"fog 3")
    assert (world.path / ".commit.json").exists()
    restored = shelf.restore(shelf.to_trash(world.id))
    assert restored.read("lore/fog.json") == b"fog 3"
    assert not (world.path / ".commit.json").exists()


def test_emptying_while_restoring_does_one_of_both(shelf: Shelf) -> None:
    for _ in range(10):
        entry_id = shelf.to_trash(shelf.create(new_item_id("Fog"), {"world.json": b"{}"}).id)
        results: list[str] = []

        def run(call: str, entry: str = entry_id, told: list[str] = results) -> None:
            try:
                getattr(shelf, call)(entry)
                told.append(call)
            except DomainError as refused:
                told.append(refused.code)

        threads = [threading.Thread(target=run, args=(call,)) for call in ("empty", "restore")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(results) in (["empty", "not-in-trash"], ["not-in-trash", "restore"])
        assert len(shelf.ids()) == results.count("restore")
        for item_id in shelf.ids():
            shelf.to_trash(item_id)


def test_ten_thousand_items_are_listed_without_reading_them(shelf: Shelf) -> None:
    shelf.path.mkdir(parents=True)
    wanted = sorted(new_item_id(f"World {number}") for number in range(10_000))
    for item_id in wanted:
        (shelf.path / item_id).mkdir()
    (shelf.path / "not-an-item").mkdir()
    (shelf.path / wanted[0] / "world.json").write_bytes(b"\0")
    (shelf.path / f"{wanted[0][:-1]}7").write_bytes(b"a file, not a folder")
    started = time.perf_counter()
    assert shelf.ids() == wanted
    assert time.perf_counter() - started < 2


def test_an_empty_shelf_has_nothing(data: DataFolder) -> None:
    shelf = Shelf(data, "ben", "presets")
    assert shelf.ids() == []
    assert shelf.trashed() == []
    assert shelf.sweep(NOW) == []
    assert not data.root.exists()


def test_the_folders_are_private(shelf: Shelf, world: ItemFolder) -> None:
    assert shelf.path.stat().st_mode & 0o777 == 0o700
    assert (world.path / "world.json").stat().st_mode & 0o777 == 0o600
