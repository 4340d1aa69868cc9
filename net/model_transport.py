"""The transport of model calls: httpx2, which the model client libraries speak, over the connection of
`net.guard` (D43).

The rule is that of downloads on any port, with two differences: only https reaches the public network, and
what the host has listed as an exact `scheme://host:port` may be spoken to wherever it leads. Both kinds
have a pool of their own, so that a listed address never opens a way for another scheme, name or port.
Redirects are not followed, the environment is not asked for proxies, and an answer ends at `MAX_BODY`
bytes, packed or not.
"""

from __future__ import annotations

import functools
import ssl
import zlib
from collections.abc import AsyncIterator, Iterable
from typing import Any

import httpcore2
import httpx2

from net.address import RefusedAddress, checked_model_url, origin_of
from net.guard import Resolver, Rule, Wire, guarded_connection, system_resolver

MAX_BODY = 8_000_000
MAX_CALLS = 64  # open at once; how many a person or an import may have is decided above
PIECE = 65_536
PUBLIC = Rule(ports=None)
LISTED = Rule(ports=None, public_only=False)


class AnswerTooLarge(httpx2.RemoteProtocolError):
    """An answer that goes on after the most that is read."""


class ModelBackend(httpcore2.AsyncNetworkBackend):
    """Opens connections by one rule; one lookup per connection."""

    def __init__(
        self,
        rule: Rule,
        *,
        resolver: Resolver = system_resolver,
        inner: httpcore2.AsyncNetworkBackend | None = None,
    ) -> None:
        self._rule = rule
        self._resolver = resolver
        self._inner = inner or httpcore2.AnyIOBackend()
        self._wire = Wire(self._inner.connect_tcp, httpcore2.ConnectError, httpcore2.ConnectTimeout)

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore2's interface
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Connect to `host` by one of its checked addresses; see `guarded_connection` for what it raises."""
        return await guarded_connection(
            self._wire, self._rule, self._resolver, host, port, timeout, socket_options
        )

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore2's interface
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Never: a socket file is not an address of the outside network."""
        raise RefusedAddress("a socket file")

    async def sleep(self, seconds: float) -> None:
        await self._inner.sleep(seconds)


@functools.cache
def usual_trust() -> ssl.SSLContext:
    """The usual authorities, read once a process: it takes 70 ms, so asynchronous code first asks for
    them in a thread."""
    return httpx2.create_ssl_context(trust_env=False)


class ModelTransport(httpx2.AsyncBaseTransport):
    """Every call to a model goes through one of these. It belongs to the event loop in which it is first
    used.

    Args:
        listed: the host's list, each as `net.address.listed_origin` writes it.
        resolver: looks a name up; tests pass their own.
        inner: opens the socket once the address is allowed; tests pass their own.
        ssl_context: who is trusted; the default trusts the usual authorities.
        max_body: the most bytes of an answer.

    Raises `RefusedAddress` for a forbidden address and otherwise httpx2's own errors.
    """

    def __init__(
        self,
        listed: Iterable[str] = (),
        *,
        resolver: Resolver = system_resolver,
        inner: httpcore2.AsyncNetworkBackend | None = None,
        ssl_context: ssl.SSLContext | None = None,
        max_body: int = MAX_BODY,
    ) -> None:
        self._listed = frozenset(listed)
        self._max_body = max_body
        trusted = ssl_context or usual_trust()
        self._pools = {
            rule: httpcore2.AsyncConnectionPool(
                ssl_context=trusted,
                proxy=None,
                http2=False,
                retries=0,
                max_connections=MAX_CALLS,
                max_keepalive_connections=0,  # a kept connection would skip the next look-up
                network_backend=ModelBackend(rule, resolver=resolver, inner=inner),
            )
            for rule in (PUBLIC, LISTED)
        }

    def check(self, url: str) -> None:
        """Refuse an address by how it is written, before anything is looked up.

        Raises:
            RefusedAddress: it is not one that may be spoken to.
        """
        checked_model_url(url, self._listed)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        url = checked_model_url(str(request.url), self._listed)
        rule = LISTED if origin_of(url) in self._listed else PUBLIC
        timeout = request.extensions.get("timeout")
        headers = [pair for pair in request.headers.raw if pair[0].lower() != b"accept-encoding"]
        inner = httpcore2.Request(
            method=request.method,
            url=httpcore2.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
            headers=[*headers, (b"Accept-Encoding", b"identity")],
            content=request.stream,
            extensions={"timeout": timeout} if timeout else {},
        )
        try:
            answer = await self._pools[rule].handle_async_request(inner)
        except FAILURES as error:
            raise _as_httpx2(error, request) from error
        packed = any(name.lower() == b"content-encoding" for name, _ in answer.headers)
        kept = [pair for pair in answer.headers if not packed or pair[0].lower() not in UNPACKED_AWAY]
        body = _Body(answer, request, self._max_body, unpack=packed)
        return httpx2.Response(answer.status, headers=kept, stream=body)

    async def aclose(self) -> None:
        for pool in self._pools.values():
            await pool.aclose()


