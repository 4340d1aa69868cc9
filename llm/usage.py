"""What a call used: tokens, time, how it ended, and what it cost where that is known."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from llm.endpoint import Prices

MILLION = Decimal(1_000_000)

Outcome = Literal[
    "ok",  # a whole answer
    "cut",  # a whole answer that ends at the token limit
    "filtered",  # the service held the answer back
    "not-allowed",  # the address is not one that may be spoken to
    "unreachable",
    "tls",  # the certificate is not one to trust
    "too-slow",
    "key-refused",
    "forbidden",
    "not-found",  # no such model, or no such path
    "too-long",  # more than the model's context
    "refused",  # the service does not take the request as it is
    "rate-limited",
    "overloaded",  # the service says that it fails at the moment
    "moved",  # the address leads to another one, which is not followed
    "web-page",
    "provider-error",  # an error inside an answer that began well
    "unfinished",  # the answer broke off
    "broken",  # not what the protocol says
    "empty",
    "too-large",
    "stopped",  # by us: a person, a deadline of the work around it, or the end of the program
]


@dataclass(frozen=True, slots=True)
class Tokens:
    """Numbers the service told. `input` counts all that was sent, `cached` those of them that were cached."""

    input: int = 0
    cached: int = 0
    output: int = 0

    def largest(self, other: Tokens) -> Tokens:
        """Of two reports in one stream the larger numbers: services tell them in parts, or grow them."""
        return Tokens(
            max(self.input, other.input), max(self.cached, other.cached), max(self.output, other.output)
        )


@dataclass(frozen=True, slots=True)
class Usage:
    """One call, for the record. `tokens` is None where the service told none."""

    model: str
    outcome: Outcome
    seconds: float
    tokens: Tokens | None = None
    first_seconds: float | None = None  # until the first piece of the answer
    cost: Decimal | None = None
    currency: str = "USD"


def cost_of(prices: Prices, tokens: Tokens | None) -> Decimal | None:
    """The money for a call, or None where a price or the numbers are not known."""
    if tokens is None or prices.input is None or prices.output is None:
        return None
    cached = min(tokens.cached, tokens.input)
    cached_price = prices.input if prices.cached is None else prices.cached
    fresh = tokens.input - cached
    return (prices.input * fresh + cached_price * cached + prices.output * tokens.output) / MILLION
