"""The decision service: one question, one token, yes or no, with how sure the model is (D13, SURV-9)."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from llm.asking import Ask, Reply

Call = Callable[[Ask], Awaitable[Reply]]
YES = frozenset({"yes", "y", "是", "对", "true"})
NO = frozenset({"no", "n", "否", "不", "false"})
SETTINGS: Mapping[str, object] = {"max_tokens": 1, "temperature": 0, "logprobs": True, "top_logprobs": 10}


@dataclass(frozen=True, slots=True)
class Decision:
    """An answer; `confidence` from 0.5 to 1 is its share of what was given to yes and no together."""

    yes: bool
    confidence: float


@dataclass(frozen=True, slots=True)
class DecisionService:
    """Any endpoint of the OpenAI kind that tells the probabilities of its tokens."""

    call: Call

    async def decide(self, question: str, text: str) -> Decision | None:
        """Whether it is so; None without probabilities, or where neither yes nor no is among them.

        Raises:
            ModelFault, DomainError: there is no answer.
        """
        messages = ({"role": "system", "content": question}, {"role": "user", "content": text})
        reply = await self.call(Ask(messages, dict(SETTINGS)))
        return decision_of(reply.first_tokens)


def decision_of(logprobs: Mapping[str, float]) -> Decision | None:
    """The decision in the likeliest first tokens and their natural logarithms."""
    yes = _share(logprobs, YES)
    no = _share(logprobs, NO)
    if yes + no <= 0:
        return None
    return Decision(yes > no, max(yes, no) / (yes + no))


def _share(logprobs: Mapping[str, float], words: frozenset[str]) -> float:
    return sum(math.exp(min(0.0, told)) for token, told in logprobs.items() if _bare(token) in words)


def _bare(token: str) -> str:
    return token.strip(" \n\t.,!。，！\"'“”").casefold()
