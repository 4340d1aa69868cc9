"""What is asked of a model and what comes back, in one form for every kind of service."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal

from llm.endpoint import Prices
from llm.usage import Tokens, Usage

Finish = Literal["stop", "length", "tool-calls", "filtered"]
Message = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Ask:
    """One request. Messages, tools and settings have the form of the OpenAI chat protocol, whatever the
    service
    speaks: `{"role": "system"|"user"|"assistant"|"tool", "content": …, "tool_calls": …, "tool_call_id": …}`.

    To a service that speaks it they go exactly as they stand here. `schema` holds the answer to a JSON
    schema; its name, and that of a forced tool, says which task this is.
    """

    messages: tuple[Message, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)
    tools: tuple[Mapping[str, Any], ...] = ()
    tool_choice: str | Mapping[str, Any] | None = None
    schema: Mapping[str, Any] | None = None
    schema_name: str = "answer"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call the model wants made. `arguments` is its text as it came, not believed to be JSON."""

    id: str
    name: str
    arguments: str

    def as_sent(self) -> dict[str, Any]:
        """The form in which it goes back within an assistant message."""
        return {
            "id": self.id,
            "type": "function",
            "function": {"name": self.name, "arguments": self.arguments},
        }


@dataclass(frozen=True, slots=True)
class CallPart:
    """A piece of a tool call within a stream: pieces with one index belong together."""

    index: int
    id: str = ""
    name: str = ""
    arguments: str = ""


@dataclass(frozen=True, slots=True)
class Delta:
    """What one piece of an answer brings. `error`: the service's own words for a failure inside an answer.
    `first_tokens`: the likeliest tokens of its beginning with the logarithms of their probabilities."""

    text: str = ""
    thinking: str = ""
    calls: tuple[CallPart, ...] = ()
    finish: Finish | None = None
    tokens: Tokens | None = None
    model: str = ""
    error: str = ""
    end: bool = False  # nothing comes after this
    first_tokens: Mapping[str, float] = field(default_factory=dict)

    @property
    def has_content(self) -> bool:
        """Whether the answer went on, as opposed to a sign of life."""
        return bool(self.text or self.thinking or self.calls or self.finish)


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole answer, and the exact body it answers (PRE-18). `first_tokens` as in `Delta`, where the service
    was asked for them and tells them."""

    text: str
    thinking: str
    calls: tuple[ToolCall, ...]
    finish: Finish
    model: str  # as the service names it
    usage: Usage
    streamed: bool
    sent: bytes = field(repr=False)
    first_tokens: Mapping[str, float] = field(default_factory=dict)

    @property
    def sent_body(self) -> dict[str, Any]:
        """The body as a value."""
        body: dict[str, Any] = json.loads(self.sent)
        return body


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A model that a service lists, with what its list says of it."""

    id: str
    context_length: int | None = None
    prices: Prices = field(default_factory=Prices)


def price(value: Any, per: int = 1) -> Decimal | None:
    """A price of a list, `per` tokens, as the price of a million; None for what is no price."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        money = Decimal(str(value)) * 1_000_000 / per
    except ArithmeticError:
        return None
    return money if money.is_finite() and money >= 0 else None
