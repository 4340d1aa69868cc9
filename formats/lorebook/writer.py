"""The contract's two exports: the raw book with the model's values written over it (WB-5, D18).

What the model does not know stays as it was, and so does the other format's spelling of what it knows: a
converted entry carries both. Reading back finds the target's spelling first, so that a changed model value
wins. What goes to a person's disk without the twins is `download`'s.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from formats.lorebook.model import LOGICS, POSITIONS, ROLES, Entry, MatchSources, WorldBook

NOT_OF_A_CARD = frozenset({"entries", "originalData"})
"""A book taken into a card leaves its container behind, and SillyTavern's stale copy of a former card
book."""


FILTERS = ("characterFilter", "character_filter")
SILLYTAVERN_CONTAINER, CARD_CONTAINER = "object-map", "array"


def export_sillytavern(model: WorldBook) -> dict[str, Any]:
    """The book as SillyTavern's own file: entries under their key of the source, else under their uid."""
    book = {**model.source.raw, "entries": {}}
    _write_book_fields(book, model, SILLYTAVERN_CONTAINER)
    if model.settings.extensions or isinstance(model.source.raw.get("extensions"), Mapping):
        book["extensions"] = dict(model.settings.extensions)
    else:
        book.pop("extensions", None)
    for key, entry in keyed_entries(model):
        book["entries"][key] = _sillytavern_entry(entry)
    return book


def export_character_book(model: WorldBook) -> dict[str, Any]:
    """The book as the `character_book` of a card: entries as a list, `extensions` always there."""
    book = {name: value for name, value in model.source.raw.items() if name not in NOT_OF_A_CARD}
    _write_book_fields(book, model, CARD_CONTAINER)
    book["extensions"] = dict(model.settings.extensions)
    book["entries"] = [_character_entry(entry) for entry in model.entries]
    return book


def _write_book_fields(book: dict[str, Any], model: WorldBook, container: str) -> None:
    """What the model says about the book. What it does not say is taken away, since in the raw book it was
    wrong or has been changed; an empty text stays where the format is the one it was written in."""
    native = model.source.entry_container == container
    for name, text in (("name", model.name), ("description", model.description)):
        _write(book, name, text if text or (native and name in book) else None)
    _write(book, "scan_depth", model.settings.scan_depth)
    _write(book, "token_budget", model.settings.token_budget)
    _write(book, "recursive_scanning", model.settings.recursive_scanning)


def _write(book: dict[str, Any], name: str, value: Any) -> None:
    if value is None:
        book.pop(name, None)
    else:
        book[name] = value


def keyed_entries(model: WorldBook) -> list[tuple[str, Entry]]:
    """Each entry with a key of its own: that of the source map, else its uid, else uid and index."""
    from_map = model.source.entry_container == SILLYTAVERN_CONTAINER
    keyed: dict[str, Entry] = {}
    for index, entry in enumerate(model.entries):
        key = entry.source.key if from_map else str(entry.uid)
        while key in keyed:
            key = f"{key}-{index}"
        keyed[key] = entry
    return list(keyed.items())


def _sillytavern_entry(entry: Entry) -> dict[str, Any]:
    written = {**entry.source.raw, **sillytavern_fields(entry)}
    if entry.extensions or "extensions" in written:
        written["extensions"] = dict(entry.extensions)
    return _with_filter(written, entry, "characterFilter")


def _character_entry(entry: Entry) -> dict[str, Any]:
    written = {**entry.source.raw, **card_fields(entry)}
    written["case_sensitive"] = entry.case_sensitive is True
    written["extensions"] = {**entry.extensions, **extension_fields(entry)}
    return _with_filter(written, entry, "character_filter")


def _with_filter(written: dict[str, Any], entry: Entry, name: str) -> dict[str, Any]:
    """Without a filter in the model it does not come back through the other spelling either."""
    stated = filter_object(entry)
    if stated is not None:
        written[name] = stated
        return written
    written.pop(name, None)
    for other in FILTERS:
        if isinstance(written.get(other), Mapping):
            del written[other]
    return written


def filter_object(entry: Entry) -> dict[str, Any] | None:
    """The character filter as its object in the file: the model's lists over it where it differs."""
    stated = entry.character_filter
    if stated is None:
        return None
    names, tags = list(stated.names), list(stated.tags)
    values = {"isExclude": stated.is_exclude, "names": names, "tags": tags}
    empty = {"isExclude": False, "names": [], "tags": []}
    said = {name: value for name, value in values.items() if name in stated.raw or value != empty[name]}
    return {**stated.raw, **said}


