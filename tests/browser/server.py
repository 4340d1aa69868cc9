"""A real server in a process of its own, with its own data folder, for the browser tests."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.servers import TOP, free_port, program_environment

PASSWORD = "correct horse battery staple"
MAKE = """
from portal.models import Person
for name in {names!r}:
    make = Person.objects.create_superuser if name == "hal" else Person.objects.create_user
    make(name, password={password!r})
"""


@dataclass(slots=True)
class Program:
    """The program, loaded once over one data folder and one port; see `tests.support.loaded`."""

    process: subprocess.Popen[str]
    data: Path
    told: Path
    ended: dict[int, int] = field(default_factory=dict)

    def begin(self, *command: str) -> tuple[int, Path]:
        """Begin a command of `manage.py`: its process, and the file of its output."""
        assert self.process.stdin
        out = self.told / f"{time.monotonic_ns()}.out"
        out.touch()
        self.process.stdin.write(json.dumps([command, str(out)]) + "\n")
        self.process.stdin.flush()
        while True:
            word, *numbers = self._line()
            if word == "pid":
                return int(numbers[0]), out

    def code_of(self, pid: int) -> int:
        """Wait until a process has ended; its exit code."""
        while pid not in self.ended:
            self._line()
        return self.ended.pop(pid)

    def _line(self) -> list[str]:
        assert self.process.stdout
        words = self.process.stdout.readline().split()
        assert words, f"the program has ended: {self.said()}"
        if words[0] == "ended":
            self.ended[int(words[1])] = int(words[2])
        return words

    def said(self) -> str:
        """The end of what was written to standard error."""
        return (self.told / "errors.log").read_text()[-3000:]

    def runs(self, pid: int) -> bool:
        """Whether a process of it has not ended yet."""
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        return True


@contextmanager
def loaded(data: Path) -> Iterator[Program]:
    """The program over this data folder, which a server has used before."""
    told = data.parent
    with (
        (told / "errors.log").open("w") as errors,
        subprocess.Popen(
            [sys.executable, "-m", "tests.support.loaded"],
            cwd=TOP,
            env=program_environment(data, PORT=str(free_port())),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        ) as process,
    ):
        try:
            yield Program(process, data, told)
        finally:
            process.kill()


@dataclass(slots=True)
class Server:
    """A server that answers at `address`, as a process of a loaded program."""

    program: Program
    pid: int
    address: str

    def manage(self, *command: str) -> str:
        """Run a command of `manage.py` beside the server; what it printed."""
        pid, out = self.program.begin(*command)
        assert self.program.code_of(pid) == 0, self.program.said()
        return out.read_text(encoding="utf-8")

    def make_people(self, *names: str) -> None:
        """Accounts with the password `PASSWORD`; `hal` is a host."""
        self.manage("shell", "-v", "0", "-c", MAKE.format(names=names, password=PASSWORD))

    def end(self) -> None:
        """Ask the server to end and wait for it."""
        os.kill(self.pid, signal.SIGTERM)
        self.program.code_of(self.pid)


def serve(program: Program) -> Server:
    """Begin a server and wait until it has said where it is."""
    pid, out = program.begin("serve", "--json")
    until = time.monotonic() + 60
    while not (said := out.read_text(encoding="utf-8")).endswith("\n"):
        assert program.runs(pid), f"the server did not start: {program.said()}"
        assert time.monotonic() < until, f"the server does not answer: {program.said()}"
        time.sleep(0.02)
    return Server(program, pid, json.loads(said)["address"])


@dataclass(slots=True)
class FirstServer:
    """`manage.py serve` over a new data folder, in a process of its own: `setup` is the first-run address."""

    address: str
    setup: str
    process: subprocess.Popen[str]

    def end(self) -> None:
        """Ask the server to end and wait for it."""
        self.process.terminate()
        try:
            self.process.wait(20)
        finally:
            self.process.kill()
            assert self.process.stdout
            self.process.stdout.close()
            self.process.wait()


def start(data: Path) -> FirstServer:
    """Start a server on a free port and wait until it has said where it is."""
    port = free_port()
    with (data.parent / "server.log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--json", "--port", str(port)],
            cwd=TOP,
            env=program_environment(data, PORT=str(port)),
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
    assert process.stdout
    if said := process.stdout.readline():
        told = json.loads(said)
        return FirstServer(told["address"], told["setup"], process)
    process.stdout.close()
    process.wait()
    raise AssertionError(f"the server did not start: {(data.parent / 'server.log').read_text()}")
