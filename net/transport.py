"""The pinned connection: a name is looked up once, every answer must be allowed, and that answer is dialled.

Checking a name first and letting the client look it up again would let the second answer differ
(rebinding); putting the address into the URL would break the certificate check. So the rule sits where the
socket is opened, and the name stays in `Host` and in the TLS handshake. There is no setting that switches it
off; tests put their own resolver and their own inner backend underneath it.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from ipaddress import ip_address
from typing import Any

import httpcore
import httpx

from net.address import PORTS, RefusedAddress, check_host, is_literal, may_dial

Resolver = Callable[[str, int], Awaitable[Sequence[str]]]

LOOKUP_SECONDS = 5.0
MAX_DIALLED = 4  # of the addresses a name has, one after the other
MAX_SOCKETS = 8

# The system's lookup blocks its thread for as long as it likes; it gets threads of its own, so that slow name
# servers cannot fill those the rest of the program shares.
_lookups = ThreadPoolExecutor(max_workers=MAX_SOCKETS, thread_name_prefix="lookup")


async def system_resolver(host: str, port: int) -> list[str]:
    """All addresses of a name in the order the system prefers.

    Raises:
        OSError: the name has none, or no name server answers.
    """
    loop = asyncio.get_running_loop()
    found = await loop.run_in_executor(_lookups, _look_up, host, port)
    return list(dict.fromkeys(found))


def _look_up(host: str, port: int) -> list[str]:
    return [str(entry[4][0]) for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


class GuardedBackend(httpcore.AsyncNetworkBackend):
    """Opens connections only to addresses that `net.address` allows; one lookup per connection."""

    def __init__(
        self, *, resolver: Resolver = system_resolver, inner: httpcore.AsyncNetworkBackend | None = None
    ) -> None:
        self._resolver = resolver
        self._inner = inner or httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore's interface
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to `host` by one of its checked addresses; `timeout` (seconds) counts for each dialled one.

        Raises:
            RefusedAddress: the port, the host or any of its addresses is forbidden, or the peer is not the
                address that was dialled.
            httpcore.ConnectError: the name has no address, or nothing answers there.
            httpcore.ConnectTimeout: the lookup or the connection took too long.
        """
        if port not in PORTS.values():
            raise RefusedAddress("a port other than 80 and 443")
        check_host(host)
        failure: httpcore.ConnectError | httpcore.ConnectTimeout | None = None
        for address in (await self._checked_addresses(host, port))[:MAX_DIALLED]:
            try:
                return await self._dial(address, port, timeout, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
        raise failure or httpcore.ConnectError("the name has no address")

    async def _checked_addresses(self, host: str, port: int) -> list[str]:
        if is_literal(host):
            return [host]
        try:
            async with asyncio.timeout(LOOKUP_SECONDS):
                addresses = list(await self._resolver(host, port))
        except TimeoutError as error:
            raise httpcore.ConnectTimeout("the name was not resolved in time") from error
        except (OSError, UnicodeError) as error:
            raise httpcore.ConnectError("the name was not resolved") from error
        # One bad answer among good ones is the mark of an attack, not of a misprint: nothing is dialled.
        if not all(may_dial(address) for address in addresses):
            raise RefusedAddress("resolves to an address outside of the public network")
        return addresses

    async def _dial(
        self, address: str, port: int, seconds: float | None, socket_options: Iterable[Any] | None
    ) -> httpcore.AsyncNetworkStream:
        stream = await self._inner.connect_tcp(address, port, timeout=seconds, socket_options=socket_options)
        peer = stream.get_extra_info("server_addr")
        if not peer or not _is_same(str(peer[0]), address):
            await stream.aclose()
            raise RefusedAddress("connected to another address than the one dialled")
        return stream

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


def _is_same(peer: str, dialled: str) -> bool:
    """Whether two spellings mean one address; what is no address is never the same."""
    return is_literal(peer) and ip_address(peer) == ip_address(dialled)


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
