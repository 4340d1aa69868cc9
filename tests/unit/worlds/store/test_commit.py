"""A change of many files is all old or all new, wherever its process ends and however often recovery does."""

import errno
import json
import os
import shutil
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from formats.errors import DomainError
from tests.support.faults import Fault, broken
from worlds.store import commit
from worlds.store.etags import digest_of
from worlds.store.folder import ItemFolder
from worlds.store.record import ChangeRecord

OLD = {"world.json": b"w1", "lore/fog.json": b"f1"}
NEW = {"world.json": b"w2", ".import/key.json": b"k2"}
ERRORS = [errno.ENOSPC, errno.EIO, errno.EINTR, errno.EACCES, errno.EROFS]
OWN = {"world.json", "lore", ".import", ".trash"}


@pytest.fixture
def item(tmp_path: Path) -> Callable[[], ItemFolder]:
    def fresh() -> ItemFolder:
        path = tmp_path / "item"
        shutil.rmtree(path, ignore_errors=True)
        for name, data in OLD.items():
            (path / name).parent.mkdir(parents=True, exist_ok=True)
            (path / name).write_bytes(data)
        return ItemFolder(path, tmp_path / "locks" / "item.lock")

    return fresh


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def change(item: ItemFolder) -> None:
    with item.change(by="ana", what="import") as block:
        block.remove("lore/fog.json")
        for path, data in NEW.items():
            block.write(path, data)


def content(item: ItemFolder) -> dict[str, bytes]:
    return {path: item.read(path) for path in item.paths(hidden=True)}


def check_whole(item: ItemFolder) -> str:
    """All old with no history, or all new with the former bytes kept; nothing left lying about."""
    found = content(item)
    for left in item.path.rglob(".*.tmp"):
        os.utime(left, (0, 0))
    item.settle()
    assert content(item) == found
    assert set(names(item.path)) <= OWN
    if found == OLD:
        assert item.history() == []
        assert not (item.path / ".trash").exists()
        return "old"
    assert found == NEW
    [record] = item.history()
    for path, data in OLD.items():
        assert item.former(record.id, path) == data
    assert record.files["world.json"].before == digest_of(b"w1")
    assert record.files["lore/fog.json"].after is None
    assert names(item.path / ".trash" / record.id) == ["change.json", "files"]
    return "new"


@pytest.mark.req("WORLD-1", "DRAFT-6")
def test_killed_at_every_call_a_change_is_all_old_or_all_new(item: Callable[[], ItemFolder]) -> None:
    seen = []
    for at in count(1):
        world = item()
        with broken(crash=True, at=at) as fault:
            change(world)
        seen.append(check_whole(world))
        if not fault.hit:
            break
    assert seen == sorted(seen, reverse=True), "after the commit it never goes back"
    assert seen.count("old") > 20
    assert seen.count("new") > 10


@pytest.mark.req("WORLD-1")
def test_recovery_killed_at_every_call_goes_on_until_it_is_done(item: Callable[[], ItemFolder]) -> None:
    states = 0
    for state in killed_after_commit(item):
        states += 1
        saved = shutil.copytree(state.path, state.path.with_name("saved"), dirs_exist_ok=True)
        for again in count(1):
            world = item()
            shutil.rmtree(world.path)
            shutil.copytree(saved, world.path)
            with broken(crash=True, at=again) as fault:
                world.settle()
            assert check_whole(world) == "new"
            if not fault.hit:
                break
        shutil.rmtree(saved)
    assert states > 10


@pytest.mark.req("WORLD-1")
def test_recovery_may_be_killed_fifty_times(item: Callable[[], ItemFolder]) -> None:
    world = next(killed_after_commit(item))
    for kill in range(50):
        with broken(crash=True, at=1 + kill % 12):
            world.settle()
    assert check_whole(world) == "new"


def killed_after_commit(item: Callable[[], ItemFolder]) -> Iterator[ItemFolder]:
    """The item in every state in which a change has happened and is not finished."""
    at = 0
    hit = True
    while hit:
        at += 1
        world = item()
        with broken(crash=True, at=at) as fault:
            change(world)
        hit = fault.hit
        if commit.has_happened(world.path):
            yield world


@pytest.mark.req("WORLD-1")
def test_rolling_back_may_be_killed_too(item: Callable[[], ItemFolder]) -> None:
    for at in range(1, 30, 3):
        world = item()
        with broken(crash=True, at=at):
            change(world)
        for again in (1, 2, 3):
            with broken(crash=True, at=again):
                world.settle()
        check_whole(world)


@pytest.mark.req("WORLD-1")
@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("persistent", [False, True])
def test_failing_at_every_call_is_told_and_leaves_old_or_new(
    item: Callable[[], ItemFolder], error: int, persistent: bool
) -> None:
    for at in count(1):
        world = item()
        told: DomainError | None = None
        with broken(at=at, error=error, persistent=persistent) as fault:
            try:
                change(world)
            except DomainError as caught:
                told = caught
        state = check_whole(world)
        if not fault.hit:
            assert told is None
            break
        check_told(told, state, fault, error)


def check_told(told: DomainError | None, state: str, fault: Fault, error: int) -> None:
    if told is None:
        assert state == "new", "what is acknowledged is there"
        return
    assert state == ("new" if told.code == "will-be-finished" else "old"), (told.code, fault.calls)
    if told.code != "will-be-finished":
        assert told.kind == ("full" if error == errno.ENOSPC else "unavailable")
    assert str(told).endswith(".")


