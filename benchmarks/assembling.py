"""Assembling a preset: 500 prompts with macros, some of them for the history, and 200 turns.

Beside another program in the same run, which has to send the same texts. It expands fewer macros, so the
preset for both has only those that it knows; it does not merge messages, and keeps no trace.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from fast_tavern import build_prompt, convert_preset_from_silly_tavern

from benchmarks.invented import text_of
from benchmarks.measure import Measurement, Run, timed
from formats.preset import Assembly, AssemblyContext, PresetPackage, assemble, read_preset

TOP = Path(__file__).resolve().parents[1]
PROMPTS = 500
TURNS = 200
CHARACTERS = 1_000
GOAL_MS = 30.0
NAMED = "{{char}} waits for {{user}}; {{user}} knows. "
"""With the others this makes ten macros a prompt; real presets have seven on average."""
RICH = "{{// part %d }}{{addvar::seen::1}}{{setvar::Rule%d::\n{{user}} rolls {{roll:2d6+3}}\n}}{{trim}}"


def measure(runs: int) -> Iterator[Measurement]:
    """With the macros real presets have: a first time, shaped and not; then beside the other program."""
    context = context_of()
    size = f"{PROMPTS} prompts, {TURNS} turns"
    yield Measurement(f"preset: assemble {size}, first", [in_new_process() for _ in range(runs)])
    for squash in ("none", "strict"):
        package = package_of(preset(RICH, squash_system_messages=squash))
        name = f"preset: assemble {size}, squash {squash}"
        yield Measurement(name, timed(partial(assemble, package, context), runs), GOAL_MS)
    plain = preset("{{setvar::v%d::%d}}")
    ours = partial(assemble, package_of(plain), AssemblyContext(history=history(), user="Ana", char="Lina"))
    theirs = partial(by_fast_tavern, convert_preset_from_silly_tavern(plain))
    if sorted(texts(ours())) != sorted(theirs()):
        raise AssertionError("fast-tavern sends other texts")
    yield Measurement(f"preset: {size}, macros that both know", timed(ours, runs), GOAL_MS)
    yield Measurement("preset: the same with fast-tavern", timed(theirs, runs))


def in_new_process() -> Run:
    """The first assembly that a process makes: nothing of the texts is known yet."""
    command = [sys.executable, "-m", "benchmarks.assemble_once"]
    done = subprocess.run(command, cwd=TOP, capture_output=True, check=True)
    return Run(*json.loads(done.stdout))


def context_of() -> AssemblyContext:
    """A story of 200 turns and the next one."""
    return AssemblyContext(history=history(), current_turn="Go on.", user="Ana", char="Lina", persona="P")


def preset(macros: str, **fields: Any) -> dict[str, Any]:
    """A file whose prompts are all on; every tenth goes into the history, the history is in the middle."""
    prompts = [_prompt(number, macros) for number in range(PROMPTS)]
    prompts.insert(PROMPTS // 2, {"identifier": "chatHistory", "name": "History", "marker": True})
    order = [{"identifier": one["identifier"], "enabled": True} for one in prompts]
    orders = [{"character_id": 100001, "order": order}]
    return {"prompts": prompts, "prompt_order": orders, "squash_system_messages": "none", **fields}


def _prompt(number: int, macros: str) -> dict[str, Any]:
    begun = macros % ((number,) * macros.count("%d"))
    text = NAMED + without_macros(text_of(CHARACTERS, seed=number))
    return {
        "identifier": f"p{number}",
        "name": f"P{number}",
        "role": ("system", "user", "assistant")[number % 3],
        "enabled": True,
        "system_prompt": False,
        "injection_position": int(number % 10 == 0),
        "injection_depth": number % 60,
        "injection_order": 100,
        "content": f"{begun}{text}Again {{{{getvar::v{number}}}}}.",
    }


def history() -> list[dict[str, str]]:
    """Turns without macros: these are no preset's."""
    plain = without_macros(text_of(CHARACTERS))
    return [{"role": ("user", "assistant")[n % 2], "content": f"{n}. {plain}"} for n in range(TURNS)]


def without_macros(text: str) -> str:
    return text.replace("{{char}}", "Lina").replace("{{user}}", "Ana")


def package_of(file: dict[str, Any]) -> PresetPackage:
    return read_preset(file)[0]


def texts(assembly: Assembly) -> list[str]:
    return [message["content"] for message in assembly.messages]


def by_fast_tavern(preset: Any) -> list[str]:
    """The texts that fast-tavern 0.1.8 sends."""
    names = {"user": "Ana", "char": "Lina"}
    built = build_prompt(preset=preset, history=history(), macros=names, view="model", outputFormat="openai")
    return [message["content"] for message in built["stages"]["output"]["afterPostRegex"]]
