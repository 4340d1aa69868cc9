"""Generation parameters, the level of merging, tool policy: what a file says and what is kept of it."""

from __future__ import annotations

from typing import Any

import pytest

from formats.preset import read_preset
from formats.preset.generation import FILE_NAMES
from formats.preset.model import Generation, camel
from tests.support.preset_files import usual

ALL: dict[str, Any] = {
    "temperature": 0.8,
    "top_p": 0.9,
    "top_k": 40,
    "min_p": 0.05,
    "frequency_penalty": 0.1,
    "presence_penalty": 0.2,
    "repetition_penalty": 1.1,
    "openai_max_context": 32000,
    "openai_max_tokens": 2000,
    "stream_openai": True,
    "verbosity": "low",
    "seed": 12,
    "n": 2,
}


def codes(report: Any) -> dict[str, Any]:
    return {finding.code: finding for finding in report.findings}


@pytest.mark.req("PRE-11")
def test_all_thirteen_are_read() -> None:
    package, report = read_preset(usual(**ALL))
    assert package.generation.to_json() == {
        "temperature": 0.8,
        "topP": 0.9,
        "topK": 40,
        "minP": 0.05,
        "frequencyPenalty": 0.1,
        "presencePenalty": 0.2,
        "repetitionPenalty": 1.1,
        "maxContextTokens": 32000,
        "maxOutputTokens": 2000,
        "stream": True,
        "verbosity": "low",
        "seed": 12,
        "variants": 2,
    }
    assert package.raw is not None
    assert {name: package.raw[name] for name in ALL} == ALL
    kept = {line.file_name for line in report.parameters if not line.sent}
    assert kept == {"openai_max_context", "n"}, "one answer is asked for at a time"


@pytest.mark.req("PRE-11")
@pytest.mark.parametrize(
    ("name", "value"), [("seed", -1), ("top_k", 0), ("min_p", 0), ("repetition_penalty", 1), ("n", 1)]
)
def test_values_for_not_set_are_kept_and_not_meant_row_49(name: str, value: int) -> None:
    package, report = read_preset(usual(**{name: value}))
    assert list(package.generation.given().values()) == [value]
    assert package.generation.meant() == {}
    (line,) = report.parameters
    assert (line.sent, line.value, line.file_name) == (False, value, name)


@pytest.mark.req("PRE-11")
def test_effort_is_read_and_never_meant_row_50() -> None:
    package, report = read_preset(usual(reasoning_effort="max"))
    assert package.generation.reasoning_effort == "max"
    assert package.generation.meant() == {}
    assert [line.sent for line in report.parameters] == [False]
    assert [one.args["value"] for one in report.differences if one.code == "effort"] == ["max"]
    assert "reasoning_effort" in {one.path for one in report.unsupported}


def test_odd_values() -> None:
    package, report = read_preset(
        usual(temperature="0.7", top_p="much", stream_openai="yes", n=None, seed="")
    )
    assert package.generation == Generation(temperature=0.7, stream=True)
    assert codes(report)["parameter-unusable"].args["names"] == "top_p"


def test_zero_is_a_temperature() -> None:
    assert read_preset(usual(temperature=0))[0].generation.meant() == {"temperature": 0}


def test_every_parameter_has_a_name_in_the_file() -> None:
    assert set(FILE_NAMES) == set(Generation.__slots__)
    assert camel("max_context_tokens") == "maxContextTokens"


@pytest.mark.req("PRE-7")
@pytest.mark.parametrize(
    ("value", "level"),
    [
        (True, "merge"),
        (False, "none"),
        ("none", "none"),
        ("merge", "merge"),
        ("semi", "semi"),
        ("Strict", "strict"),
        ("single-user-turn", "single-user-turn"),
        ("single_user_turn", "single-user-turn"),
        (0, "none"),
        (1, "merge"),
        (2, "semi"),
        (3, "strict"),
        (4, "single-user-turn"),
    ],
)
def test_levels_of_merging(value: Any, level: str) -> None:
    package, report = read_preset(usual(squash_system_messages=value))
    assert package.message_policy is not None
    assert package.message_policy.to_json() == {"squash": level}
    assert package.squash == level
    assert "squash-unreadable" not in codes(report)


@pytest.mark.req("PRE-7")
@pytest.mark.parametrize("value", [5, -1, 1.5, "single", "yes", None, [], {}])
def test_any_other_value_counts_as_missing(value: Any) -> None:
    package, report = read_preset(usual(squash_system_messages=value))
    assert package.message_policy is None
    assert package.squash == "strict"
    assert "squash-unreadable" in codes(report)
    assert "messagePolicy" not in package.to_json()


@pytest.mark.req("PRE-7")
def test_a_missing_field_writes_no_policy_row_42() -> None:
    file = usual()
    del file["squash_system_messages"]
    package, report = read_preset(file)
    assert package.message_policy is None
    assert package.squash == "strict"
    assert [one.code for one in report.differences] == ["squash-missing"]


@pytest.mark.parametrize(
    ("value", "mode"),
    [("app", "app"), ({"mode": "preset"}, "preset"), ("other", "adapt"), (None, "adapt"), ([], "adapt")],
)
def test_tool_policy(value: Any, mode: str) -> None:
    assert read_preset(usual(toolPolicy=value))[0].tool_policy.mode == mode
    assert read_preset(usual())[0].tool_policy.mode == "adapt"
