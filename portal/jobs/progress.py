"""Storing progress often enough to be watched and seldom enough to be cheap."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from django.db import DatabaseError

logger = logging.getLogger(__name__)
INTERVAL: Final = 0.25  # seconds between two writes of one job


class Progress:
    """Gathers reported fields and hands them to `save`, at most once in `INTERVAL`.

    The first report is saved at once, later ones together when the interval has passed: the last one is saved
    by a timer of its own, or handed to whoever closes.
    """

    def __init__(
        self, save: Callable[[Mapping[str, Any]], Awaitable[None]], interval: float = INTERVAL
    ) -> None:
        self._save = save
        self._interval = interval
        self._pending: dict[str, Any] = {}
        self._saved_at = float("-inf")
        self._timer: asyncio.Task[None] | None = None
        self._writing = asyncio.Lock()

    async def report(
        self,
        *,
        stage: str | None = None,
        done: int | None = None,
        total: int | None = None,
        message: str | None = None,
        args: Mapping[str, Any] | None = None,
    ) -> None:
        """Take in what is given; what is None stays as it was."""
        given = {"stage": stage, "done": done, "total": total, "message": message}
        self._pending |= {name: value for name, value in given.items() if value is not None}
        if message is not None or args is not None:
            self._pending["message_args"] = dict(args or {})
        wait = self._saved_at + self._interval - time.monotonic()
        if wait <= 0:
            await self._flush()
        elif self._timer is None or self._timer.done():
            self._timer = asyncio.create_task(self._flush_in(wait))

    async def close(self) -> dict[str, Any]:
        """Stop saving; what was reported and not saved yet."""
        if self._timer is not None:
            self._timer.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._timer
        async with self._writing:
            left, self._pending = self._pending, {}
        return left

    async def _flush_in(self, wait: float) -> None:
        await asyncio.sleep(wait)
        await self._flush()

    async def _flush(self) -> None:
        async with self._writing:
            fields, self._pending = self._pending, {}
            if not fields:
                return
            self._saved_at = time.monotonic()
            try:
                await self._save(fields)
            except BaseException as error:
                # Not saved, so still to be saved: by the next report or by whoever closes.
                self._pending = fields | self._pending
                if not isinstance(error, DatabaseError):
                    raise
                logger.warning("progress is not stored yet: %s", error)
