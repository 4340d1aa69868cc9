"""One entry of a lorebook file as an `Entry`: which field stands where in the two formats, and its default.

SillyTavern's own file has its fields at the top in its own spelling; what is missing there is looked for
under `extensions` in the card's spelling. A character book has its fields at the top and the rest under
`extensions`; what is missing there is looked for at the top in SillyTavern's spelling. Last of all either
spelling counts in the other place, as some programs write it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from formats.lorebook.javascript import LARGEST_SAFE
from formats.lorebook.model import (
    LOGICS,
    POSITIONS,
    ROLES,
    CharacterFilter,
    Diagnostic,
    Effects,
    Entry,
    EntrySource,
    Group,
    MatchSources,
    Number,
    Position,
    Recursion,
)
from formats.lorebook.spellings import EXTENSION_SPELLINGS
from formats.lorebook.values import ANY_NUMBER, COUNT, MISSING, PERCENT, WEIGHT, Range, Values, Word

REQUIRED = ("keys", "content", "extensions", "enabled", "insertion_order")
"""What a character-book entry must have, in the order in which it is missed."""

OTHER_POSITIONS: Mapping[str, Position] = {"before_char": POSITIONS[0], "after_char": POSITIONS[1]}
CAMEL = {snake: camel for camel, snake in EXTENSION_SPELLINGS.items()}
NO_GROUP, NO_RECURSION, NO_EFFECTS, NO_SOURCES = Group(), Recursion(), Effects(), MatchSources()


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one of the two formats spells the fields that stand at the top of an entry, and its defaults."""

    name: str
    container: Literal["object-map", "array"]
    uid: str
    keys: str
    secondary_keys: str
    order: str
    comment: tuple[str, ...]
    required: tuple[str, ...]
    extensions_first: bool
    selective: bool
    position: Position


SILLYTAVERN = Dialect(
    name="sillytavern-world-info",
    container="object-map",
    uid="uid",
    keys="key",
    secondary_keys="keysecondary",
    order="order",
    comment=("comment",),
    required=(),
    extensions_first=False,
    selective=True,
    position=POSITIONS[0],
)
CHARACTER_BOOK = Dialect(
    name="character-book-v2",
    container="array",
    uid="id",
    keys="keys",
    secondary_keys="secondary_keys",
    order="insertion_order",
    comment=("comment", "name"),
    required=REQUIRED,
    extensions_first=True,
    selective=False,
    position=POSITIONS[1],
)