def test_short_writes_of_one_byte_change_nothing(item: Callable[[], ItemFolder]) -> None:
    world = item()
    with broken(short=True):
        change(world)
    assert check_whole(world) == "new"


def test_without_hard_links_bytes_are_copied(item: Callable[[], ItemFolder]) -> None:
    world = item()
    with broken(at=1, error=errno.ENOTSUP, persistent=True, only=("link",)):
        change(world)
    assert check_whole(world) == "new"


def test_a_file_edited_by_hand_between_crash_and_recovery_is_kept(item: Callable[[], ItemFolder]) -> None:
    world = next(killed_after_commit(item))
    (world.path / "world.json").unlink()
    (world.path / "world.json").write_bytes(b"typed by hand")
    (world.path / "lore/fog.json").write_bytes(b"typed into the same file")
    assert content(world) == NEW
    [record] = world.history()
    kept = world.path / ".trash" / record.id
    assert (kept / "outside" / digest_of(b"typed by hand")).read_bytes() == b"typed by hand"
    assert (kept / "files/lore/fog.json").read_bytes() == b"typed into the same file"


def test_a_folder_in_the_way_of_recovery_is_told_and_removing_it_lets_it_finish(
    item: Callable[[], ItemFolder],
) -> None:
    world = next(killed_after_commit(item))
    (world.path / "world.json").unlink()
    (world.path / "world.json").mkdir()
    with pytest.raises(DomainError) as refused:
        world.read("lore/fog.json")
    assert refused.value.code == "not-a-folder"
    (world.path / "world.json").rmdir()
    assert content(world) == NEW


@pytest.mark.parametrize(
    "record",
    [
        b"",
        b"\0" * 40,
        b'{"id": ',
        b"[]",
        b'{"files": {}}',
        b'{"id": "x", "at": "", "by": "", "what": "", "note": "", "files": {}}',
    ],
)
def test_a_damaged_commit_record_is_set_aside_and_the_item_opens(
    item: Callable[[], ItemFolder], record: bytes
) -> None:
    world = item()
    (world.path / ".commit.json").write_bytes(record)
    (world.path / ".pending").mkdir()
    (world.path / ".pending" / "0").write_bytes(b"unfinished")
    assert content(world) == OLD
    [aside] = (world.path / ".trash").iterdir()
    assert (aside / "unreadable-commit.json").read_bytes() == record
    assert (aside / "pending" / "0").read_bytes() == b"unfinished"
    assert world.history() == []


@pytest.mark.req("CARD-10")
@pytest.mark.parametrize("path", ["../outside", "/etc/x", ".trash/x", "a/../../x", ".commit.json"])
def test_a_foreign_commit_record_writes_nothing_outside(
    item: Callable[[], ItemFolder], tmp_path: Path, path: str
) -> None:
    world = item()
    files = {path: {"before": None, "after": digest_of(b"x")}}
    head = {"id": "20261130T101112000000Z-0123abcd", "at": "2026-11-30T10:11:12+00:00"}
    (world.path / ".commit.json").write_text(
        json.dumps({**head, "by": "x", "what": "x", "note": "", "files": files}), encoding="utf-8"
    )
    (world.path / ".pending").mkdir()
    (world.path / ".pending" / "0").write_bytes(b"x")
    assert content(world) == OLD
    assert names(tmp_path) == ["item", "locks"]


def test_a_commit_record_without_what_it_names_is_not_applied(item: Callable[[], ItemFolder]) -> None:
    world = next(killed_after_commit(item))
    shutil.rmtree(world.path / ".pending")
    assert content(world) == OLD


def test_two_changes_with_one_id_are_both_kept(item: Callable[[], ItemFolder]) -> None:
    world = next(killed_after_commit(item))
    record = ChangeRecord.from_bytes((world.path / ".commit.json").read_bytes())
    copied = world.path / ".trash" / record.id
    copied.mkdir(parents=True)
    (copied / "change.json").write_bytes(record.to_bytes())
    assert content(world) == NEW
    assert len(names(world.path / ".trash")) == 2


@pytest.mark.req("WORLD-1")
def test_records_without_history_are_all_or_nothing_too(item: Callable[[], ItemFolder]) -> None:
    old = {".import/a.json": b"1", ".import/b.json": b"1"}
    new = {".import/a.json": b"2", ".import/c.json": b"2"}
    for at in count(1):
        world = item()
        with world.change(by="ana", what="import") as block:
            for path, data in old.items():
                block.write(path, data)
        with broken(crash=True, at=at) as fault, world.change(by="a", what="i", history=False) as block:
            block.write(".import/a.json", b"2")
            block.remove(".import/b.json")
            block.write(".import/c.json", b"2")
        assert world.read_all(".import") in (old, new)
        world.settle()
        assert len(world.history()) == 1
        assert not (world.path / ".pending").exists()
        if not fault.hit:
            break


@pytest.mark.req("WORLD-1")
@pytest.mark.parametrize("error", [0, errno.EIO, errno.ENOSPC])
def test_one_record_alone_is_old_or_new(item: Callable[[], ItemFolder], error: int) -> None:
    for at in count(1):
        world = item()
        with world.change(by="ana", what="i", history=False) as block:
            block.write(".import/state.json", b"old")
        told = False
        with broken(crash=not error, error=error, at=at) as fault:
            try:
                with world.change(by="ana", what="i", history=False) as block:
                    block.write(".import/state.json", b"new")
            except DomainError:
                told = True
        assert world.read(".import/state.json") in ((b"old", b"new") if told or not error else (b"new",))
        if not fault.hit:
            break
