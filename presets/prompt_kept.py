"""What a file says of a prompt besides, which nothing here uses: kept as it is, and told."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from formats.preset.kinds import body_of
from formats.preset.model import PresetPackage, PresetPrompt
from presets.index import storable

USED: Final = frozenset(
    {"identifier", "name", "role", "content", "enabled", "marker"}
    | {"injection_position", "injection_depth", "injection_order"}
)
LONGEST: Final = 400
MOST: Final = 40


@dataclass(frozen=True, slots=True)
class Kept:
    """A field by its name in the file, and its value as the file writes it."""

    name: str
    text: str


def kept_of(package: PresetPackage, prompt: PresetPrompt) -> list[Kept]:
    """The fields of a prompt in its file that have no effect here."""
    listed = body_of(package.raw).get("prompts") if package.raw else None
    if prompt.raw_index is None or not isinstance(listed, list) or prompt.raw_index >= len(listed):
        return []
    raw = listed[prompt.raw_index]
    if not isinstance(raw, Mapping):
        return []
    fields = [
        (name, value) for name, value in raw.items() if name not in USED and value not in ([], "", None)
    ]
    return [
        Kept(storable(str(name))[:80], storable(json.dumps(value, ensure_ascii=False))[:LONGEST])
        for name, value in fields[:MOST]
    ]
