"""The card's own character from its description, personality and example dialogue (STRUCT-2, D10)."""

from __future__ import annotations

import re

from formats.card.sections import listed, sections_of
from formats.text.names import element_id
from importer.pipeline.building import Building, first_sentence, whole_text
from worlds.rules.documents import Character, Portrait, Speech

FIELDS = ("description", "personality", "example")
_START = re.compile(r"^[ \t]*<\s*START\s*>[ \t]*$|<START>", re.IGNORECASE | re.MULTILINE)


def describe_own_character(building: Building) -> None:
    """Add the character the card speaks of; a card that describes nobody gives a world without characters
    (D10).
    """
    pieces = building.of(*FIELDS)
    description, personality, example = (
        whole_text(piece for piece in pieces if piece.field == field) for field in FIELDS
    )
    told = building.prose(description)
    manner = building.prose(personality)
    examples = dialogues(building, example)
    if not told and not manner and not examples:
        building.ledger.settle(pieces, "omitted", reason="no-text")
        return
    character = written_character(building, told, manner, examples)
    path = building.put("character", character, character.id)
    for piece in pieces:
        building.ledger.settle([piece], "converted", [path])


def written_character(building: Building, told: str, manner: str, examples: list[str]) -> Character:
    """The labelled sections of the description go to their fields, the rest stays where it was."""
    card, sections = building.card, sections_of(told)
    fields = dict(sections.fields)
    document_id = element_id(card.name, "character", 1, set())
    portrait = building.picture_at(f"images/portraits/{document_id}")
    nickname = card.nickname.strip()
    return Character(
        id=document_id,
        name=card.name.strip() or document_id,
        aliases=[nickname] if nickname and nickname != card.name.strip() else [],
        playable=False,
        summary=first_sentence(sections.rest) or first_sentence(manner) or first_sentence(told),
        description=sections.rest,
        appearance=fields.get("appearance", ""),
        personality="\n\n".join(text for text in (manner, fields.get("personality", "")) if text),
        background=fields.get("background", ""),
        goals=listed(fields.get("goals", "")),
        secrets=fields.get("secrets", ""),
        speech=Speech(style=fields.get("speech", ""), examples=examples),
        portrait=(
            Portrait(file=portrait, source="uploaded", original_name=building.picture or "")
            if portrait
            else None
        ),
    )


def dialogues(building: Building, example: str) -> list[str]:
    """The example dialogues one by one; `<START>` parts them and is no part of them."""
    parts = (building.prose(part) for part in _START.split(example))
    return [part for part in parts if part]
