"""Downloads against scripted servers: what is asked, what is followed, what ends a download."""

from __future__ import annotations

import asyncio
import gzip
import logging
import ssl
from collections.abc import AsyncIterator

import pytest

from net import download
from net.download import Fetched, Limits, NotFetched
from tests.support.internet import GOOD, Asked, Internet, Parts, Server, answer, moved, picture_server

PICTURE = b"\x89PNG invented " * 100
URL = "http://a.example/a.png"
QUICK = Limits(size=20_000, connect=0.2, read=0.2, head=0.2, total=0.4)


def internet_with(server: Server) -> Internet:
    return Internet(names={"a.example": [[GOOD]], "b.example": [["8.8.4.4"]]}, server=server)


async def fetched_from(server: Server, url: str = URL, limits: Limits | None = None) -> Fetched | NotFetched:
    async with internet_with(server).downloader(limits) as downloader:
        return await downloader.fetch(url)


def by_method(head: Parts, get: Parts) -> Server:
    return lambda asked: head if asked.method == "HEAD" else get


async def never() -> AsyncIterator[bytes]:
    await asyncio.Event().wait()
    yield b""


@pytest.mark.req("PIC-4")
async def test_head_is_asked_first_and_nothing_personal_is_sent() -> None:
    internet = internet_with(picture_server(PICTURE))
    async with internet.downloader() as downloader:
        assert await downloader.fetch(URL) == Fetched(PICTURE, URL)
    assert [asked.method for asked in internet.asked] == ["HEAD", "GET"]
    for asked in internet.asked:
        assert set(asked.headers) == {"host", "user-agent", "accept", "accept-encoding"}
        assert asked.headers["host"] == "a.example"
        assert asked.headers["accept-encoding"] == "identity"


@pytest.mark.req("PIC-4")
@pytest.mark.parametrize(
    ("head", "result"),
    [
        (answer(404, kind="text/html"), download.MISSING),
        (answer(410), download.MISSING),
        (answer(200, kind="text/html; charset=utf-8"), download.NOT_A_PICTURE),
        (answer(200, kind="application/json"), download.NOT_A_PICTURE),
        (answer(204, kind="video/mp4"), download.NOT_A_PICTURE),
    ],
)
async def test_head_that_rules_the_address_out(head: Parts, result: NotFetched) -> None:
    internet = internet_with(by_method(head, answer(body=PICTURE)))
    async with internet.downloader() as downloader:
        assert await downloader.fetch(URL) is result
    assert [asked.method for asked in internet.asked] == ["HEAD"]


@pytest.mark.req("PIC-4")
@pytest.mark.parametrize(
    "head",
    [
        answer(405, kind="text/html"),
        answer(501, kind="text/plain"),
        answer(403, kind="text/html"),
        answer(500, kind=None),
        answer(200, kind=None),
        answer(200, kind=""),
        answer(200, kind="application/octet-stream"),
        answer(200, kind="IMAGE/PNG"),
        answer(302),  # leads nowhere
        [b"nonsense\r\n\r\n"],
        [],
    ],
    ids=[
        "405",
        "501",
        "403",
        "500",
        "untyped",
        "empty type",
        "bytes",
        "picture",
        "no location",
        "junk",
        "cut",
    ],
)
async def test_refused_or_untyped_head_still_tries(head: list[bytes]) -> None:
    assert await fetched_from(by_method(head, answer(body=PICTURE))) == Fetched(PICTURE, URL)


@pytest.mark.req("PIC-4")
@pytest.mark.parametrize("limits", [QUICK, Limits(read=0.1), Limits(head=0.1)], ids=["both", "read", "head"])
async def test_silent_head_still_tries(limits: Limits) -> None:
    def serve(asked: Asked) -> Parts:
        return never() if asked.method == "HEAD" else answer(body=PICTURE)

    started = asyncio.get_running_loop().time()
    assert await fetched_from(serve, limits=limits) == Fetched(PICTURE, URL)
    assert asyncio.get_running_loop().time() - started < 10


@pytest.mark.req("PIC-4")
@pytest.mark.parametrize(
    ("status", "result"),
    [
        (404, download.MISSING),
        (410, download.MISSING),
        (401, download.DENIED),
        (403, download.DENIED),
        (451, download.DENIED),
        (204, download.DENIED),
        (206, download.DENIED),
        (304, download.DENIED),
        (429, download.BUSY),
        (408, download.BUSY),
        (500, download.BUSY),
        (503, download.BUSY),
    ],
)
async def test_answer_other_than_ok(status: int, result: NotFetched) -> None:
    assert await fetched_from(by_method(answer(405), answer(status))) is result


def test_only_what_may_pass_is_worth_asking_again() -> None:
    results = [value for value in vars(download).values() if isinstance(value, NotFetched)]
    assert {result.code for result in results if result.passing} == {
        "unreachable",
        "too-slow",
        "broken-answer",
        "server-error",
    }
    assert len({result.code for result in results}) == len(results)


