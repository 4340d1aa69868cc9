"""The outermost ASGI layer: a request body over its address's cap is refused before it is taken in.

Django reads a body whole before any view or login check (reliability, part 5), so this cannot wait for it.
Content-Length over the cap is answered with 413 at once; a body without a length is counted and cut. More
than the usual is taken on few addresses, from people who are signed in: a cookie that says so is looked up.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from django.conf import settings
from django.http import parse_cookie
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation.trans_real import parse_accept_lang_header

from formats.errors import DomainError
from formats.messages import gettext_noop
from portal.database import in_database
from portal.open_sockets import person_of_session
from portal.say import hinted, said

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]
SignedIn: TypeAlias = Callable[[str], Awaitable[bool]]

USUAL: Final = 1024 * 1024  # bytes
SLACK: Final = 10 * 1024 * 1024  # what a form may add to the file in it
LINGER: Final = 512 * 1024  # bytes read after a refusal, so that the answer reaches the sender
LINGER_SECONDS: Final = 1.0
API: Final = "/roleplay-api/"


@dataclass(frozen=True, slots=True)
class UploadRoute:
    """Addresses that take files by POST: a pattern of the whole path, and the cap in bytes."""

    pattern: re.Pattern[str]
    cap: int


def upload_route(pattern: str, file_bytes: int) -> UploadRoute:
    """An address whose form may carry files of `file_bytes` in all. `pattern` is a regular expression that
    the whole path must match.
    """
    return UploadRoute(re.compile(pattern), file_bytes + SLACK)


async def has_a_session(session_key: str) -> bool:
    """Whether a session is somebody's who may sign in; asked of the database, in a thread."""
    return await in_database(person_of_session, session_key) is not None


class BodyLimit:
    """Wraps an ASGI application. Upload routes take files from people who are signed in only.

    Args:
        app: what is wrapped.
        uploads: the addresses that take files.
        usual: bytes for every other request, and for everybody else.
        signed_in: whether a session, by its key, is somebody's.
    """

    def __init__(
        self,
        app: App,
        uploads: Sequence[UploadRoute],
        usual: int = USUAL,
        signed_in: SignedIn = has_a_session,
    ) -> None:
        self._app = app
        self._uploads = tuple(uploads)
        self._usual = usual
        self._signed_in = signed_in

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        length = header(scope, b"content-length")
        told = int(length) if length.isdigit() else None
        small = told is not None and told <= self._usual
        cap = self._usual if small else await self.cap(scope)
        if told is not None and told > cap:
            await refuse(scope, receive, send, cap)
            return
        await self._counted(scope, receive, send, cap)

    async def cap(self, scope: Scope) -> int:
        """Bytes this request's body may have."""
        known = next((route for route in self._uploads if route.pattern.fullmatch(scope["path"])), None)
        if known is None or scope["method"] != "POST":
            return self._usual
        session_key = parse_cookie(header(scope, b"cookie")).get(settings.SESSION_COOKIE_NAME)
        return known.cap if session_key and await self._signed_in(session_key) else self._usual

    async def _counted(self, scope: Scope, receive: Receive, send: Send, cap: int) -> None:
        taken, started, over = 0, False, False

        async def take() -> Message:
            nonlocal taken, over
            message = await receive()
            if message["type"] == "http.request":
                taken += len(message.get("body", b""))
                over = over or taken > cap
            # To the application a body that is too long looks like a sender who went away.
            return {"type": "http.disconnect"} if over else message

        async def answer(message: Message) -> None:
            nonlocal started
            if not over or started:
                started = True
                await send(message)

        await self._app(scope, take, answer)
        if over and not started:
            await refuse(scope, receive, send, cap)


def header(scope: Scope, name: bytes) -> str:
    """The last value of a header, as text; empty when it is missing."""
    values = [value for key, value in scope["headers"] if key.lower() == name]
    return values[-1].decode("latin-1").strip() if values else ""


async def refuse(scope: Scope, receive: Receive, send: Send, cap: int) -> None:
    """Answer 413 and end the connection; what is on its way is read for a moment: so the answer arrives."""
    kind, body = refusal(scope, cap)
    headers = [(b"content-type", kind), (b"content-length", str(len(body)).encode()), *HEADERS]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    if scope["method"] == "HEAD":
        body = b""
    await send({"type": "http.response.body", "body": body, "more_body": True})
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(_drain(receive), LINGER_SECONDS)
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _drain(receive: Receive) -> None:
    left = LINGER
    while left > 0:
        message = await receive()
        if message["type"] != "http.request" or not message.get("more_body"):
            return
        left -= len(message.get("body", b""))


HEADERS: Final = (
    (b"connection", b"close"),
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
)


def refusal(scope: Scope, cap: int) -> tuple[bytes, bytes]:
    """Content type and body of the answer: JSON for programs, a plain page for people, in their language."""
    error = DomainError(
        "too-large",
        "body-too-large",
        scope["path"],
        gettext_noop(
            "What was sent is too large: this address takes at most {limit} MB. Nothing was stored."
        ),
        gettext_noop("Send a smaller file. If you are signed out, sign in first."),
        {"limit": max(1, cap // (1024 * 1024))},
    )
    with translation.override(language(scope)):
        if scope["path"].startswith(API) or "application/json" in header(scope, b"accept"):
            told = {"code": error.code, "message": said(error), "where": error.where}
            return b"application/json", json.dumps({"error": told}, ensure_ascii=False).encode()
        page = render_to_string("portal/too_large.html", {"message": said(error), "hint": hinted(error)})
        return b"text/html; charset=utf-8", page.encode()


def language(scope: Scope) -> str:
    """The first language of ours that the request asks for, by cookie, then by header."""
    asked = parse_cookie(header(scope, b"cookie")).get(settings.LANGUAGE_COOKIE_NAME, "")
    wanted = [asked] + [code for code, _ in parse_accept_lang_header(header(scope, b"accept-language"))]
    for code in filter(None, wanted):
        try:
            return translation.get_supported_language_variant(code)
        except LookupError:
            continue
    return settings.LANGUAGE_CODE
