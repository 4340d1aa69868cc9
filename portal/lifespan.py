"""What happens when the server starts and ends: the engine of the jobs, and the other rooms' recovery."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from asgiref.sync import ThreadSensitiveContext

from portal import bell, slots
from portal.database import in_database
from portal.jobs import engine

logger = logging.getLogger(__name__)
Message = MutableMapping[str, Any]


class Lifespan:
    """The ASGI lifespan application.

    At start the engine begins to work, then whatever stands in the slot `server.started` is called, beside
    the serving: each is a synchronous callable without arguments that takes up what an earlier process left
    half done.
    """

    def __init__(self, make_engine: Callable[[], engine.Engine]) -> None:
        self._make_engine = make_engine
        self._recovery: asyncio.Task[None] | None = None

    async def __call__(
        self,
        scope: MutableMapping[str, Any],
        receive: Callable[[], Awaitable[Message]],
        send: Callable[[Message], Awaitable[None]],
    ) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                await self._start()
                await send({"type": "lifespan.startup.complete"})
            else:
                await self._end()
                await send({"type": "lifespan.shutdown.complete"})
                return

    async def _start(self) -> None:
        bell.serve_in(asyncio.get_running_loop())
        runs_jobs = self._make_engine()
        engine.install(runs_jobs)
        await runs_jobs.start()
        self._recovery = asyncio.create_task(recover())

    async def _end(self) -> None:
        if self._recovery is not None:
            self._recovery.cancel()
        runs_jobs = engine.installed()
        if runs_jobs is not None:
            await runs_jobs.stop()
            engine.install(None)
        bell.serve_in(None)


async def recover() -> None:
    """Call every recovery hook. One that fails is logged; the others and the pages work all the same."""
    async with ThreadSensitiveContext():
        for hook in slots.filled("server.started"):
            try:
                await in_database(hook)
            except Exception:  # whatever a room's recovery meets, the server serves
                logger.exception("recovery at start failed: %s.%s", hook.__module__, hook.__qualname__)
