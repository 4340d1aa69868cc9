"""Every way in which a service can fail, each under a name that a script can use (reliability, part 6)."""

from __future__ import annotations

import gzip
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from itertools import count

from llm.scripted.script import Line, Said
from llm.scripted.speech import DONE, Speech, as_event
from llm.scripted.wire import Wire

Play = Callable[[Wire, Speech, bool], Awaitable[None]]
FAULTS: dict[str, Play] = {}

PROSE = "I would rather tell you about it in my own words."
PAGE = b"<!DOCTYPE html><html><head><title>Welcome</title></head><body>Please sign in.</body></html>"
HUGE = 20_000_000


def fault(name: str) -> Callable[[Play], Play]:
    """Register a way to fail under the name by which scripts call it."""

    def registered(play: Play) -> Play:
        FAULTS[name] = play
        return play

    return registered


@fault("ok")
async def say(wire: Wire, speech: Speech, streamed: bool) -> None:
    """A whole answer."""
    if not streamed:
        await wire.json(200, speech.whole())
        return
    await wire.begin_stream()
    for event in speech.events():
        await wire.chunk(as_event(event))
    await wire.chunk(DONE)
    await wire.end_stream()


@fault("slow-first-byte")
async def _(wire: Wire, speech: Speech, streamed: bool) -> None:
    await wire.sleep(speech.line.seconds)
    await say(wire, speech, streamed)


@fault("drip")
async def _(wire: Wire, speech: Speech, streamed: bool) -> None:
    """One byte at a time, with `seconds` between them."""
    if streamed:
        body = b"".join([*map(as_event, speech.events()), DONE])
        await wire.begin_stream()
    else:
        body = json.dumps(speech.whole()).encode()
        await wire.head(200, {"Content-Type": "application/json", "Transfer-Encoding": "chunked"})
    for place in range(len(body)):
        await wire.chunk(body[place : place + 1])
        await wire.sleep(speech.line.seconds)
    await wire.end_stream()


@fault("keepalive-only")
async def _(wire: Wire, speech: Speech, streamed: bool) -> None:
    """Signs of life and nothing else, for ever."""
    await wire.begin_stream()
    while True:
        await wire.chunk(b": still here\n\n")
        await wire.sleep(speech.line.seconds)


@fault("silent-after-start")
async def _(wire: Wire, speech: Speech, streamed: bool) -> None:
    await _begin(wire, speech)
    await wire.sleep(speech.line.seconds)


@fault("close-at-connect")
async def _(wire: Wire, speech: Speech, streamed: bool) -> None:
    """Not a byte comes back."""
    wire.reset()


@fault("close-after-headers")
async def _(wire: Wire, speech: Speech, streamed: bool) -> None:
    await wire.begin_stream()


@fault("reset-mid-chunk")
async def _(wire: Wire, speech: Speech, streamed: bool) -> None:
    await _begin(wire, speech)
    await wire.raw(b"ff\r\ndata: {")
    wire.reset()


