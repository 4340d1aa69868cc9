"""Anthropic and Google over a real connection: what is sent, what is read, in pieces and whole."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from llm.asking import Ask, Reply
from llm.clients import Clients
from llm.endpoint import Abilities, Endpoint, Kind
from llm.faults import ModelFault
from tests.support.canned import Canned, canned
from tests.support.models import KEY, PATIENT

TOOL = {
    "type": "function",
    "function": {"name": "look", "description": "Look.", "parameters": {"type": "object", "properties": {}}},
}
CALL = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"at": "door"}'}}
BROKEN_CALL = {"id": "c2", "type": "function", "function": {"name": "look", "arguments": '{"at": '}}
ASK = Ask(
    messages=(
        {"role": "system", "content": "One."},
        {"role": "system", "content": "Two."},
        {
            "role": "user",
            "content": [{"type": "text", "text": "Open the "}, {"type": "text", "text": "door."}],
        },
        {"role": "assistant", "content": "I look.", "tool_calls": [CALL, BROKEN_CALL]},
        {"role": "tool", "tool_call_id": "c1", "content": "It is shut."},
        {"role": "tool", "tool_call_id": "c2", "content": "What?"},
        {"role": "system", "content": "Night falls."},
        {"role": "user", "content": "And now?"},
    ),
    settings={"temperature": 0.7, "max_tokens": 100, "stop": "END", "min_p": 0.1, "top_k": 40},
    tools=(TOOL,),
    tool_choice={"type": "function", "function": {"name": "look"}},
)

ANTHROPIC_USAGE = {"input_tokens": 10, "cache_read_input_tokens": 70, "cache_creation_input_tokens": 20}
ANTHROPIC_WHOLE = {
    "type": "message",
    "model": "invented-large",
    "content": [
        {"type": "thinking", "thinking": "Hm."},
        {"type": "text", "text": "It creaks."},
        {"type": "tool_use", "id": "t1", "name": "look", "input": {"at": "hinge"}},
    ],
    "stop_reason": "tool_use",
    "usage": {**ANTHROPIC_USAGE, "output_tokens": 30},
}
ANTHROPIC_STREAM = [
    {
        "type": "message_start",
        "message": {"model": "invented-large", "usage": {**ANTHROPIC_USAGE, "output_tokens": 1}},
    },
    {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "Hm."}},
    {"type": "content_block_stop", "index": 0},
    {"type": "ping"},
    {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "It "}},
    {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "creaks."}},
    {
        "type": "content_block_start",
        "index": 2,
        "content_block": {"type": "tool_use", "id": "t1", "name": "look"},
    },
    {
        "type": "content_block_delta",
        "index": 2,
        "delta": {"type": "input_json_delta", "partial_json": '{"at": '},
    },
    {
        "type": "content_block_delta",
        "index": 2,
        "delta": {"type": "input_json_delta", "partial_json": '"hinge"}'},
    },
    {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 30}},
    {"type": "message_stop"},
]
GOOGLE_USAGE = {
    "promptTokenCount": 100,
    "cachedContentTokenCount": 70,
    "candidatesTokenCount": 20,
    "thoughtsTokenCount": 10,
}
GOOGLE_PARTS = [
    {"text": "Hm.", "thought": True},
    {"text": "It creaks."},
    {"functionCall": {"name": "look", "args": {"at": "hinge"}}},
]
GOOGLE_WHOLE = {
    "candidates": [{"content": {"role": "model", "parts": GOOGLE_PARTS}, "finishReason": "STOP"}],
    "usageMetadata": GOOGLE_USAGE,
    "modelVersion": "invented-large",
}
GOOGLE_STREAM = [
    {"candidates": [{"content": {"parts": [GOOGLE_PARTS[0]]}}], "modelVersion": "invented-large"},
    {"candidates": [{"content": {"parts": [{"text": "It "}]}}], "usageMetadata": {"promptTokenCount": 100}},
    {"candidates": [{"content": {"parts": [{"text": "creaks."}, GOOGLE_PARTS[2]]}, "finishReason": "STOP"}],
     "usageMetadata": GOOGLE_USAGE},
]  # fmt: skip
ANSWERS: dict[str, dict[str, Any]] = {
    "anthropic": {"/v1/messages": ANTHROPIC_STREAM},
    "anthropic whole": {"/v1/messages": ANTHROPIC_WHOLE},
    "google": {"/v1beta/models/large:streamGenerateContent": GOOGLE_STREAM},
    "google whole": {"/v1beta/models/large:generateContent": GOOGLE_WHOLE},
}


async def asked(server: Canned, kind: Kind, ask: Ask = ASK, *, whole: bool = False, path: str = "") -> Reply:
    abilities = Abilities(streaming=not whole)
    endpoint = Endpoint(kind, server.address + path, "large", KEY, abilities=abilities)
    return await Clients([server.address], deadlines=PATIENT).here().reply(endpoint, ask)


@pytest.mark.parametrize("name", ANSWERS)
async def test_an_answer_reads_alike_in_pieces_and_whole(name: str) -> None:
    kind: Kind = "anthropic" if name.startswith("anthropic") else "google"
    async with canned(ANSWERS[name]) as server:
        reply = await asked(server, kind, whole="whole" in name)
    assert (reply.text, reply.thinking, reply.finish, reply.model) == (
        "It creaks.", "Hm.", "tool-calls", "invented-large",
    )  # fmt: skip
    assert [(call.name, call.arguments) for call in reply.calls] == [("look", '{"at": "hinge"}')]
    assert reply.usage.tokens is not None
    assert (reply.usage.tokens.input, reply.usage.tokens.cached, reply.usage.tokens.output) == (100, 70, 30)
    assert reply.streamed is ("whole" not in name)
    assert server.received[0].body == reply.sent


async def test_anthropic_is_sent_what_it_takes() -> None:
    async with canned(ANSWERS["anthropic"]) as server:
        reply = await asked(server, "anthropic")
    body, headers = reply.sent_body, server.received[0].headers
    assert headers["x-api-key"] == KEY
    assert headers["anthropic-version"]
    assert "authorization" not in headers
    assert body["system"] == [{"type": "text", "text": "One."}, {"type": "text", "text": "Two."}]
    assert body["messages"] == [
        {"role": "user", "content": "Open the door."},
        {"role": "assistant", "content": [
            {"type": "text", "text": "I look."},
            {"type": "tool_use", "id": "c1", "name": "look", "input": {"at": "door"}},
            {"type": "tool_use", "id": "c2", "name": "look", "input": {"arguments": '{"at": '}},
        ]},
        {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "c1", "content": "It is shut."},
            {"type": "tool_result", "tool_use_id": "c2", "content": "What?"},
        ]},
        {"role": "user", "content": "Night falls."},
        {"role": "user", "content": "And now?"},
    ]  # fmt: skip
    assert body["tools"] == [
        {"name": "look", "description": "Look.", "input_schema": {"type": "object", "properties": {}}}
    ]
    assert body["tool_choice"] == {"type": "tool", "name": "look"}
    assert {
        "temperature": 0.7,
        "max_tokens": 100,
        "top_k": 40,
        "stop_sequences": ["END"],
    }.items() <= body.items()
    assert "min_p" not in body


async def test_google_is_sent_what_it_takes() -> None:
    async with canned(ANSWERS["google"]) as server:
        reply = await asked(server, "google")
    body, headers = reply.sent_body, server.received[0].headers
    assert headers["x-goog-api-key"] == KEY
    assert KEY not in server.received[0].path
    assert body["systemInstruction"] == {"parts": [{"text": "One."}, {"text": "Two."}]}
    assert body["contents"] == [
        {"role": "user", "parts": [{"text": "Open the door."}]},
        {"role": "model", "parts": [
            {"text": "I look."},
            {"functionCall": {"name": "look", "args": {"at": "door"}}},
            {"functionCall": {"name": "look", "args": {"arguments": '{"at": '}}},
        ]},
        {"role": "user", "parts": [
            {"functionResponse": {"name": "look", "response": {"result": "It is shut."}}},
            {"functionResponse": {"name": "look", "response": {"result": "What?"}}},
        ]},
        {"role": "user", "parts": [{"text": "Night falls."}]},
        {"role": "user", "parts": [{"text": "And now?"}]},
    ]  # fmt: skip
    assert body["generationConfig"] == {
        "temperature": 0.7, "maxOutputTokens": 100, "topK": 40, "stopSequences": ["END"],
    }  # fmt: skip
    assert body["toolConfig"] == {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["look"]}}
    assert body["tools"][0]["functionDeclarations"][0]["name"] == "look"


@pytest.mark.parametrize(
    ("kind", "path", "where"),
    [("anthropic", "/v1", "output_config"), ("google", "/v1beta", "generationConfig")],
)
async def test_an_address_may_have_its_version_and_a_schema_is_asked_for(
    kind: Kind, path: str, where: str
) -> None:
    schema = {"type": "object", "properties": {"word": {"type": "string"}}}
    async with canned(ANSWERS[kind]) as server:
        ask = Ask(({"role": "user", "content": "Hi"},), schema=schema)
        reply = await asked(server, kind, ask, path=path)
    assert "schema" in str(reply.sent_body[where]).lower()
    assert str(schema) in str(reply.sent_body[where])


@pytest.mark.parametrize(
    ("name", "cut"), [("anthropic", slice(0, -2)), ("anthropic", slice(0, 4)), ("google", slice(0, 2))]
)
async def test_a_stream_that_just_ends_is_not_whole(name: Kind, cut: slice) -> None:
    ((path, events),) = ANSWERS[name].items()
    async with canned({path: events[cut]}) as server:
        with pytest.raises(ModelFault) as raised:
            await asked(server, name)
    assert raised.value.outcome == "unfinished"


@pytest.mark.parametrize(
    ("name", "event"),
    [("anthropic", {"type": "error", "error": {"type": "overloaded_error", "message": "too much"}}),
     ("google", {"error": {"code": 503, "message": "too much"}})],
)  # fmt: skip
async def test_an_error_inside_a_stream_is_told(name: Kind, event: dict[str, Any]) -> None:
    ((path, events),) = ANSWERS[name].items()
    async with canned({path: [*events[:2], event]}) as server:
        with pytest.raises(ModelFault) as raised:
            await asked(server, name)
    assert (raised.value.outcome, raised.value.said) == ("provider-error", "too much")


@pytest.mark.parametrize(
    ("kind", "answer", "finish"),
    [("google", {"promptFeedback": {"blockReason": "SAFETY"}}, "filtered"),
     ("google", {"candidates": [{"finishReason": "RECITATION"}]}, "filtered"),
     ("google", {"candidates": [{"finishReason": "MAX_TOKENS"}]}, "length"),
     ("anthropic", {"content": [], "stop_reason": "refusal"}, "filtered"),
     ("anthropic", {"content": [], "stop_reason": "max_tokens"}, "length")],
)  # fmt: skip
async def test_every_end_has_its_word(kind: Kind, answer: Any, finish: str) -> None:
    path = "/v1/messages" if kind == "anthropic" else "/v1beta/models/large:generateContent"
    async with canned({path: answer}) as server:
        assert (await asked(server, kind, whole=True)).finish == finish


async def test_lists_of_models_are_read() -> None:
    talking = {
        "name": "models/large",
        "inputTokenLimit": 9000,
        "supportedGenerationMethods": ["generateContent"],
    }
    drawing = {"name": "models/brush", "supportedGenerationMethods": ["predict"]}
    rows = [{"id": "large", "max_input_tokens": 9000}, {"no": "id"}]
    async with canned(
        {"/v1beta/models": {"models": [talking, drawing]}, "/v1/models": {"data": rows}}
    ) as server:
        client = Clients([server.address], deadlines=PATIENT).here()
        for kind in ("google", "anthropic"):
            endpoint = replace(Endpoint("openai", server.address, "", KEY), kind=kind)
            assert [(m.id, m.context_length) for m in await client.models(endpoint)] == [("large", 9000)]
