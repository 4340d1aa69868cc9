"""A request as JSON and as a line for a shell: what would be sent, and never the key."""

from __future__ import annotations

import json
import subprocess

import pytest

from formats.preset import assemble, read_preset
from formats.preset.context import AssemblyContext
from llm.asking import Ask
from llm.endpoint import Endpoint
from presets.pipeline.copies import RequestCopy, ask_of, copy_of
from tests.support.presets import harbour_preset

KEY = "sk-very-secret-key-000000"
QUOTES = """It's "quoted" $(rm -rf ~) `id` \\ $API_KEY 雾"""


def made(kind: str = "openai", address: str = "https://ana:pw@models.invalid/v1?key=hidden") -> RequestCopy:
    package, _report = read_preset(harbour_preset())
    assembly = assemble(package, AssemblyContext(current_turn=QUOTES))
    endpoint = Endpoint(kind, address, "big-model", KEY)  # type: ignore[arg-type]
    return copy_of(ask_of(assembly, package.generation), endpoint)


@pytest.mark.req("PRE-18")
def test_the_messages_of_the_copy_are_those_assembled() -> None:
    package, _report = read_preset(harbour_preset())
    assembly = assemble(package, AssemblyContext(current_turn=QUOTES))
    body = json.loads(made().as_json())
    assert body["messages"] == assembly.messages
    assert (body["model"], body["temperature"]) == ("big-model", 0.8)


@pytest.mark.req("PRE-11")
def test_what_is_sent_is_in_range_and_one_answer() -> None:
    file = {**harbour_preset(), "temperature": 7, "openai_max_tokens": -5, "n": 4}
    package, _report = read_preset(file)
    ask = ask_of(assemble(package, AssemblyContext()), package.generation)
    assert dict(ask.settings) == {"temperature": 2}


@pytest.mark.parametrize("kind", ["openai", "anthropic", "google"])
def test_no_key_is_in_a_copy(kind: str) -> None:
    copy = made(kind)
    for text in (copy.as_curl(), copy.as_json(), copy.address):
        assert KEY not in text
        assert "pw@" not in text
        assert "hidden" not in text
    assert '"$API_KEY"' in copy.as_curl()


def test_a_shell_reads_the_line_as_it_is_meant() -> None:
    line = made().as_curl().replace("curl ", "printf '%s\\0' ", 1)
    done = subprocess.run(
        ["sh", "-c", line], capture_output=True, check=True, env={"API_KEY": "k", "PATH": "/usr/bin:/bin"}
    )
    address, *rest = done.stdout.decode().split("\0")[:-1]
    assert address == "https://models.invalid/v1/chat/completions"
    assert "Authorization: Bearer k" in rest
    body = json.loads(rest[rest.index("--data-raw") + 1])
    assert QUOTES in [message["content"] for message in body["messages"]]


def test_what_was_asked_is_not_changed() -> None:
    ask = Ask(({"role": "user", "content": "x"},), {"temperature": 1, "repetition_penalty": 1.1})
    copy = copy_of(ask, Endpoint("anthropic", "https://models.invalid", "m"))
    assert "repetition_penalty" not in copy.body
    assert ask.settings["repetition_penalty"] == 1.1
