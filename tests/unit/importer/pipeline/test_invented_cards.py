"""Cards of every kind and size, the whole way from survey to a judged world; and killed at every step."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from formats.card.choice import Language, default_choices
from importer.pipeline.build.run import build
from importer.pipeline.building import Built
from importer.pipeline.context import ImportContext
from importer.pipeline.finish import make_ready
from importer.pipeline.survey.run import survey
from llm.asking import Ask, Reply
from llm.tasks import Tasks, TaskSettings
from tests.support.asking import Readers
from tests.support.contexts import PROMPTS
from tests.support.invented import KINDS, Kind, Reader, invented
from tests.support.kept import AT_ONCE, SCHEMA, MemoryKept, said
from worlds.rules.check import check_world

AT = "2026-01-01T00:00:00Z"


def context_for(kind: Kind, size: int, language: Language, tasks: Any) -> ImportContext:
    card = invented(kind, size, language)
    return ImportContext.of(card, default_choices(card, language=language, way="model"), PROMPTS, tasks)


async def whole(context: ImportContext) -> Built:
    return await build(context, await survey(context), picture=None, sha256="0" * 64, started_at=AT)


@pytest.mark.req("BUILD-1", "BUILD-6", "SURV-1", "VAR-1", "CAST-1", "RULE-3", "OUT-1", "DRAFT-1")
@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("size", [5, 20, 60, 200])
@pytest.mark.parametrize("kind", KINDS)
def test_every_card_becomes_a_world_in_which_a_story_can_start(
    kind: Kind, size: int, language: Language
) -> None:
    context = context_for(kind, size, language, Readers(Reader(language).readers()))
    world = asyncio.run(whole(context))
    ready = make_ready(world, world.pictures)
    assert [found for found in check_world(ready.loaded) if found.severity == "error"] == []
    totals = world.pieces.totals()
    assert sum(totals.values()) == len(context.all_pieces)
    assert totals["awaiting"] == 0
    people = len(ready.loaded.documents["character"])
    assert (people == 0) == (kind == "no-cast")
    if kind == "values" and size > 5:
        variables = ready.loaded.variables
        assert variables is not None
        assert len(variables.variables) > size // 4
    if kind == "rules" and size > 5:
        assert ("en", "standing") in ready.loaded.prompts
        assert ready.loaded.documents["triggers"]


class Killed(BaseException):
    """The process dies here."""


class Worker:
    """A model that answers from the text; the process dies at the n-th point of one of three kinds."""

    def __init__(self, language: Language, kept: MemoryKept, die: tuple[str, int]) -> None:
        self.reader, self.kept, self.die = Reader(language), kept, die
        self.calls = 0
        self.count = {"send": 0, "answered": 0, "stored": 0}

    def point(self, name: str) -> None:
        self.count[name] += 1
        if (name, self.count[name]) == self.die:
            raise Killed

    async def __call__(self, ask: Ask) -> Reply:
        self.point("send")
        self.calls += 1
        await asyncio.sleep(0)
        self.point("answered")
        answer = self.reader.answer(ask.schema_name, ask.messages[-1]["content"])
        return said(json.dumps(answer, ensure_ascii=False))

    async def get(self, key: str) -> Any:
        return await self.kept.get(key)

    async def put(self, key: str, record: Any) -> None:
        await self.kept.put(key, record)
        self.point("stored")


def work(language: Language, kept: MemoryKept, die: tuple[str, int]) -> tuple[Worker, Built | None]:
    worker = Worker(language, kept, die)
    tasks = Tasks(worker, SCHEMA, TaskSettings(at_once=4), worker, language=language, retries=AT_ONCE)
    try:
        return worker, asyncio.run(whole(context_for("several", 6, language, tasks)))
    except Killed:
        return worker, None


@pytest.mark.req("RUN-3", "RUN-9")
@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("point", ["send", "answered", "stored"])
def test_killed_at_every_call_it_goes_on_to_the_same_world(point: str, language: Language) -> None:
    whole_worker, undisturbed = work(language, MemoryKept(), ("", 0))
    assert undisturbed is not None
    assert whole_worker.calls > 15
    for at in range(1, whole_worker.calls + 1):
        kept = MemoryKept()
        first, ended = work(language, kept, (point, at))
        assert ended is None
        second, resumed = work(language, kept, ("", 0))
        assert resumed is not None
        assert resumed.to_record() == undisturbed.to_record()
        assert first.calls + second.calls <= whole_worker.calls + 4, "at most IMPORT_CONCURRENCY repeated"


@pytest.mark.req("RUN-4")
def test_the_time_is_that_of_the_rounds() -> None:
    """60 calls and more at 4 at once: as long as the rounds of each stage, and a tenth more."""
    seconds = 0.3
    stages: list[int] = []

    class Slow(Worker):
        async def __call__(self, ask: Ask) -> Reply:
            await asyncio.sleep(seconds)
            return await super().__call__(ask)

    async def measured() -> tuple[float, int]:
        worker = Slow("en", MemoryKept(), ("", 0))
        tasks = Tasks(worker, SCHEMA, TaskSettings(at_once=4), worker, language="en", retries=AT_ONCE)
        context = context_for("several", 32, "en", tasks)
        loop = asyncio.get_running_loop()
        began = loop.time()
        found = await survey(context)
        stages.append(worker.calls)
        await build(context, found, picture=None, sha256="", started_at=AT)
        stages.append(worker.calls)
        return loop.time() - began, worker.calls

    took, calls = asyncio.run(measured())
    assert calls >= 60
    classified = stages[0] - 1  # the roster is one call of its own, after them
    rounds = -(-classified // 4) + 1 + -(-(stages[1] - stages[0]) // 4)
    assert took <= 1.1 * rounds * seconds
