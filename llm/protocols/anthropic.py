"""Anthropic's messages."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from llm.asking import Ask, CallPart, Delta, Finish, Message, ModelInfo
from llm.endpoint import Endpoint
from llm.protocols.protocol import Body, ModelProtocol, content_text, list_at, part, text_at, whole_at
from llm.protocols.tool_history import arguments_of, forced_tool
from llm.sse import ServerEvent
from llm.usage import Tokens

VERSION = "2023-06-01"
DEFAULT_MAX_TOKENS = 4096  # the service wants a number
FINISHES: dict[str, Finish] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "tool_use": "tool-calls",
    "refusal": "filtered",
}
NAMES = {"temperature": "temperature", "top_p": "top_p", "top_k": "top_k", "max_tokens": "max_tokens"}


class AnthropicProtocol(ModelProtocol):
    settings = frozenset({*NAMES, "stop"})

    def headers(self, endpoint: Endpoint) -> dict[str, str]:
        return {"x-api-key": endpoint.key, "anthropic-version": VERSION}

    def chat_address(self, endpoint: Endpoint, *, streamed: bool) -> str:
        return endpoint.address(_versioned(endpoint, "messages"))

    def models_address(self, endpoint: Endpoint) -> str:
        return endpoint.address(_versioned(endpoint, "models?limit=1000"))

    def body(self, endpoint: Endpoint, ask: Ask, *, streamed: bool) -> Body:
        """System messages at the start are the system text; a later one is said by the user, since the
        service knows no other place for it."""
        start = next((n for n, m in enumerate(ask.messages) if m["role"] != "system"), len(ask.messages))
        body: Body = {"model": endpoint.model, "max_tokens": DEFAULT_MAX_TOKENS, "stream": streamed}
        body |= {NAMES[name]: value for name, value in ask.settings.items() if name in NAMES}
        if stop := ask.settings.get("stop"):
            body["stop_sequences"] = [stop] if isinstance(stop, str) else list(stop)
        if start:
            texts = [content_text(message["content"]) for message in ask.messages[:start]]
            body["system"] = [{"type": "text", "text": text} for text in texts]
        body["messages"] = _messages(ask.messages[start:])
        if ask.tools:
            body["tools"] = [_tool(tool) for tool in ask.tools]
            if choice := _choice(ask.tool_choice):
                body["tool_choice"] = choice
        if ask.schema is not None:
            body["output_config"] = {"format": {"type": "json_schema", "schema": dict(ask.schema)}}
        return body

    def read_models(self, value: Any) -> list[ModelInfo] | None:
        rows = part(value, "data")
        if not isinstance(rows, list):
            return None
        known = [(text_at(row, "id"), whole_at(row, "max_input_tokens")) for row in rows]
        return [ModelInfo(name, length or None) for name, length in known if name]

    def read_reply(self, value: Any) -> Delta:
        blocks = list_at(value, "content")
        calls = [block for block in blocks if text_at(block, "type") == "tool_use"]
        return Delta(
            text="".join(text_at(block, "text") for block in blocks),
            thinking="".join(text_at(block, "thinking") for block in blocks),
            calls=tuple(
                CallPart(place, text_at(call, "id"), text_at(call, "name"), json.dumps(part(call, "input")))
                for place, call in enumerate(calls)
            ),
            finish=_finish(part(value, "stop_reason")),
            tokens=_tokens(part(value, "usage")),
            model=text_at(value, "model"),
        )

    def read_event(self, event: ServerEvent) -> Delta | None:
        try:
            value = json.loads(event.data)
        except (ValueError, RecursionError):
            return None
        kind = text_at(value, "type")
        if kind == "error":
            return Delta(error=self.error_of(value) or "error")
        read = READERS.get(kind)
        if read is not None:
            return read(value)
        return Delta(end=kind == "message_stop") if kind else None


def _versioned(endpoint: Endpoint, path: str) -> str:
    """People write the address with or without the version."""
    return path if endpoint.base_url.rstrip("/").endswith("/v1") else f"v1/{path}"


def _finish(reason: Any) -> Finish | None:
    return FINISHES.get(reason, "stop") if isinstance(reason, str) and reason else None


def _tokens(usage: Any) -> Tokens | None:
    if not isinstance(usage, dict):
        return None
    cached = whole_at(usage, "cache_read_input_tokens")
    fresh = whole_at(usage, "input_tokens") + whole_at(usage, "cache_creation_input_tokens")
    return Tokens(input=fresh + cached, cached=cached, output=whole_at(usage, "output_tokens"))


def _message_start(value: Any) -> Delta:
    message = part(value, "message")
    return Delta(tokens=_tokens(part(message, "usage")), model=text_at(message, "model"))


def _message_delta(value: Any) -> Delta:
    finish = _finish(part(value, "delta", "stop_reason"))
    return Delta(finish=finish, tokens=_tokens(part(value, "usage")))


def _block_start(value: Any) -> Delta:
    block = part(value, "content_block")
    if text_at(block, "type") == "tool_use":
        call = CallPart(whole_at(value, "index"), text_at(block, "id"), text_at(block, "name"))
        return Delta(calls=(call,))
    return Delta(text=text_at(block, "text"), thinking=text_at(block, "thinking"))


def _block_delta(value: Any) -> Delta:
    delta = part(value, "delta")
    arguments = text_at(delta, "partial_json")
    calls = (CallPart(whole_at(value, "index"), arguments=arguments),) if arguments else ()
    return Delta(text=text_at(delta, "text"), thinking=text_at(delta, "thinking"), calls=calls)


READERS: dict[str, Callable[[Any], Delta]] = {
    "message_start": _message_start,
    "content_block_start": _block_start,
    "content_block_delta": _block_delta,
    "message_delta": _message_delta,
}


def _messages(messages: tuple[Message, ...]) -> list[Body]:
    """Turns as the service takes them; results of tools that follow each other are one turn of the user."""
    turns: list[Body] = []
    for message in messages:
        if message["role"] == "tool":
            result = {
                "type": "tool_result",
                "tool_use_id": message.get("tool_call_id", ""),
                "content": content_text(message.get("content")),
            }
            if turns and turns[-1]["role"] == "user" and isinstance(turns[-1]["content"], list):
                turns[-1]["content"].append(result)
            else:
                turns.append({"role": "user", "content": [result]})
        elif message["role"] == "assistant" and message.get("tool_calls"):
            turns.append({"role": "assistant", "content": _with_calls(message)})
        else:
            role = "assistant" if message["role"] == "assistant" else "user"
            turns.append({"role": role, "content": content_text(message.get("content"))})
    return turns


def _with_calls(message: Message) -> list[Body]:
    text = content_text(message.get("content"))
    blocks: list[Body] = [{"type": "text", "text": text}] if text else []
    for call in message["tool_calls"]:
        name, arguments = arguments_of(call)
        blocks.append({"type": "tool_use", "id": call["id"], "name": name, "input": arguments})
    return blocks


def _tool(tool: Any) -> Body:
    function = part(tool, "function")
    return {
        "name": text_at(function, "name"),
        "description": text_at(function, "description"),
        "input_schema": part(function, "parameters") or {"type": "object"},
    }


def _choice(choice: Any) -> Body | None:
    if name := forced_tool(choice):
        return {"type": "tool", "name": name}
    kinds = {"auto": "auto", "required": "any", "none": "none"}
    return {"type": kinds[choice]} if isinstance(choice, str) and choice in kinds else None


ANTHROPIC = AnthropicProtocol()
