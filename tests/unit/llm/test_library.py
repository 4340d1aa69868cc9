"""Agents of the model client library speak through the same guard, under the same judge."""

from __future__ import annotations

import logging
import subprocess
import sys
from typing import Any

import pytest
from pydantic import BaseModel
from pydantic_ai import Agent, ToolOutput

from llm.clients import Clients
from llm.endpoint import Endpoint
from llm.library import fault_in, model_for
from llm.scripted import Line, Rule, Script
from tests.support.models import KEY, PATIENT, Talk, talking
from tests.unit.llm.test_faults import FAILED, line_of


class Colour(BaseModel):
    colour: str


def agent_for(talk: Talk, **more: Any) -> Agent[None, Any]:
    door = Clients([talk.model.address], deadlines=PATIENT).door()
    return Agent(model_for(talk.endpoint, door), **more)


async def test_an_agent_gets_its_answer_and_sends_nothing_of_this_machine(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_API_KEY", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://secret.example")
    caplog.set_level(logging.DEBUG)
    async with talking(Script((Rule((Line(answer={"colour": "blue"}),), task="answer"),))) as talk:
        agent = agent_for(talk, output_type=ToolOutput(Colour, name="answer"))
        result = await agent.run("What colour is the sky?")
    assert result.output == Colour(colour="blue")
    (received,) = talk.model.asked
    assert received.headers["authorization"] == f"Bearer {KEY}"
    assert not [name for name in received.headers if name.startswith(("x-stainless", "openai-"))]
    assert "secret.example" not in str(received)
    assert KEY not in caplog.text


# The library looks at the status first, and has no clock for silence: the caller sets one.
CLOCKED = ("drip", "keepalive-only", "slow-first-byte", "endless", "silent-after-start")
LIBRARY = {fault: outcome for fault, outcome in FAILED.items() if fault not in CLOCKED}


@pytest.mark.parametrize(("fault", "outcome"), LIBRARY.items())
async def test_an_agent_fails_with_the_same_outcome(fault: str, outcome: str) -> None:
    async with talking(line_of(fault)) as talk:
        with pytest.raises(Exception) as raised:  # noqa: PT011 - whatever the library makes of it
            await agent_for(talk).run("Hello?", model_settings={"timeout": 30})
    found = fault_in(raised.value)
    assert found is not None
    assert found.outcome == outcome


async def test_an_agent_cannot_reach_what_is_not_listed() -> None:
    endpoint = Endpoint("openai", "http://127.0.0.1:9/v1", "scripted", KEY)
    agent = Agent(model_for(endpoint, Clients(deadlines=PATIENT).door()))
    with pytest.raises(Exception) as raised:  # noqa: PT011 - whatever the library makes of it
        await agent.run("Hello?")
    found = fault_in(raised.value)
    assert found is not None
    assert found.outcome == "unreachable"


@pytest.mark.parametrize("kind", ["anthropic", "google"])
async def test_other_kinds_carry_only_their_own_key(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "environment")
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "X-Leak: environment")
    monkeypatch.setenv("GEMINI_API_KEY", "environment")
    async with talking(Line("unheard")) as talk:
        endpoint = Endpoint(kind, talk.model.address.removesuffix("/v1"), "invented", KEY)
        door = Clients([talk.model.address], deadlines=PATIENT).door()
        with pytest.raises(Exception) as raised:  # noqa: PT011 - whatever the library makes of it
            await Agent(model_for(endpoint, door)).run("Hello?")
    assert (found := fault_in(raised.value)) is not None
    assert found.outcome == "key-refused"
    (received,) = talk.model.received
    assert received.headers["x-api-key" if kind == "anthropic" else "x-goog-api-key"] == KEY
    assert "environment" not in str(received)


def test_the_library_is_imported_when_it_is_needed() -> None:
    modules = "llm.clients, llm.check, llm.abilities, llm.library, llm.scripted"
    code = f"import sys, {modules}; print('pydantic_ai' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "False"
