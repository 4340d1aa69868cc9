"""A line in the words of the protocol: as one JSON value, or as the events of a stream."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from llm.scripted.script import Line

PIECE = 12  # characters of text in one event


@dataclass(frozen=True, slots=True)
class Speech:
    """What is said to one request."""

    line: Line
    model: str
    prompt_tokens: int
    cached_tokens: int

    @property
    def finish(self) -> str:
        return self.line.finish or ("tool_calls" if self.line.calls else "stop")

    @property
    def usage(self) -> dict[str, Any]:
        said = len(self.line.text) + sum(len(call.arguments) for call in self.line.calls)
        return {
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": tokens_of(said),
            "total_tokens": self.prompt_tokens + tokens_of(said),
            "prompt_tokens_details": {"cached_tokens": self.cached_tokens},
        }

    def whole(self) -> dict[str, Any]:
        """The answer to a request that is not streamed."""
        message: dict[str, Any] = {"role": "assistant", "content": self.line.text or None}
        if self.line.thinking:
            message["reasoning_content"] = self.line.thinking
        if self.line.calls:
            message["tool_calls"] = self._calls()
        choice = {"index": 0, "message": message, "finish_reason": self.finish, **self._logprobs()}
        return {**self._frame("chat.completion"), "choices": [choice], "usage": self.usage}

    def events(self) -> Iterator[dict[str, Any]]:
        """The answer piece by piece, without the mark of its end."""
        yield self._event({"role": "assistant", "content": ""})
        for text in pieces(self.line.thinking):
            yield self._event({"reasoning_content": text})
        for place, text in enumerate(pieces(self.line.text)):
            yield self._event({"content": text}, more=self._logprobs() if place == 0 else {})
        for call in self._calls():
            arguments = call["function"].pop("arguments")
            yield self._event({"tool_calls": [call]})
            for text in pieces(arguments):
                again = {"index": call["index"], "function": {"arguments": text}}
                yield self._event({"tool_calls": [again]})
        yield self._event({}, self.finish)
        yield {**self._frame("chat.completion.chunk"), "choices": [], "usage": self.usage}

    def _calls(self) -> list[dict[str, Any]]:
        return [
            {
                "index": place,
                "id": f"call_{place}",
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for place, call in enumerate(self.line.calls)
        ]

    def _logprobs(self) -> dict[str, Any]:
        """The likeliest first tokens, the first of them the one that was said."""
        told = [{"token": token, "logprob": value} for token, value in self.line.logprobs.items()]
        return {"logprobs": {"content": [{**told[0], "top_logprobs": told}]}} if told else {}

    def _event(
        self, delta: dict[str, Any], finish: str | None = None, more: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "finish_reason": finish, **(more or {})}
        return {**self._frame("chat.completion.chunk"), "choices": [choice]}

    def _frame(self, kind: str) -> dict[str, Any]:
        return {"id": "scripted-1", "object": kind, "created": 0, "model": self.model}


def pieces(text: str) -> list[str]:
    return [text[start : start + PIECE] for start in range(0, len(text), PIECE)]


def tokens_of(characters: int) -> int:
    """A number of tokens that grows with the text; no tokenizer is meant."""
    return (characters + 3) // 4


def as_event(value: Any) -> bytes:
    return b"data: " + json.dumps(value, ensure_ascii=False).encode() + b"\n\n"


DONE = b"data: [DONE]\n\n"