@pytest.mark.req("PIC-3")
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_four_redirects_are_followed_and_the_fifth_is_not(status: int) -> None:
    def serve(asked: Asked) -> Parts:
        left = int(asked.target.removeprefix("/hop"))
        return moved(f"http://b.example/hop{left - 1}", status) if left else answer(body=PICTURE)

    def head_or_body(asked: Asked) -> Parts:
        return [b"".join(serve(asked)).partition(b"\x89")[0]] if asked.method == "HEAD" else serve(asked)  # type: ignore[arg-type]

    four = await fetched_from(head_or_body, "http://a.example/hop4")
    assert four == Fetched(PICTURE, "http://b.example/hop0")
    assert await fetched_from(head_or_body, "http://a.example/hop5") is download.TOO_MANY_HOPS
    assert await fetched_from(lambda asked: moved(URL)) is download.TOO_MANY_HOPS


@pytest.mark.req("PIC-3")
async def test_cookies_and_credentials_do_not_travel() -> None:
    def serve(asked: Asked) -> Parts:
        if asked.target == "/a.png":
            return answer(302, headers={"Location": "//b.example/b", "Set-Cookie": "session=1; Path=/"})
        return picture_server(PICTURE)(asked)

    internet = internet_with(serve)
    async with internet.downloader() as downloader:
        assert isinstance(await downloader.fetch(URL), Fetched)
        assert isinstance(await downloader.fetch(URL), Fetched)
    sent = {name for asked in internet.asked for name in asked.headers}
    assert sent == {"host", "user-agent", "accept", "accept-encoding"}


@pytest.mark.req("PIC-3")
async def test_no_proxy_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://8.8.8.8:80")
    internet = internet_with(picture_server(PICTURE))
    async with internet.downloader() as downloader:
        assert isinstance(await downloader.fetch(URL), Fetched)
    assert set(internet.dialled) == {GOOD}
    assert internet.asked[0].target == "/a.png"


@pytest.mark.req("PIC-4")
@pytest.mark.parametrize(("size", "taken"), [(20_000, True), (20_001, False)])
@pytest.mark.parametrize("declared", [True, False])
async def test_size_limit(size: int, taken: bool, declared: bool) -> None:
    body = b"x" * size
    chunked = [b"HTTP/1.1 200 Ok\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n" % size, body, b"\r\n0\r\n\r\n"]
    result = await fetched_from(
        by_method(answer(405), answer(body=body) if declared else chunked), limits=QUICK
    )
    assert result == (Fetched(body, URL) if taken else download.TOO_LARGE)


@pytest.mark.req("PIC-4")
async def test_the_standing_limit_is_twenty_megabytes_and_a_minute() -> None:
    assert Limits() == Limits(size=20_000_000, total=60.0)


@pytest.mark.req("PIC-4")
async def test_endless_answer_is_cut_at_the_limit() -> None:
    given = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal given
        yield b"HTTP/1.1 200 Ok\r\nTransfer-Encoding: chunked\r\n\r\n"
        while True:
            given += 1_000
            yield b"3e8\r\n" + b"x" * 1_000 + b"\r\n"

    internet = internet_with(by_method(answer(405), endless()))
    async with internet.downloader(QUICK) as downloader:
        assert await downloader.fetch(URL) is download.TOO_LARGE
    assert given <= QUICK.size + 64 * 1024
    assert internet.open_now == 0


@pytest.mark.req("PIC-4")
async def test_large_declared_size_is_refused_before_the_body() -> None:
    def never_after_the_head() -> AsyncIterator[bytes]:
        async def parts() -> AsyncIterator[bytes]:
            yield b"HTTP/1.1 200 Ok\r\nContent-Length: 99999999999999999999999999\r\n\r\n"
            await asyncio.Event().wait()

        return parts()

    assert await fetched_from(by_method(answer(405), never_after_the_head()), limits=Limits(total=5)) in (
        download.TOO_LARGE,
        download.BROKEN,
    )
    huge = answer(body=b"", length=20_000_001)
    assert await fetched_from(by_method(answer(405), huge)) is download.TOO_LARGE


@pytest.mark.req("PIC-4")
async def test_drip_ends_at_the_total_deadline() -> None:
    """Each byte comes well within the read limit; only the deadline over everything ends it."""

    async def drip() -> AsyncIterator[bytes]:
        yield b"HTTP/1.1 200 Ok\r\nContent-Length: 10000\r\n\r\n"
        while True:
            await asyncio.sleep(0.01)
            yield b"x"

    internet = internet_with(by_method(answer(405), drip()))
    started = asyncio.get_running_loop().time()
    async with internet.downloader(Limits(read=30, total=0.3)) as downloader:
        assert await downloader.fetch(URL) is download.TOO_SLOW
    assert asyncio.get_running_loop().time() - started < 5
    assert internet.open_now == 0


