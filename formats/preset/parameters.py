"""The generation parameters as an endpoint takes them; what it does not take is named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, get_args

from formats.preset.model import Generation
from formats.preset.ranges import Moved, fitted_to

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
VARIANTS: Final = frozenset(names["variants"] for names in WIRE_NAMES.values() if "variants" in names)
"""The fields that ask for several answers."""


@dataclass(frozen=True, slots=True)
class Parameters:
    """The fields of a request, and the same by our names; what the endpoint does not take, what had to be
    moved into its range, and what is not sent since its value says nothing."""

    values: dict[str, Any] = field(default_factory=dict)
    taken: dict[str, Any] = field(default_factory=dict)
    not_taken: tuple[str, ...] = ()
    moved: Mapping[str, Moved] = field(default_factory=dict)
    unusable: tuple[str, ...] = ()


def parameters_for(generation: Generation, kind: EndpointKind) -> Parameters:
    """Map what is meant to be sent (no value that means "not set", and never a reasoning effort)."""
    names = WIRE_NAMES[kind]
    taken: dict[str, Any] = {}
    not_taken: list[str] = []
    unusable: list[str] = []
    moves: dict[str, Moved] = {}
    for name, given in generation.meant().items():
        if name not in names:
            if name not in USED_HERE and (name, kind) != ("stream", "google"):
                not_taken.append(name)
            continue
        value, moved = fitted_to(name, given, kind)
        if value is None:
            unusable.append(name)
            continue
        taken[name] = value
        if moved:
            moves[name] = moved
    values = {names[name]: value for name, value in taken.items()}
    return Parameters(values, taken, tuple(not_taken), moves, tuple(unusable))
