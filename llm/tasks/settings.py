"""How much a narrow question may ask for (RUN-4, RUN-5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from llm.endpoint import Endpoint

Reasoning = Literal["off", "low", "medium", "high"]
ROOM: dict[Reasoning, int] = {"off": 1_000, "low": 2_000, "medium": 6_000, "high": 12_000}
"""Tokens beside the answer's own, for what a model writes before it."""
LEAST_CEILING = 16_000
CONTEXT = 16_384
"""The context that is taken for granted where an endpoint does not say its own."""


@dataclass(frozen=True, slots=True)
class TaskSettings:
    """`at_once`: calls that run together. `ceiling`: most tokens of one answer, 0 for a tenth of the model's
    context, at least 16,000. `answers`: how many may be asked for one question, the repairs included."""

    at_once: int = 4
    ceiling: int = 0
    reasoning: Reasoning = "off"
    temperature: float = 0.2
    answers: int = 3

    def tokens_for(self, budget: int, endpoint: Endpoint) -> int:
        """Tokens that an answer may have: its budget and the room, below the ceiling."""
        ceiling = self.ceiling or max(LEAST_CEILING, (endpoint.context_length or CONTEXT) // 10)
        return min(ceiling, budget + ROOM[self.reasoning])
