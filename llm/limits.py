"""How long a call may take, how many run at once, and when one is tried again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from llm.faults import ModelFault

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Deadlines:
    """Seconds: to connect, until the first piece, between pieces of content, after the last piece until the
    stream is closed, and for the whole call."""

    connect: float = 10.0
    first: float = 120.0
    between: float = 60.0
    after_end: float = 5.0
    total: float = 300.0


class AtOnce:
    """At most so many at once for each address and key. It belongs to the event loop that first uses it."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._places: dict[Hashable, tuple[asyncio.Semaphore, int]] = {}

    @asynccontextmanager
    async def place(self, address: Hashable) -> AsyncIterator[None]:
        """Wait for a place, and hold it within the block."""
        places, users = self._places.get(address, (asyncio.Semaphore(self._most), 0))
        self._places[address] = (places, users + 1)
        try:
            async with places:
                yield
        finally:
            users = self._places[address][1] - 1
            if users:
                self._places[address] = (places, users)
            else:
                del self._places[address]  # addresses come and go; an empty room is not kept


@dataclass(frozen=True, slots=True)
class Retries:
    """When a call is made again: up to `attempts` in all, each wait longer and a little different.

    A service that asks to wait is obeyed up to `longest_wait` seconds; what asks for more ends the trying,
    and the fault says until when. `chance` gives a number from 0 to 1.
    """

    chance: Callable[[], float]
    attempts: int = 3
    first_wait: float = 1.0
    longest_wait: float = 60.0
    sleep: Callable[[float], Awaitable[None]] = field(default=asyncio.sleep)

    async def run(self, call: Callable[[], Awaitable[T]]) -> T:
        """What the call gives.

        Raises:
            ModelFault: of the last attempt, or of the first that cannot pass.
        """
        for attempt in range(1, self.attempts):
            try:
                return await call()
            except ModelFault as fault:
                wait = self._wait(fault, attempt)
                if wait is None:
                    raise
            await self.sleep(wait)
        return await call()

    def _wait(self, fault: ModelFault, attempt: int) -> float | None:
        """Seconds until the next attempt; None when there is none."""
        if not fault.passing:
            return None
        if fault.wait is not None:
            return fault.wait if fault.wait <= self.longest_wait else None
        grown = self.first_wait * 2.0 ** (attempt - 1)
        return min(grown, self.longest_wait) * (0.5 + self.chance())
