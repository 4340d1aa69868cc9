"""Backyard archives (BYAF): manifest, character and scenarios, joined by the archive reader."""

from __future__ import annotations

import re
from typing import Any

from formats.card.spec import Raw, Spec, filled
from formats.notes import Notes

MACROS = (
    (re.compile(r"#\{user\}:"), "{{user}}:"),
    (re.compile(r"#\{character\}:"), "{{char}}:"),
    (re.compile(r"(?<!\{)\{user\}(?!\})"), "{{user}}"),
    (re.compile(r"(?<!\{)\{character\}(?!\})"), "{{char}}"),
)


def recognise(value: dict[str, Any]) -> bool:
    return isinstance(value.get("backyard"), dict) and isinstance(value["backyard"].get("character"), dict)


def read(root: dict[str, Any], notes: Notes) -> Raw:
    """Persona → description, narrative → scenario, first messages → greetings, lore → book."""
    parts = root["backyard"]
    character = parts["character"]
    scenarios = [item for item in _list(parts.get("scenarios")) if isinstance(item, dict)]
    first = scenarios[0] if scenarios else {}
    greetings = [text for item in scenarios for text in _messages(item.get("firstMessages"))]
    author = parts["manifest"].get("author") if isinstance(parts.get("manifest"), dict) else None
    data = {
        "name": character.get("displayName") or character.get("name"),
        "description": _macros(character.get("persona")),
        "scenario": _macros(first.get("narrative")),
        "first_mes": greetings[0] if greetings else "",
        "alternate_greetings": greetings[1:],
        "mes_example": "\n".join(_messages(first.get("exampleMessages"))),
        "system_prompt": _macros(first.get("formattingInstructions")),
        "creator": author.get("name") if isinstance(author, dict) else None,
        "character_book": _lore(character),
        "extensions": {"backyard": {"id": character.get("id"), "title": first.get("title")}},
    }
    return Raw(data, "byaf", "backyard.character")


def _lore(character: dict[str, Any]) -> Any:
    items = character.get("loreItems")
    if not isinstance(items, list) or not items:
        return None
    return {"loreItems": [_with_macros(item) if isinstance(item, dict) else item for item in items]}


def _with_macros(item: dict[str, Any]) -> dict[str, Any]:
    return {**item, "value": _macros(item.get("value"))}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _messages(value: Any) -> list[str]:
    texts = [item.get("text") for item in _list(value) if isinstance(item, dict)]
    return [_macros(text) for text in texts if isinstance(text, str) and filled(text)]


def _macros(text: Any) -> Any:
    if not isinstance(text, str):
        return text
    for pattern, macro in MACROS:
        text = pattern.sub(macro, text)
    return text


SPEC = Spec("byaf", "foreign", recognise, read)
