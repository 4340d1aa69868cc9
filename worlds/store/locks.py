"""Locks between threads, processes and commands on one data folder (D4; rule 5 of the file store).

A lock file is never renamed and never deleted, so everyone locks the same file. Inside one process a thread
lock stands in front, so that waiting threads do not poll. Its content says who holds it and since when, and
carries a mark that changes whenever a commit was applied; readers use it to notice one (`folder`).

Several machines on one data folder would need a second lock besides. `held` is the one place that takes item
locks, and so the place where it would be taken.
"""

from __future__ import annotations

import asyncio
import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex
from typing import Final, TypeVar
from weakref import WeakValueDictionary

from filelock import FileLock, Timeout

from formats.errors import DomainError
from formats.messages import gettext_noop
from worlds.store.atomic import make_folders
from worlds.store.refusals import plain_refusals

T = TypeVar("T")
WAIT_SECONDS: Final = 10.0
_POLL_SECONDS = 0.01
_LOOK_AGAIN_SECONDS = 0.05

_BUSY = gettext_noop("Someone else is writing here at the moment. Nothing was changed or lost.")
_BUSY_NAMED = gettext_noop("{by} has been writing here since {since}. Nothing was changed or lost.")

_gates: WeakValueDictionary[str, threading.Lock] = WeakValueDictionary()
_gates_guard = threading.Lock()
_held_here = threading.local()


@dataclass(slots=True)
class Holding:
    """A lock that is held. `mark` tells readers that something was applied under it."""

    lock_file: Path
    by: str
    since: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))

    def mark(self) -> None:
        """Write who holds the lock, since when, and a new mark, into the lock file."""
        content = {"by": self.by, "since": self.since, "pid": os.getpid(), "mark": token_hex(8)}
        data = json.dumps(content).encode()
        fd = os.open(self.lock_file, os.O_WRONLY | os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0))
        try:
            os.pwrite(fd, data, 0)
            os.ftruncate(fd, len(data))
        finally:
            os.close(fd)


@contextmanager
def held(lock_file: Path, timeout: float = WAIT_SECONDS, by: str = "") -> Iterator[Holding]:
    """Hold a lock file for the length of the block.

    Args:
        lock_file: made, with its folder, when it is not there.
        timeout: seconds to wait; 0 tries once.
        by: who holds it, shown to those who wait too long.

    Raises:
        DomainError: `busy` after the time, telling who holds it and since when; `full` or `unavailable` when
            the lock file cannot be made.
        RuntimeError: this thread already holds this lock, or one that sorts after it. Two locks are taken in
            sorted order of path only (`held_all`), so that nobody waits in a circle.
    """
    key = os.path.abspath(lock_file)  # noqa: PTH100 (resolve() would follow links and look at the disk)
    _refuse_wrong_order(key)
    deadline = time.monotonic() + timeout
    gate = _gate(key)
    if not gate.acquire(timeout=timeout):
        raise _busy(lock_file)
    try:
        lock = _file_lock(lock_file, max(0.0, deadline - time.monotonic()))
        try:
            holding = Holding(lock_file, by)
            with plain_refusals():
                holding.mark()
            _keys_held().append(key)
            try:
                yield holding
            finally:
                _keys_held().remove(key)
        finally:
            # The work is done whatever this says, and closing the file, which always happens, lets go too.
            with suppress(OSError):
                lock.release()
    finally:
        gate.release()


@contextmanager
def held_all(lock_files: list[Path], timeout: float = WAIT_SECONDS, by: str = "") -> Iterator[None]:
    """Hold several locks, taken in sorted order of path. Raises as `held`."""
    with ExitStack() as stack:
        for lock_file in sorted(lock_files, key=os.path.abspath):
            stack.enter_context(held(lock_file, timeout, by))
        yield


async def without_blocking(work: Callable[[float], T], wait: float = WAIT_SECONDS) -> T:
    """Run work that takes a lock, from async code, never blocking the loop and never parking a thread.

    `work` is called in a worker thread with the seconds it may wait for its lock (always 0); while it raises
    `busy` the loop sleeps and calls it again, for `wait` seconds. The lock is taken and released inside one
    call of `work`, so a cancelled caller leaves none behind, and none is held across an await.

    Raises:
        DomainError: what `work` raises; `busy` once the time is over.
    """
    deadline = time.monotonic() + wait
    while True:
        try:
            return await asyncio.to_thread(work, 0.0)
        except DomainError as error:
            if error.kind != "busy" or time.monotonic() >= deadline:
                raise
        await asyncio.sleep(_LOOK_AGAIN_SECONDS)


def mark_of(lock_file: Path) -> bytes:
    """The present content of a lock file; empty when there is none. It differs after every commit."""
    try:
        return lock_file.read_bytes()
    except OSError:
        return b""


def _gate(key: str) -> threading.Lock:
    with _gates_guard:
        gate = _gates.get(key)
        if gate is None:
            gate = _gates[key] = threading.Lock()
        return gate


def _file_lock(lock_file: Path, timeout: float) -> FileLock:
    """A new instance for each use: a shared one is re-entrant and would exclude nobody."""
    with plain_refusals():
        make_folders(lock_file.parent)
        lock = FileLock(
            lock_file,
            mode=0o600,
            thread_local=False,
            poll_interval=_POLL_SECONDS,
            fallback_to_soft=False,
            preserve_lock_file=True,
        )
        try:
            lock.acquire(timeout=timeout, blocking=timeout > 0)
        except Timeout:
            raise _busy(lock_file) from None
    return lock


def _keys_held() -> list[str]:
    if not hasattr(_held_here, "keys"):
        _held_here.keys = []
    keys: list[str] = _held_here.keys
    return keys


def _refuse_wrong_order(key: str) -> None:
    held_last = max(_keys_held(), default="")
    if key <= held_last:
        raise RuntimeError(
            f"lock {key} asked for while {held_last} is held: take locks in sorted order, once"
        )


def _busy(lock_file: Path) -> DomainError:
    """Says who holds the lock; nobody is named when its content was read in the moment it was written."""
    holder: object = None
    with suppress(ValueError):
        holder = json.loads(mark_of(lock_file))
    args = {key: str(holder.get(key) or "") for key in ("by", "since")} if isinstance(holder, dict) else {}
    named = bool(args.get("by") and args.get("since"))
    return DomainError(
        "busy",
        "locked",
        lock_file.stem,
        _BUSY_NAMED if named else _BUSY,
        gettext_noop("Try again in a moment."),
        args=args if named else {},
    )


def _forget_gates_after_fork() -> None:
    """A child has none of the threads that held a gate; the file locks still exclude it."""
    global _gates_guard
    _gates.clear()
    _gates_guard = threading.Lock()
    _keys_held().clear()


os.register_at_fork(after_in_child=_forget_gates_after_fork)
