"""The pinned connection speaks TLS to the name that was asked for, at the address that was checked."""

from __future__ import annotations

import asyncio
import datetime
import ssl
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpcore
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from net.download import UNREACHABLE, Downloader, Fetched, Limits, NotFetched
from net.transport import PinnedTransport
from tests.support.internet import GOOD

pytestmark = pytest.mark.req("PIC-3")

BODY = b"invented picture"
DAY = datetime.timedelta(days=1)


def certificate(folder: Path, name: str, *, ends_in: datetime.timedelta = DAY) -> Path:
    """A self-signed certificate for `name` with its key, in one PEM file."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    built = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - 2 * DAY)
        .not_valid_after(now + ends_in)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = folder / f"{name}.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(private + built.public_bytes(serialization.Encoding.PEM))
    return path


class Detour(httpcore.AsyncNetworkBackend):
    """Stands where the socket is opened: what was dialled is written down, the test's own server answers."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._real = httpcore.AnyIOBackend()
        self.dialled: list[tuple[str, int]] = []

    async def connect_tcp(self, host: str, port: int, *_: Any, **options: Any) -> httpcore.AsyncNetworkStream:
        self.dialled.append((host, port))
        stream = await self._real.connect_tcp("127.0.0.1", self._port, **options)
        told = stream.get_extra_info

        def peer(info: str) -> Any:
            return (host, port) if info == "server_addr" else told(info)

        stream.get_extra_info = peer  # type: ignore[method-assign]
        return stream


class TlsServer:
    """One picture over TLS; remembers the names that clients asked for in the handshake."""

    def __init__(self, pem: Path) -> None:
        self.names: list[str | None] = []
        self.hosts: list[str] = []
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(pem)
        self._context.sni_callback = lambda _, name, __: self.names.append(name)

    async def __aenter__(self) -> TlsServer:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=self._context)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request = await reader.readuntil(b"\r\n\r\n")
        self.hosts.append(next(line for line in request.decode().split("\r\n") if line.startswith("Host")))
        head = b"HTTP/1.1 200 Ok\r\nContent-Type: image/png\r\nContent-Length: %d\r\n\r\n" % len(BODY)
        writer.write(head if request.startswith(b"HEAD") else head + BODY)
        await writer.drain()
        writer.close()


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[TlsServer]:
    async with TlsServer(certificate(tmp_path, "pictures.example")) as server:
        yield server


async def fetched(url: str, port: int, trusted: Path | None) -> tuple[Fetched | NotFetched, Detour]:
    async def resolve(host: str, port: int) -> list[str]:
        return [GOOD]

    detour = Detour(port)
    context = ssl.create_default_context(cafile=trusted) if trusted else None
    transport = PinnedTransport(resolver=resolve, inner=detour, ssl_context=context)
    async with Downloader(transport, Limits(total=20)) as downloader:
        return await downloader.fetch(url), detour


async def test_name_is_kept_while_the_address_is_dialled(served: TlsServer, tmp_path: Path) -> None:
    result, detour = await fetched(
        "https://pictures.example/a.png", served.port, tmp_path / "pictures.example.pem"
    )
    assert result == Fetched(BODY, "https://pictures.example/a.png")
    assert detour.dialled == [(GOOD, 443)] * 2
    assert served.names == ["pictures.example"] * 2
    assert served.hosts == ["Host: pictures.example"] * 2


async def test_certificate_of_another_name_is_refused(served: TlsServer, tmp_path: Path) -> None:
    result, detour = await fetched(
        "https://other.example/a.png", served.port, tmp_path / "pictures.example.pem"
    )
    assert result is UNREACHABLE
    assert detour.dialled == [(GOOD, 443)]
    assert served.hosts == []


async def test_self_signed_certificate_is_refused_by_default(served: TlsServer) -> None:
    result, _ = await fetched("https://pictures.example/a.png", served.port, trusted=None)
    assert result is UNREACHABLE
    assert served.hosts == []


async def test_expired_certificate_is_refused(tmp_path: Path) -> None:
    pem = certificate(tmp_path, "pictures.example", ends_in=-DAY)
    async with TlsServer(pem) as server:
        result, _ = await fetched("https://pictures.example/a.png", server.port, pem)
    assert result is UNREACHABLE
    assert server.hosts == []
