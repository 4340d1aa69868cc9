"""A real server that gives written answers to whatever is asked, for protocols the scripted model has not."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from llm.scripted import Received
from llm.scripted.wire import Wire


@dataclass
class Canned:
    """Answers by path (without what follows `?`); a list of values is a stream of events, a text a page."""

    answers: dict[str, Any]
    address: str = ""
    received: list[Received] = field(default_factory=list)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        wire = Wire(reader, writer)
        request = await wire.request()
        if request is not None:
            self.received.append(Received(*request))
            await self._answer(wire, self.answers.get(request[1].partition("?")[0]))
        await wire.close()

    async def _answer(self, wire: Wire, answer: Any) -> None:
        if answer is None:
            await wire.refuse(404, "There is nothing here.")
        elif isinstance(answer, str):
            await wire.answer(200, answer.encode(), "text/html")
        elif isinstance(answer, list):
            await wire.answer(200, b"".join(_events(answer)), "text/event-stream")
        else:
            await wire.json(200, answer)


def _events(values: Iterable[Any]) -> Iterable[bytes]:
    for value in values:
        name = f"event: {value['type']}\n" if "type" in value else ""
        yield f"{name}data: {json.dumps(value)}\n\n".encode()


@asynccontextmanager
async def canned(answers: dict[str, Any]) -> AsyncIterator[Canned]:
    """Serve these answers until the block is left."""
    served = Canned(answers)
    server = await asyncio.start_server(served.serve, "127.0.0.1", 0)
    served.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield served
    finally:
        server.close()
        await server.wait_closed()