class EntryReader:
    """Reads one entry; use it once."""

    __slots__ = ("_dialect", "_extensions", "_raw", "_values")

    def __init__(self, raw: Mapping[str, Any], dialect: Dialect, values: Values) -> None:
        self._raw = raw
        self._dialect = dialect
        self._values = values
        for name in dialect.required:
            if name not in raw:
                values.tell("missing-required-field", name)
        self._extensions = values.mapping(raw.get("extensions", MISSING), "extensions")

    def read(self, key: str, index: int, fallback_uid: int | str, place: int) -> Entry:
        """The entry. `key` is its key in the map or its index as text, `index` its place in the file, `place`
        its place among the entries that can be read."""
        values, raw, dialect = self._values, self._raw, self._dialect
        uid = self._uid(fallback_uid)
        keys = values.texts(raw.get(dialect.keys, MISSING), dialect.keys)
        secondary_keys = values.texts(raw.get(dialect.secondary_keys, MISSING), dialect.secondary_keys)
        content = values.text(raw.get("content", MISSING), "content")
        enabled = self._enabled()
        constant = values.truth(raw.get("constant", MISSING), "constant", False)
        vectorized = self._flag("vectorized")
        position = self._position()
        comment = self._comment()
        selective = values.truth(raw.get("selective", MISSING), "selective", dialect.selective)
        insertion_order = values.number(raw.get(dialect.order, MISSING), dialect.order, 100)
        return Entry(
            uid=uid,
            keys=keys,
            secondary_keys=secondary_keys,
            comment=comment,
            content=content,
            source=EntrySource(key, place, raw),
            enabled=enabled,
            constant=constant,
            selective=selective,
            vectorized=vectorized,
            insertion_order=insertion_order,
            position=position,
            depth=self._number("depth", 4, COUNT),
            role=self._word("role", ROLES, "unknown-role"),
            selective_logic=self._word("selectiveLogic", LOGICS, "unknown-secondary-logic"),
            probability=self._number("probability", 100, PERCENT),
            use_probability=self._flag("useProbability", True),
            scan_depth=self._count("scan_depth"),
            case_sensitive=self._case_sensitive(),
            match_whole_words=self._flag_or_unsaid("match_whole_words"),
            use_group_scoring=self._flag_or_unsaid("use_group_scoring"),
            display_index=self._number("display_index", index),
            outlet_name=self._text("outlet_name"),
            group=self._group(),
            recursion=self._recursion(),
            effects=self._effects(),
            automation_id=self._text("automation_id"),
            ignore_budget=self._flag("ignore_budget"),
            match_sources=self._match_sources(),
            triggers=values.texts(self._found("triggers"), "extensions.triggers"),
            character_filter=self._character_filter(),
            extensions=self._extensions,
        )

    def _found(self, name: str) -> Any:
        """The value of a field that a card keeps under `extensions`, in this format's place first."""
        found = self._extensions.get(name, MISSING) if self._dialect.extensions_first else MISSING
        if found is MISSING:
            found = self._raw.get(CAMEL.get(name, name), MISSING)
        if found is MISSING and not self._dialect.extensions_first:
            found = self._extensions.get(name, MISSING)
        if found is MISSING:
            found = self._raw.get(name, MISSING)
        return self._extensions.get(CAMEL.get(name, name), MISSING) if found is MISSING else found

    def _uid(self, fallback: int | str) -> int | str:
        uid = self._raw.get(self._dialect.uid, MISSING)
        if isinstance(uid, str) and uid:
            return uid
        if (type(uid) is int or type(uid) is float) and 0 <= uid <= LARGEST_SAFE and uid == uid // 1:
            return int(uid)
        if uid is not MISSING:
            self._values.tell("invalid-uid", self._dialect.uid)
        return fallback

    def _comment(self) -> str:
        for name in self._dialect.comment:
            if name in self._raw:
                return self._values.text(self._raw[name], name)
        return ""

    def _enabled(self) -> bool:
        """A missing `enabled` is off, as in SillyTavern: what a person gives us is repaired before (D6)."""
        if self._dialect.extensions_first:
            return self._values.truth(self._raw.get("enabled", MISSING), "enabled", False)
        return not self._values.truth(self._raw.get("disable", MISSING), "disable", False)

    def _position(self) -> Position:
        stated = self._raw.get("position", MISSING)
        if self._dialect.extensions_first and "position" in self._extensions:
            stated = self._extensions["position"]
        default = self._dialect.position
        return self._values.word(stated, POSITIONS, "position", "unknown-position", default, OTHER_POSITIONS)

    def _word(self, name: str, words: tuple[Word, ...], code: str) -> Word:
        return self._values.word(self._found(name), words, f"extensions.{name}", code, words[0])

    def _text(self, name: str) -> str:
        return self._values.text(self._found(name), f"extensions.{name}")

    def _flag(self, name: str, default: bool = False) -> bool:
        return self._values.truth(self._found(name), f"extensions.{name}", default)

    def _flag_or_unsaid(self, name: str) -> bool | None:
        return self._values.truth_or_unsaid(self._found(name), f"extensions.{name}")

    def _number(self, name: str, default: Number, within: Range = ANY_NUMBER) -> Number:
        return self._values.number(self._found(name), f"extensions.{name}", default, within)

    def _count(self, name: str) -> Number | None:
        return self._values.number_or_unsaid(self._found(name), f"extensions.{name}")

    def _case_sensitive(self) -> bool | None:
        """A card says it at the top, and SillyTavern under `extensions`. The contract's own export writes
        false at the top beside null under `extensions` where nothing is said: read back, it is unsaid
        again."""
        top = self._raw.get("case_sensitive", MISSING) if self._dialect.extensions_first else MISSING
        if top is MISSING or (top is False and self._extensions.get("case_sensitive", MISSING) is None):
            top = self._found("case_sensitive")
        return self._values.truth_or_unsaid(top, "extensions.case_sensitive")

    def _group(self) -> Group:
        group = Group(
            self._text("group"), self._flag("group_override"), self._number("group_weight", 100, WEIGHT)
        )
        return NO_GROUP if group == NO_GROUP else group

    def _recursion(self) -> Recursion:
        found = Recursion(
            self._flag("exclude_recursion"), self._flag("prevent_recursion"), self._delay_until_recursion()
        )
        return found if found.exclude or found.prevent or found.delay_until is not False else NO_RECURSION

    def _delay_until_recursion(self) -> bool | Number:
        """True, false, or the level as a number."""
        found = self._found("delay_until_recursion")
        if found is True or found is False or found is None or found is MISSING:
            return found is True
        return self._values.number(found, "extensions.delay_until_recursion", 0, COUNT)

    def _effects(self) -> Effects:
        effects = Effects(self._count("sticky"), self._count("cooldown"), self._count("delay"))
        return NO_EFFECTS if effects == NO_EFFECTS else effects

    def _match_sources(self) -> MatchSources:
        sources = MatchSources(
            persona_description=self._flag("match_persona_description"),
            character_description=self._flag("match_character_description"),
            character_personality=self._flag("match_character_personality"),
            character_depth_prompt=self._flag("match_character_depth_prompt"),
            scenario=self._flag("match_scenario"),
            creator_notes=self._flag("match_creator_notes"),
        )
        return NO_SOURCES if sources == NO_SOURCES else sources

    def _character_filter(self) -> CharacterFilter | None:
        """SillyTavern's own field; a book that was converted once has it in the card's spelling."""
        names = ("characterFilter", "character_filter")
        if self._dialect.extensions_first:
            names = ("character_filter", "characterFilter")
        found = next((self._raw[name] for name in names if name in self._raw), None)
        if found is None:
            return None
        if not isinstance(found, dict):
            self._values.tell("invalid-character-filter", "character_filter")
            return None
        return CharacterFilter(
            is_exclude=found.get("isExclude") is True,
            names=_texts(found.get("names")),
            tags=_texts(found.get("tags")),
            raw=found,
        )


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def read_entry(
    raw: Mapping[str, Any],
    dialect: Dialect,
    told: list[Diagnostic],
    *,
    path: Callable[[], str],
    key: str,
    index: int,
    place: int,
) -> Entry:
    """Read one entry; what is wrong with it goes to `told`. `path` makes its path when it is needed."""
    fallback: int | str = index if dialect.extensions_first else key or str(index)
    return EntryReader(raw, dialect, Values(path, told)).read(key, index, fallback, place)
