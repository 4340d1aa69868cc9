import asyncio
import errno
import os
import threading
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from formats.errors import DomainError
from tests.support.faults import broken
from worlds.store.etags import ABSENT, ANY, digest_of
from worlds.store.folder import ItemFolder
from worlds.store.locks import held
from worlds.store.shelf import Shelf


def write(world: ItemFolder, path: str, data: bytes, if_match: str = ANY, by: str = "ana") -> str:
    with world.change(by=by, what="edit") as change:
        return change.write(path, data, if_match)


def test_a_change_is_seen_kept_and_told(world: ItemFolder) -> None:
    with world.change(by="ana", what="edit", note="Lina is older now") as change:
        change.write("characters/lina.json", b"lina 2")
        change.write("characters/莉娜.json", b"new")
        change.remove("lore/fog.json")
    assert world.read("characters/lina.json") == b"lina 2"
    assert not world.has("lore/fog.json")
    [record] = world.history()
    assert (record.id, record.by, record.what, record.note) == (change.id, "ana", "edit", "Lina is older now")
    assert datetime.fromisoformat(record.at) <= datetime.now(UTC)
    assert record.files["characters/lina.json"].before == digest_of(b"lina 1")
    assert record.files["characters/莉娜.json"].before is None
    assert record.files["lore/fog.json"].after is None
    assert world.former(change.id, "characters/lina.json") == b"lina 1"
    assert world.former(change.id, "lore/fog.json") == b"fog 1"


@pytest.mark.req("WORLD-1")
def test_an_exception_in_the_block_changes_nothing(world: ItemFolder) -> None:
    before = world.read_all(hidden=True)

    def fail() -> None:
        with world.change(by="ana", what="edit") as change:
            change.write("characters/lina.json", b"lina 2")
            change.remove("lore/fog.json")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert world.read_all(hidden=True) == before
    assert world.history() == []
    assert not (world.path / ".pending").exists()


def test_the_block_reads_what_it_staged(world: ItemFolder) -> None:
    with world.change(by="ana", what="edit") as change:
        etag = change.write("characters/lina.json", b'{"age": 2}')
        change.write("characters/lina.json", b'{"age": 3}', if_match=etag)
        change.remove("lore/fog.json")
        change.write_json("lore/sea.json", {"title": "海"})
        assert change.read_json("characters/lina.json") == {"age": 3}
        assert change.read_json("lore/sea.json") == {"title": "海"}
        assert change.read("world.json") == world.read("world.json")
        assert change.paths() == ["characters/lina.json", "lore/sea.json", "world.json"]
        assert change.paths("lore") == ["lore/sea.json"]
        assert not change.has("lore/fog.json")
        assert change.has("lore/sea.json")
        assert change.etag("lore/fog.json") == ABSENT
        assert world.paths("lore") == ["lore/fog.json"], "others see nothing of it yet"
        for gone in ("lore/fog.json", "lore/never.json"):
            with pytest.raises(DomainError) as refused:
                change.read(gone)
            assert refused.value.kind == "not-found"
            with pytest.raises(DomainError):
                change.remove(gone)
    assert world.read("lore/sea.json").decode() == '{\n  "title": "海"\n}\n'


def test_what_is_made_and_removed_in_one_block_leaves_no_trace(world: ItemFolder) -> None:
    with world.change(by="ana", what="edit") as change:
        change.write("lore/sea.json", b"x")
        change.remove("lore/sea.json")
        change.remove("lore/fog.json")
        change.write("lore/fog.json", b"fog 1")
    assert world.history() == []
    assert world.paths("lore") == ["lore/fog.json"]


def test_a_change_is_used_inside_its_block_only(world: ItemFolder) -> None:
    with world.change(by="ana", what="edit") as change:
        pass
    with pytest.raises(RuntimeError):
        change.write("lore/fog.json", b"x")


def test_a_stale_condition_is_refused_with_the_current_etag(world: ItemFolder) -> None:
    stale = world.etag("characters/lina.json")
    current = write(world, "characters/lina.json", b"lina 2", if_match=stale)
    assert current == world.etag("characters/lina.json") == f'"{digest_of(b"lina 2")}"'
    for condition in (stale, ABSENT):
        with pytest.raises(DomainError) as refused:
            write(world, "characters/lina.json", b"lina 3", if_match=condition)
        assert refused.value.kind == "precondition"
        assert refused.value.values["etag"] == current
    assert world.read("characters/lina.json") == b"lina 2"
    assert len(world.history()) == 1


def test_a_new_file_may_ask_that_there_is_none(world: ItemFolder) -> None:
    assert world.etag("lore/sea.json") == ABSENT
    write(world, "lore/sea.json", b"sea 1", if_match=ABSENT)
    with pytest.raises(DomainError):
        write(world, "lore/sea.json", b"sea 2", if_match=ABSENT)


