"""A program that is loaded once and then runs many commands: `python -m tests.browser.loaded`.

Loading takes most of two seconds of a processor, more than nearly every command of the browser tests. Each
order on standard input is a JSON list, the command and the file for its output; it forks a process that
runs exactly `manage.py <command>`. Told back are `pid <n>`, and `ended <n> <code>` when it has ended.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from typing import NoReturn


def run(command: list[str], told: str) -> NoReturn:
    """The forked process."""
    from django.core.management import execute_from_command_line

    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    out = os.open(told, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(out, 1)
    code = 1
    try:
        sys.argv = ["manage.py", *command]
        execute_from_command_line(sys.argv)
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


def main() -> None:
    import django

    django.setup()
    import roleplay.asgi  # noqa: F401  (everything a server imports)

    assert threading.active_count() == 1, "a thread would be lost in the fork"
    signal.signal(signal.SIGCHLD, reap)
    for order in sys.stdin:
        command, told = json.loads(order)
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})  # its end is told after its beginning
        child = os.fork()
        if child == 0:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
            run(command, told)
        os.write(1, f"pid {child}\n".encode())
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})


if __name__ == "__main__":
    main()
