"""The generation parameters as an endpoint takes them; what it does not take is named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, get_args

from formats.preset.model import Generation

EndpointKind = Literal["openai", "openai-compatible", "anthropic", "google"]
ENDPOINT_KINDS: Final[tuple[EndpointKind, ...]] = get_args(EndpointKind)
"""`openai` is OpenAI's own service, which refuses fields it does not know; compatible servers take more."""

_OPENAI: Final = {
    "temperature": "temperature",
    "top_p": "top_p",
    "frequency_penalty": "frequency_penalty",
    "presence_penalty": "presence_penalty",
    "max_output_tokens": "max_tokens",
    "stream": "stream",
    "verbosity": "verbosity",
    "seed": "seed",
    "variants": "n",
}
WIRE_NAMES: Final[Mapping[EndpointKind, Mapping[str, str]]] = {
    "openai": _OPENAI,
    "openai-compatible": {
        **_OPENAI,
        "top_k": "top_k",
        "min_p": "min_p",
        "repetition_penalty": "repetition_penalty",
    },
    "anthropic": {
        "temperature": "temperature",
        "top_p": "top_p",
        "top_k": "top_k",
        "max_output_tokens": "max_tokens",
        "stream": "stream",
    },
    "google": {
        "temperature": "temperature",
        "top_p": "topP",
        "top_k": "topK",
        "frequency_penalty": "frequencyPenalty",
        "presence_penalty": "presencePenalty",
        "max_output_tokens": "maxOutputTokens",
        "seed": "seed",
        "variants": "candidateCount",
    },
}
USED_HERE: Final = frozenset({"max_context_tokens"})
"""What bounds the messages, and is no field of a request; Google's streaming is an address of its own."""
HIGHEST: Final[Mapping[EndpointKind, Mapping[str, float]]] = {"anthropic": {"temperature": 1}}


@dataclass(frozen=True, slots=True)
class Parameters:
    """The fields of a request; by our names, what the endpoint does not take and what was too high."""

    values: dict[str, Any] = field(default_factory=dict)
    not_taken: tuple[str, ...] = ()
    lowered: Mapping[str, float] = field(default_factory=dict)


def parameters_for(generation: Generation, kind: EndpointKind) -> Parameters:
    """Map what is meant to be sent (no value that means "not set", and never a reasoning effort)."""
    names, highest = WIRE_NAMES[kind], HIGHEST.get(kind, {})
    values: dict[str, Any] = {}
    not_taken: list[str] = []
    lowered: dict[str, float] = {}
    for name, value in generation.meant().items():
        if name in highest and name in names and value > highest[name]:
            lowered[name] = value = highest[name]
        if name in names:
            values[names[name]] = value
        elif name not in USED_HERE and (name, kind) != ("stream", "google"):
            not_taken.append(name)
    return Parameters(values, tuple(not_taken), lowered)
