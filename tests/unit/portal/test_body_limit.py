"""Bodies over the cap are refused before they are taken in."""

import json
import re
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.body_limit import BodyLimit, Message, Receive, Scope, Send, UploadRoute

UPLOADS = [UploadRoute(re.compile(r"/import/"), 1000), UploadRoute(re.compile(r"/w/[^/]+/images/"), 500)]
LOGIN = (b"cookie", b"sessionid=abc")
OLD_LOGIN = (b"cookie", b"sessionid=gone")


async def signed_in(session_key: str) -> bool:
    return session_key == "abc"


class Reader:
    """An application that reads its body whole, as Django does, and says how much it got."""

    def __init__(self) -> None:
        self.calls = 0
        self.body = b""
        self.gone = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.calls += 1
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                self.gone = True
                return
            self.body += message["body"]
            if not message["more_body"]:
                break
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"ok", "more_body": False})


class Sender:
    """Sends a body in chunks; remembers how much was taken and what came back."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self.chunks = list(chunks)
        self.taken = 0
        self.answer: list[Message] = []

    async def receive(self) -> Message:
        if not self.chunks:
            return {"type": "http.disconnect"}
        chunk = self.chunks.pop(0)
        self.taken += len(chunk)
        return {"type": "http.request", "body": chunk, "more_body": bool(self.chunks)}

    async def send(self, message: Message) -> None:
        self.answer.append(message)

    @property
    def status(self) -> int:
        starts = [message["status"] for message in self.answer if message["type"] == "http.response.start"]
        assert len(starts) == 1
        return int(starts[0])

    @property
    def text(self) -> str:
        return b"".join(message.get("body", b"") for message in self.answer).decode()

    def headers(self) -> dict[bytes, bytes]:
        return dict(self.answer[0]["headers"])


async def post(
    path: str,
    chunks: Iterable[bytes],
    headers: Iterable[tuple[bytes, bytes]] = (),
    *,
    length: bool = True,
    method: str = "POST",
) -> tuple[Reader, Sender]:
    app, sender = Reader(), Sender(chunks)
    given_length = [(b"content-length", str(sum(map(len, sender.chunks))).encode())] if length else []
    scope: dict[str, Any] = {"type": "http", "method": method, "path": path}
    scope["headers"] = [*headers, *given_length]
    await BodyLimit(app, UPLOADS, 100, signed_in)(scope, sender.receive, sender.send)
    return app, sender


@pytest.mark.parametrize(
    ("path", "size", "headers", "status"),
    [
        ("/signin/", 100, [], 200),
        ("/signin/", 101, [], 413),
        ("/import/", 1000, [LOGIN], 200),
        ("/import/", 1001, [LOGIN], 413),
        ("/import/", 101, [], 413),
        ("/import/", 1000, [(b"authorization", b"Bearer x")], 413),
        ("/import/", 1000, [OLD_LOGIN], 413),
        ("/import/abc/choices/", 101, [LOGIN], 413),
        ("/import/\n", 101, [LOGIN], 413),
        ("/import/", 1000, [(b"cookie", b"csrftoken=abc")], 413),
        ("/import/", 1000, [(b"cookie", b"sessionid=")], 413),
        ("/w/a-b/images/", 500, [LOGIN], 200),
        ("/w/a-b/images/", 501, [LOGIN], 413),
        ("/w/a-b/", 101, [LOGIN], 413),
        ("/x/import/", 101, [LOGIN], 413),
    ],
)
async def test_caps_by_address_and_login(
    path: str, size: int, headers: list[tuple[bytes, bytes]], status: int
) -> None:
    app, sender = await post(path, [b"x" * size], headers)
    assert sender.status == status
    assert app.calls == (status == 200)


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"])
@pytest.mark.parametrize("length", [True, False])
async def test_files_come_by_post_only(method: str, length: bool) -> None:
    _, sender = await post("/import/", [b"x" * 500], [LOGIN], method=method, length=length)
    assert sender.status == 413


async def test_a_body_without_a_length_may_fill_the_cap_of_its_address() -> None:
    app, sender = await post("/import/", [b"x" * 500] * 2, [LOGIN], length=False)
    assert (sender.status, len(app.body)) == (200, 1000)


async def test_a_length_over_the_cap_is_refused_without_asking_the_application() -> None:
    app, sender = await post("/signin/", [b"x" * 60] * 3)
    assert (app.calls, sender.status) == (0, 413)
    assert sender.headers()[b"connection"] == b"close"
    assert sender.headers()[b"x-content-type-options"] == b"nosniff"


async def test_a_body_without_a_length_is_counted_and_cut() -> None:
    app, sender = await post("/signin/", [b"x" * 60] * 50, length=False)
    assert sender.status == 413
    assert app.gone
    assert len(app.body) <= 100


@pytest.mark.parametrize("length", [True, False])
async def test_no_more_than_a_moment_of_a_long_body_is_taken(length: bool) -> None:
    _, sender = await post("/signin/", [b"x" * 65536] * 400, length=length)
    assert sender.status == 413
    assert sender.taken <= 2 * 1024 * 1024


async def test_a_wrong_length_does_not_open_the_door() -> None:
    app, sender = Reader(), Sender([b"x" * 60] * 50)
    scope: Scope = {"type": "http", "method": "POST", "path": "/", "headers": [(b"content-length", b"-5")]}
    await BodyLimit(app, UPLOADS, usual=100)(scope, sender.receive, sender.send)
    assert sender.status == 413


async def test_programs_get_json_and_people_a_page_in_their_language() -> None:
    _, program = await post("/roleplay-api/worlds/import", [b"x" * 200])
    told = json.loads(program.text)["error"]
    assert told["code"] == "body-too-large"
    assert told["where"] == "/roleplay-api/worlds/import"
    _, person = await post("/signin/", [b"x" * 200], [(b"accept-language", b"zh-CN,zh;q=0.9")])
    assert '<html lang="zh-hans">' in person.text
    assert person.headers()[b"content-length"] == str(len(person.text.encode())).encode()


async def test_what_is_no_request_passes_untouched() -> None:
    seen: list[str] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(scope["type"])

    sender = Sender([])
    for kind in ("websocket", "lifespan"):
        await BodyLimit(app, UPLOADS)({"type": kind}, sender.receive, sender.send)
    assert seen == ["websocket", "lifespan"]


@given(st.lists(st.binary(max_size=40), max_size=12), st.booleans())
async def test_the_application_gets_exactly_what_was_sent_or_nothing_counts(
    chunks: list[bytes], length: bool
) -> None:
    whole = b"".join(chunks)
    app, sender = await post("/signin/", chunks or [b""], length=length)
    if len(whole) <= 100:
        assert (sender.status, app.body) == (200, whole)
    else:
        assert sender.status == 413
        assert len(app.body) <= 100
