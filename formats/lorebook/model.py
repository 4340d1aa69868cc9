"""WorldBookModel v1: a lorebook as one frozen value, the same for every file format (WB-2).

Names here are snake_case; `to_json()` gives exactly the contract's camelCase spelling. Every number is a JSON
number (int or float). Nothing here invents ids, times or chance: the same file gives a deeply equal model.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, Literal

from formats.finding import Finding
from formats.lorebook.scan import LiteralIndex

Position = Literal[
    "before_character_definition",
    "after_character_definition",
    "before_author_note",
    "after_author_note",
    "at_depth",
    "before_example_messages",
    "after_example_messages",
    "outlet",
]
Role = Literal["system", "user", "assistant"]
Logic = Literal["and_any", "not_all", "not_any", "and_all"]
Strategy = Literal["constant", "selective", "vectorized"]
Number = int | float

# In the order of SillyTavern's numbers, so that the index of a word is its number in a file.
POSITIONS: tuple[Position, ...] = (
    "before_character_definition",
    "after_character_definition",
    "before_author_note",
    "after_author_note",
    "at_depth",
    "before_example_messages",
    "after_example_messages",
    "outlet",
)
LOGICS: tuple[Logic, ...] = ("and_any", "not_all", "not_any", "and_all")
ROLES: tuple[Role, ...] = ("system", "user", "assistant")


@dataclass(frozen=True, slots=True)
class Group:
    """The inclusion groups of an entry: `name` holds several between commas."""

    name: str = ""
    override: bool = False
    weight: Number = 100

    @property
    def names(self) -> tuple[str, ...]:
        """The single groups, without blanks and repetitions."""
        return tuple(dict.fromkeys(part for part in map(str.strip, self.name.split(",")) if part))

    def to_json(self) -> dict[str, Any]:
        """The contract's form."""
        return {"name": self.name, "override": self.override, "weight": self.weight}


@dataclass(frozen=True, slots=True)
class Recursion:
    """How an entry takes part in recursion; `delay_until` true means level 1, a number its level."""

    exclude: bool = False
    prevent: bool = False
    delay_until: bool | Number = False

    def to_json(self) -> dict[str, Any]:
        """The contract's form."""
        return {"exclude": self.exclude, "prevent": self.prevent, "delayUntil": self.delay_until}


@dataclass(frozen=True, slots=True)
class Effects:
    """Timed effects in messages; None is none."""

    sticky: Number | None = None
    cooldown: Number | None = None
    delay: Number | None = None

    def to_json(self) -> dict[str, Any]:
        """The contract's form."""
        return {"sticky": self.sticky, "cooldown": self.cooldown, "delay": self.delay}


@dataclass(frozen=True, slots=True)
class MatchSources:
    """What an entry is matched against besides the messages."""

    persona_description: bool = False
    character_description: bool = False
    character_personality: bool = False
    character_depth_prompt: bool = False
    scenario: bool = False
    creator_notes: bool = False

    def to_json(self) -> dict[str, Any]:
        """The contract's form."""
        return {
            "personaDescription": self.persona_description,
            "characterDescription": self.character_description,
            "characterPersonality": self.character_personality,
            "characterDepthPrompt": self.character_depth_prompt,
            "scenario": self.scenario,
            "creatorNotes": self.creator_notes,
        }


@dataclass(frozen=True, slots=True)
class CharacterFilter:
    """For which characters an entry counts; `raw` is the whole object of the file."""

    is_exclude: bool
    names: tuple[str, ...]
    tags: tuple[str, ...]
    raw: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        """The contract's form."""
        return {
            "isExclude": self.is_exclude,
            "names": list(self.names),
            "tags": list(self.tags),
            "raw": dict(self.raw),
        }


