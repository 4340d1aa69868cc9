"""Every way in which a service can fail ends in a declared outcome, in time, with one record of the call."""

from __future__ import annotations

import logging
import time
import traceback

import pytest

from llm.client import ModelClient
from llm.clients import Clients
from llm.endpoint import Endpoint
from llm.faults import MEANINGS, ModelFault, fault_of_status, seconds_to_wait
from llm.library import model_for
from llm.limits import Deadlines
from llm.scripted import Line, Said
from llm.scripted.faults import FAULTS, PROSE
from tests.support.canned import canned
from tests.support.models import HELLO, KEY, PATIENT, SHORT, talking

TEXT = "I am an invented voice, 虚构的声音, and I say so."

# What each fault ends in: whole answers by their finish, all else by the outcome of the fault.
WHOLE = {
    "ok": "stop",
    "no-end-mark": "stop",
    "utf8-split": "stop",
    "gzip": "stop",
    "said-twice": "stop",
    "finish-length": "length",
    "finish-content-filter": "filtered",
    "prose-instead-of-tool": "stop",
    "tool-args-not-json": "tool-calls",
    "tool-args-wrong-schema": "tool-calls",
    "unknown-tool": "tool-calls",
    "two-tool-calls": "tool-calls",
}
FAILED = {
    "slow-first-byte": "too-slow",
    "drip": "too-slow",
    "keepalive-only": "too-slow",
    "silent-after-start": "too-slow",
    "close-at-connect": "unfinished",
    "close-after-headers": "unfinished",
    "reset-mid-chunk": "unfinished",
    "truncated-json": "unfinished",
    "short-body": "unfinished",
    "no-done": "unfinished",
    "error-event": "provider-error",
    "garbage-event": "broken",
    "html-200": "web-page",
    "html-named-json": "web-page",
    "empty-choices": "empty",
    "null-content": "empty",
    "429": "rate-limited",
    "redirect": "moved",
    "huge-header": "unfinished",
    "400": "refused",
    "400-too-long": "too-long",
    "401": "key-refused",
    "403": "forbidden",
    "404-model": "not-found",
    "500": "overloaded",
    "503": "overloaded",
    "echo-key": "key-refused",
    "gzip-bomb": "too-large",
    "gzip-cut": "unfinished",
    "20-mb": "too-large",
    "endless": "too-large",
}


def line_of(fault: str) -> Line:
    calls = (Said("answer", '{"word": "blue"}'),) if "tool" in fault else ()
    return Line("" if calls else TEXT, calls=calls, fault=fault, seconds=30 if fault != "drip" else 0.04)


def deadlines_for(fault: str) -> Deadlines:
    return SHORT if FAILED.get(fault) == "too-slow" else PATIENT


def test_every_fault_is_declared() -> None:
    assert set(WHOLE) | set(FAILED) == set(FAULTS)
    assert set(FAILED.values()) <= set(MEANINGS)


@pytest.mark.parametrize(("fault", "finish"), WHOLE.items())
async def test_a_whole_answer_is_taken(fault: str, finish: str) -> None:
    async with talking(line_of(fault)) as talk:
        reply = await talk.client.reply(talk.endpoint, HELLO)
    assert reply.finish == finish
    assert reply.usage.outcome == {"length": "cut", "filtered": "filtered"}.get(finish, "ok")
    assert talk.usages == [reply.usage]
    if finish == "stop":
        assert reply.text == (PROSE if fault == "prose-instead-of-tool" else TEXT)


