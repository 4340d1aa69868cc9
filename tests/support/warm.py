"""Driving `warm_server`: servers that begin within a moment, over a data folder that can be put back."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.portal_client import Portal, portal, sign_in
from tests.support.servers import TOP, free_port, program_environment

STATIC = shutil.ignore_patterns(".static*")  # gathered once; no state of a server


def put_back(data: Path, kept: Path) -> None:
    """Make a data folder what was kept of it; the static files stay as they are."""
    for path in data.iterdir():
        if not STATIC(str(data), [path.name]):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    shutil.copytree(kept, data, ignore=STATIC, dirs_exist_ok=True)


@dataclass
class Warm:
    """A loaded program, its data folder, its port, and the session of a person who is signed in."""

    process: subprocess.Popen[str]
    data: Path
    port: int
    session: str
    told: Path  # what the servers write to standard error
    kept: Path  # copies of the data folder, by name; `nothing` is the one in which nobody did anything yet
    pid: int = 0
    ended: str = ""

    def begin(self, kind: str = "serve", number: int = 0) -> None:
        """Fork a server; returns once it answers, or has died."""
        if self.pid:  # left by a test that failed
            self.kill()
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps([kind, number]) + "\n")
        self.process.stdin.flush()
        self.pid = int(self.line_with("pid").split()[1])
        line = self.line_with("Ctrl-C")
        self.ended = line if line.startswith("ended") else ""  # it may die before it answers
        assert kind == "die" or not self.ended, f"no server: {line} {self.told.read_text()[-3000:]}"

    def kill(self) -> None:
        """kill -9 from outside, and wait until it is gone."""
        if not self.ended:
            os.kill(self.pid, signal.SIGKILL)
        self.gone()

    def end(self) -> int:
        """SIGTERM; the exit code."""
        os.kill(self.pid, signal.SIGTERM)
        return self.gone()

    def gone(self) -> int:
        """Wait until the server has ended by itself; the exit code, -9 when it was killed."""
        line = self.ended or self.line_with("ended")
        self.pid, self.ended = 0, ""
        return int(line.split()[2])

    def line_with(self, word: str) -> str:
        assert self.process.stdout is not None
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            if word in line or line.startswith("ended"):
                return line
        raise AssertionError(f"no line with {word!r}: {lines}; {self.told.read_text()[-3000:]}")

    def steps(self) -> list[str]:
        """What the last watched server did: one line a step."""
        return re.findall(r"^step \d+ (.*)$", self.told.read_text(), re.MULTILINE)

    @contextmanager
    def portal(self) -> Iterator[Portal]:
        with portal(f"http://127.0.0.1:{self.port}", self.session) as client:
            yield client

    def keep(self, name: str) -> None:
        """Keep the data folder as it is now; no server may be running."""
        shutil.rmtree(self.kept / name, ignore_errors=True)
        shutil.copytree(self.data, self.kept / name, ignore=STATIC)

    def put_back(self, name: str = "nothing") -> None:
        """Make the data folder what it was when it was kept; no server may be running."""
        put_back(self.data, self.kept / name)
        os.truncate(self.told, 0)


@contextmanager
def warm(folder: Path, data: Path) -> Iterator[Warm]:
    """A warm program over `data` (made here), with its template beside it in `folder`."""
    port, told = free_port(), folder / "told"
    environment = program_environment(data, PORT=str(port))
    session = sign_in(environment)
    with (
        told.open("a") as errors,
        subprocess.Popen(
            [sys.executable, "-m", "tests.support.warm_server"],
            cwd=TOP,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        ) as process,
    ):
        made = Warm(process, data, port, session, told, folder / "kept")
        try:
            made.line_with("warm")
            made.begin("first")
            made.end()
            made.keep("nothing")
            yield made
        finally:
            if made.pid and not made.ended:
                os.kill(made.pid, signal.SIGKILL)
            process.kill()
