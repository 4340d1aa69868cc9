"""The decision service: one token, and how sure the model is of it."""

from __future__ import annotations

import math

import pytest

from llm.decide import Decision, DecisionService, decision_of
from llm.scripted import Line
from tests.support.models import talking


@pytest.mark.req("SURV-9")
@pytest.mark.parametrize(
    ("told", "yes", "confidence"),
    [
        ({"yes": 0.9, "no": 0.1}, True, 0.9),
        ({" Yes": 0.3, "YES.": 0.3, "no": 0.2, "maybe": 0.2}, True, 0.75),
        ({"否": 0.8, "是": 0.2}, False, 0.8),
        ({"No": 1.0}, False, 1.0),
    ],
)
def test_confidence_is_the_share_of_the_answer(told: dict[str, float], yes: bool, confidence: float) -> None:
    decision = decision_of({token: math.log(share) for token, share in told.items()})
    assert decision is not None
    assert (decision.yes, round(decision.confidence, 6)) == (yes, confidence)


@pytest.mark.req("SURV-9")
@pytest.mark.parametrize("told", [{}, {"perhaps": -0.1}])
def test_without_probabilities_of_yes_or_no_it_is_unsure(told: dict[str, float]) -> None:
    assert decision_of(told) is None


@pytest.mark.req("SURV-9")
@pytest.mark.parametrize("streamed", [True, False])
async def test_a_service_is_asked_for_one_token_with_its_probabilities(streamed: bool) -> None:
    from dataclasses import replace

    from llm.endpoint import Abilities

    line = Line("yes", finish="length", logprobs={"yes": math.log(0.8), "no": math.log(0.2)})
    async with talking(line) as talk:
        endpoint = replace(talk.endpoint, abilities=Abilities(streaming=streamed))
        service = DecisionService(lambda ask: talk.client.reply(endpoint, ask))
        decision = await service.decide("Is it so?", "It is.")
        sent = talk.model.asked[0].value
    assert decision is not None
    assert (decision.yes, round(decision.confidence, 6)) == (True, 0.8)
    assert (sent["max_tokens"], sent["logprobs"], sent["temperature"]) == (1, True, 0)
    assert isinstance(decision, Decision)


async def test_a_service_that_tells_none_is_unsure() -> None:
    async with talking(Line("yes", finish="length")) as talk:
        service = DecisionService(lambda ask: talk.client.reply(talk.endpoint, ask))
        assert await service.decide("Is it so?", "It is.") is None
