"""Generation parameters: what each kind of endpoint takes, and what is named instead."""

from __future__ import annotations

from typing import Any

import pytest

from formats.preset import AssemblyContext, assemble
from formats.preset.model import PARAMETERS, Generation
from formats.preset.parameters import ENDPOINT_KINDS, USED_HERE, EndpointKind, parameters_for
from tests.support.assembling import package_of

pytestmark = pytest.mark.req("PRE-11")

ALL = Generation(0.7, 0.9, 40, 0.05, 0.1, 0.2, 1.1, 8000, 500, True, "low", 5, 2, "high")


@pytest.mark.parametrize(
    ("kind", "not_taken"),
    [
        ("openai", {"top_k", "min_p", "repetition_penalty"}),
        ("openai-compatible", set()),
        (
            "anthropic",
            {
                "min_p",
                "frequency_penalty",
                "presence_penalty",
                "repetition_penalty",
                "verbosity",
                "seed",
                "variants",
            },
        ),
        ("google", {"min_p", "repetition_penalty", "verbosity"}),
    ],
)
def test_what_a_kind_of_endpoint_takes(kind: EndpointKind, not_taken: set[str]) -> None:
    found = parameters_for(ALL, kind)
    assert set(found.not_taken) == not_taken
    sent = set(PARAMETERS) - not_taken - USED_HERE - {"reasoning_effort"}
    assert len(found.values) == len(sent - ({"stream"} if kind == "google" else set()))


@pytest.mark.parametrize("kind", ENDPOINT_KINDS)
def test_values_that_mean_not_set_and_the_effort_are_never_sent(kind: EndpointKind) -> None:
    unset = Generation(seed=-1, top_k=0, min_p=0, repetition_penalty=1, variants=1, reasoning_effort="max")
    found = parameters_for(unset, kind)
    assert (found.values, found.not_taken) == ({}, ())


def test_names_of_the_wire() -> None:
    assert parameters_for(ALL, "google").values == {
        "temperature": 0.7,
        "topP": 0.9,
        "topK": 40,
        "frequencyPenalty": 0.1,
        "presencePenalty": 0.2,
        "maxOutputTokens": 500,
        "seed": 5,
        "candidateCount": 2,
    }


def test_a_temperature_that_an_endpoint_refuses_is_lowered() -> None:
    hot = Generation(temperature=1.4)
    assert parameters_for(hot, "anthropic").values == {"temperature": 1}
    assert parameters_for(hot, "openai").values == {"temperature": 1.4}


def test_the_rest_is_named() -> None:
    fields: dict[str, Any] = {"temperature": 1.4, "min_p": 0.1, "reasoning_effort": "low", "seed": 3}
    assembly = assemble(package_of(**fields), AssemblyContext(endpoint="anthropic"))
    assert [(one.code, one.where) for one in assembly.findings] == [
        ("generation.not-taken", "generation.min_p"),
        ("generation.not-taken", "generation.seed"),
        ("generation.lowered", "generation.temperature"),
        ("generation.effort", "generation.reasoning_effort"),
    ]
