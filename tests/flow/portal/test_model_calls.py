"""Calls go through one door, which asks who may and keeps one record of each, however it ends."""

from __future__ import annotations

import asyncio
import ssl
import threading
from contextlib import aclosing
from decimal import Decimal
from typing import Any

import httpx2
import pytest

from formats.errors import DomainError
from llm.asking import Ask, Delta, Reply
from llm.faults import ModelFault
from llm.scripted import Line, Script, ScriptedModel
from net import model_transport
from portal.database import in_database
from portal.endpoints import actions, calling
from portal.endpoints.calling import Caller
from portal.models import ModelCall, ModelEndpoint, Person, Purpose
from tests.support.endpoints import KEY, an_endpoint, list_address
from tests.support.jobs import until
from tests.support.people import make_people

pytestmark = pytest.mark.django_db(transaction=True)
ASK = Ask(messages=({"role": "user", "content": "Who is at the harbour?"},), settings={"max_tokens": 50})


async def prepared(model: ScriptedModel, **said: Any) -> tuple[Person, ModelEndpoint]:
    """Ana, and an endpoint of hers at this model."""

    def prepare() -> tuple[Person, ModelEndpoint]:
        list_address(model.address)
        ana = make_people().ana
        return ana, an_endpoint(ana, model.address, **said)

    return await in_database(prepare)


async def calls() -> list[ModelCall]:
    return await in_database(lambda: list(ModelCall.objects.order_by("id")))


def caller_of(person: Person, endpoint: ModelEndpoint, **more: str) -> Caller:
    return Caller(person.pk, endpoint.pk, Purpose.TRIAL, **more)


