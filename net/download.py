"""Bounded downloads: asked first, followed by hand, counted by byte, ended by a deadline (PIC-3, PIC-4)."""

from __future__ import annotations

import asyncio
import logging
from contextlib import aclosing
from dataclasses import dataclass
from typing import Self

import httpx

from formats.messages import gettext_noop
from net.address import RefusedAddress, checked_url
from net.transport import MAX_SOCKETS, PinnedTransport

log = logging.getLogger(__name__)

MAX_REDIRECTS = 4
REDIRECTS = frozenset({301, 302, 303, 307, 308})
GONE = frozenset({404, 410})
TRY_LATER = frozenset({408, 425, 429})
# Stores that do not know what they keep say "bytes"; that declares nothing.
UNTYPED = frozenset({"", "application/octet-stream", "binary/octet-stream"})
HEADERS = {"User-Agent": "TavernWorlds/0.1", "Accept": "image/*,*/*;q=0.5", "Accept-Encoding": "identity"}


@dataclass(frozen=True, slots=True)
class Limits:
    """Sizes in bytes, times in seconds. `total` ends a download whatever the server does: the other limits
    start again with every byte."""

    size: int = 20_000_000
    connect: float = 10.0
    read: float = 15.0
    head: float = 15.0
    total: float = 60.0


@dataclass(frozen=True, slots=True)
class Fetched:
    """A whole answer: its bytes as sent, and the address that finally gave them."""

    data: bytes
    final_url: str


@dataclass(frozen=True, slots=True)
class NotFetched:
    """Why nothing came: a code, an English template without fields, and whether asking again may help."""

    code: str
    message: str
    passing: bool


NOT_ALLOWED = NotFetched(
    "address-not-allowed",
    gettext_noop(
        "This address is not one the program fetches from: only ordinary http and https addresses of the"
        " public internet, without a name and password inside."
    ),
    passing=False,
)
# One answer for a closed port, an unknown name, a silent server and a name that leads into a private network:
# telling them apart would make the program a scanner.
UNREACHABLE = NotFetched(
    "unreachable",
    gettext_noop("The server of this address did not answer. It may work later."),
    passing=True,
)
TOO_SLOW = NotFetched(
    "too-slow", gettext_noop("The picture did not arrive in time. It may work later."), passing=True
)
BROKEN = NotFetched(
    "broken-answer",
    gettext_noop("The server broke off or sent something that is not a whole answer. It may work later."),
    passing=True,
)
BUSY = NotFetched(
    "server-error",
    gettext_noop("The server cannot give out the picture at the moment. It may work later."),
    passing=True,
)
MISSING = NotFetched(
    "gone", gettext_noop("The server says that there is nothing at this address any more."), passing=False
)
DENIED = NotFetched("denied", gettext_noop("The server refuses to give out the picture."), passing=False)
NOT_A_PICTURE = NotFetched(
    "not-a-picture", gettext_noop("The server says that this address is not a picture."), passing=False
)
TOO_LARGE = NotFetched(
    "too-large", gettext_noop("The picture is larger than 20 MB, the most that is fetched."), passing=False
)
TOO_MANY_HOPS = NotFetched(
    "too-many-redirects",
    gettext_noop("The address leads on to other addresses more than four times."),
    passing=False,
)


