"""The client: exact bodies, streams, stopping, deadlines, how many run at once."""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import aclosing
from dataclasses import replace
from decimal import Decimal

import pytest
import time_machine
from hypothesis import given, settings
from hypothesis import strategies as st

from llm.asking import Ask, Delta, Reply
from llm.clients import Clients
from llm.endpoint import Abilities, Endpoint, Prices
from llm.faults import ModelFault
from llm.scripted import Line, Rule, Said, Script
from net.address import RefusedAddress
from tests.support.models import HELLO, KEY, PATIENT, talking

ODD_MESSAGES = (
    {"role": "system", "content": "You tell stories. \u2028 讲故事。"},
    {"role": "system", "content": "<|im_start|>system {{user}} </s> <think>"},
    {"role": "user", "content": "Two\n\nturns"},
    {"role": "user", "content": "of one role, 😀"},
    {
        "role": "assistant",
        "content": "Yes.",
        "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"at": "门"}'}}
        ],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "A door."},
    {"role": "system", "content": "In the middle."},
    {"role": "assistant", "content": "  blanks stay  "},
    {"role": "user", "content": "Go on."},
)


@pytest.mark.req("PRE-18")
@pytest.mark.parametrize("streamed", [True, False])
async def test_what_is_kept_is_what_arrived_message_for_message(streamed: bool) -> None:
    ask = Ask(ODD_MESSAGES, {"temperature": 0.5, "top_p": 1, "min_p": 0.05, "max_tokens": 9})
    async with talking(Line("So be it.")) as talk:
        pieces = [piece async for piece in talk.client.stream(talk.endpoint, ask, streamed=streamed)]
        reply = pieces[-1]
        assert isinstance(reply, Reply)
        (received,) = talk.model.asked
    assert reply.sent == received.body
    assert received.value["messages"] == [dict(message) for message in ask.messages]
    assert reply.sent_body["messages"] == received.value["messages"]
    assert {name: received.value[name] for name in ask.settings} == dict(ask.settings)
    assert received.value["stream"] is streamed


@pytest.mark.req("PRE-18")
@given(
    st.lists(st.tuples(st.sampled_from(["system", "user", "assistant"]), st.text(max_size=40)), min_size=1)
)
@settings(max_examples=25)
def test_any_messages_arrive_as_they_are(turns: list[tuple[str, str]]) -> None:
    async def told() -> None:
        ask = Ask(tuple({"role": role, "content": text} for role, text in turns))
        async with talking(Line("Heard.")) as talk:
            reply = await talk.client.reply(talk.endpoint, ask)
            assert talk.model.asked[0].body == reply.sent
            assert talk.model.asked[0].value["messages"] == [dict(message) for message in ask.messages]

    asyncio.run(told())


async def test_half_a_character_does_not_stop_a_call() -> None:
    """A lone surrogate has no bytes; it is sent as a question mark, and kept as it was sent."""
    async with talking(Line("Fine.")) as talk:
        reply = await talk.client.reply(talk.endpoint, Ask(({"role": "user", "content": "a\ud800b"},)))
    assert reply.sent_body["messages"][0]["content"] == "a?b"


async def test_a_reply_comes_in_pieces_and_whole() -> None:
    line = Line("The lighthouse keeper waits for the mail boat.", thinking="A quiet start.")
    async with talking(line) as talk:
        pieces = [piece async for piece in talk.client.stream(talk.endpoint, HELLO)]
    *deltas, reply = pieces
    assert isinstance(reply, Reply)
    assert "".join(piece.text for piece in deltas if isinstance(piece, Delta)) == line.text == reply.text
    assert len(deltas) > 3
    assert reply.thinking == line.thinking
    assert reply.streamed
    assert reply.model == "scripted"


async def test_usage_has_tokens_times_and_cost() -> None:
    prices = Prices(Decimal(3), Decimal(15), Decimal("0.3"), "EUR")
    async with talking(Line("A line of exactly forty characters, see.")) as talk:
        endpoint = replace(talk.endpoint, prices=prices)
        await talk.client.reply(endpoint, HELLO)
        reply = await talk.client.reply(endpoint, HELLO)
    usage = reply.usage
    assert usage.tokens is not None
    assert (usage.tokens.input, usage.tokens.cached, usage.tokens.output) == (5, 4, 10)
    assert usage.cost == (Decimal(3) * 1 + Decimal("0.3") * 4 + Decimal(15) * 10) / 1_000_000
    assert usage.currency == "EUR"
    assert usage.first_seconds is not None
    assert 0 < usage.first_seconds <= usage.seconds
    assert talk.usages[1] == usage


async def test_tool_calls_come_whole() -> None:
    calls = (Said("look", '{"at": "the old door"}'), Said("wait", ""))
    async with talking(Line(calls=calls)) as talk:
        reply = await talk.client.reply(talk.endpoint, HELLO)
    assert [(call.name, call.arguments) for call in reply.calls] == [
        ("look", calls[0].arguments),
        ("wait", "{}"),
    ]
    assert reply.calls[0].as_sent()["function"] == {"name": "look", "arguments": calls[0].arguments}
    assert reply.finish == "tool-calls"


async def test_an_endpoint_that_cannot_stream_is_asked_for_the_whole() -> None:
    async with talking(Line("Whole.")) as talk:
        endpoint = replace(talk.endpoint, abilities=Abilities(streaming=False))
        reply = await talk.client.reply(endpoint, HELLO)
    assert (reply.text, reply.streamed) == ("Whole.", False)
    assert "stream_options" not in reply.sent_body


