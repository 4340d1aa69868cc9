"""Every way in which a service can fail, in every form: an answer, a failed question, or a halt (part 6)."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace

import pytest
from pydantic import Field

from formats.errors import DomainError
from llm.endpoint import Abilities, AnswerForm
from llm.limits import Deadlines, Retries
from llm.scripted import Line, Said
from llm.scripted.faults import FAULTS
from llm.tasks import AnswerModel, Question, Task, Tasks, TaskSettings
from tests.support.kept import MemoryKept, at_once
from tests.support.models import talking

ABILITIES: dict[AnswerForm, Abilities] = {
    "schema": Abilities(schema=True, tools=True),
    "tool": Abilities(tools=True),
    "text": Abilities(),
}
QUICK = Deadlines(connect=20, first=0.4, between=0.4, after_end=0.1, total=1.5)


class Colour(AnswerModel):
    colour: str = Field(max_length=20)


COLOUR = Task("colour", Colour, 50)
ANSWERED = {"ok", "no-end-mark", "utf8-split", "gzip", "said-twice"}
OF_THE_QUESTION = {
    "finish-length", "finish-content-filter", "prose-instead-of-tool", "tool-args-not-json",
    "tool-args-wrong-schema", "unknown-tool", "empty-choices", "null-content", "20-mb", "gzip-bomb",
    "endless", "400-too-long",
}  # fmt: skip


@pytest.mark.req("RUN-6")
@pytest.mark.parametrize("form", ABILITIES)
@pytest.mark.parametrize("fault", FAULTS)
async def test_every_fault_ends_in_time_with_a_plain_sentence(fault: str, form: AnswerForm) -> None:
    called = fault in ("tool-args-not-json", "tool-args-wrong-schema", "unknown-tool", "two-tool-calls")
    line = Line(
        calls=(Said("colour", '{"colour": "blue"}'),) if called else (),
        answer=None if called else {"colour": "blue"},
        fault=fault,
        seconds=30 if fault != "drip" else 0.05,
    )
    began = time.monotonic()
    async with talking(line, deadlines=QUICK) as talk:
        kept = MemoryKept()
        tasks = Tasks(
            lambda ask: talk.client.reply(endpoint, ask),
            endpoint := replace(talk.endpoint, abilities=ABILITIES[form]),
            TaskSettings(),
            kept,
            language="en",
            retries=Retries(chance=lambda: 0.5, attempts=2, sleep=at_once),
        )
        question = Question("Name the colour.", "The sky.")
        (ended,) = await asyncio.gather(tasks.answer(COLOUR, question, title="Sky"), return_exceptions=True)
    failed = [record.code for record in kept.records.values() if record.state == "failed"]
    if isinstance(ended, DomainError):
        assert fault not in ANSWERED
        assert ended.message != ended.code
        assert ended.hint or ended.code == "model.refused"
        assert failed == [ended.code] if fault in OF_THE_QUESTION else failed in ([], [ended.code])
    else:
        assert not isinstance(ended, BaseException)
        assert ended.value.colour == "blue"
        assert fault not in OF_THE_QUESTION - {"prose-instead-of-tool"}
    assert time.monotonic() - began < 30