async def test_a_reply_is_stored_with_its_numbers_and_what_it_was_for() -> None:
    prices = {"price_input": Decimal(2), "price_output": Decimal(8), "currency": "CNY"}
    async with ScriptedModel(Script.of(Line("Lina counts the lamps.")), key=KEY) as model:
        ana, endpoint = await prepared(model, **prices)
        caller = caller_of(ana, endpoint, about="preset:fog", group="run-1")
        reply = await calling.reply(caller, ASK)
        await calling.reply(caller, ASK)
    assert reply.text == "Lina counts the lamps."
    first, second = await calls()
    assert (first.owner_id, first.endpoint_id, first.endpoint_name) == (ana.pk, endpoint.pk, "Fog")
    assert (first.model, first.purpose, first.about, first.group) == (
        "scripted",
        "trial",
        "preset:fog",
        "run-1",
    )
    assert first.outcome == "ok"
    assert reply.usage.tokens is not None
    assert (first.tokens_in, first.tokens_out) == (reply.usage.tokens.input, reply.usage.tokens.output)
    assert (first.tokens_cached, second.tokens_cached) == (0, len("Who is at the harbour?") // 4)
    assert (first.cost, first.currency) == (reply.usage.cost, "CNY")
    assert first.cost
    assert first.seconds >= (first.first_seconds or 0) > 0


@pytest.mark.parametrize(
    ("fault", "outcome"),
    [
        ("401", "key-refused"),
        ("403", "forbidden"),
        ("404-model", "not-found"),
        ("400", "refused"),
        ("400-too-long", "too-long"),
        ("429", "rate-limited"),
        ("500", "overloaded"),
        ("html-200", "web-page"),
        ("error-event", "provider-error"),
        ("no-done", "unfinished"),
        ("garbage-event", "broken"),
        ("null-content", "empty"),
        ("redirect", "moved"),
        ("close-at-connect", "unfinished"),
    ],
)
async def test_a_call_that_fails_is_stored_with_its_outcome(fault: str, outcome: str) -> None:
    async with ScriptedModel(Script.of(Line("Yes.", fault=fault)), key=KEY) as model:
        ana, endpoint = await prepared(model)
        with pytest.raises(ModelFault) as raised:
            await calling.reply(caller_of(ana, endpoint), ASK)
    assert raised.value.outcome == outcome
    assert [call.outcome for call in await calls()] == [outcome]


async def test_an_answer_cut_at_its_limit_is_stored_as_that() -> None:
    async with ScriptedModel(Script.of(Line("Yes.", fault="finish-length")), key=KEY) as model:
        ana, endpoint = await prepared(model)
        await calling.reply(caller_of(ana, endpoint), ASK)
    assert [call.outcome for call in await calls()] == ["cut"]


async def test_a_call_cancelled_while_it_waits_is_stored_as_stopped() -> None:
    script = Script.of(Line("Yes.", fault="slow-first-byte", seconds=60))
    async with ScriptedModel(script, key=KEY) as model:
        ana, endpoint = await prepared(model)
        task = asyncio.create_task(calling.reply(caller_of(ana, endpoint), ASK))
        await until(lambda: model.asked)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await until(lambda: not model.open_now)
    stopped = await calls()
    assert [call.outcome for call in stopped] == ["stopped"]
    assert (stopped[0].tokens_in, stopped[0].cost) == (None, None)


async def test_a_call_cancelled_again_before_it_is_stored_is_stored_all_the_same() -> None:
    begun, may_go_on = threading.Event(), threading.Event()

    def keep_the_database_busy() -> None:
        begun.set()
        assert may_go_on.wait(20)

    script = Script.of(Line("Yes.", fault="slow-first-byte", seconds=60))
    async with ScriptedModel(script, key=KEY) as model:
        ana, endpoint = await prepared(model)
        task = asyncio.create_task(calling.reply(caller_of(ana, endpoint), ASK))
        await until(lambda: model.asked)
        busy = asyncio.create_task(in_database(keep_the_database_busy))
        await until(begun.is_set)
        task.cancel()
        await until(lambda: calling._storing)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        may_go_on.set()
        await busy
        await until(lambda: not calling._storing)
    assert [call.outcome for call in await calls()] == ["stopped"]


async def test_a_stream_closed_early_is_stored_as_stopped_and_ends_the_request() -> None:
    script = Script.of(Line("A long answer about the harbour.", fault="silent-after-start", seconds=60))
    async with ScriptedModel(script, key=KEY) as model:
        ana, endpoint = await prepared(model)
        async with aclosing(calling.stream(caller_of(ana, endpoint), ASK)) as pieces:
            piece = await anext(pieces)
            assert isinstance(piece, Delta)
        await until(lambda: not model.open_now)
    assert [call.outcome for call in await calls()] == ["stopped"]


async def test_a_stream_is_stored_before_its_reply_is_given() -> None:
    async with ScriptedModel(Script.of(Line("Lina counts the lamps.")), key=KEY) as model:
        ana, endpoint = await prepared(model)
        heard = ""
        async with aclosing(calling.stream(caller_of(ana, endpoint), ASK)) as pieces:
            async for piece in pieces:
                if isinstance(piece, Reply):
                    assert [call.outcome for call in await calls()] == ["ok"]
                else:
                    heard += piece.text
    assert heard == "Lina counts the lamps."
    assert len(await calls()) == 1


async def test_whoever_may_no_longer_use_an_endpoint_reaches_nothing() -> None:
    async with ScriptedModel(Script.of(Line("Yes.")), key=KEY) as model:
        ana, endpoint = await prepared(model)
        cyd = await in_database(Person.objects.get, username="cyd")
        for person in (cyd, ana):
            if person is ana:
                await in_database(Person.objects.filter(pk=ana.pk).update, is_active=False)
            with pytest.raises(DomainError) as refused:
                await calling.reply(caller_of(person, endpoint), ASK)
            assert refused.value.kind == "not-found"
        assert model.received == []
    assert await calls() == []


async def test_an_address_taken_off_the_list_is_not_spoken_to_any_more() -> None:
    async with ScriptedModel(Script.of(Line("Yes.")), key=KEY) as model:
        ana, endpoint = await prepared(model)
        await calling.reply(caller_of(ana, endpoint), ASK)
        hal = await in_database(Person.objects.get, username="hal")
        await in_database(actions.save_rules, actor=hal, members_add=True, addresses=[])
        with pytest.raises(ModelFault) as refused:
            await calling.reply(caller_of(ana, endpoint), ASK)
    assert refused.value.outcome == "not-allowed"
    assert [call.outcome for call in await calls()] == ["ok", "not-allowed"]


async def test_calls_stay_under_their_name_when_the_endpoint_is_deleted() -> None:
    async with ScriptedModel(Script.of(Line("Yes.")), key=KEY) as model:
        ana, endpoint = await prepared(model)
        await calling.reply(caller_of(ana, endpoint), ASK)
    await in_database(actions.delete_endpoint, actor=ana, endpoint=endpoint)
    kept = await calls()
    assert [(call.endpoint_id, call.endpoint_name) for call in kept] == [(None, "Fog")]


async def test_an_endpoint_deleted_during_a_call_costs_neither_answer_nor_record() -> None:
    async with ScriptedModel(Script.of(Line("Yes.")), key=KEY) as model:
        ana, endpoint = await prepared(model)
        async with aclosing(calling.stream(caller_of(ana, endpoint), ASK)) as pieces:
            await anext(pieces)
            await in_database(actions.delete_endpoint, actor=ana, endpoint=endpoint)
            rest = [piece async for piece in pieces]
    assert isinstance(rest[-1], Reply)
    assert [(call.endpoint_id, call.outcome) for call in await calls()] == [(None, "ok")]


async def test_a_key_that_cannot_be_read_is_told_in_words(settings: pytest.MonkeyPatch) -> None:
    async with ScriptedModel(Script.of(Line("Yes.")), key=KEY) as model:
        ana, endpoint = await prepared(model)
        settings.FIELD_KEYS = ("UAqDKVgXfwEIUcfYlYPlGmvcBkO6FhLXqVTLXVxLbV0=",)  # type: ignore[attr-defined]
        with pytest.raises(DomainError, match="cannot be read") as refused:
            await calling.reply(caller_of(ana, endpoint), ASK)
        assert "type the key again" in refused.value.hint
        assert model.received == []


async def test_the_authorities_are_read_once_and_never_on_the_event_loop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reads: list[threading.Thread] = []
    made = model_transport.usual_trust()

    def read(*, trust_env: bool) -> ssl.SSLContext:
        assert not trust_env
        reads.append(threading.current_thread())
        return made

    monkeypatch.setattr(httpx2, "create_ssl_context", read)
    monkeypatch.setattr(calling, "_clients", None)
    model_transport.usual_trust.cache_clear()
    async with ScriptedModel(Script.of(Line("Lina counts the lamps.")), key=KEY) as model:
        ana, endpoint = await prepared(model)
        await calling.reply(caller_of(ana, endpoint), ASK)
        await in_database(list_address, "http://127.0.0.1:9")  # another list makes other clients
        await calling.reply(caller_of(ana, endpoint), ASK)
        async with calling.client_for_test(caller_of(ana, endpoint)) as (client, opened):
            await client.reply(opened.endpoint, ASK)
    assert len(reads) == 1
    assert threading.main_thread() not in reads