def _match_sources(sources: MatchSources) -> dict[str, bool]:
    return {
        "matchPersonaDescription": sources.persona_description,
        "matchCharacterDescription": sources.character_description,
        "matchCharacterPersonality": sources.character_personality,
        "matchCharacterDepthPrompt": sources.character_depth_prompt,
        "matchScenario": sources.scenario,
        "matchCreatorNotes": sources.creator_notes,
    }


def sillytavern_fields(entry: Entry) -> dict[str, Any]:
    """All that SillyTavern's file keeps of the model, in its spelling."""
    return {
        "uid": entry.uid,
        "key": list(entry.keys),
        "keysecondary": list(entry.secondary_keys),
        "comment": entry.comment,
        "content": entry.content,
        "constant": entry.constant,
        "vectorized": entry.vectorized,
        "selective": entry.selective,
        "selectiveLogic": LOGICS.index(entry.selective_logic),
        "order": entry.insertion_order,
        "position": POSITIONS.index(entry.position),
        "disable": not entry.enabled,
        "ignoreBudget": entry.ignore_budget,
        "excludeRecursion": entry.recursion.exclude,
        "preventRecursion": entry.recursion.prevent,
        "delayUntilRecursion": entry.recursion.delay_until,
        "probability": entry.probability,
        "useProbability": entry.use_probability,
        "depth": entry.depth,
        "outletName": entry.outlet_name,
        "group": entry.group.name,
        "groupOverride": entry.group.override,
        "groupWeight": entry.group.weight,
        "scanDepth": entry.scan_depth,
        "caseSensitive": entry.case_sensitive,
        "matchWholeWords": entry.match_whole_words,
        "useGroupScoring": entry.use_group_scoring,
        "automationId": entry.automation_id,
        "role": ROLES.index(entry.role),
        "sticky": entry.effects.sticky,
        "cooldown": entry.effects.cooldown,
        "delay": entry.effects.delay,
        "displayIndex": entry.display_index,
        **_match_sources(entry.match_sources),
        "triggers": list(entry.triggers),
    }


def card_fields(entry: Entry) -> dict[str, Any]:
    """What a character book keeps at the top of an entry."""
    before = entry.position == POSITIONS[0]
    return {
        "id": entry.uid,
        "keys": list(entry.keys),
        "secondary_keys": list(entry.secondary_keys),
        "comment": entry.comment,
        "content": entry.content,
        "constant": entry.constant,
        "selective": entry.selective,
        "insertion_order": entry.insertion_order,
        "enabled": entry.enabled,
        "position": "before_char" if before else "after_char",
    }


def extension_fields(entry: Entry) -> dict[str, Any]:
    """What a character book keeps under `extensions`, spelled and ordered as SillyTavern writes it."""
    return {
        "position": POSITIONS.index(entry.position),
        "exclude_recursion": entry.recursion.exclude,
        "prevent_recursion": entry.recursion.prevent,
        "delay_until_recursion": entry.recursion.delay_until,
        "display_index": entry.display_index,
        "probability": entry.probability,
        "useProbability": entry.use_probability,
        "depth": entry.depth,
        "selectiveLogic": LOGICS.index(entry.selective_logic),
        "outlet_name": entry.outlet_name,
        "group": entry.group.name,
        "group_override": entry.group.override,
        "group_weight": entry.group.weight,
        "scan_depth": entry.scan_depth,
        "match_whole_words": entry.match_whole_words,
        "use_group_scoring": entry.use_group_scoring,
        "case_sensitive": entry.case_sensitive,
        "automation_id": entry.automation_id,
        "role": ROLES.index(entry.role),
        "vectorized": entry.vectorized,
        "sticky": entry.effects.sticky,
        "cooldown": entry.effects.cooldown,
        "delay": entry.effects.delay,
        "match_persona_description": entry.match_sources.persona_description,
        "match_character_description": entry.match_sources.character_description,
        "match_character_personality": entry.match_sources.character_personality,
        "match_character_depth_prompt": entry.match_sources.character_depth_prompt,
        "match_scenario": entry.match_sources.scenario,
        "match_creator_notes": entry.match_sources.creator_notes,
        "triggers": list(entry.triggers),
        "ignore_budget": entry.ignore_budget,
    }