UNPACKED_AWAY = (b"content-encoding", b"content-length")


class _Body(httpx2.AsyncByteStream):
    """The bytes of an answer as they come, counted, with httpx2's names for what can go wrong.

    Nothing packed is asked for; a server that packs all the same is unpacked here, piece by piece, so that a
    small answer cannot become a large one before it is counted.
    """

    def __init__(
        self, answer: httpcore2.Response, request: httpx2.Request, limit: int, *, unpack: bool
    ) -> None:
        self._answer = answer
        self._request = request
        self._left = limit
        self._unpack = unpack

    async def __aiter__(self) -> AsyncIterator[bytes]:
        pieces = self._unpacked() if self._unpack else self._answer.aiter_stream()
        try:
            async for piece in pieces:
                self._left -= len(piece)
                if self._left < 0:
                    raise AnswerTooLarge("longer than an answer may be", request=self._request)
                yield piece
        except FAILURES as error:
            raise _as_httpx2(error, self._request) from error

    async def _unpacked(self) -> AsyncIterator[bytes]:
        unpacking = zlib.decompressobj(wbits=zlib.MAX_WBITS | 32)  # gzip or zlib, by its first bytes
        async for packed in self._answer.aiter_stream():
            waiting = packed
            while waiting:
                try:
                    piece = unpacking.decompress(waiting, PIECE)
                except zlib.error as error:
                    raise httpx2.DecodingError("not packed as it says", request=self._request) from error
                waiting = unpacking.unconsumed_tail
                if piece:
                    yield piece
                elif unpacking.eof:
                    return
        if not unpacking.eof:
            raise httpx2.RemoteProtocolError("the packed answer breaks off", request=self._request)

    async def aclose(self) -> None:
        await self._answer.aclose()


FAILURES = (httpcore2.TimeoutException, httpcore2.NetworkError, httpcore2.ProtocolError, OSError)
HTTPX2_NAMES: dict[type[Exception], type[httpx2.TransportError]] = {
    httpcore2.ConnectTimeout: httpx2.ConnectTimeout,
    httpcore2.ReadTimeout: httpx2.ReadTimeout,
    httpcore2.WriteTimeout: httpx2.WriteTimeout,
    httpcore2.PoolTimeout: httpx2.PoolTimeout,
    httpcore2.ConnectError: httpx2.ConnectError,
    httpcore2.ReadError: httpx2.ReadError,
    httpcore2.WriteError: httpx2.WriteError,
    httpcore2.RemoteProtocolError: httpx2.RemoteProtocolError,
    httpcore2.LocalProtocolError: httpx2.LocalProtocolError,
}


def _as_httpx2(error: Exception, request: httpx2.Request) -> httpx2.TransportError:
    kind = HTTPX2_NAMES.get(type(error), httpx2.ReadError)
    return kind(str(error), request=request)
