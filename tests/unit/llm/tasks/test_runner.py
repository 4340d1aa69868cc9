"""A narrow question: its forms, its repairs, its bounds, and what is kept of it."""

from __future__ import annotations

import asyncio
import contextlib
import json
from dataclasses import replace
from typing import Any

import pytest
from pydantic import Field

from formats.errors import DomainError
from llm.asking import Ask, Reply
from llm.endpoint import Abilities
from llm.faults import ModelFault
from llm.tasks import AnswerModel, Example, Question, Rejected, Task, TaskFailed, TaskSettings, together
from llm.tasks.runner import MOST_FAILURES
from tests.support.kept import SCHEMA, MemoryKept, Model, said, tasks_of


class Colour(AnswerModel):
    colour: str = Field(max_length=20, description="Its name.")


class Shade(AnswerModel):
    name: str = Field(max_length=20)
    dark: bool = False


class Shades(AnswerModel):
    shades: list[Shade] = Field(max_length=50)


COLOUR = Task("colour", Colour, 200)
SHADES = Task("shades", Shades, 1500, rescue="shades")
SKY = Question("Name the colour.", "The sky at noon.", (Example("Grass.", {"colour": "green"}),))
TOOL = replace(SCHEMA, abilities=Abilities(tools=True))
TEXT = replace(SCHEMA, abilities=Abilities())
BLUE: dict[str, Any] = {"colour": "blue"}


@pytest.mark.req("RUN-4", "RUN-13")
async def test_a_schema_answer_is_asked_for_and_read() -> None:
    model = Model([BLUE])
    answer = await tasks_of(model).answer(COLOUR, SKY)
    assert (answer.value.colour, answer.requests, answer.rescued) == ("blue", 1, False)
    ask = model.asked[0]
    assert ask.schema_name == "colour"
    assert ask.schema is not None
    assert ask.schema["required"] == ["colour"]
    assert ask.schema["additionalProperties"] is False
    assert [message["role"] for message in ask.messages] == ["system", "user", "assistant", "user"]
    assert json.loads(ask.messages[2]["content"]) == {"colour": "green"}
    assert ask.settings == {"max_tokens": 1200, "temperature": 0.2}


def test_a_schema_holds_nothing_by_reference() -> None:
    async def ask() -> Ask:
        model = Model([{"shades": []}])
        await tasks_of(model).answer(SHADES, SKY)
        return model.asked[0]

    schema = json.dumps(asyncio.run(ask()).schema)
    assert "$ref" not in schema
    assert '"maxItems": 50' in schema
    assert '"required": ["name", "dark"]' in schema


async def test_a_tool_is_forced_and_its_examples_are_calls() -> None:
    model = Model([said(tool="colour", arguments='{"colour": "blue"}')])
    answer = await tasks_of(model, endpoint=TOOL).answer(COLOUR, SKY)
    assert answer.value.colour == "blue"
    ask = model.asked[0]
    assert ask.tool_choice == {"type": "function", "function": {"name": "colour"}}
    assert [message["role"] for message in ask.messages] == ["system", "user", "assistant", "tool", "user"]


@pytest.mark.parametrize("text", ['{"colour": "blue"}', '```json\n{"colour": "blue"}\n```'])
async def test_text_is_read_strictly_but_for_its_fence(text: str) -> None:
    model = Model([said(text)])
    answer = await tasks_of(model, endpoint=TEXT).answer(COLOUR, SKY)
    assert answer.value.colour == "blue"
    assert '"additionalProperties": false' in model.asked[0].messages[0]["content"]


async def test_without_a_system_message_the_instructions_come_first() -> None:
    model = Model([BLUE])
    without = replace(SCHEMA, abilities=Abilities(schema=True, system_first=False))
    await tasks_of(model, endpoint=without).answer(COLOUR, SKY)
    assert model.asked[0].messages[0] == {"role": "user", "content": "Name the colour.\n\nGrass."}


