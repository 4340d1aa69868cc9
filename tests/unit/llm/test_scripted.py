"""The scripted model plays what is written, and nothing else."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from llm.clients import Clients
from llm.endpoint import Endpoint
from llm.faults import ModelFault
from llm.scripted import Line, Rule, Said, Script
from tests.support.models import HELLO, PATIENT, talking

FILE = {
    "models": ["small"],
    "rules": [
        {"task": "survey", "lines": [{"answer": {"kind": "place"}}, {"text": "no more", "fault": "500"}]},
        {"contains": "door", "lines": [{"calls": [{"name": "look", "arguments": "{}"}]}]},
        {"lines": [{"text": "Hello.", "thinking": "Who?", "seconds": 0.5}]},
    ],
}


def test_a_script_is_read_from_a_file() -> None:
    assert Script.from_json(FILE) == Script(
        (
            Rule((Line(answer={"kind": "place"}), Line("no more", fault="500")), task="survey"),
            Rule((Line(calls=(Said("look", "{}"),)),), contains="door"),
            Rule((Line("Hello.", thinking="Who?", seconds=0.5),)),
        ),
        ("small",),
    )


@pytest.mark.parametrize("value", [{}, {"rules": [{}]}, {"rules": [{"lines": [{"txt": "?"}]}]}])
def test_what_is_no_script_is_refused(value: dict[str, object]) -> None:
    with pytest.raises((KeyError, TypeError)):
        Script.from_json(value)


async def test_rules_are_chosen_by_task_words_and_model_and_lines_follow_each_other() -> None:
    script = Script(
        (
            Rule((Line("first"), Line("then")), contains="Hello"),
            Rule((Line("big"),), model="large"),
        )
    )
    async with talking(script) as talk:
        said = [(await talk.client.reply(talk.endpoint, HELLO)).text for _ in range(3)]
        other = replace(HELLO, messages=({"role": "user", "content": "Bye"},))
        large = await talk.client.reply(talk.endpoint.with_model("large"), other)
        with pytest.raises(ModelFault) as raised:
            await talk.client.reply(talk.endpoint, other)
    assert said == ["first", "then", "then"]
    assert large.text == "big"
    assert raised.value.said == "No line of the script fits: task ''."


async def test_what_is_sent_to_it_is_kept_byte_for_byte() -> None:
    async with talking(Line("Yes.")) as talk:
        reply = await talk.client.reply(talk.endpoint, HELLO)
    assert [(asked.method, asked.path, asked.body) for asked in talk.model.received] == [
        ("POST", "/v1/chat/completions", reply.sent)
    ]


async def test_it_runs_as_a_program(tmp_path: Path) -> None:
    path = tmp_path / "script.json"
    path.write_text(json.dumps(FILE))
    process = subprocess.Popen(
        [sys.executable, "-m", "llm.scripted", str(path)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        client = Clients([address], deadlines=PATIENT).here()
        reply = await client.reply(Endpoint("openai", address, "small"), HELLO)
    finally:
        process.kill()
        process.communicate()
    assert (reply.text, reply.thinking) == ("Hello.", "Who?")