@pytest.mark.parametrize("condition", ["", "*", 'W/"x"', "abc", f'"{"0" * 63}"', f'"{"0" * 64}", "x"'])
def test_a_condition_is_one_strong_etag(world: ItemFolder, condition: str) -> None:
    with pytest.raises(DomainError) as refused:
        write(world, "world.json", b"x", if_match=condition)
    assert refused.value.kind == "invalid"


def test_a_write_tried_again_is_acknowledged_and_makes_no_version(world: ItemFolder) -> None:
    stale = world.etag("characters/lina.json")
    first = write(world, "characters/lina.json", b"lina 2", if_match=stale)
    assert write(world, "characters/lina.json", b"lina 2", if_match=stale) == first
    assert write(world, "characters/lina.json", b"lina 2", if_match=ABSENT) == first
    assert len(world.history()) == 1


def test_a_removal_with_a_stale_condition_is_refused(world: ItemFolder) -> None:
    stale = world.etag("lore/fog.json")
    write(world, "lore/fog.json", b"fog 2")
    with pytest.raises(DomainError) as refused, world.change(by="ana", what="edit") as change:
        change.remove("lore/fog.json", if_match=stale)
    assert refused.value.kind == "precondition"
    assert world.read("lore/fog.json") == b"fog 2"


def test_one_of_fifty_writers_with_one_etag_wins(world: ItemFolder) -> None:
    etag = world.etag("characters/lina.json")
    won, refused = [], []

    def save(number: int) -> None:
        try:
            write(world, "characters/lina.json", f"lina by {number}".encode(), if_match=etag)
            won.append(number)
        except DomainError as error:
            refused.append(error.kind)

    threads = [threading.Thread(target=save, args=(number,)) for number in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(won) == 1
    assert refused == ["precondition"] * 49
    assert world.read("characters/lina.json") == f"lina by {won[0]}".encode()


def test_an_edit_made_outside_is_a_conflict_not_overwritten(world: ItemFolder) -> None:
    etag = world.etag("characters/lina.json")
    (world.path / "characters/lina.json").write_bytes(b"typed by hand")
    assert world.etag("characters/lina.json") != etag
    with pytest.raises(DomainError):
        write(world, "characters/lina.json", b"lina 2", if_match=etag)
    assert world.read("characters/lina.json") == b"typed by hand"


def test_an_edit_made_outside_during_the_block_is_noticed(world: ItemFolder) -> None:
    etag = world.etag("characters/lina.json")

    def save() -> None:
        with world.change(by="ana", what="edit") as change:
            change.write("world.json", b"x")
            change.write("characters/lina.json", b"lina 2", if_match=etag)
            (world.path / "characters/lina.json").write_bytes(b"typed by hand")

    with pytest.raises(DomainError) as refused:
        save()
    assert refused.value.kind == "precondition"
    assert world.read("characters/lina.json") == b"typed by hand"
    assert world.read("world.json") != b"x"


def test_without_a_condition_an_outside_edit_is_replaced_but_kept(world: ItemFolder) -> None:
    with world.change(by="ana", what="edit") as change:
        change.write("characters/lina.json", b"lina 2")
        (world.path / "characters/lina.json").unlink()
        (world.path / "characters/lina.json").write_bytes(b"typed by hand")
    assert world.former(change.id, "characters/lina.json") == b"typed by hand"


@pytest.mark.req("CARD-10")
@pytest.mark.parametrize("path", ["../x", ".trash/x", "a/../../x", "/x", "", "a\\b"])
def test_bad_paths_are_refused_everywhere(world: ItemFolder, path: str) -> None:
    with pytest.raises(DomainError):
        write(world, path, b"x")
    with pytest.raises(DomainError):
        world.read(path)
    assert not world.has(path)


def test_a_link_is_never_followed(world: ItemFolder, tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "key.json").write_bytes(b"secret")
    (world.path / "items").symlink_to(tmp_path / "secret")
    (world.path / "lore" / "key.json").symlink_to(tmp_path / "secret" / "key.json")
    for path in ("items/key.json", "lore/key.json"):
        with pytest.raises(DomainError) as refused:
            world.read(path)
        assert refused.value.code == "link-in-path"
        with pytest.raises(DomainError):
            write(world, path, b"x")
        assert not world.has(path)
    assert "items/key.json" not in world.paths()
    assert (tmp_path / "secret" / "key.json").read_bytes() == b"secret"


@pytest.mark.parametrize("path", ["characters", "characters/lina.json/x"])
def test_a_file_cannot_take_the_place_of_a_folder(world: ItemFolder, path: str) -> None:
    with pytest.raises(DomainError) as refused:
        write(world, path, b"x")
    assert refused.value.kind in ("conflict", "not-found")
    assert world.read("characters/lina.json") == b"lina 1"
    assert world.history() == []


def test_a_file_and_a_folder_of_one_name_in_one_change(world: ItemFolder) -> None:
    def save() -> None:
        with world.change(by="ana", what="edit") as change:
            change.write("items", b"file")
            change.write("items/key.json", b"x")

    with pytest.raises(DomainError):
        save()
    assert world.history() == []
    assert write(world, "items/key.json", b"x")


def test_a_write_that_failed_is_never_left_out_in_silence(world: ItemFolder) -> None:
    """Code that catches the refusal inside its block must not get half of what it asked for."""

    def save() -> None:
        with world.change(by="ana", what="edit") as change:
            change.write("world.json", b"x")
            with broken(at=1, error=errno.ENOSPC), suppress(DomainError):
                change.write("lore/fog.json", b"fog 2")

    with pytest.raises(DomainError) as refused:
        save()
    assert refused.value.kind == "full"
    assert world.read("lore/fog.json") == b"fog 1"
    assert world.read("world.json") != b"x"
    assert world.history() == []


def test_a_large_file_is_read_in_parts(world: ItemFolder) -> None:
    write(world, "images/cover.png", b"x" * 1000)
    with world.open("images/cover.png") as file:
        assert file.read(10) == b"x" * 10
        write(world, "images/cover.png", b"y" * 1000)
        assert file.read() == b"x" * 990
    with pytest.raises(DomainError):
        world.open("images/none.png")


def test_history_is_newest_first_and_versions_come_back(world: ItemFolder) -> None:
    for number in (2, 3, 4):
        write(world, "lore/fog.json", f"fog {number}".encode(), by="ben")
    newest, middle, oldest = world.history()
    assert [world.former(r.id, "lore/fog.json") for r in (newest, middle, oldest)] == [
        b"fog 3",
        b"fog 2",
        b"fog 1",
    ]
    assert world.history(limit=1) == [newest]
    restored = world.restore(oldest.id, "lore/fog.json", by="ana")
    assert world.read("lore/fog.json") == b"fog 1"
    assert world.former(restored, "lore/fog.json") == b"fog 4"
    first = world.history()[0]
    assert (first.what, first.note, first.by) == ("restore", oldest.id, "ana")


def test_a_whole_change_is_taken_back(world: ItemFolder) -> None:
    before = world.read_all()
    with world.change(by="ana", what="edit") as change:
        change.write("world.json", b"x")
        change.write("lore/sea.json", b"x")
        change.remove("lore/fog.json")
    after = world.read_all()
    undone = world.restore(change.id, by="ana")
    assert world.read_all() == before
    world.restore(undone, by="ana")
    assert world.read_all() == after


@pytest.mark.parametrize("change_id", ["", "..", "20261130T101112000000Z-0123abcd", "../../x"])
def test_an_unknown_version_is_said(world: ItemFolder, change_id: str) -> None:
    with pytest.raises(DomainError) as refused:
        world.former(change_id, "world.json")
    assert refused.value.kind == "not-found"
    with pytest.raises(DomainError):
        world.restore(change_id, "world.json", by="ana")


def test_a_file_that_was_not_there_has_no_former_version(world: ItemFolder) -> None:
    write(world, "lore/sea.json", b"x")
    with pytest.raises(DomainError) as refused:
        world.former(world.history()[0].id, "lore/sea.json")
    assert refused.value.kind == "not-found"


def test_old_history_is_forgotten_by_age(world: ItemFolder) -> None:
    write(world, "lore/fog.json", b"fog 2")
    assert world.forget_history(datetime.now(UTC) - timedelta(days=30)) == 0
    write(world, "lore/fog.json", b"fog 3")
    cutoff = datetime.fromisoformat(world.history()[0].at)
    assert world.forget_history(cutoff) == 1
    assert [r.at for r in world.history()] == [cutoff.isoformat()]
    assert world.read("lore/fog.json") == b"fog 3"


@pytest.mark.parametrize("content", [b"", b"\0" * 50, b'{"name": "Fo', b"[" * 100_000, b"\xff\xfe"])
def test_damaged_files_are_told_not_crashed_on(world: ItemFolder, content: bytes) -> None:
    (world.path / "world.json").write_bytes(content)
    with pytest.raises(DomainError) as refused:
        world.read_json("world.json")
    assert (refused.value.kind, refused.value.code) == ("invalid", "not-json")
    assert world.read("world.json") == content


def test_an_empty_or_missing_folder_is_told(world: ItemFolder, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    empty = ItemFolder(tmp_path / "empty", tmp_path / "empty.lock")
    assert empty.paths(hidden=True) == []
    assert empty.history() == []
    assert empty.manifest().files == ()
    with pytest.raises(DomainError) as refused:
        empty.read("world.json")
    assert refused.value.code == "no-such-file"
    gone = ItemFolder(tmp_path / "gone", tmp_path / "gone.lock")
    assert not gone.exists()
    assert gone.paths() == []
    with pytest.raises(DomainError) as refused:
        gone.read("world.json")
    assert refused.value.code == "no-such-item"
    with pytest.raises(DomainError), gone.change(by="ana", what="edit") as change:
        change.write("world.json", b"x")
    assert not gone.exists()


def test_an_item_trashed_while_we_waited_for_the_lock_is_not_written(shelf: Shelf, world: ItemFolder) -> None:
    shelf.to_trash(world.id)
    with pytest.raises(DomainError) as refused:
        write(world, "world.json", b"x")
    assert refused.value.code == "no-such-item"
    assert not world.exists()
    assert world.lock_file.exists(), "the lock file stays, so that everyone locks the same one"


def test_leftover_temporary_files_are_no_documents_and_are_swept_when_old(world: ItemFolder) -> None:
    left = world.path / "characters" / ".lina.json.123.0123456789abcdef.tmp"
    left.write_bytes(b"half")
    assert world.paths("characters") == ["characters/lina.json"]
    assert world.foreign_files() == []
    write(world, "lore/fog.json", b"fog 2")
    assert left.exists()
    os.utime(left, (0, 0))
    write(world, "lore/fog.json", b"fog 3")
    assert not left.exists()


@pytest.mark.req("WORLD-3")
def test_dot_folders_are_in_nothing_published(world: ItemFolder) -> None:
    (world.path / ".checks").mkdir()
    (world.path / ".checks" / "results.json").write_bytes(b"{}")
    write(world, "lore/fog.json", b"fog 2")
    public = ["characters/lina.json", "lore/fog.json", "world.json"]
    assert world.published_paths() == public
    assert sorted(world.read_all()) == public
    assert [file.path for file in world.manifest().files] == public
    assert [file.path for file in world.manifest(records=True).files] == [".import/state.json", *public]
    assert world.paths(hidden=True) == [".checks/results.json", ".import/state.json", *public]
    assert world.paths(".import") == [".import/state.json"]


def test_records_are_written_without_history(world: ItemFolder) -> None:
    with world.change(by="job", what="import", history=False) as change:
        change.write(".import/state.json", b'{"stage": "ready"}')
    assert world.read_json(".import/state.json") == {"stage": "ready"}
    assert world.history() == []
    with (
        pytest.raises(ValueError, match="dot folders"),
        world.change(by="j", what="i", history=False) as change,
    ):
        change.write("world.json", b"x")
    with world.change(by="job", what="import", history=False) as change:
        change.remove(".import/state.json")
    assert not world.has(".import/state.json")


@pytest.mark.req("WORLD-2")
def test_reading_and_writing_again_under_the_lock_loses_no_field(world: ItemFolder) -> None:
    def add(name: str) -> None:
        with world.change(by="ana", what="edit") as change:
            value = change.read_json("world.json")
            change.write_json("world.json", {**value, name: name})

    threads = [threading.Thread(target=add, args=(f"field-{number}",)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(world.read_json("world.json")) == 21


async def test_async_code_waits_for_the_lock_without_blocking(world: ItemFolder) -> None:
    ticks, done = 0, False
    taken, release = threading.Event(), threading.Event()

    def hold() -> None:
        with held(world.lock_file, by="ben"):
            taken.set()
            release.wait(10)

    async def tick() -> None:
        nonlocal ticks
        while not done:
            ticks += 1
            if ticks == 20:
                release.set()
            await asyncio.sleep(0)

    holder = threading.Thread(target=hold)
    holder.start()
    await asyncio.to_thread(taken.wait)
    ticking = asyncio.create_task(tick())
    etag = await world.change_soon(lambda c: c.write("lore/fog.json", b"fog 2"), by="ana", what="edit")
    done = True
    await ticking
    holder.join()
    assert ticks >= 20
    assert etag == world.etag("lore/fog.json")


def test_reading_several_files_sees_one_moment(world: ItemFolder) -> None:
    write(world, "lore/sea.json", b"0")
    write(world, "lore/fog.json", b"0")
    reads: list[bytes] = []

    def read() -> tuple[bytes, bytes]:
        first = world.read("lore/fog.json")
        if not reads:  # a change is applied between the two reads of the first try
            with world.change(by="ben", what="edit") as change:
                change.write("lore/fog.json", b"1")
                change.write("lore/sea.json", b"1")
        reads.append(first)
        return first, world.read("lore/sea.json")

    assert world.consistently(read) == (b"1", b"1")
    assert reads == [b"0", b"1"]