@pytest.mark.parametrize(("fault", "outcome"), FAILED.items())
async def test_a_fault_ends_in_its_outcome(
    fault: str, outcome: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with talking(line_of(fault), deadlines=deadlines_for(fault)) as talk:
        started = time.monotonic()
        with pytest.raises(ModelFault) as raised:
            await talk.client.reply(talk.endpoint, HELLO)
        assert time.monotonic() - started < 20
    assert raised.value.outcome == outcome
    assert [usage.outcome for usage in talk.usages] == [outcome]
    assert raised.value.usage == talk.usages[0]
    assert raised.value.sent == talk.model.asked[0].body
    shown = "".join(traceback.format_exception(raised.value)) + caplog.text + repr(talk.endpoint)
    assert KEY not in shown + raised.value.said + repr(raised.value.__dict__)


# Faults that only mean something in a stream; on a request for a whole answer the others fail alike.
STREAM_ONLY = {
    "drip", "keepalive-only", "silent-after-start", "close-after-headers", "reset-mid-chunk", "no-done",
    "garbage-event", "endless",
}  # fmt: skip


@pytest.mark.parametrize(("fault", "outcome"), [(k, v) for k, v in FAILED.items() if k not in STREAM_ONLY])
async def test_an_unstreamed_fault_ends_in_the_same_outcome(fault: str, outcome: str) -> None:
    async with talking(line_of(fault), deadlines=deadlines_for(fault)) as talk:
        with pytest.raises(ModelFault) as raised:
            async for _ in talk.client.stream(talk.endpoint, HELLO, streamed=False):
                pass
    assert raised.value.outcome == outcome


async def test_what_had_come_is_kept() -> None:
    async with talking(line_of("no-done")) as talk:
        with pytest.raises(ModelFault) as raised:
            await talk.client.reply(talk.endpoint, HELLO)
    assert raised.value.partial
    assert TEXT.startswith(raised.value.partial)


async def test_the_providers_own_words_are_kept_and_the_key_is_taken_out() -> None:
    async with talking(Line(fault="echo-key", thinking=KEY)) as talk:
        with pytest.raises(ModelFault) as raised:
            await talk.client.reply(talk.endpoint, HELLO)
    assert raised.value.said == "No such key: …"


async def test_a_wrong_key_is_told_as_one() -> None:
    async with talking(Line("unheard"), key="another") as talk:
        endpoint = Endpoint("openai", talk.model.address, "scripted", KEY)
        with pytest.raises(ModelFault) as raised:
            await talk.client.models(endpoint)
    assert (raised.value.outcome, raised.value.said) == ("key-refused", "Incorrect API key provided.")


@pytest.mark.parametrize("seconds", [2, 86_400])
async def test_what_a_service_asks_to_wait_is_told(seconds: int) -> None:
    async with talking(Line(fault="429", seconds=seconds)) as talk:
        with pytest.raises(ModelFault) as raised:
            await talk.client.reply(talk.endpoint, HELLO)
    assert raised.value.wait == seconds
    assert raised.value.values["seconds"] == seconds


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("", None), ("soon", None), ("7", 7), (" 1.5 ", 1.5), ("-3", 0), ("nan", None), ("inf", 10.0**9),
     ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Thu, 99 Jan", None)],
)  # fmt: skip
def test_retry_after_is_read_in_both_forms(text: str, seconds: float | None) -> None:
    assert seconds_to_wait(text) == seconds


@pytest.mark.parametrize("status", range(300, 600))
def test_every_status_means_something(status: int) -> None:
    fault = fault_of_status(status, {"retry-after": "5"}, "words\nof a service " + "x" * 1000)
    assert fault.outcome in MEANINGS
    assert len(fault.said) <= 300
    assert "\n" not in fault.said
    assert "{" not in str(fault)


async def test_an_address_without_its_version_is_told_of_it() -> None:
    async with talking(Line("unheard")) as talk:
        bare = talk.model.address.removesuffix("/v1")
        with pytest.raises(ModelFault) as raised:
            await talk.client.models(Endpoint("openai", bare, "scripted", KEY))
    assert raised.value.outcome == "not-found"
    assert raised.value.values["address"] == talk.model.address
    assert raised.value.values["path"] == "/models"


@pytest.mark.parametrize(
    "address",
    ["http://127.0.0.1:9/v1", "http://169.254.169.254/latest", "https://10.0.0.8:8443/v1",
    "http://[::1]:8080",
     "https://localhost/v1", "http://models.example/v1", "file:///etc/hostname", "",
     "https://u:p@a.example/v1"],
)  # fmt: skip
async def test_an_address_that_is_not_listed_is_not_spoken_to(address: str) -> None:
    async with talking(Line("unheard")) as talk:
        endpoint = Endpoint("openai", address, "scripted", KEY)
        for call in (talk.client.reply(endpoint, HELLO), talk.client.models(endpoint)):
            with pytest.raises(ModelFault) as raised:
                await call
            assert raised.value.outcome == "not-allowed"
    assert talk.model.received == []


async def test_nobody_there_is_told_without_a_reason(client_of_nobody: tuple[ModelClient, str]) -> None:
    client, address = client_of_nobody
    with pytest.raises(ModelFault) as raised:
        await client.reply(Endpoint("openai", address, "scripted", KEY), HELLO)
    assert raised.value.outcome == "unreachable"


@pytest.mark.parametrize("key", ["sk—nice", "sk two", "sk\n", "密钥", "sk\x7f"])
async def test_what_no_header_can_carry_is_no_key(key: str) -> None:
    async with talking(Line("unheard")) as talk:
        endpoint = Endpoint("openai", talk.model.address, "scripted", key)
        for call in (talk.client.reply(endpoint, HELLO), talk.client.models(endpoint)):
            with pytest.raises(ModelFault) as raised:
                await call
            assert raised.value.outcome == "key-refused"
        with pytest.raises(ModelFault):
            model_for(endpoint, Clients().door())
    assert talk.model.received == []
    assert [usage.outcome for usage in talk.usages] == ["key-refused"]


async def test_a_web_page_instead_of_a_list_is_told_with_the_address_that_was_meant() -> None:
    async with canned({"/models": "page"}) as server:
        client = Clients([server.address], deadlines=PATIENT).here()
        with pytest.raises(ModelFault) as raised:
            await client.models(Endpoint("openai", server.address, "m", KEY))
    assert raised.value.outcome == "web-page"
    assert raised.value.values["address"] == f"{server.address}/v1"
