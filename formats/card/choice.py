"""What the person who imports a card chose: the name, the entries that are off, the opening (PREV-1, -2)."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from formats.card.declared import declared_variables
from formats.card.model import Card
from formats.card.pieces import Piece, entry_facts, pieces_of
from formats.errors import DomainError
from formats.messages import gettext_noop

Language = Literal["en", "zh-hans"]
Way = Literal["structure", "model"]

LONGEST_NAME = 200

_ENTRY = "entry:"
_GREETING = "greeting:"

MESSAGES: Mapping[str, str] = {
    "choices-unreadable": gettext_noop("The stored choices are not in the form this program writes."),
    "name-missing": gettext_noop("The world needs a name. Nothing was changed; please write one."),
    "name-too-long": gettext_noop("The name has {count} characters; a world's name has at most {limit}."),
    "name-unprintable": gettext_noop("The name holds a line break or an invisible control character."),
    "unknown-entry": gettext_noop(
        "The card has no lorebook entry {id}. Its entries are entry:0 to entry:{last}."
    ),
    "no-entries": gettext_noop("The card has no lorebook, so {id} cannot be switched off."),
    "unknown-opening": gettext_noop("The card has no greeting {id} with text. It has: {greetings}."),
    "no-greetings": gettext_noop("The card has no greeting, so {id} cannot be its opening."),
    "unknown-language": gettext_noop("{language} is no language of this program. It has: {languages}."),
    "unknown-way": gettext_noop("{way} is no way to import. There are: {ways}."),
}


@dataclass(frozen=True, slots=True)
class Choices:
    """The choices of one import.

    `off`: ids of entries that are not passed on (`entry:12`), in the card's order. `opening`: the id of a
    greeting; None where the card has none or nobody chose yet, which means the first.
    `language`: that of the import (D2). `way`: with or without a model. `endpoint`: id of the model endpoint
    to read with; "" for the one that its owner uses for importing.
    """

    name: str
    off: tuple[str, ...] = field(default=())
    opening: str | None = None
    language: Language = "en"
    way: Way = "structure"
    endpoint: str = ""

    def to_json(self) -> dict[str, Any]:
        """The form of `.import/choices.json`."""
        return {
            "name": self.name,
            "off": list(self.off),
            "opening": self.opening,
            "language": self.language,
            "way": self.way,
            "endpoint": self.endpoint,
        }

    @classmethod
    def from_json(cls, value: object) -> Choices:
        """Read stored choices; whether they fit a card is asked by `check_choices`.

        Raises:
            DomainError: `choices-unreadable`, or as `check_choices` for language and way.
        """
        if not isinstance(value, Mapping):
            raise _refusal("choices-unreadable")
        name, off, opening = value.get("name"), value.get("off", []), value.get("opening")
        if not isinstance(name, str) or not isinstance(opening, str | None) or not isinstance(off, list):
            raise _refusal("choices-unreadable")
        if not all(isinstance(id, str) for id in off):
            raise _refusal("choices-unreadable")
        language, way = value.get("language", "en"), value.get("way", "structure")
        _check_words(language, way)
        endpoint = value.get("endpoint", "")
        if not isinstance(endpoint, str):
            raise _refusal("choices-unreadable")
        return cls(name, tuple(off), opening, language, way, endpoint)


def default_choices(card: Card, *, language: Language = "en", way: Way = "structure") -> Choices:
    """The choices before anybody chose: the card's name, its first greeting, its disabled entries off.

    An entry that states variables (`[InitVar]`) is on although it is off in the card: that is how such cards
    are made, and the script that they bring reads it all the same.
    """
    states = {number for number in declared_variables(card).origins.values() if number is not None}
    off = [
        f"{_ENTRY}{number}"
        for number, entry in enumerate(card.entries)
        if not entry_facts(entry).enabled and number not in states
    ]
    openings = greeting_ids(card)
    name = " ".join(_printable(card.name).split())[:LONGEST_NAME].strip()
    return Choices(name, tuple(off), openings[0] if openings else None, language, way)


def greeting_ids(card: Card) -> list[str]:
    """Ids of the greetings that can be an opening: the first message and the alternates that have text."""
    return [f"{_GREETING}{number}" for number, text in enumerate(card.greetings) if text.strip()]


def check_choices(card: Card, choices: Choices) -> Choices:
    """The choices in their stored form: name trimmed, `off` in the card's order without repeats.

    Raises:
        DomainError: a code of `MESSAGES`; `where` names the choice.
    """
    _check_words(choices.language, choices.way)
    name = _checked_name(choices.name)
    openings = greeting_ids(card)
    if choices.opening is not None and choices.opening not in openings:
        code = "unknown-opening" if openings else "no-greetings"
        raise _refusal(code, "opening", id=choices.opening[:80], greetings=", ".join(openings[:40]))
    opening = choices.opening or (openings[0] if openings else None)
    entries = [f"{_ENTRY}{number}" for number in range(len(card.entries))]
    unknown = sorted(set(choices.off) - set(entries))
    if unknown:
        code = "unknown-entry" if entries else "no-entries"
        raise _refusal(code, "off", id=unknown[0][:80], last=len(entries) - 1)
    off = set(choices.off)
    kept = tuple(id for id in entries if id in off)
    return Choices(name, kept, opening, choices.language, choices.way, choices.endpoint)


def chosen(card: Card, choices: Choices, pieces: Sequence[Piece] | None = None) -> list[Piece]:
    """The pieces that are passed on: all but those of entries that are off (PREV-2).

    `pieces` are those of the card, where the caller has them already.

    Greetings that are not the opening are passed on too: they become alternate openings (PREV-3).

    Raises:
        DomainError: the choices do not fit the card.
    """
    off = set(check_choices(card, choices).off)
    return [piece for piece in (pieces if pieces is not None else pieces_of(card)) if piece.whole not in off]


def _checked_name(name: str) -> str:
    trimmed = name.strip()
    if not trimmed:
        raise _refusal("name-missing", "name")
    if len(trimmed) > LONGEST_NAME:
        raise _refusal("name-too-long", "name", count=len(trimmed), limit=LONGEST_NAME)
    if _printable(trimmed) != trimmed:
        raise _refusal("name-unprintable", "name")
    return trimmed


def _printable(name: str) -> str:
    """Without control characters, halves of characters, and signs that turn the reading direction."""
    return "".join(
        c for c in name if unicodedata.category(c) not in ("Cc", "Cs", "Zl", "Zp") and not _turns(c)
    )


def _turns(character: str) -> bool:
    return "\u202a" <= character <= "\u202e" or "\u2066" <= character <= "\u2069"


def _check_words(language: object, way: object) -> None:
    if language not in get_args(Language):
        raise _refusal(
            "unknown-language", "language", language=str(language)[:40], languages=_listed(get_args(Language))
        )
    if way not in get_args(Way):
        raise _refusal("unknown-way", "way", way=str(way)[:40], ways=_listed(get_args(Way)))


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words)


def _refusal(code: str, where: str = "", **args: Any) -> DomainError:
    return DomainError("invalid", code, where, MESSAGES[code], args=args)
