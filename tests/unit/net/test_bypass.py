"""Every forbidden address by every way to smuggle it in: nothing outside of the public network is dialled.

The same ways with public addresses do fetch, so the matrix fails when the rule is switched off or always says
no.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from net.address import MAX_URL
from net.download import NOT_ALLOWED, UNREACHABLE, Fetched
from tests.support.addresses import FORBIDDEN
from tests.support.internet import GOOD, Asked, Internet, Parts, answer, moved, picture_server

pytestmark = pytest.mark.req("PIC-3")

PICTURE = b"\x89PNG invented " * 100
SOME_PUBLIC = ["8.8.8.8", "172.32.0.1", "2a00:1450::1"]

Way = Callable[[str], tuple[Internet, str]]


def literal(address: str) -> str:
    return f"http://[{address}]/a.png" if ":" in address else f"http://{address}/a.png"


def as_literal(address: str) -> tuple[Internet, str]:
    return Internet(server=picture_server(PICTURE)), literal(address)


def among(*others: str, place: int = 0) -> Way:
    def way(address: str) -> tuple[Internet, str]:
        answers = list(others)
        answers.insert(place, address)
        internet = Internet(names={"a.example": [answers]}, server=picture_server(PICTURE))
        return internet, "http://a.example/a.png"

    return way


def rebinding(address: str) -> tuple[Internet, str]:
    """The first look-up (for HEAD) is harmless, the second (for GET) is not."""
    internet = Internet(names={"a.example": [[GOOD], [address]]}, server=picture_server(PICTURE))
    return internet, "http://a.example/a.png"


def after_hops(hops: int, by_name: bool) -> Way:
    def way(address: str) -> tuple[Internet, str]:
        end = "http://inner.example/a.png" if by_name else literal(address)

        def serve(asked: Asked) -> Parts:
            if not asked.target.startswith("/hop"):
                return picture_server(PICTURE)(asked)
            left = int(asked.target.removeprefix("/hop"))
            return moved(f"/hop{left - 1}" if left > 1 else end)

        names = {"a.example": [[GOOD]], "inner.example": [[address]]}
        return Internet(names=names, server=serve), f"http://a.example/hop{hops}"

    return way


WAYS: dict[str, Way] = {
    "literal": as_literal,
    "only answer": among(),
    "first of two": among(GOOD, place=0),
    "last of three": among(GOOD, "2606:4700::1111", place=2),
    "beyond those dialled": among(*[f"93.184.215.{n}" for n in range(1, 9)], place=8),
    "rebinding": rebinding,
    **{f"hop {n} to the literal": after_hops(n, by_name=False) for n in range(1, 5)},
    **{f"hop {n} to a name": after_hops(n, by_name=True) for n in range(1, 5)},
}


def test_the_matrix_is_as_large_as_it_says() -> None:
    assert len(FORBIDDEN) * len(WAYS) >= 400


@pytest.mark.parametrize("address", FORBIDDEN)
@pytest.mark.parametrize("way", WAYS)
async def test_forbidden_address_is_never_dialled(way: str, address: str) -> None:
    internet, url = WAYS[way](address)
    async with internet.downloader() as downloader:
        result = await downloader.fetch(url)
    assert result in (NOT_ALLOWED, UNREACHABLE)
    assert set(internet.dialled) <= {GOOD}
    if "name" in way or "literal" not in way:
        assert result is UNREACHABLE, "an address found by look-up is not told apart from a closed port"


@pytest.mark.parametrize("address", SOME_PUBLIC)
@pytest.mark.parametrize("way", WAYS)
async def test_public_address_is_fetched_by_the_same_ways(way: str, address: str) -> None:
    internet, url = WAYS[way](address)
    async with internet.downloader() as downloader:
        result = await downloader.fetch(url)
    assert isinstance(result, Fetched)
    assert result.data == PICTURE
    assert set(internet.dialled) <= {GOOD, address, "93.184.215.1"}


@pytest.mark.parametrize(
    "location",
    [
        "http://2130706433/a.png",
        "http://0x7f.1/",
        "http://localhost/",
        "//10.0.0.1/",
        "//127.1/a.png",
        "http://u:p@b.example/",
        "http://b.example:8080/",
        "ftp://b.example/a.png",
        "file:///etc/hostname",
        "data:image/png;base64,iVBORw0KGgo=",
        "http://127.0.0.1\\@b.example/",
        "http://[::1",
        "http:\t//10.0.0.1/",
        "/" + "x" * MAX_URL,
    ],
    ids=lambda location: ascii(location)[:40],
)
async def test_redirect_is_checked_as_the_first_address_was(location: str) -> None:
    internet = Internet(
        names={"a.example": [[GOOD]], "b.example": [["8.8.4.4"]]}, server=lambda _: moved(location, 303)
    )
    async with internet.downloader() as downloader:
        assert await downloader.fetch("http://a.example/a.png") is NOT_ALLOWED
    assert internet.dialled == [GOOD]


async def test_one_lookup_for_every_connection() -> None:
    internet, url = after_hops(3, by_name=True)("8.8.8.8")
    async with internet.downloader() as downloader:
        assert isinstance(await downloader.fetch(url), Fetched)
    assert len(internet.lookups) == len(internet.dialled) == len(internet.asked) == 8  # 4 for HEAD, 4 for GET


async def test_connection_to_another_peer_than_dialled_is_dropped() -> None:
    internet = Internet(names={"a.example": [[GOOD]]}, server=lambda _: answer(body=PICTURE))
    internet.tell_peer = lambda _: ("93.184.215.99", 80)
    async with internet.downloader() as downloader:
        assert await downloader.fetch("http://a.example/a.png") is UNREACHABLE
    assert internet.asked == []
    assert internet.open_now == 0


async def test_peer_may_spell_its_address_otherwise() -> None:
    internet = Internet(server=picture_server(PICTURE))
    internet.tell_peer = lambda _: ("2606:4700::1111", 80)
    async with internet.downloader() as downloader:
        assert isinstance(await downloader.fetch("http://[2606:4700:0:0::1111]/a.png"), Fetched)


@pytest.mark.parametrize("peer", ["", "a.example", "::ffff:93.184.215.14", "127.0.0.1"])
async def test_peer_that_is_no_address_or_another_is_dropped(peer: str) -> None:
    internet = Internet(names={"a.example": [[GOOD]]}, server=picture_server(PICTURE))
    internet.tell_peer = lambda _: (peer, 80)
    async with internet.downloader() as downloader:
        assert await downloader.fetch("http://a.example/a.png") is UNREACHABLE


async def test_next_address_of_the_same_answer_is_tried_when_one_is_closed() -> None:
    internet = Internet(
        names={"a.example": [["2606:4700::1111", GOOD]]},
        server=picture_server(PICTURE),
        closed={"2606:4700::1111"},
    )
    async with internet.downloader() as downloader:
        assert isinstance(await downloader.fetch("http://a.example/a.png"), Fetched)
    assert len(internet.lookups) == 2
    assert internet.dialled == ["2606:4700::1111", GOOD] * 2
