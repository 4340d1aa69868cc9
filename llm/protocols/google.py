"""Google's generateContent."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from llm.asking import Ask, CallPart, Delta, Finish, Message, ModelInfo
from llm.endpoint import Endpoint
from llm.protocols.protocol import Body, ModelProtocol, content_text, list_at, part, text_at, whole_at
from llm.protocols.tool_history import arguments_of, called_names, forced_tool
from llm.sse import ServerEvent
from llm.usage import Tokens

VERSION = "v1beta"
LENGTH, STOP = "MAX_TOKENS", "STOP"
NAMES = {
    "temperature": "temperature",
    "top_p": "topP",
    "top_k": "topK",
    "max_tokens": "maxOutputTokens",
    "seed": "seed",
    "frequency_penalty": "frequencyPenalty",
    "presence_penalty": "presencePenalty",
}


class GoogleProtocol(ModelProtocol):
    settings = frozenset({*NAMES, "stop"})

    def headers(self, endpoint: Endpoint) -> dict[str, str]:
        return {"x-goog-api-key": endpoint.key}

    def chat_address(self, endpoint: Endpoint, *, streamed: bool) -> str:
        verb = "streamGenerateContent?alt=sse" if streamed else "generateContent"
        name = endpoint.model.removeprefix("models/")
        return endpoint.address(_versioned(endpoint, f"models/{quote(name, safe='')}:{verb}"))

    def models_address(self, endpoint: Endpoint) -> str:
        return endpoint.address(_versioned(endpoint, "models?pageSize=1000"))

    def body(self, endpoint: Endpoint, ask: Ask, *, streamed: bool) -> Body:
        """System messages at the start are the instruction; a later one is said by the user."""
        start = next((n for n, m in enumerate(ask.messages) if m["role"] != "system"), len(ask.messages))
        body: Body = {"contents": _contents(ask.messages[start:])}
        if start:
            texts = [content_text(message["content"]) for message in ask.messages[:start]]
            body["systemInstruction"] = {"parts": [{"text": text} for text in texts]}
        settings: Body = {NAMES[name]: value for name, value in ask.settings.items() if name in NAMES}
        if stop := ask.settings.get("stop"):
            settings["stopSequences"] = [stop] if isinstance(stop, str) else list(stop)
        if ask.schema is not None:
            settings |= {"responseMimeType": "application/json", "responseJsonSchema": dict(ask.schema)}
        if settings:
            body["generationConfig"] = settings
        if ask.tools:
            body["tools"] = [{"functionDeclarations": [_tool(tool) for tool in ask.tools]}]
            if choice := _choice(ask.tool_choice):
                body["toolConfig"] = {"functionCallingConfig": choice}
        return body

    def read_models(self, value: Any) -> list[ModelInfo] | None:
        rows = part(value, "models")
        if not isinstance(rows, list):
            return None
        # Models that embed or draw stand in the same list.
        talking = [row for row in rows if "generateContent" in list_at(row, "supportedGenerationMethods")]
        names = [(text_at(row, "name").removeprefix("models/"), row) for row in talking]
        return [ModelInfo(name, whole_at(row, "inputTokenLimit") or None) for name, row in names if name]

    def read_reply(self, value: Any) -> Delta:
        candidate = part(value, "candidates", 0)
        pieces = list_at(candidate, "content", "parts")
        calls = _calls(pieces)
        return Delta(
            text="".join(text_at(piece, "text") for piece in pieces if not part(piece, "thought")),
            thinking="".join(text_at(piece, "text") for piece in pieces if part(piece, "thought")),
            calls=calls,
            finish=_finish(value, text_at(candidate, "finishReason"), bool(calls)),
            tokens=_tokens(part(value, "usageMetadata")),
            model=text_at(value, "modelVersion"),
            error=self.error_of(value) if part(value, "error") else "",
        )

    def read_event(self, event: ServerEvent) -> Delta | None:
        try:
            value = json.loads(event.data)
        except (ValueError, RecursionError):
            return None
        return self.read_reply(value) if isinstance(value, dict) else None


def _versioned(endpoint: Endpoint, path: str) -> str:
    """People write the address with or without the version."""
    last = endpoint.base_url.rstrip("/").rpartition("/")[2]
    return path if last in ("v1", "v1beta", "v1alpha") else f"{VERSION}/{path}"


def _finish(value: Any, reason: str, called: bool) -> Finish | None:
    """Every reason beside the end and the limit says that the service held the answer back."""
    if text_at(value, "promptFeedback", "blockReason"):
        return "filtered"
    if not reason or reason == "FINISH_REASON_UNSPECIFIED":
        return None
    if reason == STOP:
        return "tool-calls" if called else "stop"
    return "length" if reason == LENGTH else "filtered"


def _tokens(usage: Any) -> Tokens | None:
    if not isinstance(usage, dict):
        return None
    return Tokens(
        input=whole_at(usage, "promptTokenCount"),
        cached=whole_at(usage, "cachedContentTokenCount"),
        output=whole_at(usage, "candidatesTokenCount") + whole_at(usage, "thoughtsTokenCount"),
    )


def _calls(pieces: list[Any]) -> tuple[CallPart, ...]:
    """A call comes whole, never in pieces; it has no index, and mostly no id."""
    calls = [part(piece, "functionCall") for piece in pieces]
    return tuple(
        CallPart(-1, text_at(call, "id"), text_at(call, "name"), json.dumps(part(call, "args") or {}))
        for call in calls
        if call
    )


def _contents(messages: tuple[Message, ...]) -> list[Body]:
    names = called_names(messages)
    turns: list[Body] = []
    for message in messages:
        role = "model" if message["role"] == "assistant" else "user"
        pieces = _pieces(message, names)
        results = message["role"] == "tool"
        if results and turns and "functionResponse" in turns[-1]["parts"][-1]:
            turns[-1]["parts"] += pieces
        else:
            turns.append({"role": role, "parts": pieces})
    return turns


def _pieces(message: Message, names: dict[str, str]) -> list[Body]:
    text = content_text(message.get("content"))
    if message["role"] == "tool":
        name = names.get(message.get("tool_call_id", ""), "")
        return [{"functionResponse": {"name": name, "response": {"result": text}}}]
    pieces: list[Body] = [{"text": text}] if text or not message.get("tool_calls") else []
    for call in message.get("tool_calls") or ():
        name, arguments = arguments_of(call)
        pieces.append({"functionCall": {"name": name, "args": arguments}})
    return pieces


def _tool(tool: Any) -> Body:
    function = part(tool, "function")
    declared = {"name": text_at(function, "name"), "description": text_at(function, "description")}
    parameters = part(function, "parameters")
    return {**declared, "parametersJsonSchema": parameters} if parameters else declared


def _choice(choice: Any) -> Body | None:
    if name := forced_tool(choice):
        return {"mode": "ANY", "allowedFunctionNames": [name]}
    modes = {"auto": "AUTO", "required": "ANY", "none": "NONE"}
    return {"mode": modes[choice]} if isinstance(choice, str) and choice in modes else None


GOOGLE = GoogleProtocol()
