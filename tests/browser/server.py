"""A real server in a process of its own, with its own data folder, for the browser tests."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PASSWORD = "correct horse battery staple"
MAKE = """
from portal.models import Person
for name in {names!r}:
    make = Person.objects.create_superuser if name == "hal" else Person.objects.create_user
    make(name, password={password!r})
"""


@dataclass(slots=True)
class Server:
    """`address` to open, `setup` the first-run address (empty once somebody has an account), its folder."""

    address: str
    setup: str
    data: Path
    process: subprocess.Popen[str]

    def manage(self, *command: str) -> str:
        """Run a command of `manage.py` beside the server; what it printed."""
        done = subprocess.run(
            [sys.executable, "manage.py", *command],
            cwd=ROOT,
            env=environment(self.data, self.address.rsplit(":", 1)[1]),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def make_people(self, *names: str) -> None:
        """Accounts with the password `PASSWORD`; `hal` is a host."""
        self.manage("shell", "-v", "0", "-c", MAKE.format(names=names, password=PASSWORD))

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


def environment(data: Path, port: str) -> dict[str, str]:
    """Only what the server needs: nothing of the tester's own settings."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return {**kept, "ROLEPLAY_DATA": str(data), "PORT": port, "PYTHONUNBUFFERED": "1"}


def start(data: Path) -> Server:
    """Start a server on a free port and wait until it has said where it is."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    with (data.parent / "server.log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--json", "--port", port],
            cwd=ROOT,
            env=environment(data, port),
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
    assert process.stdout
    if said := process.stdout.readline():
        told = json.loads(said)
        return Server(told["address"], told["setup"] or "", data, process)
    process.stdout.close()
    process.wait()
    raise AssertionError(f"the server did not start: {(data.parent / 'server.log').read_text()}")
