"""HTTP/1.1 as plain bytes over one connection, so that every way of breaking it can be played."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from collections.abc import Mapping
from typing import Any

MAX_BODY = 64_000_000


class Wire:
    """One connection: a request is read from it, an answer is written to it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def request(self) -> tuple[str, str, dict[str, str], bytes] | None:
        """Method, target, headers (names in lower case) and body; None when nothing that is one came."""
        try:
            head = await self._reader.readuntil(b"\r\n\r\n")
            first, *lines = head.decode("latin-1").rstrip("\r\n").split("\r\n")
            method, target, _ = first.split(" ")
            headers = {name.lower(): text for name, _, text in (line.partition(": ") for line in lines)}
            length = min(int(headers.get("content-length", "0")), MAX_BODY)
            return method, target, headers, await self._reader.readexactly(length)
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError, OSError):
            return None

    async def head(self, status: int, headers: Mapping[str, str]) -> None:
        lines = [f"HTTP/1.1 {status} Scripted", "Connection: close"]
        lines += [f"{name}: {text}" for name, text in headers.items()]
        await self.raw(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1"))

    async def answer(self, status: int, body: bytes, kind: str, **headers: str) -> None:
        """A whole answer of a known length."""
        more = {name.replace("_", "-"): text for name, text in headers.items()}
        await self.head(status, {"Content-Type": kind, "Content-Length": str(len(body)), **more})
        await self.raw(body)

    async def json(self, status: int, value: Any, **headers: str) -> None:
        await self.answer(status, json.dumps(value).encode(), "application/json", **headers)

    async def refuse(self, status: int, words: str, code: str = "", **headers: str) -> None:
        """A failure as the protocol tells it."""
        error = {"message": words, "type": "scripted", "code": code or None}
        await self.json(status, {"error": error}, **headers)

    async def begin_stream(self) -> None:
        await self.head(200, {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"})

    async def chunk(self, part: bytes) -> None:
        await self.raw(f"{len(part):x}\r\n".encode() + part + b"\r\n")

    async def end_stream(self) -> None:
        await self.raw(b"0\r\n\r\n")

    async def raw(self, part: bytes) -> None:
        self._writer.write(part)
        await self._writer.drain()

    async def sleep(self, seconds: float) -> None:
        """Wait, but no longer than the other side stays.

        Raises:
            ConnectionError: it has gone.
        """
        try:
            async with asyncio.timeout(seconds):
                while await self._reader.read(1024):
                    pass
        except TimeoutError:
            return
        raise ConnectionError("the other side has gone")

    def reset(self) -> None:
        """Break the connection without a farewell."""
        plug: socket.socket = self._writer.get_extra_info("socket")
        plug.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._writer.transport.abort()

    async def close(self) -> None:
        self._writer.close()
        try:
            await self._writer.wait_closed()
        except OSError:
            return  # it was broken already
