"""The one way to a model service: a request with its exact bytes, an answer as it comes (D43)."""

from __future__ import annotations

import logging
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Literal, Protocol

import httpx2

from net.address import RefusedAddress
from net.model_transport import AnswerTooLarge, ModelTransport

log = logging.getLogger(__name__)

USER_AGENT = "TavernWorlds/0.1"
Reason = Literal["not-allowed", "unreachable", "tls", "too-slow", "broken", "too-large"]


class NoAnswer(Exception):
    """Nothing that could be read came back. `reason` is one of a closed list; the text is for the log."""

    def __init__(self, reason: Reason, text: str) -> None:
        self.reason: Reason = reason
        super().__init__(text)


@dataclass(frozen=True, slots=True)
class Sending:
    """One request, byte for byte. The headers hold the key, so they are never shown."""

    method: Literal["GET", "POST"]
    url: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    body: bytes = field(default=b"", repr=False)


class Answer:
    """An answer whose head has come: `status`, `headers` (names in lower case) and `parts()`."""

    def __init__(self, response: httpx2.Response) -> None:
        self.status = response.status_code
        self.headers: dict[str, str] = {name.lower(): text for name, text in response.headers.items()}
        self._response = response

    async def parts(self) -> AsyncGenerator[bytes]:
        """The body as it comes, at most `net.model_transport.MAX_BODY` bytes of it.

        Raises:
            NoAnswer: it breaks off, stops coming or goes on for too long.
        """
        try:
            async for part in self._response.aiter_raw():
                yield part
        except httpx2.TransportError as error:
            raise _no_answer(error) from error


class Watch(Protocol):
    """Looks at an answer that a model client library asked for; whatever it raises ends the call."""

    def opened(self, status: int, headers: Mapping[str, str]) -> None: ...

    def heard(self, part: bytes) -> object: ...

    def ended(self) -> object: ...


class ModelDoor:
    """Sends requests to model services. Use one for an event loop; `aclose` it with the loop.

    `connect` and `silence` are seconds: for opening the connection, and without a single byte. They start
    again with every byte, so whoever asks sets a deadline for the whole besides.
    """

    def __init__(self, transport: ModelTransport, *, connect: float = 10.0, silence: float = 120.0) -> None:
        self._transport = transport
        self._timeout = httpx2.Timeout(silence, connect=connect)

    @asynccontextmanager
    async def ask(self, sending: Sending) -> AsyncIterator[Answer]:
        """Send, and give the answer once its head has come. Leaving the block ends the connection.

        Raises:
            NoAnswer: the address is not allowed, or nothing that is an answer came.
        """
        response = await self._sent(sending)
        try:
            yield Answer(response)
        finally:
            await response.aclose()

    async def _sent(self, sending: Sending) -> httpx2.Response:
        try:
            self._transport.check(sending.url)
        except RefusedAddress as refusal:
            log.info("refused: %s", refusal.reason)
            raise NoAnswer("not-allowed", refusal.reason) from refusal
        try:
            request = httpx2.Request(
                sending.method,
                sending.url,
                headers={"User-Agent": USER_AGENT, **sending.headers},
                content=sending.body or None,
                extensions={"timeout": self._timeout.as_dict()},
            )
            response = await self._transport.handle_async_request(request)
        except (RefusedAddress, httpx2.TransportError, httpx2.InvalidURL) as error:
            raise _no_answer(error) from error
        response.request = request
        return response

    def library_client(self, watch: Callable[[], Watch], headers: Mapping[str, str]) -> httpx2.AsyncClient:
        """A client for a model client library: the same guard, no redirects, and a new watch over each
        answer.

        `headers` carry the key. Of the library's own headers only those that the protocols need are sent: it
        takes keys, organisations and more from the environment, and tells about this machine.
        """
        return httpx2.AsyncClient(
            transport=_Watched(self._transport, watch, headers),
            timeout=self._timeout,
            trust_env=False,
            follow_redirects=False,
        )

    async def aclose(self) -> None:
        """End what is still open."""
        await self._transport.aclose()


def _no_answer(error: Exception) -> NoAnswer:
    log.info("no answer of a model service: %s: %s", type(error).__name__, error)
    return NoAnswer(reason_of(error) or "broken", f"{type(error).__name__}: {error}")


def reason_of(error: BaseException) -> Reason | None:
    """What a failure of a connection is called; None for what is none.

    A closed port, an unknown name and a name that leads into a private network are one and the same to a
    person, so that nobody can look around in the server's network; the log tells.
    """
    if isinstance(error, RefusedAddress | httpx2.ConnectError | httpx2.ConnectTimeout):
        return "tls" if _is_about_tls(error) else "unreachable"
    if isinstance(error, httpx2.InvalidURL):
        return "not-allowed"
    if isinstance(error, AnswerTooLarge):
        return "too-large"
    if isinstance(error, httpx2.TimeoutException):
        return "too-slow"
    return "broken" if isinstance(error, httpx2.TransportError) else None


def _is_about_tls(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ssl.SSLError):
            return True
        error = error.__cause__ or error.__context__
    return False


PASSED_ON = {"host", "content-length", "transfer-encoding", "content-type", "accept"}
PASSED_ON |= {"anthropic-version", "anthropic-beta"}


class _Watched(httpx2.AsyncBaseTransport):
    """Lets a watch see every answer on its way to the library. Closing the client leaves the door open."""

    def __init__(
        self, transport: ModelTransport, watch: Callable[[], Watch], headers: Mapping[str, str]
    ) -> None:
        self._transport = transport
        self._watch = watch
        self._headers = {"User-Agent": USER_AGENT, **headers}

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        watch = self._watch()
        kept = {name: text for name, text in request.headers.items() if name.lower() in PASSED_ON}
        request.headers = httpx2.Headers({**kept, **self._headers})
        response = await self._transport.handle_async_request(request)
        try:
            watch.opened(
                response.status_code, {name.lower(): text for name, text in response.headers.items()}
            )
        except BaseException:
            await response.aclose()
            raise
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        return httpx2.Response(
            response.status_code, headers=response.headers, stream=_Seen(response.stream, watch)
        )


class _Seen(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream, watch: Watch) -> None:
        self._stream = stream
        self._watch = watch

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for part in self._stream:
            self._watch.heard(part)
            yield part
        self._watch.ended()

    async def aclose(self) -> None:
        await self._stream.aclose()