@pytest.mark.parametrize(
    "wrong",
    [
        said("Blue, I think."),
        said('{"colour": 3}'),
        said("[1]"),
        said('{"colour": "a name that is far longer than twenty"}'),
    ],
)
@pytest.mark.parametrize("language", ["en", "zh-hans"])
async def test_a_wrong_answer_goes_back_with_the_reason(wrong: Reply, language: str) -> None:
    model = Model([wrong, BLUE])
    answer = await tasks_of(model, language=language).answer(COLOUR, SKY)
    assert (answer.value.colour, answer.requests) == ("blue", 2)
    back = model.asked[1].messages[-2:]
    assert back[0] == {"role": "assistant", "content": wrong.text}
    assert back[1]["content"].startswith("This answer" if language == "en" else "这个回答")


async def test_a_check_refuses_with_its_own_reason() -> None:
    def not_red(value: Colour) -> None:
        if value.colour == "red":
            raise Rejected("The sky is not red.")

    model = Model([{"colour": "red"}, BLUE])
    answer = await tasks_of(model).answer(COLOUR, SKY, not_red)
    assert answer.value.colour == "blue"
    assert "The sky is not red." in model.asked[1].messages[-1]["content"]


async def test_so_many_answers_and_no_more() -> None:
    model = Model([{"colour": n} for n in range(9)])
    with pytest.raises(TaskFailed) as raised:
        await tasks_of(model).answer(COLOUR, SKY)
    assert raised.value.code == "task.rejected"
    assert len(model.asked) == 3
    assert raised.value.hint


async def test_the_same_wrong_answer_twice_is_enough() -> None:
    model = Model([{"colour": 3}])
    with pytest.raises(TaskFailed):
        await tasks_of(model).answer(COLOUR, SKY)
    assert len(model.asked) == 2


@pytest.mark.req("RUN-6")
async def test_prose_to_the_limit_is_stopped_at_once() -> None:
    model = Model([said("Let me tell you of the sky", finish="length")])
    with pytest.raises(TaskFailed) as raised:
        await tasks_of(model, endpoint=TOOL).answer(COLOUR, SKY)
    assert raised.value.code == "task.prose"
    assert len(model.asked) == 1


@pytest.mark.req("RUN-6")
async def test_a_cut_answer_is_not_asked_for_again() -> None:
    model = Model([said('{"colour": "bl', finish="length")])
    with pytest.raises(TaskFailed) as raised:
        await tasks_of(model).answer(COLOUR, SKY)
    assert raised.value.code == "task.cut"
    assert len(model.asked) == 1


@pytest.mark.req("VAR-4")
@pytest.mark.parametrize(
    "end", ['{"na', '{"name": "umb', '{"name": "umber"', '{"name": "umber", "dark": tr', '{"name": "umber"}']
)
async def test_a_cut_list_keeps_its_whole_items(end: str) -> None:
    whole = '{"shades": [{"name": "sepia", "dark": true}, {"name": "sand", "dark": false}, '
    model = Model([said(whole + end, finish="length")])
    answer = await tasks_of(model).answer(SHADES, SKY)
    assert answer.rescued
    assert [shade.name for shade in answer.value.shades] == ["sepia", "sand"]


async def test_a_cut_list_without_a_whole_item_is_no_answer() -> None:
    model = Model([said('{"shades": [{"name": "sep', finish="length")])
    with pytest.raises(TaskFailed):
        await tasks_of(model).answer(SHADES, SKY)


async def test_prose_that_is_whole_is_told_to_call_the_tool() -> None:
    model = Model([said("Blue."), said(tool="colour", arguments='{"colour": "blue"}')])
    answer = await tasks_of(model, endpoint=TOOL).answer(COLOUR, SKY)
    assert answer.requests == 2
    assert "Call the tool colour." in model.asked[1].messages[-1]["content"]


async def test_another_tool_is_told_that_there_is_one() -> None:
    model = Model([said(tool="paint", arguments="{}"), said(tool="colour", arguments='{"colour": "blue"}')])
    await tasks_of(model, endpoint=TOOL).answer(COLOUR, SKY)
    assert "There is only the tool colour." in model.asked[1].messages[-1]["content"]


