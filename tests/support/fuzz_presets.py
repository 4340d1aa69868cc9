"""Damaged presets for the long fuzz, and what must hold for each."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import Any

from formats.preset import PresetError, PresetPackage, read_preset, sillytavern_of
from tests.support.mutations import Mutator
from tests.support.preset_files import marker, place, prompt, usual

MARKERS = [marker("personaDescription"), marker("charDescription"), marker("worldInfoBefore", role="")]
FULL = usual(
    prompt("rules", "<rules>{{setvar::mood::calm}}{{// a {{user}} }}", role="user"),
    *MARKERS,
    prompt("deep", "{{getvar::mood}} {{roll:2d6+1}}", injection_position=1, injection_depth=0),
    after=[
        prompt(
            "late", "</rules> %TOOL_NAME% stream_target = shown", enabled=False, injection_trigger=["swipe"]
        )
    ],
    temperature=0.8,
    seed=-1,
    names_behavior=2,
    assistant_prefill="Once",
    proxy_password="a secret of nobody",
    extensions={
        "regex_scripts": [{"scriptName": "x", "findRegex": "/(/", "placement": [2], "promptOnly": True}],
        "SPreset": {"ToolBindings": [{"form": {"name": "w", "parameters": {"a": {"type": "string"}}}}]},
        "tavern_helper": {"scripts": [{"name": "y", "content": "import 'z'"}]},
    },
)
MANAGER = {
    "version": 1,
    "type": "full",
    "data": {"prompts": [prompt("a", "x")], "prompt_order": [place("a"), place("chatHistory")]},
}
OLD = {"main_prompt": "Main.", "nsfw_prompt": "", "jailbreak_prompt": "Break.", "temperature": 0.5}
VALUES: list[Any] = [FULL, FULL, usual(), MANAGER, OLD, read_preset(FULL)[0].to_json()]
FILES = [json.dumps(value, ensure_ascii=False).encode() for value in VALUES]


def damaged_presets(seed: int) -> Iterator[bytes]:
    """Half of them files with changed bytes, half presets with changed values."""
    for number in count(seed * 1_000_000):
        mutator = Mutator(number, FILES)
        if number % 2:
            yield mutator.changed_bytes(mutator.random.choice(FILES))
        else:
            text = json.dumps(mutator.changed_json(mutator.random.choice(VALUES)))
            yield text.encode("utf-8", "surrogatepass")


def try_preset(data: bytes) -> None:
    """A preset or a refusal; a preset and its report can be stored, read back, exported without a change."""
    try:
        package, report = read_preset(data)
    except PresetError as refusal:
        if not refusal.message.strip().endswith("."):
            raise AssertionError(refusal.code) from refusal
        return
    stored(report.to_json())
    assert sorted(line.id for line in report.prompts) == sorted(package.by_id)
    assert read_preset(stored(package.to_json()))[0] == package
    exported = sillytavern_of(package)
    again = read_preset(stored(exported))[0]
    assert meant(again) == meant(package) or report.shape == "native"
    assert texts(again) == texts(package)
    assert sillytavern_of(again) == exported


def meant(package: PresetPackage) -> Any:
    """What a preset does, without where in which file its prompts stood."""
    prompts = {one.id: replace(one, raw_index=None) for one in package.enabled_prompts()}
    return prompts, [item.to_json() for item in package.prompt_order if item.enabled], package.generation


def texts(package: PresetPackage) -> list[tuple[str, str]]:
    """The texts that are sent, in their order, with their roles."""
    return [(one.role, one.content) for one in package.enabled_prompts() if one.content and not one.is_hole]


def stored(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, allow_nan=False).encode("utf-8")
