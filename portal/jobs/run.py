"""`JobRun`: what a handler holds while it works."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import functools
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

from django.db import connections

from portal.database import in_database
from portal.jobs import ledger
from portal.jobs.progress import Progress

_P = ParamSpec("_P")
_T = TypeVar("_T")


class JobStopped(Exception):
    """The job must not go on: somebody stopped it, or another process holds it now."""


class JobRun:
    """One attempt at one job.

    `fence` grows with every attempt at the job: a handler hands it to what it writes, so that a process that
    woke up too late can be refused.
    """

    def __init__(self, claim: ledger.Claim, threads: ThreadPoolExecutor, lease: float) -> None:
        self.claim = claim
        self.job_id: str = claim.job_id
        self.kind: str = claim.kind
        self.subject: str = claim.subject
        self.owner_id: int = claim.owner_id
        self.data: Mapping[str, Any] = claim.data
        self.fence: int = claim.fence
        self.attempt: int = claim.attempt
        self._threads = threads
        self._lease = lease
        self._confirmed = time.monotonic()
        self._asked = False
        self._lost = False
        self._progress = Progress(self._save)

    @property
    def stopped(self) -> bool:
        """Somebody asked to stop, or the lease is lost: end soon."""
        return self._asked or self._lost

    @property
    def lost(self) -> bool:
        """Another process holds the job, or may: nothing may be written any more."""
        return self._lost

    async def progress(
        self,
        *,
        stage: str | None = None,
        done: int | None = None,
        total: int | None = None,
        message: str | None = None,
        args: Mapping[str, Any] | None = None,
    ) -> None:
        """Store how far the job is, then ring. What is not given stays as it was.

        At most about four writes a second; the last one is never lost. `message` is a marked English
        template, `args` its values.

        Raises:
            JobStopped: the job must not go on.
        """
        if self.stopped:
            raise JobStopped
        await self._progress.report(stage=stage, done=done, total=total, message=message, args=args)
        if self.stopped:
            raise JobStopped

    async def check(self) -> None:
        """Return while the job may go on. Call it before every step that cannot be taken back.

        Raises:
            JobStopped: the job was stopped, or its lease is lost.
        """
        if not self.stopped and time.monotonic() - self._confirmed > self._lease / 2:
            await self.renew()
        if self.stopped:
            raise JobStopped

    async def in_thread(self, work: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """Run blocking work (files, computing) beside the event loop.

        A thread cannot be interrupted: when the job is cancelled meanwhile, this waits for the work to
        return, so that nothing of a job happens after its end is recorded.
        """
        context = contextvars.copy_context()
        call = functools.partial(_without_connections, functools.partial(work, *args, **kwargs))
        future = asyncio.get_running_loop().run_in_executor(self._threads, context.run, call)
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            while not future.done():
                with contextlib.suppress(asyncio.CancelledError):
                    await asyncio.wait([future])
            raise

    async def in_database(self, work: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """Run short synchronous work that uses the database."""
        return await in_database(work, *args, **kwargs)

    async def renew(self) -> None:
        """Ask the database whether the job is still ours, and hold it longer."""
        beats = await self.in_database(ledger.renew, [self.claim], self._lease)
        self.heard(beats.get(self.job_id))

    def heard(self, beat: ledger.Beat | None) -> None:
        """Take in what the database said about the lease; None: it is not ours any more."""
        if beat is None:
            self._lost = True
            return
        self._confirmed = time.monotonic()
        self._asked = self._asked or beat.stop

    def lapsed(self) -> bool:
        """The lease has run out by our own clock, whatever the database would say."""
        return time.monotonic() - self._confirmed > self._lease

    def lose(self) -> None:
        """Treat the job as somebody else's from now on."""
        self._lost = True

    async def last_progress(self) -> dict[str, Any]:
        """Fields that were reported and not yet stored; nothing is stored by itself after this."""
        return await self._progress.close()

    async def _save(self, fields: Mapping[str, Any]) -> None:
        if not await self.in_database(ledger.save_progress, self.claim, fields):
            self._lost = True


def _without_connections(work: Callable[[], _T]) -> _T:
    """Close the database connections that the work opened in its thread."""
    try:
        return work()
    finally:
        connections.close_all()
