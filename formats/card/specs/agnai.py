"""Agnai characters: `kind: "character"`, a persona of attributes, `greeting`, `sampleChat`."""

from __future__ import annotations

from typing import Any

from formats import leniency
from formats.card.spec import Raw, Spec
from formats.notes import Notes

NAMES = {
    "greeting": "first_mes",
    "sampleChat": "mes_example",
    "systemPrompt": "system_prompt",
    "postHistoryInstructions": "post_history_instructions",
    "alternateGreetings": "alternate_greetings",
    "characterVersion": "character_version",
    "characterBook": "character_book",
    "description": "creator_notes",
}
"""Agnai's `description` is a note for people; what the character is stands in `persona`."""
USED = NAMES.keys() | {"kind", "persona"}


def recognise(value: dict[str, Any]) -> bool:
    return (value.get("kind") == "character" or "sampleChat" in value) and isinstance(
        value.get("persona"), dict
    )


def read(root: dict[str, Any], notes: Notes) -> Raw:
    data = {name: value for name, value in root.items() if name not in USED}
    data |= {ours: root[theirs] for theirs, ours in NAMES.items() if theirs in root}
    data["description"] = _persona(root["persona"], notes)
    return Raw(data, "agnai", "")


def _persona(persona: dict[str, Any], notes: Notes) -> str:
    """Attributes as lines `species: human, tall`; the attribute `text` is free prose and stands alone."""
    attributes = persona.get("attributes")
    lines = []
    for name, value in attributes.items() if isinstance(attributes, dict) else ():
        values = value if isinstance(value, list) else [value]
        words = [word for word in map(leniency.text, values) if word]
        if len(words) < len(values):
            notes.add("list-item-dropped", f"persona.attributes.{name}", field=name)
        if words:
            lines.append("\n".join(words) if name == "text" else f"{name}: {', '.join(words)}")
    return "\n".join(lines)


SPEC = Spec("agnai", "foreign", recognise, read)
