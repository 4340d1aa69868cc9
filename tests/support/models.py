"""Scripted models and clients for them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from llm.asking import Ask
from llm.client import ModelClient
from llm.clients import Clients
from llm.endpoint import Endpoint
from llm.limits import Deadlines
from llm.scripted import Line, Script, ScriptedModel
from llm.usage import Usage

KEY = "sk-invented-7f2a"
# A busy machine is not a slow service: only tests about time are short of it.
PATIENT = Deadlines(connect=20, first=30, between=30, after_end=0.2, total=60)
SHORT = Deadlines(connect=20, first=0.25, between=0.25, after_end=0.2, total=1)
HELLO = Ask(messages=({"role": "user", "content": "Hello, who are you?"},), settings={"max_tokens": 50})


@dataclass
class Talk:
    """A scripted model, a client that may speak to it, and every record of a call."""

    model: ScriptedModel
    client: ModelClient
    endpoint: Endpoint
    usages: list[Usage] = field(default_factory=list)


@asynccontextmanager
async def talking(
    script: Script | Line, *, key: str = KEY, deadlines: Deadlines = PATIENT, at_once: int = 4
) -> AsyncIterator[Talk]:
    """A scripted model that takes `key`, and a client whose host has listed its address."""
    script = script if isinstance(script, Script) else Script.of(script)
    usages: list[Usage] = []
    async with ScriptedModel(script, key=key) as model:
        clients = Clients(
            [model.address],
            deadlines=deadlines,
            at_once=at_once,
            on_usage=lambda _, usage: usages.append(usage),
        )
        endpoint = Endpoint("openai", model.address, "scripted", key)
        yield Talk(model, clients.here(), endpoint, usages)
