"""An invented internet in memory: names, addresses and scripted servers, put under the guarded transport.

Every look-up and every dialled address is written down, so that a test can say what was reached.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import httpcore
import httpcore2

from net.download import Downloader, Limits
from net.model_transport import MAX_BODY, ModelTransport
from net.transport import PinnedTransport

GOOD = "93.184.215.14"
GOOD_V6 = "2606:4700::1111"


@dataclass(frozen=True)
class Asked:
    """One request as it arrived at a scripted server."""

    method: str
    target: str
    headers: dict[str, str]

    @property
    def url(self) -> str:
        return f"//{self.headers['host']}{self.target}"


Parts = Iterable[bytes] | AsyncIterator[bytes]
Server = Callable[[Asked], Parts]


def answer(
    status: int = 200,
    body: bytes = b"",
    *,
    kind: str | None = "image/png",
    length: int | None = None,
    headers: dict[str, str] | None = None,
) -> list[bytes]:
    """The bytes of one answer; `length` may lie, `kind=None` leaves the type out."""
    lines = [f"HTTP/1.1 {status} Invented", f"Content-Length: {len(body) if length is None else length}"]
    if kind is not None:
        lines.append(f"Content-Type: {kind}")
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    return [("\r\n".join(lines) + "\r\n\r\n").encode(), body]


def moved(location: str, status: int = 302) -> list[bytes]:
    return answer(status, headers={"Location": location})


def picture_server(picture: bytes) -> Server:
    """Gives the picture for every target, and only the head for HEAD."""

    def serve(asked: Asked) -> Parts:
        parts = answer(body=picture)
        return parts[:1] if asked.method == "HEAD" else parts

    return serve


@dataclass
class Internet:
    """Names to answers (a list of address lists is given out one look-up after the other, the last for ever),
    addresses to servers."""

    names: dict[str, list[list[str]]] = field(default_factory=dict)
    server: Server = field(default_factory=lambda: picture_server(b""))
    closed: set[str] = field(default_factory=set)
    lookups: list[str] = field(default_factory=list)
    dialled: list[str] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    open_now: int = 0
    most_open: int = 0
    tell_peer: Callable[[tuple[str, int]], object] = lambda peer: peer  # to whom a socket is connected

    async def resolve(self, host: str, port: int) -> list[str]:
        self.lookups.append(host)
        answers = self.names.get(host)
        if answers is None:
            raise OSError("no such name")
        return answers.pop(0) if len(answers) > 1 else answers[0]

    def transport(self, ssl_context: ssl.SSLContext | None = None) -> PinnedTransport:
        return PinnedTransport(resolver=self.resolve, inner=_Wire(self), ssl_context=ssl_context or _no_tls())

    def model_transport(self, *listed: str, max_body: int = MAX_BODY) -> ModelTransport:
        """The transport of models; its TLS is taken as done, since the wire is in memory."""
        wire = _ModelWire(self)
        return ModelTransport(
            listed, resolver=self.resolve, inner=wire, ssl_context=_no_tls(), max_body=max_body
        )

    def downloader(self, limits: Limits | None = None) -> Downloader:
        return Downloader(self.transport(), limits)


def _no_tls() -> ssl.SSLContext:
    """A context that trusts nobody: quick to make, and no test in memory gets as far as TLS."""
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


class _Wire(httpcore.AsyncNetworkBackend):
    def __init__(self, internet: Internet) -> None:
        self._internet = internet

    async def connect_tcp(self, host: str, port: int, *_: Any, **__: Any) -> httpcore.AsyncNetworkStream:
        self._internet.dialled.append(host)
        if host in self._internet.closed:
            raise httpcore.ConnectError("closed")
        return _Stream(self._internet, host, port)


class _ModelWire(httpcore2.AsyncNetworkBackend):
    def __init__(self, internet: Internet) -> None:
        self._internet = internet

    async def connect_tcp(self, host: str, port: int, *_: Any, **__: Any) -> Any:
        self._internet.dialled.append(host)
        if host in self._internet.closed:
            raise httpcore2.ConnectError("closed")
        return _ModelStream(self._internet, host, port)


class _Stream(httpcore.AsyncNetworkStream):
    def __init__(self, internet: Internet, host: str, port: int) -> None:
        self._internet, self._peer = internet, (host, port)
        self._sent = b""
        self._parts: AsyncIterator[bytes] | None = None
        self._open = True
        internet.open_now += 1
        internet.most_open = max(internet.most_open, internet.open_now)

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._sent += buffer

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        if self._parts is None:
            self._parts = _each(self._internet.server(self._request()))
        try:
            async with asyncio.timeout(timeout):
                return await anext(self._parts, b"")
        except TimeoutError as error:
            raise httpcore.ReadTimeout("silent") from error

    def _request(self) -> Asked:
        first, *lines = self._sent.partition(b"\r\n\r\n")[0].decode().split("\r\n")
        method, target, _ = first.split(" ")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        asked = Asked(method, target, headers)
        self._internet.asked.append(asked)
        return asked

    async def aclose(self) -> None:
        if self._open:
            self._open = False
            self._internet.open_now -= 1

    async def start_tls(self, *_: Any, **__: Any) -> httpcore.AsyncNetworkStream:
        raise httpcore.ConnectError("no TLS in memory")

    def get_extra_info(self, info: str) -> Any:
        return self._internet.tell_peer(self._peer) if info == "server_addr" else None


class _ModelStream(_Stream):
    async def start_tls(self, *_: Any, **__: Any) -> httpcore.AsyncNetworkStream:
        return self


async def _each(parts: Parts) -> AsyncIterator[bytes]:
    """Parts one by one, each after the event loop had a turn, as on a real wire."""
    if isinstance(parts, AsyncIterator):
        async for part in parts:
            yield part
        return
    for part in parts:
        await asyncio.sleep(0)
        if part:
            yield part
