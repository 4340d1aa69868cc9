"""Pygmalion, Text Generation Web UI and TavernAI: `char_name`, `char_persona`, `char_greeting` …"""

from __future__ import annotations

from typing import Any

from formats.card.spec import Raw, Spec, filled
from formats.notes import Notes

NAMES = {
    "char_name": "name",
    "char_persona": "description",
    "world_scenario": "scenario",
    "char_greeting": "first_mes",
    "example_dialogue": "mes_example",
}


def recognise(value: dict[str, Any]) -> bool:
    return "char_name" in value and not filled(value.get("first_mes"))


def read(root: dict[str, Any], notes: Notes) -> Raw:
    data = {name: value for name, value in root.items() if name not in NAMES}
    for theirs, ours in NAMES.items():
        if not filled(data.get(ours)):
            data[ours] = root.get(theirs)
    return Raw(data, "pygmalion", "")


SPEC = Spec("pygmalion", "foreign", recognise, read)
