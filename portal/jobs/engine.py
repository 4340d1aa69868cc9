"""The port to whatever runs the jobs. One engine serves a process; another kind can take its place here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class EngineState:
    """What `/healthz` tells: whether the engine works, and how many jobs it runs of how many it may."""

    running: bool
    jobs: int
    limit: int


class Engine(Protocol):
    """Runs stored jobs. The row is the truth: an engine that is never kicked must find its work by itself."""

    async def start(self) -> None:
        """Begin to run jobs; leases of dead processes are taken first."""

    def close(self) -> None:
        """Take no more work, and begin to cancel what runs. May be called from any thread; never blocks."""

    async def stop(self) -> None:
        """Cancel what runs, give it back to the queue and wait for that."""

    def kick(self, job_id: str) -> None:
        """A job was added or changed. May be called from any thread; never blocks."""

    def state(self) -> EngineState: ...


_installed: list[Engine] = []


def install(engine: Engine | None) -> None:
    """Make `engine` the one of this process; None takes it away."""
    _installed[:] = [engine] if engine else []


def installed() -> Engine | None:
    """The engine of this process; None in commands, which leave jobs to the server."""
    return _installed[0] if _installed else None


def kick(job_id: str) -> None:
    """Tell this process's engine about a job. Without one, the server's finds the row within seconds."""
    if _installed:
        _installed[0].kick(job_id)
