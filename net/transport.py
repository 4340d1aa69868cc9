"""The transport of downloads: httpx over the guarded connection of `net.guard`.

There is no setting that switches the rule off; tests put their own resolver and their own inner backend
underneath it.
"""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator, Iterable
from typing import Any

import httpcore
import httpx

from net.address import PORTS, RefusedAddress
from net.guard import Resolver, Rule, Wire, guarded_connection, system_resolver

MAX_SOCKETS = 8
RULE = Rule(ports=frozenset(PORTS.values()))


class GuardedBackend(httpcore.AsyncNetworkBackend):
    """Opens connections only to addresses that `net.address` allows; one lookup per connection."""

    def __init__(
        self, *, resolver: Resolver = system_resolver, inner: httpcore.AsyncNetworkBackend | None = None
    ) -> None:
        self._resolver = resolver
        self._inner = inner or httpcore.AnyIOBackend()
        self._wire = Wire(self._inner.connect_tcp, httpcore.ConnectError, httpcore.ConnectTimeout)

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore's interface
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to `host` by one of its checked addresses; see `guarded_connection` for what it raises."""
        return await guarded_connection(self._wire, RULE, self._resolver, host, port, timeout, socket_options)

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore's interface
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Never: a socket file is not an address of the outside network."""
        raise RefusedAddress("a socket file")

    async def sleep(self, seconds: float) -> None:
        await self._inner.sleep(seconds)


class PinnedTransport(httpx.AsyncBaseTransport):
    """The transport of every outgoing HTTP call: guarded, no proxy, at most `MAX_SOCKETS`, none kept open.

    Args:
        resolver: looks a name up; tests pass their own.
        inner: opens the socket once the address is allowed; tests pass their own.
        ssl_context: who is trusted; the default trusts the usual authorities.

    Raises `RefusedAddress` for a forbidden address and otherwise httpx's own errors.
    """

    def __init__(
        self,
        *,
        resolver: Resolver = system_resolver,
        inner: httpcore.AsyncNetworkBackend | None = None,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=ssl_context or httpx.create_ssl_context(trust_env=False),
            proxy=None,
            http2=False,
            retries=0,
            max_connections=MAX_SOCKETS,
            max_keepalive_connections=0,
            network_backend=GuardedBackend(resolver=resolver, inner=inner),
        )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        url = request.url
        # Only the time limits are passed on: an `sni_hostname` would check another name than the one asked.
        timeout = request.extensions.get("timeout")
        inner = httpcore.Request(
            method=request.method,
            url=httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
            headers=request.headers.raw,
            content=request.stream,
            extensions={"timeout": timeout} if timeout else {},
        )
        try:
            answer = await self._pool.handle_async_request(inner)
        except FAILURES as error:
            raise _as_httpx(error, request) from error
        return httpx.Response(answer.status, headers=answer.headers, stream=_Body(answer, request))

    async def aclose(self) -> None:
        await self._pool.aclose()


class _Body(httpx.AsyncByteStream):
    """The bytes of an answer as they come, with httpx's names for what can go wrong."""

    def __init__(self, answer: httpcore.Response, request: httpx.Request) -> None:
        self._answer = answer
        self._request = request

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for part in self._answer.aiter_stream():
                yield part
        except FAILURES as error:
            raise _as_httpx(error, self._request) from error

    async def aclose(self) -> None:
        await self._answer.aclose()


# A broken TLS record in the middle of an answer comes through httpcore as a bare OSError.
FAILURES = (httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProtocolError, OSError)
HTTPX_NAMES: dict[type[Exception], type[httpx.TransportError]] = {
    httpcore.ConnectTimeout: httpx.ConnectTimeout,
    httpcore.ReadTimeout: httpx.ReadTimeout,
    httpcore.WriteTimeout: httpx.WriteTimeout,
    httpcore.PoolTimeout: httpx.PoolTimeout,
    httpcore.ConnectError: httpx.ConnectError,
    httpcore.ReadError: httpx.ReadError,
    httpcore.WriteError: httpx.WriteError,
    httpcore.RemoteProtocolError: httpx.RemoteProtocolError,
    httpcore.LocalProtocolError: httpx.LocalProtocolError,
}


def _as_httpx(error: Exception, request: httpx.Request) -> httpx.TransportError:
    kind = HTTPX_NAMES.get(type(error), httpx.ReadError)
    return kind(str(error), request=request)
