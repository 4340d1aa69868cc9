"""V2 and V3: fields under `data`, often with older copies of them at the root beside it."""

from __future__ import annotations

from typing import Any

from formats.card.fields import CARD_FIELDS, V1_FIELDS, V3_ONLY, has_card_fields
from formats.card.spec import Raw, filled
from formats.notes import Notes

DEEPEST_DATA = 3
ROOT_NAMES = {"creatorcomment": "creator_notes"}
"""SillyTavern's root names of fields that stand under other names in `data`."""
OWN_ROOT_FIELDS = frozenset({"spec", "spec_version", "data"})


def has_data(value: dict[str, Any]) -> bool:
    """True where `data` is an object that looks like a card, or the card says which spec it is."""
    data = value.get("data")
    if not isinstance(data, dict):
        return False
    return has_card_fields(data) or str(value.get("spec", "")).startswith("chara_card")


def read_wrapped(root: dict[str, Any], notes: Notes) -> Raw:
    """Data inside data is unwrapped; `data` wins over the root, which fills what is missing there."""
    data, where = root["data"], "data"
    for _ in range(DEEPEST_DATA):
        inner = data.get("data")
        if not isinstance(inner, dict) or not ("name" in inner or "first_mes" in inner):
            break
        data, where = inner, where + ".data"
    if where != "data":
        notes.add("envelope", where)
    data = dict(data)
    _compare_with_root(root, data, notes)
    used = OWN_ROOT_FIELDS | CARD_FIELDS | ROOT_NAMES.keys()
    extra = {name: value for name, value in root.items() if name not in used}
    _check_spec(root, data, notes)
    return Raw(data, _found(root, data), where, extra)


def is_v3(root: dict[str, Any]) -> bool:
    """Content decides: fields that only V3 has, or the card's own word where the fields do not contradict."""
    data = root.get("data")
    return isinstance(data, dict) and (bool(V3_ONLY & data.keys()) or root.get("spec") == "chara_card_v3")


def _compare_with_root(root: dict[str, Any], data: dict[str, Any], notes: Notes) -> None:
    for outside in (*V1_FIELDS, *ROOT_NAMES, "tags"):
        name = ROOT_NAMES.get(outside, outside)
        value = root.get(outside)
        if not filled(value):
            continue
        if not filled(data.get(name)):
            data[name] = value
            notes.add("root-used", outside, field=name)
        elif data[name] != value:
            notes.add("root-differs", outside, field=name)


def _found(root: dict[str, Any], data: dict[str, Any]) -> str:
    stated = root.get("spec")
    if isinstance(stated, str) and stated:
        return stated[:80]
    return "chara_card_v3" if V3_ONLY & data.keys() else "chara_card_v2"


def _check_spec(root: dict[str, Any], data: dict[str, Any], notes: Notes) -> None:
    stated, version = root.get("spec"), root.get("spec_version")
    if stated not in ("chara_card_v2", "chara_card_v3"):
        if stated is not None:
            notes.add("spec-mismatch", "spec", stated=str(stated), found=_found({}, data))
        return
    usual = "2" if stated == "chara_card_v2" else "3"
    if version is not None and not (isinstance(version, str) and version.startswith(usual)):
        notes.add("version-unusual", "spec_version", version=str(version), spec=stated)