async def test_arguments_written_as_text_count() -> None:
    model = Model([said('{"colour": "blue"}')])
    answer = await tasks_of(model, endpoint=TOOL).answer(COLOUR, SKY)
    assert (answer.value.colour, answer.requests) == ("blue", 1)


async def test_a_form_that_is_refused_is_left_for_good() -> None:
    refused = ModelFault("refused", status=400)
    model = Model([refused, said(tool="colour", arguments='{"colour": "blue"}')])
    tasks = tasks_of(model)
    assert (await tasks.answer(COLOUR, SKY)).value.colour == "blue"
    await tasks.answer(COLOUR, replace(SKY, text="The sea."))
    assert [ask.schema is not None for ask in model.asked] == [True, False, False]


async def test_a_service_that_takes_no_form_halts() -> None:
    model = Model([ModelFault("refused", status=400)])
    with pytest.raises(ModelFault):
        await tasks_of(model).answer(COLOUR, SKY)
    assert len(model.asked) == 3, "schema, tool, text"


@pytest.mark.parametrize(
    ("outcome", "code"),
    [("empty", "task.empty"), ("too-long", "task.too-long"), ("too-large", "task.too-large")],
)
async def test_a_fault_of_one_question_is_its_failure(outcome: Any, code: str) -> None:
    kept = MemoryKept()
    with pytest.raises(TaskFailed) as raised:
        await tasks_of(Model([ModelFault(outcome)]), kept=kept).answer(COLOUR, SKY, title="Sky", about="e:1")
    assert raised.value.code == code
    (record,) = kept.records.values()
    assert (record.state, record.code, record.title, record.about) == ("failed", code, "Sky", "e:1")


@pytest.mark.parametrize(
    "outcome", ["key-refused", "unreachable", "rate-limited", "overloaded", "unfinished"]
)
async def test_a_fault_of_the_endpoint_halts_and_is_not_kept(outcome: Any) -> None:
    kept = MemoryKept()
    with pytest.raises(ModelFault):
        await tasks_of(Model([ModelFault(outcome)]), kept=kept).answer(COLOUR, SKY)
    assert kept.records == {}


async def test_a_fault_that_passes_is_waited_out() -> None:
    model = Model([ModelFault("overloaded"), ModelFault("unfinished"), BLUE])
    assert (await tasks_of(model).answer(COLOUR, SKY)).requests == 3


async def test_what_the_app_refuses_passes_through() -> None:
    model = Model([DomainError("not-found", "gone")])
    with pytest.raises(DomainError) as raised:
        await tasks_of(model).answer(COLOUR, SKY)
    assert raised.value.code == "gone"


@pytest.mark.req("RUN-9")
async def test_an_answer_is_asked_for_once() -> None:
    kept, model = MemoryKept(), Model([BLUE])
    await tasks_of(model, kept=kept).answer(COLOUR, SKY)
    again = await tasks_of(model, kept=kept, endpoint=TOOL).answer(COLOUR, SKY)
    assert (again.value.colour, again.requests, len(model.asked)) == ("blue", 0, 1)
    (record,) = kept.records.values()
    assert (record.tokens_in, record.tokens_out, record.requests) == (100, 10, 1)


@pytest.mark.req("RUN-9")
@pytest.mark.parametrize(
    ("task", "question"),
    [
        (COLOUR, replace(SKY, text="The sea.")),
        (COLOUR, replace(SKY, instructions="Name it.")),
        (COLOUR, replace(SKY, examples=())),
        (SHADES, SKY),
    ],
)
async def test_what_differs_in_anything_is_another_question(task: Task[Any], question: Question) -> None:
    kept, model = MemoryKept(), Model([BLUE, {"colour": "grey", "shades": []}])
    tasks = tasks_of(model, kept=kept)
    await tasks.answer(COLOUR, SKY)
    await tasks.answer(task, question)
    assert len(model.asked) == 2


@pytest.mark.req("RUN-9")
async def test_a_kept_answer_that_a_check_refuses_by_now_is_asked_anew() -> None:
    def never(value: Colour) -> None:
        if value.colour == "blue":
            raise Rejected("No more.")

    kept, model = MemoryKept(), Model([BLUE, {"colour": "grey"}])
    await tasks_of(model, kept=kept).answer(COLOUR, SKY)
    answer = await tasks_of(model, kept=kept).answer(COLOUR, SKY, never)
    assert answer.value.colour == "grey"


