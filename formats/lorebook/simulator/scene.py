"""What a scan is given: the story so far, who is in it, the texts beside it, and the dice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from hashlib import blake2b

from formats.lorebook.model import MatchSources, Role, WorldBook
from formats.text.macros import CHARACTER_NAMES, COMMENTS, PLAYER_NAMES, Macro, find_macros

SOURCE_NAMES: tuple[str, ...] = tuple(source.name for source in fields(MatchSources))
"""The texts beside the story that an entry can ask to be matched against, in the order they are read."""


@dataclass(frozen=True, slots=True)
class Book:
    """A book of the scan under the id its timed effects are kept by. Books come in order of priority."""

    id: str
    model: WorldBook


@dataclass(frozen=True, slots=True)
class SceneMessage:
    """One message of the story."""

    text: str
    name: str = ""
    role: Role = "user"


@dataclass(frozen=True, slots=True)
class SceneCharacter:
    """Who plays opposite, for the entries that are meant for some characters only.

    A filter names card files without their ending; a character without a file is known by its name.
    """

    name: str = ""
    file_name: str = ""
    tags: tuple[str, ...] = ()

    @property
    def names(self) -> frozenset[str]:
        """Every name a filter can mean."""
        return frozenset(filter(None, (self.name, self.file_name)))


@dataclass(frozen=True, slots=True)
class Sources:
    """The texts beside the story; the names are those of `MatchSources`."""

    persona_description: str = ""
    character_description: str = ""
    character_personality: str = ""
    character_depth_prompt: str = ""
    scenario: str = ""
    creator_notes: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """One moment of a story. `messages`: the newest comes last.

    A caller that passes only the end of a long story says with `chat_length` how many messages there are,
    and with `replies` how many of them are the assistant's. `greeting`: the number of the opening in use, 0
    is the first. `expand` puts values for the macros of keys and texts; without it macros stay as written.
    """

    messages: tuple[SceneMessage, ...] = ()
    trigger: str = "normal"
    character: SceneCharacter = field(default_factory=SceneCharacter)
    sources: Sources = field(default_factory=Sources)
    context_size: int | None = None
    chat_length: int | None = None
    replies: int | None = None
    greeting: int | None = None
    expand: Callable[[str], str] | None = None

    @property
    def length(self) -> int:
        """How many messages the story has: the clock of timed effects."""
        return len(self.messages) if self.chat_length is None else self.chat_length

    @property
    def assistant_messages(self) -> int:
        """How many messages the assistant has written."""
        if self.replies is not None:
            return self.replies
        return sum(message.role == "assistant" for message in self.messages)

    def expanded(self, text: str) -> str:
        """The text with its macros filled, where it has any and they are on."""
        return self.expand(text) if self.expand and has_macro(text) else text


@dataclass(frozen=True, slots=True)
class Dice:
    """Every roll of a scan, each from 0 up to 1: said beforehand, or asked of `otherwise` by the roll's name.

    Entries are named by book id and candidate key, groups by their name.
    """

    otherwise: Callable[[str], float]
    entries: Mapping[tuple[str, str], float] = field(default_factory=dict)
    groups: Mapping[str, float] = field(default_factory=dict)

    def for_entry(self, book: str, key: str) -> float:
        """The roll against an entry's probability."""
        said = self.entries.get((book, key))
        return self.otherwise(f"entry {book} {key}") if said is None else said

    def for_group(self, name: str) -> float:
        """The roll that chooses a member of a group."""
        said = self.groups.get(name)
        return self.otherwise(f"group {name}") if said is None else said


def fixed_dice(
    seed: str,
    entries: Mapping[tuple[str, str], float] | None = None,
    groups: Mapping[str, float] | None = None,
) -> Dice:
    """Dice that fall the same way each time for one seed: each roll hangs on its name alone."""

    def roll(name: str) -> float:
        digest = blake2b(f"{seed}\0{name}".encode("utf-8", "surrogatepass"), digest_size=6).digest()
        return int.from_bytes(digest, "big") / 2**48

    return Dice(roll, entries or {}, groups or {})


def has_macro(text: str) -> bool:
    """Whether a text may hold a macro, in braces or (as old cards write it) like a tag."""
    return "{{" in text or "<" in text


def name_macros(user: str, char: str) -> Callable[[str], str]:
    """An `expand` that knows the two names and takes comments out; other macros stay as written."""

    def value(text: str, macro: Macro) -> str | None:
        if macro.name in COMMENTS:
            return ""
        is_bare = text[macro.start + 2 : macro.end - 2].strip().casefold() == macro.name
        if is_bare and macro.name in PLAYER_NAMES:
            return user
        return char if is_bare and macro.name in CHARACTER_NAMES else None

    def expand(text: str) -> str:
        done, at = [], 0
        for macro in find_macros(text):
            filled = value(text, macro) if macro.start >= at else None
            if filled is not None:
                done += [text[at : macro.start], filled]
                at = macro.end
        return "".join([*done, text[at:]])

    return expand


def hidden_keys(text: str) -> list[str]:
    """What `{{hidden_key:…}}` holds: never sent, but read where one entry wakes another."""
    if "hidden_key" not in text.casefold():
        return []
    macros = [macro for macro in find_macros(text) if macro.name == "hidden_key"]
    return [text[macro.start : macro.end - 2].partition(":")[2].strip() for macro in macros]
