"""Model calls over TLS: the name is kept while the address is dialled; a bad certificate is told as one."""

from __future__ import annotations

import ssl
from pathlib import Path
from typing import Any

import httpcore2
import pytest

from net.model_door import ModelDoor, NoAnswer, Sending
from net.model_transport import ModelTransport
from tests.support.internet import GOOD
from tests.unit.net.test_tls import BODY, DAY, TlsServer, certificate


class Detour(httpcore2.AsyncNetworkBackend):
    """What was dialled is written down, the test's own server answers."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._real = httpcore2.AnyIOBackend()
        self.dialled: list[tuple[str, int]] = []

    async def connect_tcp(self, host: str, port: int, *_: Any, **options: Any) -> Any:
        self.dialled.append((host, port))
        stream = await self._real.connect_tcp("127.0.0.1", self._port, **options)
        told = stream.get_extra_info

        def peer(info: str) -> Any:
            return (host, port) if info == "server_addr" else told(info)

        stream.get_extra_info = peer  # type: ignore[method-assign]
        return stream


async def asked(url: str, port: int, trusted: Path | None) -> tuple[bytes | str, Detour]:
    async def resolve(host: str, port: int) -> list[str]:
        return [GOOD]

    detour = Detour(port)
    context = ssl.create_default_context(cafile=trusted) if trusted else None
    door = ModelDoor(ModelTransport(resolver=resolve, inner=detour, ssl_context=context))
    try:
        async with door.ask(Sending("GET", url)) as answer:
            return b"".join([part async for part in answer.parts()]), detour
    except NoAnswer as error:
        return error.reason, detour


async def test_name_is_kept_while_the_address_is_dialled(tmp_path: Path) -> None:
    pem = certificate(tmp_path, "models.example")
    async with TlsServer(pem) as server:
        body, detour = await asked("https://models.example:8443/v1/models", server.port, pem)
    assert body == BODY
    assert detour.dialled == [(GOOD, 8443)]
    assert server.names == ["models.example"]
    assert server.hosts == ["Host: models.example:8443"]


@pytest.mark.parametrize("fault", ["another name", "nobody trusts it", "expired"])
async def test_a_bad_certificate_has_its_own_name(fault: str, tmp_path: Path) -> None:
    name = "other.example" if fault == "another name" else "models.example"
    pem = certificate(tmp_path, name, ends_in=-DAY if fault == "expired" else DAY)
    async with TlsServer(pem) as server:
        trusted = None if fault == "nobody trusts it" else pem
        reason, _ = await asked("https://models.example/v1/models", server.port, trusted)
    assert reason == "tls"
    assert server.hosts == []
