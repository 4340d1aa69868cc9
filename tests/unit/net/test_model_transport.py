"""The guard under model calls: the table of the pictures' guard, by every way that models have (D43)."""

from __future__ import annotations

from collections.abc import Callable

import httpcore2
import httpx2
import pytest

from net.address import RefusedAddress
from net.guard import Rule
from net.model_door import ModelDoor, NoAnswer, Sending
from net.model_transport import LISTED, MAX_BODY, PUBLIC, ModelBackend
from tests.support.addresses import FORBIDDEN
from tests.support.internet import GOOD, Asked, Internet, Parts, answer, moved

BODY = b'{"object": "list", "data": []}'
SOME_PUBLIC = ["8.8.8.8", "172.32.0.1", "2a00:1450::1"]


def serve(_: Asked) -> Parts:
    return answer(body=BODY, kind="application/json")


async def got(internet: Internet, url: str, *listed: str, max_body: int = MAX_BODY) -> bytes | str:
    """The body, or why there is none."""
    door = ModelDoor(internet.model_transport(*listed, max_body=max_body))
    try:
        async with door.ask(Sending("GET", url)) as reply:
            return b"".join([part async for part in reply.parts()])
    except NoAnswer as error:
        return error.reason
    finally:
        await door.aclose()


Way = Callable[[str], tuple[Internet, str]]


def as_literal(address: str) -> tuple[Internet, str]:
    return Internet(server=serve), f"https://{f'[{address}]' if ':' in address else address}:8443/v1/models"


def among(*others: str, place: int = 0) -> Way:
    def way(address: str) -> tuple[Internet, str]:
        answers = list(others)
        answers.insert(place, address)
        return Internet(names={"a.example": [answers]}, server=serve), "https://a.example:8443/v1/models"

    return way


WAYS: dict[str, Way] = {
    "literal": as_literal,
    "only answer": among(),
    "first of two": among(GOOD, place=0),
    "last of three": among(GOOD, "2606:4700::1111", place=2),
    "beyond those dialled": among(*[f"93.184.215.{n}" for n in range(1, 9)], place=8),
}


@pytest.mark.parametrize("address", FORBIDDEN)
@pytest.mark.parametrize("way", WAYS)
async def test_forbidden_address_is_never_dialled(way: str, address: str) -> None:
    internet, url = WAYS[way](address)
    assert await got(internet, url) == ("not-allowed" if way == "literal" else "unreachable")
    assert internet.dialled == []


@pytest.mark.parametrize("address", SOME_PUBLIC)
@pytest.mark.parametrize("way", WAYS)
async def test_public_address_is_asked_by_the_same_ways(way: str, address: str) -> None:
    internet, url = WAYS[way](address)
    assert await got(internet, url) == BODY
    assert set(internet.dialled) <= {GOOD, address, "93.184.215.1"}
    assert len(internet.lookups) == (0 if way == "literal" else 1)


@pytest.mark.parametrize("address", [address for address in FORBIDDEN if "%" not in address])
async def test_a_listed_name_may_lead_anywhere_and_no_other_way_opens(address: str) -> None:
    def internet() -> Internet:
        return Internet(names={"local.example": [[address]]}, server=serve)

    listed = "http://local.example:8080"
    assert await got(internet(), f"{listed}/v1/models", listed) == BODY
    assert await got(internet(), "https://local.example:8080/v1/models", listed) == "unreachable"
    assert await got(internet(), "https://local.example/v1/models", listed) == "unreachable"
    assert await got(internet(), "http://local.example/v1/models", listed) == "not-allowed"
    assert await got(internet(), "http://local.example:8081/v1/models", listed) == "not-allowed"


async def test_a_second_look_up_does_not_help() -> None:
    internet = Internet(names={"a.example": [[GOOD], ["127.0.0.1"]]}, server=serve)
    assert await got(internet, "https://a.example/v1") == BODY
    assert await got(internet, "https://a.example/v1") == "unreachable"
    assert internet.dialled == [GOOD]


async def test_redirects_are_not_followed() -> None:
    internet = Internet(names={"a.example": [[GOOD]]}, server=lambda _: moved("https://b.example/"))
    door = ModelDoor(internet.model_transport())
    async with door.ask(Sending("POST", "https://a.example/v1", body=b"{}")) as reply:
        assert reply.status == 302
    assert len(internet.asked) == 1


async def test_a_closed_port_and_an_unknown_name_are_told_alike() -> None:
    internet = Internet(names={"a.example": [[GOOD]]}, closed={GOOD})
    assert await got(internet, "https://a.example/") == "unreachable"
    assert await got(internet, "https://b.example/") == "unreachable"


async def test_another_peer_than_the_one_dialled_is_dropped() -> None:
    internet = Internet(names={"a.example": [[GOOD]]}, server=serve)
    internet.tell_peer = lambda _: ("93.184.215.99", 443)
    assert await got(internet, "https://a.example/") == "unreachable"
    assert internet.asked == []
    assert internet.open_now == 0


@pytest.mark.parametrize(("size", "result"), [(1000, b"x" * 1000), (1001, "too-large")])
async def test_an_answer_ends_at_its_limit(size: int, result: bytes | str) -> None:
    internet = Internet(names={"a.example": [[GOOD]]}, server=lambda _: answer(body=b"x" * size))
    assert await got(internet, "https://a.example/", max_body=1000) == result
    assert internet.open_now == 0


async def test_what_is_asked_is_sent_and_nothing_besides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:1")
    internet = Internet(names={"a.example": [[GOOD]]}, server=serve)
    door = ModelDoor(internet.model_transport())
    sending = Sending("POST", "https://a.example/v1", {"Authorization": "Bearer invented"}, b"{}")
    assert "invented" not in repr(sending)
    async with door.ask(sending):
        pass
    (asked,) = internet.asked
    assert asked.headers == {
        "host": "a.example",
        "user-agent": "TavernWorlds/0.1",
        "authorization": "Bearer invented",
        "content-length": "2",
        "accept-encoding": "identity",
    }


@pytest.mark.parametrize("rule", [PUBLIC, LISTED], ids=["public", "listed"])
async def test_socket_files_are_refused(rule: Rule) -> None:
    with pytest.raises(RefusedAddress):
        await ModelBackend(rule).connect_unix_socket("/run/docker.sock")


async def test_a_client_cannot_ask_for_another_certificate_name() -> None:
    internet = Internet(names={"a.example": [[GOOD]]}, server=serve)
    transport = internet.model_transport()
    seen: list[httpcore2.Request] = []
    pool = transport._pools[PUBLIC]
    inner = pool.handle_async_request

    async def watched(request: httpcore2.Request) -> httpcore2.Response:
        seen.append(request)
        return await inner(request)

    pool.handle_async_request = watched  # type: ignore[method-assign]
    async with httpx2.AsyncClient(transport=transport, trust_env=False) as client:
        await client.get("https://a.example/", extensions={"sni_hostname": "b.example"})
    assert set(seen[0].extensions) == {"timeout"}
