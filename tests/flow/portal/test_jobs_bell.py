"""The bell's socket over the whole websocket application: who hears what, and for how long."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from channels.testing import WebsocketCommunicator
from django.contrib.sessions.models import Session
from django.core.checks import run_checks
from django.db import transaction
from django.test import override_settings

from portal import bell, consumers, slots
from portal.database import in_database
from portal.models import Person
from portal.open_sockets import OPEN, PER_PERSON
from roleplay.sockets import application
from tests.support.jobs import stored_job
from tests.support.people import People, client_of

pytestmark = pytest.mark.django_db(transaction=True)
ORIGIN = "https://worlds.example"


def cookie_of(person: Person) -> str:
    return str(client_of(person).cookies["sessionid"].value)


def communicator(
    cookie: str | None, origin: str | None = ORIGIN, path: str = "/bell/"
) -> WebsocketCommunicator:
    headers = [(b"origin", origin.encode())] if origin is not None else []
    if cookie is not None:
        headers.append((b"cookie", f"sessionid={cookie}".encode()))
    return WebsocketCommunicator(application([ORIGIN]), path, headers=headers)


@asynccontextmanager
async def page_of(person: Person, *watch: str) -> AsyncIterator[WebsocketCommunicator]:
    """An open page of a person that watches some groups; the rings of its beginning are taken."""
    page = communicator(await in_database(cookie_of, person))
    connected, _ = await page.connect(timeout=5)
    assert connected
    assert await heard(page) == f"person:{person.pk}"
    if watch:
        await page.send_json_to({"watch": list(watch)})
    try:
        yield page
    finally:
        await page.disconnect(timeout=5)


async def heard(page: WebsocketCommunicator) -> str:
    message = json.loads(await page.receive_from(timeout=5))
    assert list(message) == ["ring"]
    return str(message["ring"])


async def closed_with(page: WebsocketCommunicator, seconds: float = 5) -> int:
    """The code with which the server ends the socket; rings before it are passed over."""
    while True:
        message = await page.receive_output(timeout=seconds)
        if message["type"] == "websocket.close":
            return int(message["code"])


async def ring(group: str) -> None:
    await in_database(bell.ring, group)


@pytest.mark.parametrize("origin", ["https://worlds.example:8443", "http://worlds.example", "null", None])
async def test_a_page_of_another_origin_gets_no_socket_even_with_a_session(
    people: People, origin: str | None
) -> None:
    page = communicator(await in_database(cookie_of, people.ana), origin)
    assert (await page.connect(timeout=5))[0] is False


async def test_nobody_gets_in_without_a_session(people: People) -> None:
    for cookie in (None, "", "a" * 32):
        assert (await communicator(cookie).connect(timeout=5))[0] is False


async def test_a_disabled_person_does_not_get_in(people: People) -> None:
    cookie = await in_database(cookie_of, people.ana)
    await in_database(disable, people.ana)
    assert (await communicator(cookie).connect(timeout=5))[0] is False


async def test_an_address_without_a_socket_refuses(people: People) -> None:
    page = communicator(await in_database(cookie_of, people.ana), path="/nothing/")
    assert (await page.connect(timeout=5))[0] is False


async def test_a_ring_reaches_the_page_that_watches(people: People) -> None:
    job = await in_database(stored_job, people.ana)
    async with page_of(people.ana, f"job:{job.pk}") as page:
        assert (
            await heard(page) == f"job:{job.pk}"
        )  # at once: it may have changed while the page was on its way
        await ring(f"job:{job.pk}")
        assert await heard(page) == f"job:{job.pk}"
        await page.send_json_to({"unwatch": [f"job:{job.pk}"]})
        await ring(f"person:{people.ana.pk}")
        assert await heard(page) == f"person:{people.ana.pk}"
        await ring(f"job:{job.pk}")
        assert await page.receive_nothing(timeout=0.3)


async def test_a_ring_in_a_transaction_is_heard_after_its_commit(people: People) -> None:
    order: list[str] = []

    def change() -> None:
        with transaction.atomic():
            bell.ring(f"person:{people.ana.pk}")
            order.append("in")
        order.append("out")

    def change_and_fail() -> None:
        with transaction.atomic():
            bell.ring(f"person:{people.ana.pk}")
            transaction.set_rollback(True)

    async with page_of(people.ana) as page:
        await in_database(change_and_fail)
        assert await page.receive_nothing(timeout=0.3)
        await in_database(change)
        assert await heard(page) == f"person:{people.ana.pk}"
    assert order == ["in", "out"]


async def test_a_job_rings_its_page_while_it_runs(people: People) -> None:
    from portal.jobs import ledger

    job = await in_database(stored_job, people.ana, subject="fog")
    async with page_of(people.ana) as page:
        claim = await in_database(ledger.claim, "us", 20)
        assert claim is not None
        assert claim.job_id == job.pk
        assert await heard(page) == f"person:{people.ana.pk}"


async def test_a_stranger_hears_nothing(people: People) -> None:
    job = await in_database(stored_job, people.ana)
    groups = [f"job:{job.pk}", f"person:{people.ana.pk}", "item:fog", "moon:1", "job:"]
    async with page_of(people.cyd) as page:
        for group in groups:
            await page.send_json_to({"watch": [group]})
        assert await page.receive_nothing(timeout=0.3)
        for group in groups:
            await ring(group)
        assert await page.receive_nothing(timeout=0.3)


async def test_items_are_heard_by_those_the_rooms_let_in_and_no_longer(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    readers = {people.ana.pk}
    filled = slots.filled
    fill: Callable[[Person, str], bool] = lambda person, rest: rest == "雾都-1" and person.pk in readers  # noqa: E731
    monkeypatch.setattr(slots, "filled", lambda name: (fill,) if name == "bell.item" else filled(name))
    async with page_of(people.ana, "item:雾都-1", "item:other") as page:
        assert await heard(page) == "item:雾都-1"
        await ring("item:雾都-1")
        assert await heard(page) == "item:雾都-1"
        readers.clear()  # the share is taken back while the page is open
        await ring("item:雾都-1")
        assert await page.receive_nothing(timeout=0.4)


def disable(person: Person) -> None:
    person.is_active = False
    person.save()


def sign_out(person: Person) -> None:
    Session.objects.all().delete()


def change_password(person: Person) -> None:
    person.set_password("another invented password")
    person.save()


@pytest.mark.parametrize("end", [disable, sign_out, change_password])
async def test_a_socket_ends_two_seconds_after_its_session(
    people: People, end: Callable[[Person], None]
) -> None:
    async with page_of(people.ana) as page:
        await in_database(end, people.ana)
        began = time.monotonic()
        assert await closed_with(page) == consumers.SIGNED_OUT
        assert time.monotonic() - began <= 2


async def test_after_the_session_nothing_is_passed_on_even_before_the_socket_ends(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OPEN, "_every", 60.0)
    async with page_of(people.ana) as page:
        await in_database(sign_out, people.ana)
        await ring(f"person:{people.ana.pk}")
        assert (await page.receive_output(timeout=5))["type"] == "websocket.close"


async def test_one_persons_end_leaves_the_others_sockets_open(people: People) -> None:
    async with page_of(people.ana) as ana, page_of(people.ben) as ben:
        await in_database(disable, people.ana)
        assert await closed_with(ana) == consumers.SIGNED_OUT
        await ring(f"person:{people.ben.pk}")
        assert await heard(ben) == f"person:{people.ben.pk}"


@pytest.mark.parametrize(
    "frame", [" ", "{", "[]", '{"watch": 1}', '{"ring": "job:a"}', '{"type": "rung"}', "\x00"]
)
async def test_bad_frames_are_passed_over(people: People, frame: str) -> None:
    async with page_of(people.ana) as page:
        await page.send_to(text_data=frame)
        await page.send_to(bytes_data=b"\xff\xfe")
        await ring(f"person:{people.ana.pk}")
        assert await heard(page) == f"person:{people.ana.pk}"


async def test_a_page_that_sends_nothing_but_bad_frames_is_ended(people: People) -> None:
    async with page_of(people.ana) as page:
        for _ in range(consumers.BAD_FRAMES):
            await page.send_to(text_data="{")
        assert await closed_with(page) == consumers.BAD


async def test_a_page_that_floods_is_ended(people: People) -> None:
    async with page_of(people.ana) as page:
        for _ in range(consumers.FRAMES_IN_WINDOW + 1):
            await page.send_json_to({"watch": []})
        assert await closed_with(page) == consumers.BAD


async def test_a_frame_that_is_too_big_ends_the_socket(people: People) -> None:
    async with page_of(people.ana) as page:
        await page.send_to(text_data="x" * (consumers.FRAME_LIMIT + 1))
        assert await closed_with(page) == consumers.TOO_BIG


async def test_a_page_watches_only_so_many_groups(people: People) -> None:
    def ask() -> list[str]:
        return [f"job:{stored_job(people.ana).pk}" for _ in range(consumers.GROUP_LIMIT)]

    groups = await in_database(ask)
    async with page_of(people.ana, *groups) as page:
        rung = {await heard(page) for _ in range(consumers.GROUP_LIMIT - 1)}
        assert len(rung) == consumers.GROUP_LIMIT - 1
        assert await page.receive_nothing(timeout=0.3)


async def test_a_person_has_only_so_many_sockets(people: People) -> None:
    cookie = await in_database(cookie_of, people.ana)
    pages = [communicator(cookie) for _ in range(PER_PERSON + 1)]
    try:
        answers = [(await page.connect(timeout=5))[0] for page in pages]
        assert answers == [True] * PER_PERSON + [False]
    finally:
        for page in pages[:-1]:
            await page.disconnect(timeout=5)
    assert not any(known.person_id == people.ana.pk for known in OPEN._open)


async def test_a_layer_that_does_not_answer_breaks_no_write(
    people: People, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Dead:
        async def group_send(self, group: str, message: Any) -> None:
            raise ConnectionRefusedError("redis is away")

    monkeypatch.setattr(bell, "get_channel_layer", Dead)
    bell.serve_in(asyncio.get_running_loop())
    await in_database(bell.ring, "person:1")
    async with asyncio.timeout(10):
        while "did not ring" not in caplog.text:
            await asyncio.sleep(0)


def test_without_a_channel_layer_the_checks_refuse() -> None:
    assert [found for found in run_checks() if found.id == "portal.E001"] == []
    with override_settings(CHANNEL_LAYERS={}):
        from channels.layers import channel_layers

        channel_layers.backends.clear()
        try:
            assert [found.id for found in run_checks() if found.id == "portal.E001"] == ["portal.E001"]
        finally:
            channel_layers.backends.clear()
