"""Short ways to say what an invented preset sends."""

from __future__ import annotations

from typing import Any

from formats.preset import AssemblyContext, PresetPackage, assemble, read_preset
from tests.support.preset_files import Json, preset

HISTORY = [
    {"role": "user", "content": "U1"},
    {"role": "assistant", "content": "A1"},
    {"role": "user", "content": "U2"},
    {"role": "assistant", "content": "A2"},
]


def package_of(*prompts: Json, order: list[str | Json] | None = None, **fields: Any) -> PresetPackage:
    """The package of a file with these prompts; without an `order` all of them stand in it."""
    return read_preset(preset(prompts, order, **fields))[0]


def sent(package: PresetPackage, **context: Any) -> list[str]:
    """The messages that leave, each as `role: text`."""
    assembly = assemble(package, AssemblyContext(**context))
    return [f"{message['role']}: {message['content']}" for message in assembly.messages]


def codes(package: PresetPackage, **context: Any) -> list[str]:
    """The codes of what an assembly tells."""
    return [finding.code for finding in assemble(package, AssemblyContext(**context)).findings]
