import asyncio
import errno
import fcntl
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from formats.errors import DomainError
from worlds.store.locks import held, held_all, mark_of, without_blocking
from worlds.store.paths import DataFolder
from worlds.store.server_lock import take_server_lock

HOLD = """
import sys
from pathlib import Path
from worlds.store.locks import held
with held(Path(sys.argv[1]), by="ben"):
    print("held", flush=True)
    sys.stdin.read()
"""


def hold_elsewhere(lock_file: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(lock_file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def let_go(process: subprocess.Popen[str]) -> None:
    process.communicate()
    assert process.returncode == 0


def test_a_lock_held_by_another_process_says_who_and_since_when(tmp_path: Path) -> None:
    lock_file = tmp_path / "locks" / "fog.lock"
    process = hold_elsewhere(lock_file)
    with pytest.raises(DomainError) as refused, held(lock_file, timeout=0.05, by="ana"):
        pass
    assert refused.value.kind == "busy"
    assert refused.value.values["by"] == "ben"
    assert refused.value.values["since"].startswith("20")
    assert "ben has been writing here since 20" in str(refused.value)
    inode = lock_file.stat().st_ino
    let_go(process)
    with held(lock_file, timeout=0, by="ana"):
        assert json.loads(lock_file.read_bytes())["by"] == "ana"
    assert lock_file.stat().st_ino == inode, "never renamed, never made anew"


def test_a_killed_holder_holds_no_longer(tmp_path: Path) -> None:
    process = hold_elsewhere(tmp_path / "fog.lock")
    process.kill()
    process.communicate()
    with held(tmp_path / "fog.lock", timeout=1):
        pass


def test_threads_of_one_process_exclude_each_other(tmp_path: Path) -> None:
    inside, most = 0, 0

    def work() -> None:
        nonlocal inside, most
        for _ in range(20):
            with held(tmp_path / "fog.lock"):
                inside += 1
                most = max(most, inside)
                os.sched_yield()
                inside -= 1

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1


def test_a_thread_that_waits_too_long_is_told(tmp_path: Path) -> None:
    errors = []

    def work() -> None:
        try:
            with held(tmp_path / "fog.lock", timeout=0.01):
                pass
        except DomainError as error:
            errors.append(error)

    with held(tmp_path / "fog.lock", by="ana"):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert [(error.kind, error.values["by"]) for error in errors] == [("busy", "ana")]


def test_a_lock_with_unreadable_content_names_nobody(tmp_path: Path) -> None:
    process = hold_elsewhere(tmp_path / "fog.lock")
    (tmp_path / "fog.lock").write_bytes(b'{"by": ')
    with pytest.raises(DomainError, match="Someone else"), held(tmp_path / "fog.lock", timeout=0):
        pass
    let_go(process)


def test_two_locks_are_taken_in_sorted_order_only(tmp_path: Path) -> None:
    first, second = tmp_path / "a.lock", tmp_path / "b.lock"
    with held_all([second, first], by="ana"):
        assert mark_of(first)
        assert mark_of(second)
    with held(first), held(second):
        pass
    with held(second):
        with pytest.raises(RuntimeError), held(first):
            pass
        with pytest.raises(RuntimeError), held(second):
            pass
    with held(first):
        pass


def test_the_mark_differs_after_each_holding(tmp_path: Path) -> None:
    lock_file = tmp_path / "fog.lock"
    assert mark_of(lock_file) == b""
    seen = set()
    for _ in range(3):
        with held(lock_file) as holding:
            seen.add(mark_of(lock_file))
            holding.mark()
            seen.add(mark_of(lock_file))
    assert len(seen) == 6


def test_a_lock_file_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "victim").write_bytes(b"x")
    (tmp_path / "fog.lock").symlink_to(tmp_path / "victim")
    with pytest.raises(DomainError), held(tmp_path / "fog.lock", timeout=0):
        pass
    assert (tmp_path / "victim").read_bytes() == b"x"


def test_a_failing_release_neither_spoils_the_work_nor_keeps_the_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = fcntl.flock
    failed: list[int] = []

    def flock(fd: int, operation: int) -> None:
        if operation == fcntl.LOCK_UN and not failed:
            failed.append(fd)
            raise OSError(errno.EIO, "x")
        real(fd, operation)

    monkeypatch.setattr(fcntl, "flock", flock)
    with held(tmp_path / "fog.lock"):
        pass
    assert failed
    with held(tmp_path / "fog.lock", timeout=1):
        pass


async def test_async_work_gives_up_after_its_time(tmp_path: Path) -> None:
    tries = 0

    def work(wait: float) -> None:
        nonlocal tries
        tries += 1
        assert wait == 0
        raise DomainError("busy", "locked")

    with pytest.raises(DomainError):
        await without_blocking(work, wait=0.12)
    assert 2 <= tries <= 4


async def test_a_cancelled_waiter_leaves_no_lock_behind(tmp_path: Path) -> None:
    lock_file = tmp_path / "fog.lock"
    tried = threading.Event()

    def work(wait: float) -> None:
        tried.set()
        with held(lock_file, timeout=wait):
            pass

    process = hold_elsewhere(lock_file)
    task = asyncio.create_task(without_blocking(work))
    await asyncio.to_thread(tried.wait)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    let_go(process)
    with held(lock_file, timeout=1):
        pass


def test_a_second_server_on_one_data_folder_is_refused(tmp_path: Path) -> None:
    data = DataFolder(tmp_path / "data")
    process = hold_elsewhere(data.server_lock)
    with pytest.raises(DomainError) as refused, take_server_lock(data):
        pass
    assert (refused.value.kind, refused.value.code) == ("busy", "second-server")
    assert str(tmp_path / "data") in str(refused.value)
    let_go(process)
    with take_server_lock(data), held(data.lock_file("ana", "worlds", "fog-" + "a" * 20)):
        pass
