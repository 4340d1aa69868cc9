"""Chat completions, as OpenAI defined them and most services speak them."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlsplit

from llm.asking import Ask, CallPart, Delta, Finish, ModelInfo, price
from llm.endpoint import Endpoint, Prices
from llm.protocols.protocol import Body, ModelProtocol, content_text, list_at, part, text_at, whole_at
from llm.sse import ServerEvent
from llm.usage import Tokens

FINISHES: dict[str, Finish] = {
    "stop": "stop",
    "length": "length",
    "tool_calls": "tool-calls",
    "function_call": "tool-calls",
    "content_filter": "filtered",
}
CONTEXT_FIELDS = (
    ("context_length",),  # OpenRouter
    ("max_model_len",),  # vLLM
    ("max_context_length",),  # Mistral
    ("context_window",),  # Groq
    ("meta", "n_ctx"),  # llama.cpp
    ("meta", "n_ctx_train"),
)
OWN_HOST = "api.openai.com"


class OpenAIProtocol(ModelProtocol):
    def headers(self, endpoint: Endpoint) -> dict[str, str]:
        return {"Authorization": f"Bearer {endpoint.key}"} if endpoint.key else {}

    def chat_address(self, endpoint: Endpoint, *, streamed: bool) -> str:
        return endpoint.address("chat/completions")

    def models_address(self, endpoint: Endpoint) -> str:
        return endpoint.address("models")

    def body(self, endpoint: Endpoint, ask: Ask, *, streamed: bool) -> Body:
        """The messages go as they are; what the settings hold besides is sent under its own name."""
        body: Body = {**ask.settings, "model": endpoint.model, "messages": [dict(m) for m in ask.messages]}
        if "max_tokens" in body and urlsplit(endpoint.base_url).hostname == OWN_HOST:
            body["max_completion_tokens"] = body.pop("max_tokens")  # the newer models take no other name
        if ask.tools:
            body["tools"] = [dict(tool) for tool in ask.tools]
            if ask.tool_choice is not None:
                body["tool_choice"] = ask.tool_choice
        if ask.schema is not None:
            named = {"name": ask.schema_name, "schema": dict(ask.schema), "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        body["stream"] = streamed
        if streamed:
            body["stream_options"] = {"include_usage": True}
        return body

    def read_models(self, value: Any) -> list[ModelInfo] | None:
        rows = value if isinstance(value, list) else part(value, "data")
        if not isinstance(rows, list):
            return None
        return [_model(row) for row in rows if text_at(row, "id")]

    def read_reply(self, value: Any) -> Delta:
        choice = part(value, "choices", 0)
        return _delta(value, choice, part(choice, "message"))

    def read_event(self, event: ServerEvent) -> Delta | None:
        if event.data.strip() == "[DONE]":
            return Delta(end=True)
        try:
            value = json.loads(event.data)
        except (ValueError, RecursionError):
            return None
        if not isinstance(value, dict):
            return None
        if words := self.error_of(value) if "error" in value or event.name == "error" else "":
            return Delta(error=words)
        choice = part(value, "choices", 0)
        return _delta(value, choice, part(choice, "delta") or part(choice, "message"))


def _delta(value: Any, choice: Any, message: Any) -> Delta:
    finish = text_at(choice, "finish_reason")
    return Delta(
        text=content_text(part(message, "content")) or text_at(message, "refusal"),
        thinking=text_at(message, "reasoning_content") or text_at(message, "reasoning"),
        calls=tuple(_calls(message)),
        finish=FINISHES.get(finish, "stop") if finish else None,
        tokens=_tokens(part(value, "usage")),
        model=text_at(value, "model"),
        error=text_at(choice, "error", "message"),
        first_tokens=_first_tokens(choice),
    )


def _first_tokens(choice: Any) -> dict[str, float]:
    """The likeliest first tokens and their logarithms, where the answer tells them."""
    first = part(choice, "logprobs", "content", 0)
    told = [*list_at(first, "top_logprobs"), first]
    found = ((text_at(one, "token"), part(one, "logprob")) for one in reversed(told) if isinstance(one, dict))
    return {token: float(value) for token, value in found if token and isinstance(value, int | float)}


def _calls(message: Any) -> list[CallPart]:
    calls = []
    for place, call in enumerate(list_at(message, "tool_calls")):
        index = part(call, "index")
        arguments = part(call, "function", "arguments")
        calls.append(
            CallPart(
                index if isinstance(index, int) else place,
                text_at(call, "id"),
                text_at(call, "function", "name"),
                # Some servers give the arguments as an object.
                arguments if isinstance(arguments, str) else json.dumps(arguments) if arguments else "",
            )
        )
    return calls


def _tokens(usage: Any) -> Tokens | None:
    if not isinstance(usage, dict):
        return None
    cached = whole_at(usage, "prompt_tokens_details", "cached_tokens")
    return Tokens(
        input=whole_at(usage, "prompt_tokens"),
        cached=cached or whole_at(usage, "prompt_cache_hit_tokens"),  # DeepSeek
        output=whole_at(usage, "completion_tokens"),
    )


def _model(row: Any) -> ModelInfo:
    lengths = (whole_at(row, *path) for path in CONTEXT_FIELDS)
    prices = part(row, "pricing")
    return ModelInfo(
        text_at(row, "id"),
        next((length for length in lengths if length), None),
        Prices(
            input=price(part(prices, "prompt")),
            output=price(part(prices, "completion")),
            cached=price(part(prices, "input_cache_read")),
        ),
    )


OPENAI = OpenAIProtocol()
