import errno
from itertools import count
from pathlib import Path

import pytest

from tests.support.faults import broken
from worlds.store import atomic

OLD, NEW = b"old" * 100, b"new" * 200


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.req("WORLD-1")
@pytest.mark.parametrize("size", [0, 1, 4095, 4096, 4097, 65_536, 5_000_000])
def test_a_written_file_has_its_bytes_and_leaves_nothing_beside_it(tmp_path: Path, size: int) -> None:
    target = tmp_path / "莉娜.json"
    for data in (b"x" * size, b"y" * size):
        atomic.atomic_write(target, data)
        assert target.read_bytes() == data
    assert names(tmp_path) == ["莉娜.json"]
    assert target.stat().st_mode & 0o777 == 0o600


@pytest.mark.req("WORLD-1")
def test_the_order_of_calls_is_the_one_that_survives_a_power_cut(tmp_path: Path) -> None:
    with broken() as fault:
        atomic.atomic_write(tmp_path / "a", NEW)
    assert fault.calls == ["open", "write", "fsync", "close", "replace", "open", "fsync", "close"]


@pytest.mark.req("WORLD-1")
def test_short_writes_are_gone_on_with(tmp_path: Path) -> None:
    with broken(short=True) as fault:
        atomic.atomic_write(tmp_path / "a", NEW)
    assert (tmp_path / "a").read_bytes() == NEW
    assert fault.calls.count("write") == len(NEW)


@pytest.mark.req("WORLD-1")
def test_killed_at_every_call_the_file_is_old_or_new(tmp_path: Path) -> None:
    target = tmp_path / "a"
    for at in count(1):
        atomic.atomic_write(target, OLD)
        with broken(crash=True, at=at) as fault:
            atomic.atomic_write(target, NEW)
        assert target.read_bytes() in (OLD, NEW)
        for left in tmp_path.glob(".*"):
            assert atomic.is_temporary(left.name)
        atomic.sweep_temporary(tmp_path, now=left_long_ago(tmp_path))
        assert names(tmp_path) == ["a"]
        if not fault.hit:
            assert at == 9
            break


def left_long_ago(folder: Path) -> float:
    return max(path.stat().st_mtime for path in folder.iterdir()) + atomic.STALE_SECONDS + 1


@pytest.mark.req("WORLD-1")
@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EIO, errno.EINTR, errno.EROFS, errno.EMFILE])
@pytest.mark.parametrize("existing", [True, False])
def test_failing_once_at_every_call_is_told_and_leaves_no_temporary_file(
    tmp_path: Path, error: int, existing: bool
) -> None:
    target = tmp_path / "a"
    for at in count(1):
        if existing:
            atomic.atomic_write(target, OLD)
        else:
            target.unlink(missing_ok=True)
        with broken(at=at, error=error) as fault:
            if at <= 8:
                with pytest.raises(OSError, match=r".*"):
                    atomic.atomic_write(target, NEW)
            else:
                atomic.atomic_write(target, NEW)
        found = target.read_bytes() if target.exists() else b""
        assert found in (OLD if existing else b"", NEW)
        if at <= 5:  # up to the rename nothing has changed
            assert found == (OLD if existing else b"")
        assert [name for name in names(tmp_path) if name != "a"] == []
        if not fault.hit:
            break


@pytest.mark.req("WORLD-1")
def test_a_failed_fsync_is_never_tried_again_on_the_same_file(tmp_path: Path) -> None:
    target = tmp_path / "a"
    atomic.atomic_write(target, OLD)
    with (
        broken(at=1, error=errno.EIO, only=("fsync",)) as fault,
        pytest.raises(OSError, match="Input/output"),
    ):
        atomic.atomic_write(target, NEW)
    assert fault.calls == ["fsync"]
    assert target.read_bytes() == OLD


