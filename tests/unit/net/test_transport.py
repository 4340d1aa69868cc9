"""The guard stands by itself: whoever opens a connection through it is bound by the rule (PIC-3)."""

from __future__ import annotations

import httpcore
import httpx
import pytest

from net.address import RefusedAddress
from net.guard import system_resolver
from net.transport import GuardedBackend
from tests.support.internet import GOOD, Internet, answer, picture_server

pytestmark = pytest.mark.req("PIC-3")


async def unasked(host: str, port: int) -> list[str]:
    raise AssertionError(f"looked up {host}")


@pytest.mark.parametrize("port", [0, 22, 81, 8080, 65535])
async def test_other_ports_are_not_even_looked_up(port: int) -> None:
    with pytest.raises(RefusedAddress):
        await GuardedBackend(resolver=unasked).connect_tcp("a.example", port)


@pytest.mark.parametrize("host", ["localhost", "x.local", "2130706433", "127.0.0.1", "::1", "", "a..b"])
async def test_forbidden_hosts_are_not_even_looked_up(host: str) -> None:
    with pytest.raises(RefusedAddress):
        await GuardedBackend(resolver=unasked).connect_tcp(host, 80)


async def test_socket_files_are_refused() -> None:
    with pytest.raises(RefusedAddress):
        await GuardedBackend().connect_unix_socket("/run/docker.sock")


async def test_client_cannot_ask_for_another_certificate_name() -> None:
    """httpx lets a request name another host for the handshake; here it is not passed on."""
    internet = Internet(names={"a.example": [[GOOD]]}, server=lambda _: answer(body=b"x" * 9))
    seen: list[httpcore.Request] = []
    transport = internet.transport()
    inner = transport._pool.handle_async_request

    async def watched(request: httpcore.Request) -> httpcore.Response:
        seen.append(request)
        return await inner(request)

    transport._pool.handle_async_request = watched  # type: ignore[method-assign]
    async with httpx.AsyncClient(transport=transport, trust_env=False) as client:
        await client.get("http://a.example/", extensions={"sni_hostname": "b.example"})
    assert set(seen[0].extensions) == {"timeout"}


async def test_errors_have_the_names_of_httpx() -> None:
    internet = Internet(names={"a.example": [[GOOD]]}, closed={GOOD})
    async with httpx.AsyncClient(transport=internet.transport(), trust_env=False) as client:
        with pytest.raises(httpx.ConnectError):
            await client.get("http://a.example/")
        internet.closed.clear()
        internet.server = lambda _: [b"nonsense\r\n\r\n"]
        with pytest.raises(httpx.RemoteProtocolError):
            await client.get("http://a.example/")
        internet.server = lambda _: answer(body=b"x", length=5)
        with pytest.raises(httpx.RemoteProtocolError):
            await client.get("http://a.example/")


async def test_connections_are_not_kept() -> None:
    """A kept connection would skip the next look-up."""
    internet = Internet(names={"a.example": [[GOOD]]}, server=picture_server(b"x"))
    async with httpx.AsyncClient(transport=internet.transport(), trust_env=False) as client:
        for _ in range(3):
            assert (await client.get("http://a.example/")).content == b"x"
            assert internet.open_now == 0
    assert internet.lookups == ["a.example"] * 3


async def test_system_resolver_gives_each_address_once() -> None:
    addresses = await system_resolver("127.0.0.1", 80)
    assert addresses == ["127.0.0.1"]


@pytest.mark.parametrize("name", ["a.example.invalid", "x" * 300])
async def test_name_without_an_address_is_an_ordinary_failure(name: str) -> None:
    async def unknown(host: str, port: int) -> list[str]:
        return list(str(host).encode("idna").decode())  # a label over 63 letters is a UnicodeError

    with pytest.raises((httpcore.ConnectError, RefusedAddress)):
        await GuardedBackend(resolver=unknown).connect_tcp(name, 80)
