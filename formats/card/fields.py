"""Field names that tell the card specifications apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

V1_FIELDS = ("name", "description", "personality", "scenario", "first_mes", "mes_example")
V2_ONLY = frozenset(
    {
        "creator_notes",
        "system_prompt",
        "post_history_instructions",
        "alternate_greetings",
        "character_book",
        "creator",
        "character_version",
        "extensions",
    }
)
V3_ONLY = frozenset(
    {
        "assets",
        "nickname",
        "creator_notes_multilingual",
        "source",
        "group_only_greetings",
        "creation_date",
        "modification_date",
    }
)
CARD_FIELDS = frozenset({*V1_FIELDS, *V2_ONLY, *V3_ONLY, "tags"})
ENOUGH_FIELDS = 2


def has_card_fields(value: Mapping[str, Any]) -> bool:
    """True where an object has enough fields of a card to be one (lorebooks have a description too)."""
    if "first_mes" in value or "character_book" in value or "alternate_greetings" in value:
        return True
    if "entries" in value:
        return False
    return sum(name in value for name in V1_FIELDS) >= ENOUGH_FIELDS
