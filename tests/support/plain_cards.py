"""Cards already read, as plain as can be: what is not named is empty. All of it invented."""

from __future__ import annotations

from typing import Any

from formats.card.model import SPEC, SPEC_VERSION, TEXT_FIELDS, Card


def a_card(entries: list[dict[str, Any]] | None = None, **data: Any) -> Card:
    """A card named Lina with the given fields of `data`, and a lorebook when `entries` are given."""
    value: dict[str, Any] = dict.fromkeys(TEXT_FIELDS, "") | {"name": "Lina", "extensions": {}}
    value |= {"tags": [], "alternate_greetings": [], "group_only_greetings": []}
    if entries is not None:
        value["character_book"] = {"entries": entries, "extensions": {}}
    return Card.from_v3({"spec": SPEC, "spec_version": SPEC_VERSION, "data": value | data})


def full_card() -> Card:
    """A card with something in every field that becomes a piece."""
    return a_card(
        entries=[
            {
                "keys": ["guard"],
                "comment": "Blue Guard",
                "content": "The guard.",
                "constant": True,
                "insertion_order": 5,
            },
            {"keys": [], "name": "off", "content": "Off.", "enabled": False},
            {"keys": ["a", 3], "secondary_keys": ["b"], "content": ""},
        ],
        description="A baker.",
        personality="Kind.",
        scenario="A town.",
        first_mes="Hello.",
        alternate_greetings=["", "Good morning."],
        group_only_greetings=["Hello all."],
        mes_example="<START>",
        system_prompt="Stay in role.",
        post_history_instructions="Short answers.",
        creator_notes="Made for rain.",
        extensions={"depth_prompt": {"prompt": "She limps.", "depth": 4}},
    )
