"""What a protocol is: how a request is written and how an answer is read.

Answers are untrusted: a field of a wrong type reads as missing, and nothing here raises for what a service
says. Whether an answer is whole is judged in `llm.judge`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from llm.asking import Ask, Delta, ModelInfo
from llm.endpoint import Endpoint
from llm.sse import ServerEvent

Body = dict[str, Any]


class ModelProtocol(ABC):
    """One kind of service. `settings` names those of our settings that it takes; None takes any."""

    settings: frozenset[str] | None = None

    @abstractmethod
    def headers(self, endpoint: Endpoint) -> dict[str, str]:
        """Headers that every request carries, with the key."""

    @abstractmethod
    def chat_address(self, endpoint: Endpoint, *, streamed: bool) -> str: ...

    @abstractmethod
    def models_address(self, endpoint: Endpoint) -> str: ...

    @abstractmethod
    def body(self, endpoint: Endpoint, ask: Ask, *, streamed: bool) -> Body:
        """The request's body as a value."""

    @abstractmethod
    def read_models(self, value: Any) -> list[ModelInfo] | None:
        """The models of a list, in its order; None when this is no such list."""

    @abstractmethod
    def read_reply(self, value: Any) -> Delta:
        """A whole answer as one piece."""

    @abstractmethod
    def read_event(self, event: ServerEvent) -> Delta | None:
        """A piece of a streamed answer; None when the event is not what the protocol says."""

    def error_of(self, value: Any) -> str:
        """The service's own words for a failure, empty where there are none."""
        error = part(value, "error")
        if isinstance(error, str):
            return error
        for words in (
            text_at(error, "message"),
            text_at(value, "message"),
            text_at(value, "detail"),
            text_at(part(value, "detail"), "message"),
        ):
            if words:
                return words
        return "error" if error else ""


def part(value: Any, *path: str | int) -> Any:
    """What stands at a path of names and positions, or None."""
    for step in path:
        if isinstance(step, str):
            value = value.get(step) if isinstance(value, dict) else None
        else:
            value = value[step] if isinstance(value, list) and -len(value) <= step < len(value) else None
    return value


def text_at(value: Any, *path: str | int) -> str:
    found = part(value, *path)
    return found if isinstance(found, str) else ""


def list_at(value: Any, *path: str | int) -> list[Any]:
    found = part(value, *path)
    return found if isinstance(found, list) else []


def whole_at(value: Any, *path: str | int) -> int:
    """A number of tokens; 0 for what is none."""
    found = part(value, *path)
    if isinstance(found, bool) or not isinstance(found, int | float) or not 0 <= found < 2**53:
        return 0
    return int(found)


def content_text(content: Any) -> str:
    """The text of a message's content, which is a text or a list of parts."""
    if isinstance(content, str):
        return content
    return "".join(text_at(piece, "text") for piece in list_at({"parts": content}, "parts"))