@dataclass(frozen=True, slots=True)
class EntrySource:
    """Where an entry stood: its key in the map (or its index as text), its index, and the raw object."""

    key: str
    index: int
    raw: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        """The contract's form."""
        return {"key": self.key, "index": self.index, "raw": dict(self.raw)}


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a book. None in a scan or match setting means: as the book, else the reader, says."""

    uid: int | str
    keys: tuple[str, ...]
    secondary_keys: tuple[str, ...]
    comment: str
    content: str
    source: EntrySource
    enabled: bool = True
    constant: bool = False
    selective: bool = True
    vectorized: bool = False
    insertion_order: Number = 100
    position: Position = "before_character_definition"
    depth: Number = 4
    role: Role = "system"
    selective_logic: Logic = "and_any"
    probability: Number = 100
    use_probability: bool = True
    scan_depth: Number | None = None
    case_sensitive: bool | None = None
    match_whole_words: bool | None = None
    use_group_scoring: bool | None = None
    display_index: Number = 0
    outlet_name: str = ""
    group: Group = field(default_factory=Group)
    recursion: Recursion = field(default_factory=Recursion)
    effects: Effects = field(default_factory=Effects)
    automation_id: str = ""
    ignore_budget: bool = False
    match_sources: MatchSources = field(default_factory=MatchSources)
    triggers: tuple[str, ...] = ()
    character_filter: CharacterFilter | None = None
    extensions: Mapping[str, Any] = field(default_factory=dict)

    @property
    def strategy(self) -> Strategy:
        """What wakes the entry; a constant one needs nothing, a vectorised one a vector match."""
        if self.constant:
            return "constant"
        return "vectorized" if self.vectorized else "selective"

    @property
    def candidate_key(self) -> str:
        """The entry's name among the candidates of one book: `<source key>@<index>`, unique whatever uids."""
        return f"{self.source.key}@{self.source.index}"

    def to_json(self) -> dict[str, Any]:
        """The contract's form."""
        return {
            "uid": self.uid,
            "keys": list(self.keys),
            "secondaryKeys": list(self.secondary_keys),
            "comment": self.comment,
            "content": self.content,
            "enabled": self.enabled,
            "constant": self.constant,
            "selective": self.selective,
            "vectorized": self.vectorized,
            "insertionOrder": self.insertion_order,
            "position": self.position,
            "depth": self.depth,
            "role": self.role,
            "selectiveLogic": self.selective_logic,
            "probability": self.probability,
            "useProbability": self.use_probability,
            "scanDepth": self.scan_depth,
            "caseSensitive": self.case_sensitive,
            "matchWholeWords": self.match_whole_words,
            "useGroupScoring": self.use_group_scoring,
            "displayIndex": self.display_index,
            "outletName": self.outlet_name,
            "group": self.group.to_json(),
            "recursion": self.recursion.to_json(),
            "effects": self.effects.to_json(),
            "automationId": self.automation_id,
            "ignoreBudget": self.ignore_budget,
            "matchSources": self.match_sources.to_json(),
            "triggers": list(self.triggers),
            "characterFilter": self.character_filter.to_json() if self.character_filter else None,
            "extensions": dict(self.extensions),
            "source": self.source.to_json(),
        }


@dataclass(frozen=True, slots=True)
class BookSettings:
    """What the book says about scanning; None is unsaid. `extensions` is the book's own object."""

    scan_depth: Number | None = None
    token_budget: Number | None = None
    recursive_scanning: bool | None = None
    extensions: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The contract's form; what is unsaid is absent."""
        stated = {
            "scanDepth": self.scan_depth,
            "tokenBudget": self.token_budget,
            "recursiveScanning": self.recursive_scanning,
        }
        said = {name: value for name, value in stated.items() if value is not None}
        return {**said, "extensions": dict(self.extensions)}


@dataclass(frozen=True, slots=True)
class BookSource:
    """The format and container the book was read from, and the whole raw book."""

    format: str
    entry_container: Literal["object-map", "array"]
    raw: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        """The contract's form."""
        return {"format": self.format, "entryContainer": self.entry_container, "raw": dict(self.raw)}


@dataclass(frozen=True, slots=True)
class Diagnostic(Finding):
    """A finding about a book; `path` begins with `$`."""

    @property
    def path(self) -> str:
        """The place in the file."""
        return self.where

    def to_contract(self) -> dict[str, Any]:
        """The contract's form: severity, code, path, message."""
        return {"severity": self.severity, "code": self.code, "path": self.path, "message": self.text}


@dataclass(frozen=True)
class WorldBook:
    """One book. Frozen, so that what is computed from it (its key index) can be kept with it."""

    name: str
    description: str
    settings: BookSettings
    entries: tuple[Entry, ...]
    source: BookSource
    diagnostics: tuple[Diagnostic, ...] = ()

    @cached_property
    def literal_index(self) -> LiteralIndex:
        """All keys of the book, as written, ready to be found; made when first asked for."""
        return LiteralIndex(key for entry in self.entries for key in (*entry.keys, *entry.secondary_keys))

    def __getstate__(self) -> dict[str, Any]:
        """A copy takes the values only; automata cannot be copied and are made anew."""
        return {one.name: getattr(self, one.name) for one in fields(self)}

    def to_json(self) -> dict[str, Any]:
        """Exactly the WorldBookModel of the contract."""
        return {
            "schemaVersion": 1,
            "kind": "world-book",
            "name": self.name,
            "description": self.description,
            "settings": self.settings.to_json(),
            "entries": [entry.to_json() for entry in self.entries],
            "source": self.source.to_json(),
            "diagnostics": [told.to_contract() for told in self.diagnostics],
        }
