"""The fields of an entry by flat names, as a form has them: read off the model, written back over it.

None in a scan setting means: as the book, else the reader, says. Everything that is not named here, known to
the model or not, stays as it is in the file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, get_args

from formats.errors import DomainError
from formats.lorebook.javascript import finite
from formats.lorebook.model import (
    LOGICS,
    POSITIONS,
    ROLES,
    CharacterFilter,
    Effects,
    Entry,
    Group,
    MatchSources,
    Recursion,
    Strategy,
)
from formats.messages import gettext_noop

MOST_WORDS: Final = 2000
LONGEST_KEY: Final = 5000
LONGEST_TITLE: Final = 1000
LONGEST_TEXT: Final = 5_000_000
STRATEGIES: Final[tuple[Strategy, ...]] = get_args(Strategy)

Check = Callable[[Any], bool]


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and finite(value) is not None


def _are_keys(value: Any) -> bool:
    """However many: an entry may have been given more than it may have now, and lose some."""
    listed = isinstance(value, list | tuple)
    return listed and all(isinstance(word, str) and len(word) <= LONGEST_KEY for word in value)


def _is_words(value: Any) -> bool:
    return _are_keys(value) and len(value) <= MOST_WORDS


def _text(longest: int) -> Check:
    return lambda value: isinstance(value, str) and len(value) <= longest


def _one_of(*choices: object) -> Check:
    return lambda value: isinstance(value, str) and value in choices


def _between(low: float, high: float) -> Check:
    return lambda value: _is_number(value) and low <= value <= high


def _or_none(check: Check) -> Check:
    return lambda value: value is None or check(value)


_COUNT = _between(0, 1_000_000)
CHECKS: Final[Mapping[str, Check]] = {
    "comment": _text(LONGEST_TITLE),
    "content": _text(LONGEST_TEXT),
    "keys": _are_keys,
    "secondary_keys": _are_keys,
    "enabled": _is_flag,
    "strategy": _one_of(*STRATEGIES),
    "selective": _is_flag,
    "selective_logic": _one_of(*LOGICS),
    "insertion_order": _is_number,
    "position": _one_of(*POSITIONS),
    "depth": _COUNT,
    "role": _one_of(*ROLES),
    "outlet_name": _text(LONGEST_TITLE),
    "probability": _between(0, 100),
    "use_probability": _is_flag,
    "scan_depth": _or_none(_COUNT),
    "case_sensitive": _or_none(_is_flag),
    "match_whole_words": _or_none(_is_flag),
    "use_group_scoring": _or_none(_is_flag),
    "group": _text(LONGEST_TITLE),
    "group_override": _is_flag,
    "group_weight": _COUNT,
    "exclude_recursion": _is_flag,
    "prevent_recursion": _is_flag,
    "delay_until_recursion": lambda value: _is_flag(value) or _COUNT(value),
    "sticky": _or_none(_COUNT),
    "cooldown": _or_none(_COUNT),
    "delay": _or_none(_COUNT),
    "ignore_budget": _is_flag,
    "match_persona_description": _is_flag,
    "match_character_description": _is_flag,
    "match_character_personality": _is_flag,
    "match_character_depth_prompt": _is_flag,
    "match_scenario": _is_flag,
    "match_creator_notes": _is_flag,
    "triggers": _is_words,
    "character_names": _is_words,
    "character_tags": _is_words,
    "character_exclude": _is_flag,
    "automation_id": _text(LONGEST_TITLE),
}
"""Every field by its flat name, and what it may hold."""

_SAME: Final = (
    "comment",
    "content",
    "enabled",
    "selective",
    "selective_logic",
    "insertion_order",
    "position",
    "depth",
    "role",
    "outlet_name",
    "probability",
    "use_probability",
    "scan_depth",
    "case_sensitive",
    "match_whole_words",
    "use_group_scoring",
    "ignore_budget",
    "automation_id",
)
_WORDS: Final = ("keys", "secondary_keys", "triggers")
_GROUP: Final = {"group": "name", "group_override": "override", "group_weight": "weight"}
_RECURSION: Final = {
    "exclude_recursion": "exclude",
    "prevent_recursion": "prevent",
    "delay_until_recursion": "delay_until",
}
_EFFECTS: Final = {"sticky": "sticky", "cooldown": "cooldown", "delay": "delay"}
_SOURCES: Final = {f"match_{name}": name for name in MatchSources.__dataclass_fields__}
_FILTER: Final = {"character_names": "names", "character_tags": "tags", "character_exclude": "is_exclude"}
_NO_FILTER: Final = CharacterFilter(False, (), (), {})


def fields_of(entry: Entry) -> dict[str, Any]:
    """The entry's fields by their flat names, in the order of `CHECKS`; JSON values only."""
    found: dict[str, Any] = {name: getattr(entry, name) for name in _SAME}
    found |= {name: list(getattr(entry, name)) for name in _WORDS}
    found["strategy"] = entry.strategy
    for names, part in _parts(entry):
        found |= {name: getattr(part, inner) for name, inner in names.items()}
    stated = entry.character_filter or _NO_FILTER
    found |= {name: _plain(getattr(stated, inner)) for name, inner in _FILTER.items()}
    return {name: found[name] for name in CHECKS}