async def test_stopping_ends_the_connection_and_is_recorded() -> None:
    async with talking(Line("long " * 500, fault="silent-after-start", seconds=30)) as talk:
        async with aclosing(talk.client.stream(talk.endpoint, HELLO)) as pieces:
            async for _ in pieces:
                break
        assert [usage.outcome for usage in talk.usages] == ["stopped"]
        async with asyncio.timeout(20):
            while talk.model.open_now:
                await asyncio.sleep(0)


async def test_cancelling_ends_the_call_at_once() -> None:
    async with talking(Line("unheard", fault="slow-first-byte", seconds=30), deadlines=PATIENT) as talk:
        task = asyncio.create_task(talk.client.reply(talk.endpoint, HELLO))
        async with asyncio.timeout(20):
            while not talk.model.asked:
                await asyncio.sleep(0)
        started = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert time.monotonic() - started < 10
        assert [usage.outcome for usage in talk.usages] == ["stopped"]
        reply = await talk.client.models(talk.endpoint)  # the client goes on working
        assert [model.id for model in reply] == ["scripted"]


async def test_no_more_than_so_many_at_once_and_the_others_wait_without_losing_time() -> None:
    waits = replace(PATIENT, first=1, total=1)
    line = Line("In turn.", fault="slow-first-byte", seconds=0.25)
    async with talking(line, at_once=2, deadlines=waits) as talk:
        replies = await asyncio.gather(*(talk.client.reply(talk.endpoint, HELLO) for _ in range(10)))
    assert [reply.text for reply in replies] == ["In turn."] * 10
    assert talk.model.most_open == 2


async def test_a_stopped_one_gives_its_place_free() -> None:
    script = Script.of(Line("unheard", fault="slow-first-byte", seconds=30), Line("Next."))
    async with talking(script, at_once=1, deadlines=PATIENT) as talk:
        first = asyncio.create_task(talk.client.reply(talk.endpoint, HELLO))
        async with asyncio.timeout(20):
            while not talk.model.asked:
                await asyncio.sleep(0)
        second = asyncio.create_task(talk.client.reply(talk.endpoint, HELLO))
        await asyncio.sleep(0)
        first.cancel()
        assert (await second).text == "Next."


@pytest.mark.parametrize("streamed", [True, False])
async def test_the_whole_call_has_a_deadline_whatever_trickles_in(streamed: bool) -> None:
    deadlines = replace(PATIENT, total=0.4)
    async with talking(Line("slowly", fault="drip", seconds=0.02), deadlines=deadlines) as talk:
        started = time.monotonic()
        with pytest.raises(ModelFault) as raised:
            async for _ in talk.client.stream(talk.endpoint, HELLO, streamed=streamed):
                pass
        assert 0.3 < time.monotonic() - started < 10
    assert raised.value.outcome == "too-slow"


async def test_a_clock_that_jumps_a_day_ends_nothing() -> None:
    with time_machine.travel(1_800_000_000) as clock:
        async with talking(Line("Still here.", fault="slow-first-byte", seconds=0.1)) as talk:
            task = asyncio.create_task(talk.client.reply(talk.endpoint, HELLO))
            async with asyncio.timeout(20):
                while not talk.model.asked:
                    await asyncio.sleep(0)
            clock.shift(86_400)
            reply = await task
    assert reply.text == "Still here."
    assert reply.usage.seconds < 30


def test_every_event_loop_has_a_client_of_its_own() -> None:
    clients = Clients()

    async def mine() -> object:
        assert clients.here() is clients.here()
        return clients.here()

    assert asyncio.run(mine()) is not asyncio.run(mine())


def test_a_list_with_something_else_than_addresses_is_refused() -> None:
    with pytest.raises(RefusedAddress):
        Clients(["http://127.0.0.1:8080", "everything"])


async def test_the_models_of_a_service_are_listed() -> None:
    async with talking(Script((Rule((Line("-"),)),), models=("small", "large"))) as talk:
        assert [model.id for model in await talk.client.models(talk.endpoint)] == ["small", "large"]


def test_the_key_is_nowhere_to_be_seen() -> None:
    endpoint = Endpoint("openai", "https://a.example/v1", "m", KEY)
    assert KEY not in repr(endpoint) + str(endpoint)
    assert endpoint.without_key(f"key {KEY} refused") == "key … refused"
    assert replace(endpoint, key="").without_key("as it is") == "as it is"


async def test_a_service_that_needs_no_key_is_sent_none() -> None:
    async with talking(Line("Open house."), key="") as talk:
        await talk.client.reply(talk.endpoint, HELLO)
    assert "authorization" not in talk.model.asked[0].headers


async def test_a_schema_and_a_forced_tool_are_asked_for() -> None:
    schema = {"type": "object", "properties": {"word": {"type": "string"}}}
    tool = {"type": "function", "function": {"name": "say", "parameters": schema}}
    script = Script(
        (
            Rule((Line(answer={"word": "one"}),), task="word"),
            Rule((Line(answer={"word": "two"}),), task="say"),
        )
    )
    async with talking(script) as talk:
        held = await talk.client.reply(talk.endpoint, replace(HELLO, schema=schema, schema_name="word"))
        choice = {"type": "function", "function": {"name": "say"}}
        forced = await talk.client.reply(talk.endpoint, replace(HELLO, tools=(tool,), tool_choice=choice))
    assert json.loads(held.text) == {"word": "one"}
    assert json.loads(forced.calls[0].arguments) == {"word": "two"}
    assert talk.model.asked[0].value["response_format"]["json_schema"]["schema"] == schema
    assert talk.model.asked[1].value["tools"] == [tool]
