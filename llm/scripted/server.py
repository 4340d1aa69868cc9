"""The scripted model's server."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, Self

from llm.protocols.protocol import text_at
from llm.scripted.faults import FAULTS
from llm.scripted.script import Asked, Line, Script
from llm.scripted.speech import Speech, tokens_of
from llm.scripted.wire import Wire

REMEMBERED = 50  # prompts of a model, for the numbers of its cache


@dataclass(frozen=True, slots=True)
class Received:
    """One request as it arrived."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def value(self) -> dict[str, Any]:
        value: dict[str, Any] = json.loads(self.body)
        return value


class ScriptedModel:
    """`async with ScriptedModel(script) as model:` serves at `model.address` until the block is left.

    `received` holds every request, byte for byte. `key`, when set, is the one that is taken. A prompt that
    begins as an earlier one of the same model is told as cached for so far.
    """

    def __init__(self, script: Script, *, key: str = "", port: int = 0) -> None:
        self._script = script
        self._key = key
        self._port = port
        self._played: Counter[int] = Counter()
        self._prompts: dict[str, list[str]] = {}
        self._server: asyncio.Server | None = None
        self._busy: set[asyncio.Task[None]] = set()
        self.received: list[Received] = []
        self.open_now = 0
        self.most_open = 0

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._port}/v1"

    @property
    def asked(self) -> list[Received]:
        """The chat requests among what was received."""
        return [received for received in self.received if received.path == "/v1/chat/completions"]

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", self._port)
        self._port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._busy:
            task.cancel()
        await asyncio.gather(*self._busy, return_exceptions=True)
        await self._server.wait_closed()

    async def forever(self) -> None:
        """Serve until cancelled."""
        assert self._server is not None
        await self._server.serve_forever()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._busy.add(task)
        self.open_now += 1
        self.most_open = max(self.most_open, self.open_now)
        wire = Wire(reader, writer)
        try:
            request = await wire.request()
            if request is not None:
                await self._answer(wire, Received(*request))
        except (ConnectionError, asyncio.CancelledError):
            pass  # the other side has gone, or we go
        finally:
            self.open_now -= 1
            self._busy.discard(task)
            await wire.close()

    async def _answer(self, wire: Wire, received: Received) -> None:
        self.received.append(received)
        if self._key and received.headers.get("authorization") != f"Bearer {self._key}":
            await wire.refuse(401, "Incorrect API key provided.", "invalid_api_key")
        elif (received.method, received.path) == ("GET", "/v1/models"):
            rows = [{"id": name, "object": "model"} for name in self._script.models]
            await wire.json(200, {"object": "list", "data": rows})
        elif (received.method, received.path) == ("POST", "/v1/chat/completions"):
            await self._play(wire, received)
        else:
            await wire.refuse(404, f"There is nothing at {received.path}.")

    async def _play(self, wire: Wire, received: Received) -> None:
        try:
            asked = Asked(received.value)
        except ValueError:
            await wire.refuse(400, "The body is not JSON.")
            return
        line = self._line_for(asked)
        if line is None:
            await wire.refuse(400, f"No line of the script fits: task {asked.task!r}.", "no_line")
            return
        speech = self._speech(asked, replace(asked.in_asked_form(line), seconds=line.seconds))
        await FAULTS[line.fault](wire, speech, asked.streamed)

    def _line_for(self, asked: Asked) -> Line | None:
        for place, rule in enumerate(self._script.rules):
            if rule.fits(asked):
                number = self._played[place]
                self._played[place] += 1
                return rule.lines[min(number, len(rule.lines) - 1)]
        return self._script.reader(asked) if self._script.reader else None

    def _speech(self, asked: Asked, line: Line) -> Speech:
        earlier = self._prompts.setdefault(asked.model, [])
        shared = max((_shared(text, asked.text) for text in earlier[-REMEMBERED:]), default=0)
        earlier.append(asked.text)
        return Speech(line, text_at(asked.body, "model"), tokens_of(len(asked.text)), shared // 4)


def _shared(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))
