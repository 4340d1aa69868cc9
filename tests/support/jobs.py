"""Handlers and small steps for tests of the jobs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

from portal.database import in_database
from portal.jobs import registry
from portal.jobs.registry import Handler
from portal.models import Job, Person

KIND = "test-work"


@contextmanager
def handling(handler: Handler, kind: str = KIND) -> Iterator[None]:
    """Let `handler` run the jobs of `kind` inside the block."""
    registry._handlers[kind] = handler
    try:
        yield
    finally:
        del registry._handlers[kind]


def stored_job(owner: Person, **fields: Any) -> Job:
    """A job as `submit` stores it, without kicking anybody."""
    return Job.objects.create(**{"owner": owner, "kind": KIND, "title": "Letters from the Fog", **fields})


async def until(question: Callable[[], Any] | Callable[[], Awaitable[Any]], seconds: float = 20.0) -> Any:
    """Ask again and again, the event loop free in between, until the answer is true; then that answer.

    Raises:
        TimeoutError: it did not become true in time.
    """
    async with asyncio.timeout(seconds):
        while True:
            answer = question()
            if asyncio.iscoroutine(answer):
                answer = await answer
            if answer:
                return answer
            await asyncio.sleep(0.01)


async def state_of(job: Job) -> str:
    """The stored state right now."""
    return str(await in_database(Job.objects.values_list("state", flat=True).get, pk=job.pk))
