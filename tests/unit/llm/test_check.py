"""Testing an endpoint in three steps, and finding what it can do."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from llm.abilities import NAME, find_abilities
from llm.check import check_endpoint
from llm.client import ModelClient
from llm.clients import Clients
from llm.endpoint import Abilities, Endpoint
from llm.limits import Deadlines
from llm.scripted import Line, Rule, Script
from tests.support.canned import canned
from tests.support.models import KEY, PATIENT, talking

YES = Line("Yes.")
ANSWER = {"choices": [{"message": {"role": "assistant", "content": "Yes."}, "finish_reason": "stop"}]}


async def states(script: Script | Line, **change: Any) -> tuple[list[str], str, list[str]]:
    async with talking(script) as talk:
        check = await check_endpoint(talk.client, replace(talk.endpoint, **change))
    assert check.works is (check.reply is not None)
    return [step.state for step in check.steps], check.outcome, [step.said for step in check.steps]


async def test_an_endpoint_that_works_passes_all_three_steps() -> None:
    async with talking(YES) as talk:
        check = await check_endpoint(talk.client, talk.endpoint)
    assert [(step.name, step.state) for step in check.steps] == [
        ("reach", "passed"),
        ("models", "passed"),
        ("reply", "passed"),
    ]
    assert check.works
    assert [model.id for model in check.models] == ["scripted"]
    assert [step.finding.text.partition(" within")[0] for step in check.steps] == [
        "Somebody answers at this address.",
        "The service lists one model.",
        "scripted answered",
    ]
    (asked,) = talk.model.asked
    assert asked.value["max_tokens"] == 5


async def test_without_a_model_the_first_of_the_list_is_asked() -> None:
    script = Script((Rule((YES,), model="first"),), models=("first", "second"))
    assert (await states(script, model=""))[1] == "ok"


async def test_a_service_that_thinks_for_all_of_its_tokens_works() -> None:
    assert (await states(Line(thinking="Well then", fault="finish-length")))[1] == "cut"


async def test_a_wrong_key_ends_the_test_with_the_services_own_words() -> None:
    assert await states(YES, key="wrong-key") == (
        ["passed", "failed", "skipped"],
        "key-refused",
        ["", "Incorrect API key provided.", ""],
    )


async def test_a_service_without_a_list_may_still_answer() -> None:
    async with canned({"/v1/chat/completions": ANSWER}) as server:
        client = Clients([server.address], deadlines=PATIENT).here()
        check = await check_endpoint(client, Endpoint("openai", f"{server.address}/v1", "m", KEY))
    assert [step.state for step in check.steps] == ["passed", "failed", "passed"]
    assert check.works


async def test_no_list_and_no_model_leaves_nothing_to_ask() -> None:
    assert await states(Script((), models=()), model="") == (
        ["passed", "passed", "failed"],
        "not-found",
        [""] * 3,
    )


@pytest.mark.parametrize("fault", ["429", "500", "error-event", "404-model", "null-content", "html-200"])
async def test_a_reply_that_fails_is_told(fault: str) -> None:
    found, outcome, _ = await states(Line(fault=fault, seconds=5))
    assert found == ["passed", "passed", "failed"]
    assert outcome not in ("ok", "cut")


async def test_nobody_there_ends_the_test_at_once(client_of_nobody: tuple[ModelClient, str]) -> None:
    client, address = client_of_nobody
    check = await check_endpoint(client, Endpoint("openai", address, "m", KEY))
    assert [step.state for step in check.steps] == ["failed", "skipped", "skipped"]
    assert check.outcome == "unreachable"
    refused = await check_endpoint(client, Endpoint("openai", "http://127.0.0.1:1/v1", "m", KEY))
    assert refused.outcome == "not-allowed"


async def test_an_address_without_its_version_is_helped() -> None:
    async with talking(YES) as talk:
        bare = replace(talk.endpoint, base_url=talk.model.address.removesuffix("/v1"))
        check = await check_endpoint(talk.client, bare)
    assert check.steps[1].finding.args["address"] == talk.model.address


# --- abilities ---

COLOUR = Line(answer={"colour": "blue"})


def rules(schema: Line = COLOUR, tool: Line = COLOUR, *others: Rule) -> Script:
    """`name_colour` is asked as a schema first, as a tool after it."""
    return Script((Rule((schema, tool), task=NAME), *others, Rule((YES,))))


async def abilities(script: Script, deadlines: Deadlines = PATIENT) -> tuple[Abilities, list[str]]:
    async with talking(script, deadlines=deadlines) as talk:
        found = await find_abilities(talk.client, talk.endpoint)
    return found.abilities, [f"{finding.where}: {finding.code}" for finding in found.findings]


async def test_a_service_that_can_all_of_it() -> None:
    found, findings = await abilities(rules())
    assert found == Abilities(tools=True, schema=True, streaming=True, system_first=True, many_systems=True)
    assert findings == []
    assert found.answer_form == "schema"


@pytest.mark.parametrize(
    ("line", "can"),
    [(Line("A blue sky."), False), (Line(fault="400"), False), (Line(answer={"colour": "red"}), False),
     (Line('{"colour": "bl', finish="length"), None), (Line(fault="500"), False),
     (Line(fault="503"), None),
     (Line(fault="slow-first-byte", seconds=60), None)],
)  # fmt: skip
async def test_a_service_that_does_not_hold_to_a_schema(line: Line, can: bool | None) -> None:
    found, _ = await abilities(rules(schema=line), replace(PATIENT, first=2) if line.seconds else PATIENT)
    assert (found.schema, found.tools) == (can, True)
    assert found.answer_form == "tool"


@pytest.mark.parametrize(
    "line", [Line("Blue."), Line(fault="tool-args-not-json"), Line(fault="unknown-tool"), Line(fault="400")]
)
async def test_a_service_without_tools(line: Line) -> None:
    found, _ = await abilities(rules(Line("Blue."), line))
    assert (found.tools, found.answer_form) == (False, "text")


async def test_a_service_that_takes_one_system_message_only() -> None:
    several = Rule((Line(fault="400"),), contains="Be kind.")
    found, findings = await abilities(rules(COLOUR, COLOUR, several))
    assert (found.system_first, found.many_systems) == (True, False)
    assert findings == ["many_systems: model.ability.refused"]


async def test_a_service_that_does_not_stream() -> None:
    found, _ = await abilities(rules(COLOUR, COLOUR, Rule((Line("Yes.", fault="gzip"), YES))))
    assert found.streaming is False


async def test_nothing_more_is_asked_when_the_limit_is_reached() -> None:
    async with talking(Line(fault="429", seconds=60)) as talk:
        found = await find_abilities(talk.client, talk.endpoint)
    assert found.abilities == Abilities()
    assert len(talk.model.asked) == 1
