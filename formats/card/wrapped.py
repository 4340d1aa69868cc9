"""V2 and V3: fields under `data`, often with older copies of them at the root beside it."""

from __future__ import annotations

from typing import Any

from formats.card.fields import CARD_FIELDS, V1_FIELDS, V3_ONLY, has_card_fields
from formats.card.spec import Raw, filled
from formats.notes import Notes

DEEPEST_DATA = 3
"""Levels of `data` inside `data` that are looked through."""

ROOT_NAMES = {"creatorcomment": "creator_notes"}
"""SillyTavern's root names of fields that stand under other names in `data`."""
OWN_ROOT_FIELDS = frozenset({"spec", "spec_version", "data"})
OUTSIDE_NAMES = (*V1_FIELDS, *ROOT_NAMES, *sorted(CARD_FIELDS.difference(V1_FIELDS)))


def data_levels(root: dict[str, Any]) -> list[dict[str, Any]]:
    """The objects under `data`, the `data` inside it and so on, from outside to the one that is the card's.

    The card's is the deepest with a name or a first message, whatever lies between; the outermost where none
    has either. Empty where `data` is no object.
    """
    levels: list[dict[str, Any]] = []
    value = root.get("data")
    while isinstance(value, dict) and len(levels) <= DEEPEST_DATA:
        levels.append(value)
        value = value.get("data")
    while len(levels) > 1 and not ("name" in levels[-1] or "first_mes" in levels[-1]):
        levels.pop()
    return levels


def has_data(value: dict[str, Any]) -> bool:
    """True where `data` is an object that looks like a card, or the card says which spec it is."""
    levels = data_levels(value)
    if not levels:
        return False
    return has_card_fields(levels[-1]) or str(value.get("spec", "")).startswith("chara_card")


def read_wrapped(root: dict[str, Any], notes: Notes) -> Raw:
    """Data inside data is unwrapped; the inmost wins, and what is missing there is taken from outside."""
    *between, inmost = data_levels(root)
    where = ".".join(["data"] * (len(between) + 1))
    if between:
        notes.add("envelope", where)
    data = dict(inmost)
    for depth in range(len(between), 0, -1):
        outer, path = between[depth - 1], "data." * depth
        _take_missing(outer, path, data, notes)
        data |= {name: value for name, value in outer.items() if name not in data and name != "data"}
    _take_missing(root, "", data, notes)
    used = OWN_ROOT_FIELDS | CARD_FIELDS | ROOT_NAMES.keys()
    extra = {name: value for name, value in root.items() if name not in used}
    _check_spec(root, data, notes)
    return Raw(data, _found(root, data), where, extra)


def is_v3(root: dict[str, Any]) -> bool:
    """Content decides: fields that only V3 has, or the card's own word where the fields do not contradict."""
    levels = data_levels(root)
    return bool(levels) and (bool(V3_ONLY & levels[-1].keys()) or root.get("spec") == "chara_card_v3")


def _take_missing(outside: dict[str, Any], path: str, data: dict[str, Any], notes: Notes) -> None:
    """Fields of the card that stand outside its data: a missing one is taken, a different one is noted."""
    for theirs in OUTSIDE_NAMES:
        name = ROOT_NAMES.get(theirs, theirs)
        value = outside.get(theirs)
        if not filled(value):
            continue
        if not filled(data.get(name)):
            data[name] = value
            notes.add("root-used", path + theirs, field=name)
        elif data[name] != value:
            notes.add("root-differs", path + theirs, field=name)


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