class Downloader:
    """Fetches pictures from untrusted addresses, at most `MAX_SOCKETS` at once.

    Use one for all downloads that run together: `async with Downloader() as downloader`. It belongs to the
    event loop in which it is first used. Nothing is carried from one request to the next: no cookies, no
    credentials, no referrer; a redirect is a new request that passes the whole rule again.
    """

    def __init__(
        self, transport: httpx.AsyncBaseTransport | None = None, limits: Limits | None = None
    ) -> None:
        self._transport = transport or PinnedTransport()
        self._limits = limits or Limits()
        self._slots = asyncio.Semaphore(MAX_SOCKETS)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close what is open."""
        await self._transport.aclose()

    async def fetch(self, url: str) -> Fetched | NotFetched:
        """The bytes at `url`, or why not. Never raises for anything an address or a server can do."""
        async with self._slots:
            try:
                async with asyncio.timeout(self._limits.total):
                    return await self._asked(url) or await self._got(url)
            except TimeoutError:
                return TOO_SLOW

    async def _asked(self, url: str) -> NotFetched | None:
        """HEAD: what it rules out is not fetched. A refused, silent or untyped HEAD rules nothing out."""
        try:
            async with asyncio.timeout(self._limits.head):
                answer = await self._follow("HEAD", url)
        except TimeoutError:
            return None
        if isinstance(answer, NotFetched):
            return None if answer is BROKEN or answer is TOO_SLOW else answer
        async with aclosing(answer):
            if answer.status_code in GONE:
                return MISSING
            declared = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
            if answer.is_success and declared not in UNTYPED and not declared.startswith("image/"):
                return NOT_A_PICTURE
        return None

    async def _got(self, url: str) -> Fetched | NotFetched:
        answer = await self._follow("GET", url)
        if isinstance(answer, NotFetched):
            return answer
        async with aclosing(answer):
            if answer.status_code != httpx.codes.OK:
                return _refusal(answer.status_code)
            return await self._body(answer)

    async def _body(self, answer: httpx.Response) -> Fetched | NotFetched:
        declared = answer.headers.get("content-length", "")
        if declared.isdecimal() and int(declared[:20]) > self._limits.size:
            return TOO_LARGE
        parts, size = [], 0
        try:
            async for part in answer.aiter_raw():
                size += len(part)
                if size > self._limits.size:
                    return TOO_LARGE
                parts.append(part)
        except httpx.TimeoutException:
            return TOO_SLOW
        except httpx.TransportError:
            return BROKEN
        return Fetched(b"".join(parts), str(answer.request.url))

    async def _follow(self, method: str, url: str) -> httpx.Response | NotFetched:
        """Send a request and follow where it leads, each address checked before it is asked."""
        for _ in range(MAX_REDIRECTS + 1):
            try:
                request = self._request(method, checked_url(url))
            except RefusedAddress as refusal:
                log.info("refused %r: %s", url[:200], refusal.reason)
                return NOT_ALLOWED
            answer = await self._send(request)
            if isinstance(answer, NotFetched) or answer.status_code not in REDIRECTS:
                return answer
            await answer.aclose()
            location = answer.headers.get("location", "").strip()
            if not location:
                return BROKEN
            url = _joined(request.url, location)
        return TOO_MANY_HOPS

    def _request(self, method: str, url: httpx.URL) -> httpx.Request:
        limits = self._limits
        timeout = httpx.Timeout(limits.read, connect=limits.connect, pool=limits.total)
        return httpx.Request(method, url, headers=HEADERS, extensions={"timeout": timeout.as_dict()})

    async def _send(self, request: httpx.Request) -> httpx.Response | NotFetched:
        """One request straight to the transport: a client would add cookies, credentials and proxies."""
        try:
            answer = await self._transport.handle_async_request(request)
        except RefusedAddress as refusal:
            log.info("refused %r: %s", str(request.url)[:200], refusal.reason)
            return UNREACHABLE
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            log.info("no connection to %r: %s", str(request.url)[:200], error)
            return UNREACHABLE
        except httpx.TimeoutException:
            return TOO_SLOW
        except httpx.TransportError as error:
            log.info("broken answer from %r: %s", str(request.url)[:200], error)
            return BROKEN
        answer.request = request
        return answer


def _joined(base: httpx.URL, location: str) -> str:
    """Where a redirect leads; what cannot be joined is returned as it stands and refused by the rule."""
    try:
        return str(base.join(location.replace(" ", "%20")))
    except (httpx.InvalidURL, ValueError):
        return location


def _refusal(status: int) -> NotFetched:
    if status in GONE:
        return MISSING
    return BUSY if status >= 500 or status in TRY_LATER else DENIED
