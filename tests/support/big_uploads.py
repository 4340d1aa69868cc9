"""Files of 100 MB, the ways to send them to a server, and what the server uses meanwhile."""

from __future__ import annotations

import contextlib
import http.client
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from formats.png_chunks import make_chunk
from tests.support import cards
from tests.support.portal_client import CSRF
from tests.support.servers import Running

MB = 1024 * 1024


def big_card(path: Path, size: int) -> None:
    """A PNG with a card and exactly `size` bytes; what the card does not need is a chunk nobody knows."""
    small = cards.png_card(cards.english_card())
    head, empty = small[: -len(cards.END)], make_chunk(b"fiLl", b"")
    filling = make_chunk(b"fiLl", b"n" * (size - len(small) - len(empty)))
    path.write_bytes(head + filling + cards.END)


@dataclass
class Watch:
    """How long a page took (seconds), asked again and again, and the most memory the server held (bytes)."""

    seconds: list[float] = field(default_factory=list)
    largest: int = 0

    def at_percent(self, percent: int) -> float:
        return sorted(self.seconds)[min(len(self.seconds) - 1, len(self.seconds) * percent // 100)]


@contextmanager
def watching(server: Running, session: str, page: str = "/") -> Iterator[Watch]:
    """Ask for a page twenty times a second and look at the server's memory, for the length of the block."""
    watch, over = Watch(), threading.Event()

    def look() -> None:
        with httpx.Client(base_url=server.address, cookies={"sessionid": session}, timeout=60) as client:
            while not over.wait(0.05):
                began = time.monotonic()
                assert client.get(page).status_code == 200
                watch.seconds.append(time.monotonic() - began)
                watch.largest = max(watch.largest, server.memory())

    looking = threading.Thread(target=look)
    looking.start()
    try:
        yield watch
    finally:
        over.set()
        looking.join()


def send_file(server: Running, session: str, address: str, file: Path) -> httpx.Response:
    """Upload a file as a form does, read from disk part by part."""
    cookies = {"sessionid": session, "csrftoken": CSRF}
    with (
        httpx.Client(base_url=server.address, cookies=cookies, timeout=300) as client,
        file.open("rb") as data,
    ):
        return client.post(address, files={"file": (file.name, data)}, headers={"X-CSRFToken": CSRF})


@dataclass(frozen=True)
class Refusal:
    """The status of an answer, and how many bytes of the body could be sent before it came."""

    status: int
    sent: int


def send_endless(
    server: Running, address: str, length: int, headers: dict[str, str], *, chunked: bool = False
) -> Refusal:
    """Send zeros until the server has answered or closed; `length` is what is promised or, chunked, sent."""
    wire = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    with contextlib.closing(wire):
        wire.putrequest("POST", address)
        sent_as = {"Transfer-Encoding": "chunked"} if chunked else {"Content-Length": str(length)}
        for name, value in {**headers, **sent_as}.items():
            wire.putheader(name, value)
        wire.endheaders()
        sent = send_until_answered(wire.sock, length, chunked)
        return Refusal(wire.getresponse().status, sent)


def send_until_answered(wire: socket.socket, length: int, chunked: bool) -> int:
    """Bytes of the body that the system took before an answer was there to read."""
    part = b"\0" * 65536
    frame = b"10000\r\n" + part + b"\r\n" if chunked else part
    sent = 0
    while sent < length:
        wire.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            if wire.recv(1, socket.MSG_PEEK):
                break
        wire.settimeout(60)
        try:
            wire.sendall(frame)
        except (BrokenPipeError, ConnectionResetError):
            break
        sent += len(part)
    wire.settimeout(60)
    return sent
