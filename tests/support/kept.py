"""Kept answers in memory, and a model that is a function of what it is asked."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from llm.asking import Ask, Reply, ToolCall
from llm.endpoint import Abilities, Endpoint
from llm.limits import Retries
from llm.tasks import TaskRecord, Tasks, TaskSettings
from llm.usage import Tokens, Usage

SCHEMA = Endpoint("openai", "http://127.0.0.1:9/v1", "invented", abilities=Abilities(schema=True, tools=True))


@dataclass
class MemoryKept:
    """Records by key; `order` in which they were put."""

    records: dict[str, TaskRecord] = field(default_factory=dict)
    order: list[str] = field(default_factory=list)

    async def get(self, key: str) -> TaskRecord | None:
        return self.records.get(key)

    async def put(self, key: str, record: TaskRecord) -> None:
        self.records[key] = record
        self.order.append(key)


async def at_once(seconds: float) -> None:
    """A wait that takes no time."""
    await asyncio.sleep(0)


AT_ONCE = Retries(chance=lambda: 0.5, sleep=at_once)


def said(
    text: str = "", *, finish: str = "stop", tool: str = "", arguments: str = "", tokens: Tokens | None = None
) -> Reply:
    """A reply as a client gives it."""
    calls = (ToolCall("call-1", tool, arguments),) if tool else ()
    usage = Usage("invented", "ok", 0.1, tokens or Tokens(100, 0, 10))
    ended: Any = "tool-calls" if calls and finish == "stop" else finish
    return Reply(text, "", calls, ended, "invented", usage, False, b"{}")


@dataclass
class Model:
    """Says these replies one after the other, the last again and again; an exception is raised.

    `asked` holds every request.
    """

    replies: Sequence[Reply | Exception | dict[str, Any]]
    asked: list[Ask] = field(default_factory=list)

    async def __call__(self, ask: Ask) -> Reply:
        self.asked.append(ask)
        reply = self.replies[min(len(self.asked), len(self.replies)) - 1]
        if isinstance(reply, Exception):
            raise reply
        return said(json.dumps(reply, ensure_ascii=False)) if isinstance(reply, dict) else reply


def tasks_of(
    call: Callable[[Ask], Any],
    *,
    endpoint: Endpoint = SCHEMA,
    kept: MemoryKept | None = None,
    settings: TaskSettings | None = None,
    language: str = "en",
) -> Tasks:
    """The narrow tasks over a model."""
    return Tasks(
        call, endpoint, settings or TaskSettings(), kept or MemoryKept(), language=language, retries=AT_ONCE
    )
