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


@pytest.mark.parametrize("kind", ENDPOINT_KINDS)
@pytest.mark.parametrize(
    ("name", "given", "sent", "moved"),
    [
        ("temperature", 5, 2, "lowered"),
        ("temperature", -1, 0, "raised"),
        ("top_p", 1.5, 1, "lowered"),
        ("frequency_penalty", -3, -2, "raised"),
        ("presence_penalty", 10**400, 2, "lowered"),
        ("max_output_tokens", 300.7, 300, "rounded"),
        ("max_output_tokens", 300.0, 300, None),
        ("max_output_tokens", 10**18, 2**31 - 1, "lowered"),
        ("max_output_tokens", 0, None, None),
        ("max_output_tokens", -1, None, None),
        ("max_output_tokens", 0.5, None, None),
        ("top_k", -1, None, None),
        ("temperature", float("inf"), None, None),
        ("top_p", float("nan"), None, None),
        ("variants", 0, None, None),
        ("variants", 500, 128, "lowered"),
    ],
)
def test_values_of_a_file_come_into_the_range(
    kind: EndpointKind, name: str, given: Any, sent: float | None, moved: str | None
) -> None:
    narrower = {("anthropic", "temperature"): 1, ("google", "variants"): 8}
    if sent and (most := narrower.get((kind, name))):
        sent = min(sent, most)
    found = parameters_for(Generation(**{name: given}), kind)
    if name in found.not_taken:
        return
    assert found.taken.get(name) == sent
    assert type(found.taken.get(name)) is type(sent)
    assert found.moved.get(name) == moved
    assert (name in found.unusable) == (sent is None)


def test_what_is_moved_or_not_sent_is_told() -> None:
    package = package_of(temperature=-1, openai_max_tokens=0, top_k=4.5)
    assembly = assemble(package, AssemblyContext())
    told = {one.code: one.text for one in assembly.findings if one.code.startswith("generation.")}
    assert told.keys() == {"generation.raised", "generation.rounded", "generation.unusable"}
    assert "max_output_tokens is not sent: its value 0" in told["generation.unusable"]
    assert assembly.parameters == {"temperature": 0, "top_k": 4}


def test_the_rest_is_named() -> None:
    fields: dict[str, Any] = {"temperature": 1.4, "min_p": 0.1, "reasoning_effort": "low", "seed": 3}
    assembly = assemble(package_of(**fields), AssemblyContext(endpoint="anthropic"))
    assert [(one.code, one.where) for one in assembly.findings] == [
        ("generation.not-taken", "generation.min_p"),
        ("generation.not-taken", "generation.seed"),
        ("generation.lowered", "generation.temperature"),
        ("generation.effort", "generation.reasoning_effort"),
    ]
