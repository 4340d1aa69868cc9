"""A program that is loaded once and then runs many commands: `python -m tests.support.loaded`.

Loading takes most of two seconds of a processor, more than nearly every command of the tests. Each order on
standard input is a line of JSON, here `[command, file for its output]`; it forks a process that runs exactly
`manage.py <command>`. Told back are `warm` once it is loaded, `pid <n>` for an order, and `ended <n> <code>`
when its process has ended. `tests.support.warm_server` takes other orders in the same way.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any, NoReturn


def manage(order: Any) -> NoReturn:
    """The forked process: a command of `manage.py`, its output in a file."""
    from django.core.management import execute_from_command_line

    command, told = order
    os.dup2(os.open(told, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), 1)
    code = 1
    try:
        execute_from_command_line(["manage.py", *command])
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except BaseException:  # noqa: BLE001  # what an interpreter does with it: print it, and end with 1
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def reap(*_signal: object) -> None:
    """Tell of every process that has ended."""
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not pid:
            return
        os.write(1, f"ended {pid} {os.waitstatus_to_exitcode(status)}\n".encode())


def take_orders(run: Callable[[Any], NoReturn]) -> None:
    """Load the program, then fork a process that runs each order, until nobody gives any more."""
    import django

    django.setup()
    import roleplay.asgi  # noqa: F401  (everything a server imports)

    assert threading.active_count() == 1, "a thread would be lost in the fork"
    signal.signal(signal.SIGCHLD, reap)
    print("warm", flush=True)
    for line in sys.stdin:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})  # its end is told after its beginning
        child = os.fork()
        if child == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
            run(json.loads(line))
        os.write(1, f"pid {child}\n".encode())
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})


if __name__ == "__main__":
    take_orders(manage)
