"""V1 and what grew out of it: all fields at the root, those of V2 and V3 perhaps among them."""

from __future__ import annotations

from typing import Any

from formats.card.fields import CARD_FIELDS, V2_ONLY, V3_ONLY, has_card_fields
from formats.card.other_kinds import kind_of_value
from formats.card.spec import Raw, Spec
from formats.card.wrapped import OWN_ROOT_FIELDS, ROOT_NAMES
from formats.notes import Notes

ROOT_LEFTOVERS = frozenset({"avatar", "chat", "create_date", "fav", "talkativeness", "json_data"})
"""What SillyTavern keeps beside a V1 card: its own state, no field of the card."""

TELLING = (V2_ONLY | V3_ONLY) - {"system_prompt", "extensions", "creator", "source", "assets"}
"""Fields that, beside a name, only cards have."""

NAME_AND_DESCRIPTION = frozenset({"name", "description"})


def read(root: dict[str, Any], notes: Notes) -> Raw:
    """Fields of a card go to `data`, and unknown ones too: a flat card has no other place for them."""
    outside = ROOT_LEFTOVERS | OWN_ROOT_FIELDS | ROOT_NAMES.keys()
    data = {name: value for name, value in root.items() if name not in outside}
    if "creatorcomment" in root and not data.get("creator_notes"):
        data["creator_notes"] = root["creatorcomment"]
    extra = {name: root[name] for name in root if name in ROOT_LEFTOVERS}
    return Raw(data, _found(root), "", extra)


def _found(root: dict[str, Any]) -> str:
    stated = root.get("spec")
    if isinstance(stated, str) and stated:
        return stated[:80]
    if V3_ONLY & root.keys():
        return "chara_card_v3"
    return "chara_card_v2" if V2_ONLY & root.keys() else "chara_card_v1"


def recognise(value: dict[str, Any]) -> bool:
    """Instruct templates have a name and a system prompt too, and much else a name and a description."""
    if "first_mes" in value:
        return True
    if not has_card_fields(value) and not ("name" in value and TELLING & value.keys()):
        return False
    if not (CARD_FIELDS - NAME_AND_DESCRIPTION) & value.keys() and value.keys() - NAME_AND_DESCRIPTION:
        return False
    return kind_of_value(value) is None


SPEC = Spec("chara_card_v1", "older", recognise, read)
