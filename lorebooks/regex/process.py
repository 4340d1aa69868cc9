"""One child that runs regex keys: its start, what is said to it before a deadline, and its end."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
import weakref
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any

TOP = Path(__file__).resolve().parents[2]
CHUNK = 1 << 16
_children: weakref.WeakSet[Child] = weakref.WeakSet()


class Died(Exception):
    """The child is gone; `too_slow` when one match took more processor time than it may."""

    def __init__(self, returncode: int) -> None:
        super().__init__(f"the regex process ended with {returncode}")
        self.too_slow = returncode == -signal.SIGPROF


class Child:
    """A running child. Used by one thread at a time; whoever started it ends it.

    It holds nothing but what it was asked last, so it may be killed at any moment. It ends by itself when
    its standard input closes: with the program that started it, however that one ends.
    """

    def __init__(self, *, match_seconds: float, memory_bytes: int) -> None:
        command = [sys.executable, "-s", "-m", "lorebooks.regex.child", str(match_seconds), str(memory_bytes)]
        self._process = subprocess.Popen(
            command,
            cwd=TOP,
            env={name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,  # Ctrl-C is for the server, which closes the pipe when it is done
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._requests, self._answers = self._process.stdin, self._process.stdout
        os.set_blocking(self._requests.fileno(), False)
        self._buffer = bytearray()
        self._is_ready = False
        _children.add(self)

    @property
    def pid(self) -> int:
        return self._process.pid

    def wait_until_ready(self, deadline: float) -> None:
        """
        Raises:
            Died: it could not start.
            TimeoutError: it took too long.
        """
        if not self._is_ready:
            self._receive(deadline)
            self._is_ready = True

    def ask(
        self, patterns: Sequence[tuple[str, str]], texts: Sequence[str], deadline: float
    ) -> Iterator[Any]:
        """One answer for each pattern, as the child finds them, once it is ready.

        Raises:
            Died: on the pattern after the last answer.
            TimeoutError: the deadline has passed.
        """
        self.wait_until_ready(deadline)
        request = json.dumps([patterns, texts], ensure_ascii=False).encode("utf-8", "surrogatepass")
        self._send(len(request).to_bytes(4) + request, deadline)
        for _ in patterns:
            yield self._receive(deadline)

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def end(self) -> int:
        """Kill it, wait for it, close what led to it; harmless when it is gone."""
        self._process.kill()
        returncode = self._process.wait()
        self._close_pipes()
        return returncode

    def forget(self) -> None:
        """In a copy of the program made by fork: it is not ours, and its input must be able to close."""
        self._process.returncode = 0
        self._close_pipes()

    def _close_pipes(self) -> None:
        for pipe in (self._requests, self._answers):
            pipe.close()

    def _send(self, data: bytes, deadline: float) -> None:
        left = memoryview(data)
        while left:
            self._wait(self._requests, select.POLLOUT, deadline)
            try:
                left = left[self._requests.write(left) or 0 :]  # a full pipe takes nothing
            except BrokenPipeError as error:
                raise Died(self.end()) from error

    def _receive(self, deadline: float) -> Any:
        while True:
            length = int.from_bytes(self._buffer[:4])
            if len(self._buffer) >= 4 + length:
                frame = self._buffer[4 : 4 + length]
                del self._buffer[: 4 + length]
                return json.loads(frame)
            self._wait(self._answers, select.POLLIN, deadline)
            data = os.read(self._answers.fileno(), CHUNK)
            if not data:
                raise Died(self.end())
            self._buffer += data

    @staticmethod
    def _wait(pipe: IO[bytes], event: int, deadline: float) -> None:
        poll = select.poll()
        poll.register(pipe, event)
        left = deadline - time.monotonic()
        if left <= 0 or not poll.poll(left * 1000):
            raise TimeoutError


def _after_fork() -> None:
    for child in list(_children):
        child.forget()


os.register_at_fork(after_in_child=_after_fork)
