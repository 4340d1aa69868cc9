import errno
import os
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import count
from pathlib import Path

import pytest

from formats.errors import DomainError
from tests.support.faults import broken
from worlds.store.folder import ItemFolder
from worlds.store.paths import DataFolder
from worlds.store.staging import Staging


@pytest.fixture
def staging(data: DataFolder) -> Staging:
    return Staging(data)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def receive(staging: Staging, upload_id: str, chunks: Iterable[bytes], limit: int = 100) -> None:
    with staging.receive(upload_id, "original", limit) as receiving:
        for chunk in chunks:
            receiving.write(chunk)


def test_an_upload_arrives_in_chunks_and_is_counted(staging: Staging) -> None:
    folder = staging.begin("up-1")
    with staging.receive("up-1", "original", limit=6) as receiving:
        receiving.write(b"abc")
        assert not (folder / "original").exists(), "nobody reads half an upload"
        receiving.write(b"def")
        assert (receiving.size, receiving.sha256) == (6, sha256(b"abcdef").hexdigest())
    assert (folder / "original").read_bytes() == b"abcdef"
    assert staging.ids() == ["up-1"]
    assert staging.folder("up-1") == folder


def test_an_upload_beyond_the_limit_is_refused_at_once_and_leaves_nothing(staging: Staging) -> None:
    folder = staging.begin("up-1")
    written = []

    def chunks() -> Iterator[bytes]:
        for size in (60, 41, 5):
            yield b"x" * size
            written.append(size)

    with pytest.raises(DomainError) as refused:
        receive(staging, "up-1", chunks())
    assert (refused.value.kind, refused.value.values["limit"]) == ("too-large", 100)
    assert written == [60]
    assert names(folder) == []
    receive(staging, "up-1", [b"x" * 100])
    assert names(folder) == ["original"]


def test_a_cut_off_upload_leaves_the_earlier_file(staging: Staging) -> None:
    folder = staging.begin("up-1")
    receive(staging, "up-1", [b"first"])

    def chunks() -> Iterator[bytes]:
        yield b"sec"
        raise ConnectionError

    with pytest.raises(ConnectionError):
        receive(staging, "up-1", chunks())
    assert names(folder) == ["original"]
    assert (folder / "original").read_bytes() == b"first"


@pytest.mark.req("WORLD-1")
@pytest.mark.parametrize("error", [0, errno.ENOSPC, errno.EIO])
def test_killed_or_failing_at_every_call_an_upload_is_old_or_new(staging: Staging, error: int) -> None:
    folder = staging.begin("up-1")
    for at in count(1):
        receive(staging, "up-1", [b"old"])
        told = False
        with broken(at=at, crash=not error, error=error) as fault:
            try:
                receive(staging, "up-1", [b"new", b"est"])
            except DomainError as refused:
                told = refused.kind == ("full" if error == errno.ENOSPC else "unavailable")
        assert (folder / "original").read_bytes() in (
            (b"old", b"newest") if told or not error else (b"newest",)
        )
        staging.sweep(datetime.now(UTC) + timedelta(hours=1))
        assert names(folder) == ["original"]
        if not fault.hit:
            break


def test_small_files_of_an_upload_are_written_atomically(staging: Staging) -> None:
    folder = staging.begin("up-1")
    staging.write("up-1", "choices.json", b"{}")
    staging.write("up-1", "assets/0.png", b"x")
    assert names(folder) == ["assets", "choices.json"]
    for bad in ("../x", "/x", ".hidden"):
        with pytest.raises(DomainError):
            staging.write("up-1", bad, b"x")
        with pytest.raises(DomainError), staging.receive("up-1", bad, 10):
            pass


def test_ids_are_used_once_and_checked(staging: Staging) -> None:
    staging.begin("up-1")
    with pytest.raises(DomainError) as refused:
        staging.begin("up-1")
    assert refused.value.kind == "conflict"
    for bad in ("..", "a/b", ""):
        with pytest.raises(DomainError):
            staging.begin(bad)
    with pytest.raises(DomainError) as refused:
        staging.folder("up-2")
    assert refused.value.kind == "not-found"


def test_seven_days_after_the_last_touch_an_upload_goes(staging: Staging) -> None:
    now = datetime(2026, 11, 30, tzinfo=UTC)
    for upload_id, days in (("old", 8), ("edge", 7), ("new", 0)):
        folder = staging.begin(upload_id)
        receive(staging, upload_id, [b"x"])
        moment = (now - timedelta(days=days)).timestamp()
        for path in (folder / "original", folder):
            os.utime(path, (moment, moment))
    assert staging.touched("edge") == now - timedelta(days=7)
    assert staging.sweep(now) == ["old"]
    assert staging.ids() == ["edge", "new"]
    os.utime(staging.folder("edge") / "original", (now.timestamp(), now.timestamp()))
    assert staging.sweep(now + timedelta(days=1)) == []


def test_an_upload_becomes_the_records_of_a_world(staging: Staging, world: ItemFolder) -> None:
    (world.path / ".import/state.json").unlink()
    (world.path / ".import").rmdir()
    folder = staging.begin("up-1")
    receive(staging, "up-1", [b"card"])
    inode = (folder / "original").stat().st_ino
    staging.move_into("up-1", world)
    assert world.read(".import/original") == b"card"
    assert (world.path / ".import/original").stat().st_ino == inode, "moved, not copied"
    assert staging.ids() == []
    staging.move_into("up-1", world)
    assert world.read(".import/original") == b"card"


def test_the_records_of_another_import_are_not_overwritten(staging: Staging, world: ItemFolder) -> None:
    staging.begin("up-1")
    receive(staging, "up-1", [b"card"])
    with pytest.raises(DomainError) as refused:
        staging.move_into("up-1", world)
    assert refused.value.kind == "conflict"
    assert world.read_all(".import") == {".import/state.json": b"{}"}
    assert names(staging.folder("up-1")) == ["original"]


@pytest.mark.req("DRAFT-6")
def test_killed_while_moving_an_upload_it_is_in_one_place(staging: Staging, world: ItemFolder) -> None:
    for at in count(1):
        if (world.path / ".import").exists():
            (world.path / ".import").rename(world.path.parent / f"gone-{at}")
        upload_id = f"up-{at}"
        staging.begin(upload_id)
        receive(staging, upload_id, [b"card"])
        with broken(at=at, crash=True) as fault:
            staging.move_into(upload_id, world)
        staging.move_into(upload_id, world)
        assert world.read(".import/original") == b"card"
        if not fault.hit:
            break


def test_discarding_is_final_and_may_be_said_twice(staging: Staging, data: DataFolder) -> None:
    for at in count(1):
        staging.begin(f"up-{at}")
        receive(staging, f"up-{at}", [b"x"])
        with broken(at=at, crash=True) as fault:
            staging.discard(f"up-{at}")
        staging.discard(f"up-{at}")
        assert staging.ids() == []
        staging.sweep(datetime.now(UTC))
        assert names(data.staging_root) == []
        if not fault.hit:
            break