@fault("truncated-json")
async def _(wire: Wire, speech: Speech, streamed: bool) -> None:
    body = json.dumps(speech.whole()).encode()
    await wire.answer(200, body[: len(body) // 2], "application/json")


@fault("short-body")
async def _(wire: Wire, speech: Speech, streamed: bool) -> None:
    """Less than the length that was said."""
    await wire.head(200, {"Content-Type": "application/json", "Content-Length": "5000"})
    await wire.raw(b'{"choices": [')


@fault("no-done")
async def _(wire: Wire, speech: Speech, streamed: bool) -> None:
    """The stream ends as if nothing were missing."""
    await _begin(wire, speech)
    await wire.end_stream()


@fault("no-end-mark")
async def _(wire: Wire, speech: Speech, streamed: bool) -> None:
    """The answer is whole, but its end is never marked and the connection stays open."""
    await wire.begin_stream()
    for event in speech.events():
        await wire.chunk(as_event(event))
    await wire.sleep(speech.line.seconds)


@fault("finish-length")
async def _(wire: Wire, speech: Speech, streamed: bool) -> None:
    await say(wire, replace(speech, line=replace(speech.line, finish="length")), streamed)


@fault("finish-content-filter")
async def _(wire: Wire, speech: Speech, streamed: bool) -> None:
    await say(wire, replace(speech, line=Line(finish="content_filter")), streamed)


@fault("error-event")
async def _(wire: Wire, speech: Speech, streamed: bool) -> None:
    """A failure inside an answer that began well."""
    error = {"error": {"message": "the engine stumbled", "type": "server_error"}}
    if not streamed:
        await wire.json(200, error)
        return
    await _begin(wire, speech)
    await wire.chunk(as_event(error))
    await wire.end_stream()


@fault("garbage-event")
async def _(wire: Wire, speech: Speech, streamed: bool) -> None:
    await _begin(wire, speech)
    await wire.chunk(b"data: {not json}\n\n")
    await wire.end_stream()


@fault("html-200")
async def _(wire: Wire, speech: Speech, streamed: bool) -> None:
    await wire.answer(200, PAGE, "text/html; charset=utf-8")


@fault("html-named-json")
async def _(wire: Wire, speech: Speech, streamed: bool) -> None:
    await wire.answer(200, PAGE, "application/json")


@fault("empty-choices")
async def _(wire: Wire, speech: Speech, streamed: bool) -> None:
    await wire.json(200, {**speech.whole(), "choices": []})


@fault("null-content")
async def _(wire: Wire, speech: Speech, streamed: bool) -> None:
    await say(wire, replace(speech, line=Line()), streamed)


@fault("429")
async def _(wire: Wire, speech: Speech, streamed: bool) -> None:
    """Too many; `seconds` is what it asks to wait."""
    wait = f"{speech.line.seconds:.0f}"
    await wire.refuse(429, "slow down", "rate_limit_exceeded", Retry_After=wait)


@fault("redirect")
async def _(wire: Wire, speech: Speech, streamed: bool) -> None:
    await wire.answer(302, b"", "text/plain", Location="http://127.0.0.1:1/")


@fault("huge-header")
async def _(wire: Wire, speech: Speech, streamed: bool) -> None:
    await wire.head(200, {"X-Filler": "x" * 200_000, "Content-Type": "application/json"})


def _refusing(name: str, status: int, words: str, code: str = "") -> None:
    async def refuse(wire: Wire, speech: Speech, streamed: bool) -> None:
        await wire.refuse(status, words, code)

    FAULTS[name] = refuse


_refusing("400", 400, "unknown parameter")
_refusing("400-too-long", 400, "This model's maximum context length is 4096 tokens.")
_refusing("401", 401, "Incorrect API key provided.", "invalid_api_key")
_refusing("403", 403, "Your account may not use this model.")
_refusing("404-model", 404, "The model does not exist.", "model_not_found")
_refusing("500", 500, "internal error")
_refusing("503", 503, "the model is loading")


@fault("echo-key")
async def _(wire: Wire, speech: Speech, streamed: bool) -> None:
    """A service that says the key back: `thinking` holds it."""
    await wire.refuse(401, f"No such key: {speech.line.thinking}")


@fault("prose-instead-of-tool")
async def _(wire: Wire, speech: Speech, streamed: bool) -> None:
    await say(wire, replace(speech, line=Line(PROSE)), streamed)


def _calling(name: str, change: Callable[[tuple[Said, ...]], tuple[Said, ...]]) -> None:
    async def call(wire: Wire, speech: Speech, streamed: bool) -> None:
        calls = change(speech.line.calls or (Said("answer", "{}"),))
        await say(wire, replace(speech, line=Line(calls=calls)), streamed)

    FAULTS[name] = call


_calling("tool-args-not-json", lambda calls: (Said(calls[0].name, '{"word": "blu'),))
_calling("tool-args-wrong-schema", lambda calls: (Said(calls[0].name, '{"colour": ["none", 3]}'),))
_calling("unknown-tool", lambda calls: (Said("no_such_tool", calls[0].arguments),))
_calling("two-tool-calls", lambda calls: (calls[0], calls[0]))


@fault("utf8-split")
async def _(wire: Wire, speech: Speech, streamed: bool) -> None:
    """Every byte in a chunk of its own, also those within one character."""
    await wire.begin_stream()
    for byte in b"".join([*map(as_event, speech.events()), DONE]):
        await wire.chunk(bytes([byte]))
    await wire.end_stream()


@fault("gzip")
async def _(wire: Wire, speech: Speech, streamed: bool) -> None:
    """Packed, although nothing packed was asked for."""
    body = gzip.compress(json.dumps(speech.whole()).encode())
    await wire.answer(200, body, "application/json", Content_Encoding="gzip")


@fault("gzip-bomb")
async def _(wire: Wire, speech: Speech, streamed: bool) -> None:
    body = gzip.compress(b" " * HUGE, compresslevel=1)
    await wire.answer(200, body, "application/json", Content_Encoding="gzip")


@fault("gzip-cut")
async def _(wire: Wire, speech: Speech, streamed: bool) -> None:
    body = gzip.compress(json.dumps(speech.whole()).encode())
    await wire.answer(200, body[:-12], "application/json", Content_Encoding="gzip")


@fault("20-mb")
async def _(wire: Wire, speech: Speech, streamed: bool) -> None:
    """An answer that does not end for 20 MB."""
    await say(wire, replace(speech, line=Line("word " * (HUGE // 5))), False)


@fault("endless")
async def _(wire: Wire, speech: Speech, streamed: bool) -> None:
    """The same piece again and again: a model in a loop, on a service that ignores the limit."""
    await wire.begin_stream()
    piece = next(event for event in replace(speech, line=Line("la " * 200)).events() if event["choices"])
    piece["choices"][0]["delta"] = {"content": "la " * 20_000}
    for _round in count():
        await wire.chunk(as_event(piece))


@fault("said-twice")
async def _(wire: Wire, speech: Speech, streamed: bool) -> None:
    """The whole stream once more after its end."""
    await wire.begin_stream()
    for _round in range(2):
        for event in speech.events():
            await wire.chunk(as_event(event))
        await wire.chunk(DONE)
    await wire.end_stream()


async def _begin(wire: Wire, speech: Speech) -> None:
    """A stream that has said something, and is not at its end."""
    await wire.begin_stream()
    for event in list(speech.events())[:-2]:
        await wire.chunk(as_event(event))
