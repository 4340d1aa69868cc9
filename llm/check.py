"""Testing an endpoint in three steps: is somebody there, which models are there, does one answer (3.11)."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Literal

from formats.finding import Finding
from formats.messages import gettext_noop, ngettext_noop
from llm.asking import Ask, ModelInfo, Reply
from llm.client import ModelClient
from llm.endpoint import Endpoint
from llm.faults import ModelFault

StepName = Literal["reach", "models", "reply"]
State = Literal["passed", "failed", "skipped"]

NOBODY_THERE = ("not-allowed", "unreachable", "tls", "too-slow")
# Without these two nothing further can be asked; a service without a list may still answer.
NO_USE_TO_GO_ON = ("key-refused", "moved", "web-page")
QUESTION = Ask(messages=({"role": "user", "content": "Say yes."},), settings={"max_tokens": 5})


@dataclass(frozen=True, slots=True)
class Step:
    """One step and what it found. `said`: the service's own words, untrusted."""

    name: StepName
    state: State
    finding: Finding
    said: str = ""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class EndpointCheck:
    """All three steps in their order. `outcome` is that of the step that decided."""

    steps: tuple[Step, ...]
    models: tuple[ModelInfo, ...]
    reply: Reply | None
    outcome: str

    @property
    def works(self) -> bool:
        return self.reply is not None


REACHED = gettext_noop("Somebody answers at this address.")
LISTED = ngettext_noop("The service lists one model.", "The service lists {count} models.")
ANSWERED = gettext_noop("{model} answered within {milliseconds} ms.")
NOT_TRIED = gettext_noop("Not tried, because the step before it failed.")
NO_MODEL = gettext_noop("No model is chosen, and the service lists none.")


async def check_endpoint(client: ModelClient, endpoint: Endpoint) -> EndpointCheck:
    """Try an endpoint; without a model the first of its list is asked. The last step costs a few tokens."""
    clock = asyncio.get_running_loop().time
    started = clock()
    models: list[ModelInfo] = []
    fault: ModelFault | None = None
    try:
        models = await client.models(endpoint)
    except ModelFault as raised:
        fault = raised
    seconds = clock() - started
    if fault is not None and fault.outcome in NOBODY_THERE:
        steps = (_failed("reach", fault, seconds), _skipped("models"), _skipped("reply"))
        return EndpointCheck(steps, (), None, fault.outcome)
    reached = _passed("reach", REACHED, {}, seconds)
    if fault is None:
        listed = _passed("models", LISTED, {"count": len(models)}, seconds)
    else:
        listed = _failed("models", fault, seconds)
        if fault.outcome in NO_USE_TO_GO_ON:
            return EndpointCheck((reached, listed, _skipped("reply")), (), None, fault.outcome)
    asked, reply, outcome = await _asked(client, endpoint, models)
    return EndpointCheck((reached, listed, asked), tuple(models), reply, outcome)


async def _asked(
    client: ModelClient, endpoint: Endpoint, models: list[ModelInfo]
) -> tuple[Step, Reply | None, str]:
    model = endpoint.model or (models[0].id if models else "")
    if not model:
        finding = Finding("error", "model.no-model", "reply", NO_MODEL)
        return Step("reply", "failed", finding), None, "not-found"
    try:
        reply = await client.reply(endpoint.with_model(model), QUESTION)
    except ModelFault as fault:
        seconds = fault.usage.seconds if fault.usage else 0.0
        return _failed("reply", fault, seconds), None, fault.outcome
    values = {"model": model, "milliseconds": round(reply.usage.seconds * 1000)}
    return _passed("reply", ANSWERED, values, reply.usage.seconds), reply, reply.usage.outcome


def _passed(name: StepName, message: str, args: dict[str, object], seconds: float) -> Step:
    return Step(name, "passed", Finding("info", f"model.{name}", name, message, args=args), "", seconds)


def _failed(name: StepName, fault: ModelFault, seconds: float) -> Step:
    finding = Finding("error", fault.code, name, fault.message, fault.hint, fault.values)
    return Step(name, "failed", finding, fault.said, seconds)


def _skipped(name: StepName) -> Step:
    return Step(name, "skipped", Finding("info", "model.not-tried", name, NOT_TRIED))
