"""The embedded engine: jobs run as tasks of the process that serves the pages. It needs no other program."""

from __future__ import annotations

import asyncio
import contextvars
import logging
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from asgiref.sync import ThreadSensitiveContext
from django.db import DatabaseError, InterfaceError

from portal.database import in_database
from portal.jobs import ledger, process
from portal.jobs.attempt import Attempt
from portal.jobs.engine import EngineState
from portal.jobs.ledger import Choice

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Pace:
    """Times of the engine in seconds.

    `lease`: how long a job is held without a sign of life; `beat`: between signs of life; `poll`: between
    looks for work nobody announced; `grace`: what a handler that was asked to stop gets before it is
    cancelled, and what cancelled handlers get before the process ends.
    """

    lease: float = 20.0
    beat: float = 2.0
    poll: float = 2.0
    grace: float = 3.0


class EmbeddedEngine:
    """Runs at most `limit` jobs at once, at most `per_person` of one person."""

    def __init__(
        self, *, limit: int, per_person: int | None = 3, pace: Pace | None = None, only: Choice | None = None
    ) -> None:
        self.ended = asyncio.Event()  # set whenever an attempt has ended
        self.name = process.own_name()
        self._limit = limit
        self._per_person = per_person
        self._only = only
        self._pace = pace or Pace()
        self._attempts: dict[str, tuple[Attempt, asyncio.Task[None]]] = {}
        self._loops: list[asyncio.Task[None]] = []
        self._closing = asyncio.Event()
        self._wake = asyncio.Event()
        self._beat_now = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._context = contextvars.Context()
        self._threads = ThreadPoolExecutor(max_workers=limit * 2, thread_name_prefix="job")

    async def start(self) -> None:
        """Begin to look for work, in the running event loop."""
        self._loop = asyncio.get_running_loop()
        self._context = contextvars.copy_context()
        self._loops = [asyncio.create_task(self._find_work()), asyncio.create_task(self._keep_leases())]
        for loop in self._loops:
            loop.add_done_callback(_report)

    async def stop(self) -> None:
        """Cancel what runs, give it back to the queue, and end. The leases are free when this returns."""
        self._close()
        # Not cancelled: a claim on its way through the database must not be left to nobody.
        await asyncio.wait(self._loops, timeout=self._pace.grace)
        if tasks := [task for _, task in self._attempts.values()]:
            await asyncio.wait(tasks, timeout=self._pace.grace)
        for attempt, task in list(self._attempts.values()):
            if not task.done():  # a thread of it does not return; its writes are fenced off from now on
                await attempt.give_back()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def close(self) -> None:
        """Take no more work, and begin to cancel what runs. From any thread, also from a signal's handler."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._close)

    def _close(self) -> None:
        if not self._closing.is_set():
            self._closing.set()
            self._wake.set()
            self._beat_now.set()
            for attempt, _ in self._attempts.values():
                attempt.give_up()

    def kick(self, job_id: str) -> None:
        """Look for work now; a running job is asked about at once."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._kicked, job_id)

    def state(self) -> EngineState:
        works = bool(self._loops) and not any(loop.done() for loop in self._loops)
        running = works and not self._closing.is_set()
        return EngineState(running=running, jobs=len(self._attempts), limit=self._limit)

    def _kicked(self, job_id: str) -> None:
        (self._beat_now if job_id in self._attempts else self._wake).set()

    async def _find_work(self) -> None:
        async with ThreadSensitiveContext():
            while not self._closing.is_set():
                self._wake.clear()
                try:
                    await in_database(ledger.upkeep, process.is_dead)
                    await self._fill()
                except (DatabaseError, InterfaceError) as error:
                    logger.warning("looking for jobs failed and is tried again: %s", error)
                if not self._closing.is_set():
                    await wait_for(self._wake, self._pace.poll)

    async def _fill(self) -> None:
        """Start waiting jobs while there is room."""
        while not self._closing.is_set() and len(self._attempts) < self._limit:
            claim = await in_database(
                ledger.claim, self.name, self._pace.lease, per_person=self._per_person, only=self._only
            )
            if claim is None:
                return
            attempt = Attempt(claim, self._threads, self._pace.lease)
            if self._closing.is_set():
                attempt.give_up()
            # Not in the context of this loop: the job's database work gets a thread of its own.
            task = asyncio.create_task(self._work(attempt), context=self._context.copy())
            self._attempts[claim.job_id] = (attempt, task)

    async def _work(self, attempt: Attempt) -> None:
        try:
            async with ThreadSensitiveContext():
                await attempt.run()
        finally:
            self._attempts.pop(attempt.claim.job_id, None)
            self._wake.set()
            self.ended.set()

    async def _keep_leases(self) -> None:
        async with ThreadSensitiveContext():
            while not self._closing.is_set():
                self._beat_now.clear()
                await self._beat()
                if not self._closing.is_set():
                    await wait_for(self._beat_now, self._pace.beat)

    async def _beat(self) -> None:
        """Extend every lease, and end the jobs that were asked to stop or are not ours any more."""
        held = dict(self._attempts)
        if not held:
            return
        try:
            claims = [attempt.claim for attempt, _ in held.values()]
            beats = await in_database(ledger.renew, claims, self._pace.lease)
        except (DatabaseError, InterfaceError) as error:
            logger.warning("leases of jobs could not be extended and are tried again: %s", error)
            beats = None
        for job_id, (attempt, _) in held.items():
            if beats is not None:
                attempt.job_run.heard(beats.get(job_id))
            if attempt.overstays(self._pace.grace):
                attempt.cancel()


def _report(loop: asyncio.Task[None]) -> None:
    """An engine that has died says so; `/healthz` shows it too."""
    if not loop.cancelled() and (error := loop.exception()):
        logger.critical("the engine of the jobs has ended", exc_info=error)


async def wait_for(event: asyncio.Event, seconds: float) -> None:
    """Until the event is set, at most so long."""
    try:
        await asyncio.wait_for(event.wait(), seconds)
    except TimeoutError:
        return