@pytest.mark.req("RUN-9")
async def test_a_kept_failure_is_not_asked_again() -> None:
    kept, model = MemoryKept(), Model([said('{"colour": "bl', finish="length")])
    for _ in range(2):
        with pytest.raises(TaskFailed) as raised:
            await tasks_of(model, kept=kept).answer(COLOUR, SKY)
        assert raised.value.code == "task.cut"
    assert len(model.asked) == 1


async def test_the_same_question_at_once_is_asked_once() -> None:
    model = Model([BLUE])
    tasks = tasks_of(model)
    answers = await together(tasks.answer(COLOUR, SKY), tasks.answer(COLOUR, SKY))
    assert sorted(answer.requests for answer in answers) == [0, 1]


async def test_a_model_that_does_not_manage_ends_soon() -> None:
    model = Model([said("{", finish="length")])
    tasks = tasks_of(model)
    codes = []
    for number in range(MOST_FAILURES):
        with pytest.raises(DomainError) as raised:
            await tasks.answer(COLOUR, replace(SKY, text=str(number)))
        codes.append(raised.value.code)
    assert codes == ["task.cut"] * (MOST_FAILURES - 1) + ["task.hopeless"]


async def test_one_good_answer_gives_the_model_its_credit_back() -> None:
    cut = said("{", finish="length")
    model = Model([cut, cut, cut, cut, BLUE, cut, cut, cut, cut])
    tasks = tasks_of(model)
    for number in range(9):
        with contextlib.suppress(TaskFailed):
            await tasks.answer(COLOUR, replace(SKY, text=str(number)))
    assert len(model.asked) == 9


@pytest.mark.req("RUN-4")
async def test_at_most_so_many_run_at_once() -> None:
    running, most = 0, 0

    async def call(ask: Ask) -> Reply:
        nonlocal running, most
        running += 1
        most = max(most, running)
        for _ in range(5):
            await asyncio.sleep(0)
        running -= 1
        return said('{"colour": "blue"}')

    tasks = tasks_of(call, settings=TaskSettings(at_once=3))
    await together(*(tasks.answer(COLOUR, replace(SKY, text=str(n))) for n in range(20)))
    assert most == 3


@pytest.mark.req("RUN-5", "RUN-13")
@pytest.mark.parametrize(
    ("settings", "context", "tokens"),
    [
        (TaskSettings(), None, 1200),
        (TaskSettings(reasoning="high"), None, 12_200),
        (TaskSettings(reasoning="high", ceiling=900), None, 900),
        (TaskSettings(reasoning="medium"), 500_000, 6200),
    ],
)
async def test_the_cap_is_the_budget_and_the_room_below_the_ceiling(
    settings: TaskSettings, context: int | None, tokens: int
) -> None:
    model = Model([BLUE])
    endpoint = replace(SCHEMA, context_length=context)
    await tasks_of(model, settings=settings, endpoint=endpoint).answer(COLOUR, SKY)
    assert model.asked[0].settings["max_tokens"] == tokens
    assert ("reasoning_effort" in model.asked[0].settings) == (settings.reasoning != "off")


@pytest.mark.req("RUN-5")
def test_the_ceiling_is_a_tenth_of_the_context_and_at_least_16_000() -> None:
    big = TaskSettings()
    assert big.tokens_for(10**9, replace(SCHEMA, context_length=1_000_000)) == 100_000
    assert big.tokens_for(10**9, replace(SCHEMA, context_length=32_000)) == 16_000
    assert big.tokens_for(10**9, SCHEMA) == 16_000


async def test_the_first_failure_ends_the_others_and_is_raised_plainly() -> None:
    ended = asyncio.Event()

    async def waits() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async def fails() -> None:
        raise ModelFault("key-refused")

    with pytest.raises(ModelFault):
        await together(waits(), fails())
    assert ended.is_set()