def check_field(name: str, value: Any) -> None:
    """Raises DomainError `invalid` for a field that is none, or a value it cannot hold."""
    if name not in CHECKS or not CHECKS[name](value):
        raise _bad_field(name)


def with_fields(entry: Entry, fields: Mapping[str, Any]) -> Entry:
    """The entry with some fields replaced.

    Raises:
        DomainError: `invalid` for a field that is none, or a value it cannot hold; nothing else is looked at.
    """
    for name, value in fields.items():
        check_field(name, value)
    changed: dict[str, Any] = {name: fields[name] for name in _SAME if name in fields}
    changed |= {name: tuple(fields[name]) for name in _WORDS if name in fields}
    strategy = fields.get("strategy", entry.strategy)
    if strategy != entry.strategy:  # an always-on entry may bear the mark for vectors too, and keeps it
        changed |= {"constant": strategy == "constant", "vectorized": strategy == "vectorized"}
    for (names, part), field in zip(
        _parts(entry), ("group", "recursion", "effects", "match_sources"), strict=True
    ):
        inner = {target: fields[name] for name, target in names.items() if name in fields}
        if inner:
            changed[field] = replace(part, **inner)
    return replace(_with_filter(entry, fields), **changed)


def _with_filter(entry: Entry, fields: Mapping[str, Any]) -> Entry:
    """The entry with its character filter changed; a filter that says nothing and was not there is none."""
    said = {inner: fields[name] for name, inner in _FILTER.items() if name in fields}
    if not said:
        return entry
    said = {inner: value if isinstance(value, bool) else tuple(value) for inner, value in said.items()}
    stated = replace(entry.character_filter or _NO_FILTER, **said)
    if entry.character_filter is None and not (stated.names or stated.tags):
        return entry
    return replace(entry, character_filter=stated)


def _plain(value: Any) -> Any:
    """Words as the list that JSON has."""
    return list(value) if isinstance(value, tuple) else value


def _parts(entry: Entry) -> list[tuple[Mapping[str, str], Group | Recursion | Effects | MatchSources]]:
    return [
        (_GROUP, entry.group),
        (_RECURSION, entry.recursion),
        (_EFFECTS, entry.effects),
        (_SOURCES, entry.match_sources),
    ]


def _bad_field(name: str) -> DomainError:
    return DomainError(
        "invalid",
        "lorebook.bad-field",
        name[:80],
        gettext_noop("{field} cannot hold this. Nothing was changed."),
        args={"field": name[:80]},
    )
