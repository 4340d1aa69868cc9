"""The guard under every connection: one lookup, every answer must be allowed, and that answer is dialled.

Checking a name first and letting the client look it up again would let the second answer differ (rebinding);
putting the address into the URL would break the certificate check. So the rule sits where the socket is
opened, and the name stays in `Host` and in the TLS handshake. The two HTTP libraries (httpx for downloads,
httpx2 for models) put this class under their pools, so there is one rule and no setting that switches it off.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any, Generic, Protocol, TypeVar

from net.address import RefusedAddress, check_host, is_literal, may_dial

Resolver = Callable[[str, int], Awaitable[Sequence[str]]]

LOOKUP_SECONDS = 5.0
MAX_DIALLED = 4  # of the addresses a name has, one after the other
LOOKUP_THREADS = 8

# The system's lookup blocks its thread for as long as it likes; it gets threads of its own, so that slow name
# servers cannot fill those the rest of the program shares.
_lookups = ThreadPoolExecutor(max_workers=LOOKUP_THREADS, thread_name_prefix="lookup")


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


class _Stream(Protocol):
    def get_extra_info(self, info: str) -> Any: ...

    async def aclose(self) -> None: ...


StreamT = TypeVar("StreamT", bound=_Stream)


@dataclass(frozen=True, slots=True)
class Wire(Generic[StreamT]):
    """What a guarded connection needs of its HTTP library: how a socket is opened, how failing is called."""

    open: Callable[..., Awaitable[StreamT]]
    error: type[Exception]
    timeout: type[Exception]


@dataclass(frozen=True, slots=True)
class Rule:
    """Where connections of one pool may go.

    `ports`: those that may be used, None for every port. `public_only` is off for the pool of the addresses
    that the host has listed by scheme, name and port, and for no other.
    """

    ports: frozenset[int] | None
    public_only: bool = True

    def check(self, host: str, port: int) -> None:
        """Refuse what is forbidden before anything is looked up.

        Raises:
            RefusedAddress: the port or the host is not one that may be connected to.
        """
        if self.ports is not None and port not in self.ports:
            raise RefusedAddress("a port other than 80 and 443")
        if self.public_only:
            check_host(host)


async def guarded_connection(
    wire: Wire[StreamT],
    rule: Rule,
    resolver: Resolver,
    host: str,
    port: int,
    seconds: float | None,
    socket_options: Iterable[Any] | None,
) -> StreamT:
    """Connect to `host` by one of its checked addresses; `seconds` counts for each dialled one.

    Raises:
        RefusedAddress: the port, the host or any of its addresses is forbidden, or the peer is not the
            address that was dialled.
        Exception: `wire.error` when nothing answers there or the name has no address, `wire.timeout` when the
            lookup or the connection took too long.
    """
    rule.check(host, port)
    failure: Exception | None = None
    for address in (await _checked_addresses(wire, rule, resolver, host, port))[:MAX_DIALLED]:
        try:
            stream = await wire.open(address, port, timeout=seconds, socket_options=socket_options)
        except (wire.error, wire.timeout) as error:
            failure = error
            continue
        await _check_peer(stream, address)
        return stream
    raise failure or wire.error("the name has no address")


async def _checked_addresses(
    wire: Wire[Any], rule: Rule, resolver: Resolver, host: str, port: int
) -> list[str]:
    if is_literal(host):
        return [host]
    try:
        async with asyncio.timeout(LOOKUP_SECONDS):
            addresses = list(await resolver(host, port))
    except TimeoutError as error:
        raise wire.timeout("the name was not resolved in time") from error
    except (OSError, UnicodeError) as error:
        raise wire.error("the name was not resolved") from error
    # One bad answer among good ones is the mark of an attack, not of a misprint: nothing is dialled.
    if rule.public_only and not all(may_dial(address) for address in addresses):
        raise RefusedAddress("resolves to an address outside of the public network")
    return addresses


async def _check_peer(stream: _Stream, address: str) -> None:
    peer = stream.get_extra_info("server_addr")
    if not peer or not _is_same(str(peer[0]), address):
        await stream.aclose()
        raise RefusedAddress("connected to another address than the one dialled")


def _is_same(peer: str, dialled: str) -> bool:
    """Whether two spellings mean one address; what is no address is never the same."""
    return is_literal(peer) and ip_address(peer) == ip_address(dialled)
