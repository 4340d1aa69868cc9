"""One attempt at one job: run its handler, record how it ended."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final

from django.db import DatabaseError, InterfaceError

from formats.errors import DomainError
from formats.messages import gettext_noop
from portal.database import in_database
from portal.jobs import ledger
from portal.jobs.registry import handler_of
from portal.jobs.run import JobRun, JobStopped
from portal.models import Job

logger = logging.getLogger(__name__)
RETRIES: Final = (0.1, 0.5, 2.0, 5.0)  # seconds before the last write of a job is tried again
State = Job.State


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an attempt ended. `state` None: it did not, and the job goes back to the queue."""

    state: str | None
    fields: Mapping[str, Any] = field(default_factory=dict)


class Attempt:
    """Runs the handler of a claimed job under its lease.

    The handler is a task of its own, so that ending it never cuts off the record of how it ended.
    """

    def __init__(self, claim: ledger.Claim, threads: ThreadPoolExecutor, lease: float) -> None:
        self.claim = claim
        self.job_run = JobRun(claim, threads, lease)
        self._handler: asyncio.Task[None] | None = None
        self._cancelled = False
        self._giving_up = False
        self._ending_since: float | None = None

    async def run(self) -> None:
        """Run to an end and record it, unless the lease is lost. Raises nothing."""
        self._handler = asyncio.create_task(self._handle())
        if self._cancelled:
            self._handler.cancel()
        await asyncio.wait([self._handler])
        outcome = self._outcome(self._handler)
        fields = {**await self.job_run.last_progress(), **outcome.fields}
        if self.job_run.lost:
            logger.warning("job %s is held by another process now; nothing is recorded", self.claim.job_id)
        elif outcome.state is None:
            await self._write(ledger.give_back, self.claim, fields)
        else:
            await self._write(ledger.record_end, self.claim, outcome.state, fields)

    def cancel(self) -> None:
        """End the handler at its next await. Once only: how it then ends in order is not disturbed."""
        if not self._cancelled:
            self._cancelled = True
            if self._handler is not None:
                self._handler.cancel()

    def give_up(self) -> None:
        """The process ends: cancel the handler and let its job go back to the queue."""
        self._giving_up = True
        self.cancel()

    async def give_back(self) -> None:
        """Put the job back although the handler has not returned; what it still writes is fenced off."""
        await self._write(ledger.give_back, self.claim, {})
        self.job_run.lose()

    def overstays(self, grace: float) -> bool:
        """The handler was asked to stop, or lost its lease, `grace` seconds ago and still works."""
        if self.job_run.lapsed():
            self.job_run.lose()
        if not self.job_run.stopped:
            return False
        self._ending_since = self._ending_since or time.monotonic()
        return time.monotonic() - self._ending_since >= grace

    async def _handle(self) -> None:
        await handler_of(self.claim.kind)(self.job_run)

    def _outcome(self, handler: asyncio.Task[None]) -> Outcome:
        error = asyncio.CancelledError() if handler.cancelled() else handler.exception()
        if error is None:
            return Outcome(State.DONE)
        if handler.cancelled() and self._giving_up:
            return Outcome(None)
        if isinstance(error, JobStopped) or (handler.cancelled() and self._cancelled):
            return Outcome(State.STOPPED)
        if isinstance(error, DomainError):
            return Outcome(State.FAILED, refused(error))
        return Outcome(State.FAILED, broken(error, self.claim))

    async def _write(self, write: Any, *args: Any) -> None:
        """The last word about an attempt, tried again while the database does not answer."""
        for wait in (*RETRIES, None):
            try:
                if not await in_database(write, *args):
                    logger.warning("job %s was taken by another process", self.claim.job_id)
                return
            except (DatabaseError, InterfaceError) as error:
                if wait is None:
                    logger.exception("how job %s ended could not be stored; it runs again", self.claim.job_id)
                    return
                logger.warning("storing the end of job %s is tried again: %s", self.claim.job_id, error)
                await asyncio.sleep(wait)


def refused(error: DomainError) -> dict[str, Any]:
    """A refusal as a job stores it: template and values apart (D40)."""
    return {
        "error_code": error.code[:64],
        "error": error.message[:1000],
        "error_hint": error.hint[:1000],
        "error_where": error.where[:300],
        "error_args": {
            name: value if isinstance(value, str | int | float | bool | None) else str(value)
            for name, value in error.values.items()
        },
    }


def broken(error: BaseException, claim: ledger.Claim) -> dict[str, Any]:
    """A mistake of ours: the log gets everything under a number, the person gets the number."""
    number = secrets.token_hex(4)
    logger.error("job %s (%s) failed, number %s", claim.job_id, claim.kind, number, exc_info=error)
    return {
        "error_code": "internal",
        "error": gettext_noop(
            "Our fault: “{title}” ended because of a mistake in the program. What was finished is kept."
        ),
        "error_hint": gettext_noop("Try again. If it happens again, tell the host this number: {number}."),
        "error_args": {"title": claim.title, "number": number},
    }
