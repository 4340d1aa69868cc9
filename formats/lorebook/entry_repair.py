"""One lorebook entry made right: spellings, types and defaults of the V3 character book (D6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from formats import leniency
from formats.lorebook.keys import repair_keys
from formats.lorebook.spellings import (
    CAMEL_SPELLINGS,
    ENTRY_KINDS,
    ENTRY_SPELLINGS,
    EXTENSION_KINDS,
    EXTENSION_SPELLINGS,
    LOGIC_WORDS,
    OFF_SPELLINGS,
    POSITION_WORDS,
    POSITIONS,
    ROLE_WORDS,
    SNAKE_SPELLINGS,
    Kind,
)
from formats.notes import Notes

RIGHT_TYPES: Mapping[Kind, tuple[type, ...]] = {
    "text": (str,),
    "bool": (bool,),
    "number": (int, float),
    "object": (dict,),
    "logic": (int,),
    "role": (int,),
}

AT_THE_TOP = (*EXTENSION_SPELLINGS, *sorted(SNAKE_SPELLINGS - ENTRY_KINDS.keys()))
"""What a character book keeps under `extensions`, as other programs spell it at the top."""


def repair_entry(raw: Mapping[str, Any], where: str, notes: Notes) -> dict[str, Any]:
    """The entry in V3 form. Required fields are filled: keys [], content "", extensions {}, enabled true,
    insertion_order 100, use_regex false (the flag is kept as written and never believed). Optional fields
    stay missing where they are; unknown ones are kept."""
    entry = _common_spelling(raw, where, notes)
    _repair_kinds(entry, ENTRY_KINDS, where, notes)
    entry.setdefault("keys", [])
    entry.setdefault("content", "")
    entry.setdefault("extensions", {})
    entry.setdefault("enabled", True)
    entry.setdefault("insertion_order", 100)
    entry.setdefault("use_regex", False)
    extensions = entry["extensions"] = dict(entry["extensions"])
    _move_to_extensions(entry, extensions)
    _repair_kinds(extensions, EXTENSION_KINDS, f"{where}.extensions", notes)
    _repair_position(entry, extensions, where, notes)
    return entry


def _common_spelling(raw: Mapping[str, Any], where: str, notes: Notes) -> dict[str, Any]:
    entry = dict(raw)
    renamed = False
    for other, ours in ENTRY_SPELLINGS.items():
        if other not in entry:
            continue
        if _says_nothing(entry.get(ours)):
            entry[ours] = entry.pop(other)
            renamed = True
        elif entry[other] == entry[ours]:
            del entry[other]
    for other in OFF_SPELLINGS:
        off = leniency.boolean(entry.get(other))
        if off is not None:
            del entry[other]
            if entry.get("enabled") is None:
                entry["enabled"] = not off
                renamed = True
    if renamed:
        notes.add("entry-spelling", where)
    return entry


def _says_nothing(value: Any) -> bool:
    return value is None or value in ("", [], {})


def _move_to_extensions(entry: dict[str, Any], extensions: dict[str, Any]) -> None:
    """SillyTavern's own files keep at the top what a character book keeps under `extensions`; other programs
    have either spelling in either place."""
    moved = [(entry, name) for name in AT_THE_TOP if name in entry]
    moved += [(extensions, name) for name in sorted(extensions.keys() & CAMEL_SPELLINGS)]
    for part, other in moved:
        ours = EXTENSION_SPELLINGS.get(other, other)
        value = part.pop(other)
        if extensions.get(ours) is None:
            extensions[ours] = value


def _repair_kinds(part: dict[str, Any], kinds: Mapping[str, Kind], where: str, notes: Notes) -> None:
    for name in [name for name in part if name in kinds]:
        kind, value = kinds[name], part[name]
        if kind == "keys":
            part[name] = repair_keys(value, f"{where}.{name}", notes)
        elif type(value) in RIGHT_TYPES[kind]:
            continue
        elif value is None or value == "":
            _forget(part, name, kinds)
        else:
            _convert(part, name, kind, where, notes)


def _forget(part: dict[str, Any], name: str, kinds: Mapping[str, Kind]) -> None:
    """An empty value of an entry's field means the default; in `extensions` null is a value of its own."""
    if kinds is ENTRY_KINDS or part[name] == "":
        del part[name]


def _convert(part: dict[str, Any], name: str, kind: Kind, where: str, notes: Notes) -> None:
    converted = converted_value(kind, part[name])
    if converted is None:
        del part[name]
        notes.add("entry-field-dropped", f"{where}.{name}", field=name)
    else:
        part[name] = converted
        notes.add("entry-field-converted", f"{where}.{name}", field=name)


def converted_value(kind: Kind, value: Any) -> Any:
    """The value as the kind wants it; None where that cannot be known."""
    if kind == "text":
        return leniency.text(value)
    if kind == "bool":
        return leniency.boolean(value)
    if kind == "number":
        return leniency.number(value)
    if kind in ("logic", "role"):
        words = LOGIC_WORDS if kind == "logic" else ROLE_WORDS
        word = value.strip().upper() if isinstance(value, str) else ""
        return words.get(word, leniency.number(value))
    return None


def _repair_position(entry: dict[str, Any], extensions: dict[str, Any], where: str, notes: Notes) -> None:
    """`position` becomes before_char or after_char; the exact place is `extensions.position` 0 to 7."""
    exact = _exact_position(extensions, f"{where}.extensions.position", notes)
    stated = entry.get("position")
    if stated in ("before_char", "after_char"):
        return
    if stated is None or stated == "":
        entry.pop("position", None)
        return
    number = _position_number(stated)
    if number is None:
        del entry["position"]
        notes.add("entry-position-unknown", f"{where}.position", value=str(stated))
        return
    entry["position"] = "before_char" if number == 0 else "after_char"
    if exact is None:
        extensions["position"] = number
    if not isinstance(stated, int):
        notes.add("entry-position", f"{where}.position", value=str(stated))


def _exact_position(extensions: dict[str, Any], where: str, notes: Notes) -> int | None:
    stated = extensions.get("position")
    if stated is None:
        return None
    if type(stated) is int and stated in POSITIONS:
        return stated
    number = _position_number(stated)
    if number is None:
        del extensions["position"]
        notes.add("entry-position-unknown", where, value=str(stated))
        return None
    extensions["position"] = number
    notes.add("entry-position", where, value=str(stated))
    return number


def _position_number(value: Any) -> int | None:
    """0 to 7 from a number, a numeric text or a word."""
    if isinstance(value, str) and value.strip().lower() in POSITION_WORDS:
        return POSITION_WORDS[value.strip().lower()]
    number = leniency.number(value)
    return int(number) if number is not None and number in POSITIONS else None