def test_a_symbolic_link_at_the_target_is_replaced_not_followed(tmp_path: Path) -> None:
    (tmp_path / "outside").write_bytes(OLD)
    (tmp_path / "a").symlink_to(tmp_path / "outside")
    atomic.atomic_write(tmp_path / "a", NEW)
    assert (tmp_path / "outside").read_bytes() == OLD
    assert (tmp_path / "a").read_bytes() == NEW
    assert not (tmp_path / "a").is_symlink()


@pytest.mark.parametrize("name", ["a", "world.json", "莉" * 85, "x" * 255])
def test_temporary_names_fit_and_are_known_again(tmp_path: Path, name: str) -> None:
    temporary = atomic.temporary_beside(tmp_path / name)
    assert len(temporary.name.encode()) <= 255
    assert atomic.is_temporary(temporary.name)
    atomic.atomic_write(tmp_path / name, NEW)
    assert (tmp_path / name).read_bytes() == NEW


def test_the_sweep_takes_old_temporary_files_only(tmp_path: Path) -> None:
    mine, other = atomic.temporary_beside(tmp_path / "a"), tmp_path / ".notes.tmp"
    for path in (mine, other):
        path.write_bytes(b"x")
    now = mine.stat().st_mtime
    assert atomic.sweep_temporary(tmp_path, now + atomic.STALE_SECONDS - 1) == 0
    assert atomic.sweep_temporary(tmp_path, now + atomic.STALE_SECONDS + 1) == 1
    assert names(tmp_path) == [".notes.tmp"]
    assert atomic.sweep_temporary(tmp_path / "gone", now) == 0


def test_new_folders_and_their_parents_are_made_durable(tmp_path: Path) -> None:
    with broken() as fault:
        atomic.make_folders(tmp_path / "a" / "b")
    assert fault.calls == ["mkdir", *["open", "fsync", "close"] * 2] * 2
    with broken() as fault:
        atomic.make_folders(tmp_path / "a" / "b")
    assert fault.calls == []


def test_a_move_makes_both_folders_durable_and_replaces_nothing(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name / "item").mkdir(parents=True)
    (tmp_path / "b" / "item" / "x").write_bytes(OLD)
    with pytest.raises(FileExistsError):
        atomic.move_entry(tmp_path / "a" / "item", tmp_path / "b" / "item")
    with broken() as fault:
        atomic.move_entry(tmp_path / "a" / "item", tmp_path / "b" / "other")
    assert fault.calls == ["rename", *["open", "fsync", "close"] * 2]
    assert (tmp_path / "b" / "item" / "x").read_bytes() == OLD
    assert names(tmp_path / "a") == []


def test_a_move_to_another_file_system_is_an_error_not_a_copy(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(OLD)
    with broken(at=1, error=errno.EXDEV), pytest.raises(OSError, match="cross-device"):
        atomic.move_entry(tmp_path / "a", tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == OLD


@pytest.mark.parametrize("links", [True, False])
def test_a_kept_copy_survives_its_source_being_replaced(tmp_path: Path, links: bool) -> None:
    atomic.atomic_write(tmp_path / "a", OLD)
    with broken(at=0 if links else 1, error=errno.EPERM, only=("link",)):
        atomic.keep_copy(tmp_path / "a", tmp_path / "kept")
    atomic.atomic_write(tmp_path / "a", NEW)
    assert (tmp_path / "kept").read_bytes() == OLD
    with pytest.raises(FileExistsError):
        atomic.keep_copy(tmp_path / "a", tmp_path / "kept")


def test_folders_and_links_are_not_kept_as_files(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "folder")
    for name in ("folder", "link"):
        with pytest.raises(IsADirectoryError):
            atomic.keep_copy(tmp_path / name, tmp_path / "kept")


def test_removing_for_good_follows_no_link(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "x").write_bytes(OLD)
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "link").symlink_to(tmp_path / "outside")
    atomic.remove_for_good(tmp_path / "a")
    atomic.remove_for_good(tmp_path / "a")
    (tmp_path / "link").symlink_to(tmp_path / "outside")
    atomic.remove_for_good(tmp_path / "link")
    assert (tmp_path / "outside" / "x").read_bytes() == OLD
    assert names(tmp_path) == ["outside"]
