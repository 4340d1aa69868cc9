"""Asking a model in a trial run: one job a reply, so that three endpoints answer side by side."""

from __future__ import annotations

import asyncio
import time
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Final

from formats.errors import DomainError
from llm.asking import CallPart, Delta, Reply, ToolCall
from portal.endpoints import calling
from portal.jobs import JobRun, JobStopped, job
from presets.trial_replies import JOB, Asking, SoFar, end_stopped, fail, finish, keep, take_up

EVERY: Final = 0.3
"""Seconds between two looks: what has come is stored no oftener, and who stops waits no longer."""


@dataclass
class Heard:
    """The answer as it comes."""

    text: list[str] = field(default_factory=list)
    thinking: list[str] = field(default_factory=list)
    calls: dict[int, tuple[str, str, str]] = field(default_factory=dict)
    pieces: int = 0
    reply: Reply | None = None
    started: float = field(default_factory=time.monotonic)

    def take(self, piece: Delta | Reply) -> None:
        """The next piece."""
        self.pieces += 1
        if isinstance(piece, Reply):
            self.reply = piece
            return
        self.text.append(piece.text)
        self.thinking.append(piece.thinking)
        for part in piece.calls:
            self._take_call(part)

    def so_far(self) -> SoFar:
        """What has come."""
        calls = tuple(ToolCall(*self.calls[index]) for index in sorted(self.calls))
        return SoFar("".join(self.text), "".join(self.thinking), calls, time.monotonic() - self.started)

    def _take_call(self, part: CallPart) -> None:
        id, name, arguments = self.calls.get(part.index, ("", "", ""))
        self.calls[part.index] = (id or part.id, name or part.name, arguments + part.arguments)


@job(JOB)
async def preset_trial(run: JobRun) -> None:
    """Ask one endpoint and store what it says as it comes."""
    asking = await run.in_database(take_up, run.data["reply"])
    if asking is None:
        return
    heard = Heard()
    listening = asyncio.create_task(_listen(asking, heard))
    try:
        wanted = await _follow(run, asking, heard, listening)
    finally:
        # Also when the process ends: the call is closed before the job goes back.
        listening.cancel()
        await asyncio.wait([listening])
    if run.lost or not wanted:
        return  # another process says how it ended, or the run was deleted meanwhile
    if heard.reply is not None:
        await run.in_database(finish, asking.reply_id, asking.run_id, heard.reply)
        return
    if not listening.cancelled() and (error := listening.exception()) is not None:
        if not isinstance(error, DomainError):
            raise error
        await run.in_database(fail, asking.reply_id, asking.run_id, error, heard.so_far())
        return
    await run.in_database(end_stopped, asking.reply_id, asking.run_id, heard.so_far())
    raise JobStopped


async def _follow(run: JobRun, asking: Asking, heard: Heard, listening: asyncio.Task[None]) -> bool:
    """Store what comes until it has ended or is stopped; whether anybody still wants it."""
    stored = 0
    while not run.stopped:
        done, _waiting = await asyncio.wait([listening], timeout=EVERY)
        if done:
            break
        if heard.pieces > stored:
            stored = heard.pieces
            if not await run.in_database(keep, asking.reply_id, asking.run_id, heard.so_far()):
                return False
    return True


async def _listen(asking: Asking, heard: Heard) -> None:
    async with aclosing(calling.stream(asking.caller, asking.ask)) as pieces:
        async for piece in pieces:
            heard.take(piece)
