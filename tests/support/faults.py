"""Breaks the store's system calls one by one: kills, errors and short writes at call number k.

    for at in count(1):
        with broken(crash=True, at=at) as fault:
            ... the code under test; it may raise Crash ...
        ... look at the disk as a new process would ...
        if not fault.hit:
            break   # call number `at` was never reached: every point has been tried

Only the calls of `worlds.store.atomic` are counted, which are all the store makes on data files.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from worlds.store import atomic, renames

COUNTED = ("open", "write", "fsync", "close", "replace", "link", "unlink", "mkdir")


class Crash(BaseException):
    """The process is dead: nothing after it reaches the disk."""


class Fault:
    """What is broken, and what was called so far."""

    def __init__(
        self, at: int, crash: bool, error: int, persistent: bool, short: bool, only: tuple[str, ...]
    ) -> None:
        self.at, self.crash, self.error, self.persistent, self.short = at, crash, error, persistent, short
        self.only = only
        self.calls: list[str] = []
        self.hit = False
        self.open_files: set[int] = set()

    def run(self, name: str, call: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Make a call, or fail as told."""
        if self.crash and self.hit:
            raise Crash(name)
        if not self.only or name in self.only:
            self.calls.append(name)
            if len(self.calls) == self.at or (self.hit and self.persistent):
                self.hit = True
                self._break(name, call, args)
        if name == "write" and self.short:
            args = (args[0], args[1][:1])
        if name == "fsync":  # only a power cut could tell, so these tests need not wait for the disk
            return None
        result = call(*args, **kwargs)
        if name == "open":
            self.open_files.add(result)
        if name == "close":
            self.open_files.discard(args[0])
        return result

    def _break(self, name: str, call: Callable[..., Any], args: tuple[Any, ...]) -> None:
        if self.crash:
            if name == "write":  # half of it reaches the disk
                call(args[0], args[1][: len(args[1]) // 2])
            raise Crash(name)
        if self.error:
            if name == "close":  # Linux frees the number even when close reports an error
                call(*args)
                self.open_files.discard(args[0])
            raise OSError(self.error, os.strerror(self.error))


class _Calls:
    """Stands where `atomic` looks for its module `os`."""

    def __init__(self, fault: Fault) -> None:
        self._fault = fault

    def __getattr__(self, name: str) -> Any:
        real = getattr(os, name)
        if name not in COUNTED:
            return real
        return lambda *args, **kwargs: self._fault.run(name, real, *args, **kwargs)


class _Trees:
    """Stands where `atomic` looks for its module `shutil`."""

    def __init__(self, fault: Fault) -> None:
        self._fault = fault

    def rmtree(self, path: Any) -> None:
        self._fault.run("rmtree", shutil.rmtree, path)


@contextmanager
def broken(
    *,
    at: int = 0,
    crash: bool = False,
    error: int = 0,
    persistent: bool = False,
    short: bool = False,
    only: tuple[str, ...] = (),
) -> Iterator[Fault]:
    """Break call number `at` (from 1) of the store inside the block; a Crash ends the block quietly.

    Args:
        at: which call; 0 breaks none and only counts.
        crash: kill the process there; `error`: fail there with this errno; `persistent`: and ever after.
        short: every write takes one byte only.
        only: count and break these calls only, for instance `("fsync",)`.
    """
    fault = Fault(at, crash, error, persistent, short, only)
    replaced: dict[str, Any] = {
        "os": _Calls(fault),
        "shutil": _Trees(fault),
        "rename_noreplace": lambda *args: fault.run("rename", renames.rename_noreplace, *args),
    }
    saved = {name: getattr(atomic, name) for name in replaced}
    for name, value in replaced.items():
        setattr(atomic, name, value)
    try:
        with suppress(Crash):
            yield fault
    finally:
        for name, value in saved.items():
            setattr(atomic, name, value)
        for fd in fault.open_files:  # a dead process has no open files
            with suppress(OSError):
                os.close(fd)
