"""Start and end of the server: the engine, and the rooms' recovery beside it."""

import asyncio
import logging
from collections.abc import MutableMapping
from typing import Any

import pytest

from portal import slots
from portal.jobs import engine
from portal.jobs.embedded import EmbeddedEngine
from portal.lifespan import Lifespan
from tests.support.jobs import until

pytestmark = pytest.mark.django_db(transaction=True)


async def test_the_engine_runs_from_start_to_end_and_every_hook_is_called(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    called: list[str] = []

    def broken() -> None:
        called.append("broken")
        raise ZeroDivisionError

    def whole() -> None:
        called.append("whole")

    filled = slots.filled
    hooks = (broken, whole)
    monkeypatch.setattr(slots, "filled", lambda name: hooks if name == "server.started" else filled(name))
    messages: asyncio.Queue[MutableMapping[str, Any]] = asyncio.Queue()
    sent: asyncio.Queue[MutableMapping[str, Any]] = asyncio.Queue()
    served = asyncio.create_task(
        Lifespan(lambda: EmbeddedEngine(limit=1))({"type": "lifespan"}, messages.get, sent.put)
    )
    await messages.put({"type": "lifespan.startup"})
    assert await sent.get() == {"type": "lifespan.startup.complete"}
    running = engine.installed()
    assert running is not None
    assert running.state().running
    with caplog.at_level(logging.ERROR):
        await until(lambda: called == ["broken", "whole"])
    await messages.put({"type": "lifespan.shutdown"})
    assert await sent.get() == {"type": "lifespan.shutdown.complete"}
    await served
    assert engine.installed() is None
    assert not running.state().running
    assert "recovery at start failed" in caplog.text
