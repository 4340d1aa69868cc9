"""The generation parameters of a preset, read from the names SillyTavern gives them (PRE-11, D24)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from formats.leniency import boolean, number
from formats.preset.model import Generation, camel
from formats.preset.telling import Tally

FILE_NAMES: Final[Mapping[str, str]] = {
    "temperature": "temperature",
    "top_p": "top_p",
    "top_k": "top_k",
    "min_p": "min_p",
    "frequency_penalty": "frequency_penalty",
    "presence_penalty": "presence_penalty",
    "repetition_penalty": "repetition_penalty",
    "max_context_tokens": "openai_max_context",
    "max_output_tokens": "openai_max_tokens",
    "stream": "stream_openai",
    "verbosity": "verbosity",
    "seed": "seed",
    "variants": "n",
    "reasoning_effort": "reasoning_effort",
}
"""Our name, and that of the file."""

RUNTIME_NAMES: Final[Mapping[str, str]] = {
    "temperature": "temp_openai",
    "frequency_penalty": "freq_pen_openai",
    "presence_penalty": "pres_pen_openai",
    "top_p": "top_p_openai",
    "top_k": "top_k_openai",
    "min_p": "min_p_openai",
    "repetition_penalty": "repetition_penalty_openai",
}
"""How SillyTavern's settings name them: a preset cut out of a settings file has these."""

TEXTS: Final = frozenset({"verbosity", "reasoning_effort"})
SWITCHES: Final = frozenset({"stream"})


def read_generation(raw: Mapping[str, Any], tally: Tally) -> Generation:
    """The parameters of a preset file; a value that is none is told and left out."""
    names = dict(FILE_NAMES)
    for name, runtime in RUNTIME_NAMES.items():
        if FILE_NAMES[name] not in raw and runtime in raw:
            names[name] = runtime
            tally.add("runtime-names", runtime)
    return _generation(raw, names, tally)


def read_native_generation(raw: Any, tally: Tally) -> Generation:
    """The parameters of a preset in our own form, where they have our own names."""
    if not isinstance(raw, Mapping):
        return Generation()
    return _generation(raw, {name: camel(name) for name in FILE_NAMES}, tally)


def _generation(raw: Mapping[str, Any], names: Mapping[str, str], tally: Tally) -> Generation:
    values: dict[str, Any] = {}
    for name, file_name in names.items():
        given = raw.get(file_name)
        if given is None or given == "":
            continue
        value = _value(name, given)
        if value is None:
            tally.add("parameter-unusable", file_name)
        else:
            values[name] = value
    return Generation(**values)


def _value(name: str, given: Any) -> Any:
    if name in TEXTS:
        return given if isinstance(given, str) else None
    return boolean(given) if name in SWITCHES else number(given)
