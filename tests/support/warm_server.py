"""A server that can be begun, and made to die, many times: `python -m tests.support.warm_server`.

The program is loaded once; each order on standard input forks a process that runs the real `manage.py serve`
over the data folder and the port of the environment. An order (`tests.support.loaded`) is `[kind, number]`:

* `["first", 0]`: exactly `manage.py serve`: it makes the tables and gathers the static files;
* `["serve", 0]`: the same without these two, which the first one did;
* `["watch", 0]`: counts its steps and writes each to standard error (`step <n> <what>`);
* `["die", n]`: kill -9 of itself, just before step n.

A step is a change of names by the store (a file or folder appears, moves or goes), a write into a new file,
or a statement that writes to the database and its commit. Heartbeats of jobs and the sessions' own rows are
no steps: they come by the clock. With `watch` and `die` fsync does nothing, since a kill cannot see it.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any, Final, NoReturn

from tests.support.loaded import take_orders

STORE_CALLS: Final = ("write", "replace", "link", "unlink", "mkdir", "rename", "rmtree")
ROWS: Final = re.compile(r'(INSERT INTO|UPDATE|DELETE FROM) "(\w+)"(?: SET "(\w+)")?')
OURS: Final = ("importer_upload", "worlds_world", "portal_job")


class Steps:
    """Counts what the process does to files and rows; ends it with SIGKILL before step `last`, or never."""

    def __init__(self, last: int, told: bool) -> None:
        self._last, self._told = last, told
        self._count = 0
        self._lock = threading.RLock()
        self._rows = threading.local()

    def step(self, what: str) -> None:
        with self._lock:
            self._count += 1
            if self._told:
                os.write(2, f"step {self._count} {what}\n".encode())
            if self._count == self._last:
                os.kill(os.getpid(), signal.SIGKILL)

    def statement(self, sql: str) -> None:
        """Before a statement that writes rows of ours."""
        found = ROWS.match(sql)
        if found and found[2] in OURS and found[3] != "lease_until":
            self._rows.written = True
            self.step(f"{found[1].lower()} {found[2]}")

    def commit(self) -> None:
        """Before a commit that makes rows of ours visible."""
        if getattr(self._rows, "written", False):
            self._rows.written = False
            self.step("commit")

    def begin(self) -> None:
        """Put the counter under the store and under the database."""
        from django.db.backends.base.base import BaseDatabaseWrapper
        from django.db.backends.sqlite3.base import SQLiteCursorWrapper

        from worlds.store import atomic, renames

        put(atomic, os=_Calls(self), shutil=_Trees(self))
        put(atomic, rename_noreplace=self.call("rename", renames.rename_noreplace))
        execute, commit = SQLiteCursorWrapper.execute, vars(BaseDatabaseWrapper)["_commit"]

        def counted_execute(cursor: SQLiteCursorWrapper, query: str, params: Any = None) -> Any:
            self.statement(query)
            return execute(cursor, query, params)

        def counted_commit(database: BaseDatabaseWrapper) -> None:
            self.commit()
            commit(database)

        put(SQLiteCursorWrapper, execute=counted_execute)
        put(BaseDatabaseWrapper, _commit=counted_commit)

    def call(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        """A call of the store, with a step before it."""

        def counted(*args: Any, **kwargs: Any) -> Any:
            target = args[-1] if name in ("replace", "rename", "link") else args[0]
            self.step(f"{name} {target if name != 'write' else ''}".strip())
            return real(*args, **kwargs)

        return counted


def put(place: object, **values: Any) -> None:
    """Put something of ours where the program looks for its own."""
    for name, value in values.items():
        setattr(place, name, value)


class _Calls:
    """Stands where the store looks for its module `os`."""

    def __init__(self, steps: Steps) -> None:
        self._steps = steps

    def __getattr__(self, name: str) -> Any:
        real = getattr(os, name)
        if name == "fsync":
            return lambda fd: None
        return self._steps.call(name, real) if name in STORE_CALLS else real


class _Trees:
    """Stands where the store looks for its module `shutil`."""

    def __init__(self, steps: Steps) -> None:
        self._steps = steps

    def rmtree(self, path: Any) -> None:
        self._steps.call("rmtree", shutil.rmtree)(path)


def serve(order: Any) -> NoReturn:
    """The forked process: the real command, as `manage.py serve` runs it."""
    from django.core.management import execute_from_command_line

    from roleplay import serving

    kind, number = order

    if kind != "first":
        put(serving, call_command=lambda *args, **options: None, gather=lambda: False)
    if kind in ("watch", "die"):
        Steps(number, told=kind == "watch").begin()
    code = 1
    try:
        execute_from_command_line(["manage.py", "serve"])
        code = 0
    finally:
        sys.stdout.flush()
        os._exit(code)


if __name__ == "__main__":
    take_orders(serve)