@pytest.mark.req("PIC-4")
async def test_drip_of_header_lines_ends_too() -> None:
    async def drip() -> AsyncIterator[bytes]:
        yield b"HTTP/1.1 200 Ok\r\n"
        while True:
            await asyncio.sleep(0.01)
            yield b"X-More: yes\r\n"

    assert await fetched_from(by_method(answer(405), drip()), limits=Limits(total=0.3)) is download.TOO_SLOW


@pytest.mark.req("PIC-4")
async def test_compressed_bomb_is_never_inflated() -> None:
    bomb = gzip.compress(b"\0" * 10_000_000)
    sent = answer(body=bomb, headers={"Content-Encoding": "gzip"})
    assert await fetched_from(by_method(answer(405), sent), limits=QUICK) == Fetched(bomb, URL)


@pytest.mark.parametrize(
    "parts",
    [
        answer(body=b"x" * 10, length=20),
        [b"HTTP/1.1 200 Ok\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"],
        [b"HTTP/1.1 200 Ok\r\nX: " + b"x" * 200_000],
        [b"\x15\x03\x01\x00\x02\x02\x16"],
        [],
    ],
    ids=["cut", "bad chunk", "endless header", "tls on a plain port", "nothing"],
)
async def test_broken_answer(parts: list[bytes]) -> None:
    assert await fetched_from(by_method(answer(405), parts)) is download.BROKEN


async def test_more_bytes_than_declared_are_not_read() -> None:
    sent = answer(body=b"x" * 30_000, length=10)
    assert await fetched_from(by_method(answer(405), sent), limits=QUICK) == Fetched(b"x" * 10, URL)


async def test_broken_tls_record_in_the_middle_is_a_broken_answer() -> None:
    async def breaks() -> AsyncIterator[bytes]:
        yield b"HTTP/1.1 200 Ok\r\nContent-Length: 10000\r\n\r\nabc"
        raise ssl.SSLError("bad record mac")

    assert await fetched_from(by_method(answer(405), breaks())) is download.BROKEN


@pytest.mark.req("PIC-3")
async def test_closed_port_unknown_name_and_forbidden_answer_look_the_same(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "net")
    names: dict[str, list[list[str]]] = {
        "closed.example": [[GOOD]],
        "inner.example": [["10.0.0.8"]],
        "empty.example": [[]],
    }
    internet = Internet(names=names, closed={GOOD})
    async with internet.downloader() as downloader:
        for name in ("closed", "inner", "empty", "unknown"):
            assert await downloader.fetch(f"http://{name}.example/a.png") is download.UNREACHABLE
    told = [record.getMessage() for record in caplog.records]
    assert len(told) == 4
    assert "outside of the public network" in told[1], "the log tells them apart"
    assert "outside of the public network" not in " ".join(told[:1] + told[2:])


async def test_line_breaks_of_an_address_do_not_reach_the_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "net")
    async with internet_with(picture_server(PICTURE)).downloader() as downloader:
        assert await downloader.fetch("http://a.example/\r\nINFO forged") is download.NOT_ALLOWED
    assert "\n" not in caplog.records[0].getMessage()


@pytest.mark.req("PIC-4")
async def test_at_most_eight_at_once() -> None:
    gate = asyncio.Event()

    async def held() -> AsyncIterator[bytes]:
        await gate.wait()
        for part in answer(body=PICTURE):
            yield part

    internet = internet_with(lambda asked: answer(405) if asked.method == "HEAD" else held())
    async with internet.downloader() as downloader:
        tasks = [asyncio.ensure_future(downloader.fetch(f"{URL}?{n}")) for n in range(30)]
        while sum(asked.method == "GET" for asked in internet.asked) < 8:
            await asyncio.sleep(0)
        gate.set()
        results = await asyncio.gather(*tasks)
    assert all(isinstance(result, Fetched) for result in results)
    assert internet.most_open == 8


async def test_cancelled_download_leaves_no_socket_open() -> None:
    internet = internet_with(by_method(answer(405), never()))
    async with internet.downloader() as downloader:
        task = asyncio.ensure_future(downloader.fetch(URL))
        while len(internet.asked) < 2:
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert internet.open_now == 0


async def test_silent_name_server_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("net.guard.LOOKUP_SECONDS", 0.05)
    internet = internet_with(picture_server(PICTURE))

    async def silent(host: str, port: int) -> list[str]:
        await asyncio.Event().wait()
        raise AssertionError

    monkeypatch.setattr(internet, "resolve", silent)
    async with internet.downloader() as downloader:
        assert await downloader.fetch(URL) is download.UNREACHABLE
