"""Real servers and workers in processes of their own, over a data folder made for the test."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
import pytest
import redis

TOP = Path(__file__).parents[2]
POSTGRES = os.environ.get("TEST_DATABASE_URL", "postgresql://postgres@127.0.0.1:5432/postgres")
REDIS = os.environ.get("TEST_REDIS_URL", "redis://127.0.0.1:6379/9")


def program_environment(data: Path, **more: str) -> dict[str, str]:
    """The environment of a program of ours over this data folder; nothing of the tests' own settings."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return {
        **kept,
        "ROLEPLAY_DATA": str(data),
        "DJANGO_SETTINGS_MODULE": "roleplay.settings",
        "PYTHONPATH": str(TOP),
        "PYTHONUNBUFFERED": "1",
        **more,
    }


def manage(environment: Mapping[str, str], *words: str, code: str = "") -> str:
    """Run a command of `manage.py` (or `code` in its shell) to its end and return what it wrote."""
    call = [sys.executable, "manage.py", *words] if words else [sys.executable, "-c", code]
    ran = subprocess.run(call, cwd=TOP, env=dict(environment), capture_output=True, text=True, timeout=110)
    assert ran.returncode == 0, ran.stderr[-3000:]
    return ran.stdout


SET_UP = "import django\ndjango.setup()\n"


def free_port() -> int:
    """A port nobody listens on right now."""
    with socket.socket() as asking:
        asking.bind(("127.0.0.1", 0))
        return int(asking.getsockname()[1])


@dataclass
class Running:
    """A program that runs beside the test. Its output is read line by line."""

    process: subprocess.Popen[str]
    port: int = 0
    lines: list[str] = field(default_factory=list)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def line_with(self, words: str) -> str:
        """Read on until a line holds `words`."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line)
            if words in line:
                return line
        raise AssertionError(f"no line with {words!r} in: {''.join(self.lines)}")

    def kill(self) -> None:
        """kill -9, and collect it."""
        self.process.kill()
        self.process.communicate()

    def end(self, seconds: float = 20) -> int:
        """SIGTERM; the exit code."""
        self.process.send_signal(signal.SIGTERM)
        self.lines.append(self.process.communicate(timeout=seconds)[0])
        return self.process.returncode

    def memory(self, field_name: str = "VmRSS") -> int:
        """Bytes of memory the process has now (`VmRSS`) or had at most (`VmHWM`)."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        line = next(line for line in status.splitlines() if line.startswith(field_name))
        return int(line.split()[1]) * 1024


@contextmanager
def started(call: list[str], environment: Mapping[str, str], port: int = 0) -> Iterator[Running]:
    """Start a program and end it, whatever happens, when the block is left."""
    process = subprocess.Popen(
        call, cwd=TOP, env=dict(environment), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    running = Running(process, port)
    try:
        yield running
    finally:
        if process.poll() is None:
            running.kill()
        if process.stdout is not None:
            process.stdout.close()


@contextmanager
def serving(data: Path, **more: str) -> Iterator[Running]:
    """`manage.py serve` over a data folder, answering."""
    port = free_port()
    environment = program_environment(data, PORT=str(port), **more)
    with started([sys.executable, "manage.py", "serve"], environment, port) as running:
        running.line_with("Ctrl-C")
        yield running


def wait_until(question: Callable[[], Any], seconds: float = 30.0, every: float = 0.05) -> Any:
    """Ask another process's state again and again until the answer is true; then that answer."""
    end = time.monotonic() + seconds
    while not (answer := question()):
        assert time.monotonic() < end, "it did not become true in time"
        time.sleep(every)
    return answer


def unreachable(what: str, error: Exception) -> None:
    """Skip loudly where a service is missing; in CI that is a failure."""
    words = f"{what} cannot be reached: {error}"
    if os.environ.get("CI", "").lower() in ("1", "true", "yes"):
        pytest.fail(words)
    pytest.skip(words)


@contextmanager
def postgres_database() -> Iterator[str]:
    """An empty PostgreSQL database for one test: its address."""
    name = f"tavern_test_{os.getpid()}_{time.monotonic_ns()}"
    try:
        server = psycopg.connect(POSTGRES, autocommit=True, connect_timeout=5)
    except psycopg.OperationalError as error:
        unreachable("PostgreSQL", error)
        raise
    with server:
        server.execute(f'CREATE DATABASE "{name}"')
        try:
            yield POSTGRES.rpartition("/")[0] + "/" + name
        finally:
            server.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def redis_address() -> str:
    """The address of a Redis that answers."""
    try:
        with redis.Redis.from_url(REDIS, socket_connect_timeout=5) as client:
            client.ping()
    except redis.RedisError as error:
        unreachable("Redis", error)
    return REDIS
