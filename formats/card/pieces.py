"""A card as numbered pieces: every text of it once, under ids that never change (D8, SURV-1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from formats.card.model import Card
from formats.messages import gettext_noop
from formats.text.cleaning import (
    LORE_STEPS,
    MACHINE_STEPS,
    Cleaned,
    clean_lore,
    clean_prose,
    finished_lore,
    finished_prose,
    has_words,
    hidden,
    hidden_further,
    visible,
)
from formats.text.split import PIECE_LIMIT, split_text

Field = Literal[
    "description",
    "personality",
    "scenario",
    "example",
    "system",
    "post_history",
    "note",
    "creator_notes",
    "greeting",
    "group_greeting",
    "entry",
]
"""What a piece is part of; the first word of its id."""

FIELDS: tuple[Field, ...] = get_args(Field)

LABELS: Mapping[Field, str] = {
    "description": gettext_noop("Description"),
    "personality": gettext_noop("Personality"),
    "scenario": gettext_noop("Scenario"),
    "example": gettext_noop("Example dialogue"),
    "system": gettext_noop("System prompt"),
    "post_history": gettext_noop("Post-history instructions"),
    "note": gettext_noop("Character's note"),
    "creator_notes": gettext_noop("Creator's notes"),
    "greeting": gettext_noop("Greeting {number}"),
    "group_greeting": gettext_noop("Group greeting {number}"),
    "entry": gettext_noop("Entry {number}"),
}
"""How a field is called on a page: templates; `{number}` counts from 1."""

_SINGLE_FIELDS: tuple[tuple[Field, str], ...] = (
    ("description", "description"),
    ("personality", "personality"),
    ("scenario", "scenario"),
    ("example", "mes_example"),
    ("system", "system_prompt"),
    ("post_history", "post_history_instructions"),
)


@dataclass(frozen=True, slots=True)
class EntryFacts:
    """What a lorebook entry says about itself. None of it decides what the entry means (SURV-4)."""

    keys: tuple[str, ...]
    secondary_keys: tuple[str, ...]
    constant: bool
    enabled: bool
    order: float


@dataclass(frozen=True, slots=True)
class Piece:
    """One numbered part of a card, at most `PIECE_LIMIT` characters.

    `id`: `description`, `greeting:0`, `entry:12`; of a split text `entry:12/2`, counted from 1.
    `where`: path of the text in the card. `number`: position in the card's own list, from 0; None for fields
    that a card has once. `title`: the entry's own title, may be empty. `text`: the original text.
    `covered_lore`, `covered_prose`: the same text with what D9 takes out hidden (the whole field was looked
    at, so a tag that spans two parts is found); read them through `as_lore`, `as_prose`. `machine`: the whole
    field holds nothing that a person would read (a script-only entry).
    """

    id: str
    field: Field
    where: str
    number: int | None
    title: str
    text: str
    covered_lore: str
    covered_prose: str
    part: int = 1
    parts: int = 1
    entry: EntryFacts | None = None
    machine: bool = False

    @property
    def whole(self) -> str:
        """The id of the field, greeting or entry that the piece is part of."""
        return self.id.partition("/")[0]

    @property
    def size(self) -> int:
        """Characters of the original text."""
        return len(self.text)

    @property
    def label(self) -> str:
        """The template of the piece's name on a page; its fields are `label_args`."""
        return LABELS[self.field]

    @property
    def label_args(self) -> dict[str, int]:
        """What the label's fields hold: `number` (from 1), for a split text also `part` and `parts`."""
        args = {} if self.number is None else {"number": self.number + 1}
        return args if self.parts == 1 else {**args, "part": self.part, "parts": self.parts}

    def as_lore(self, char_name: str) -> Cleaned:
        """The piece as lore: verbatim but for EJS, comments, decorators and marks (D33)."""
        return finished_lore(visible(self.covered_lore), char_name)

    def as_prose(self, char_name: str) -> Cleaned:
        """The piece as prose: without any machine text, HTML turned into text (D9)."""
        return finished_prose(visible(self.covered_prose), char_name)


@dataclass(frozen=True, slots=True)
class WholeText:
    """A field, greeting or entry before it is split."""

    id: str
    field: Field
    where: str
    number: int | None
    text: str
    title: str = ""
    entry: EntryFacts | None = None

    def as_lore(self, char_name: str) -> Cleaned:
        """The text as lore (D33); see `formats.text.cleaning.clean_lore`."""
        return clean_lore(self.text, char_name)

    def as_prose(self, char_name: str) -> Cleaned:
        """The text as prose (D9); see `formats.text.cleaning.clean_prose`."""
        return clean_prose(self.text, char_name)


def whole_texts(card: Card) -> list[WholeText]:
    """Every text of a card in the order of D8.

    Fields and greetings without text are left out; entries never are, since each is accounted for.
    """
    return [*_fields(card), *_greetings(card), *_entries(card)]


def pieces_of(card: Card) -> list[Piece]:
    """The pieces of a card. The same card always gives the same pieces and ids."""
    return [piece for whole in whole_texts(card) for piece in _pieces(whole)]


def entry_title(entry: Mapping[str, Any]) -> str:
    """The title of a lorebook entry as its author sees it: `comment`, else `name` (lorebook facts 1.1)."""
    for name in ("comment", "name"):
        title = entry.get(name)
        if isinstance(title, str) and title.strip():
            return title.strip()
    return ""


def entry_facts(entry: Mapping[str, Any]) -> EntryFacts:
    """Keys and switches of a repaired entry; a missing `enabled` is on (D6)."""
    order = entry.get("insertion_order", 100)
    return EntryFacts(
        keys=_strings(entry.get("keys")),
        secondary_keys=_strings(entry.get("secondary_keys")),
        constant=entry.get("constant") is True,
        enabled=entry.get("enabled", True) is not False,
        order=order if isinstance(order, int | float) else 100,
    )


def _fields(card: Card) -> Iterator[WholeText]:
    for field, name in _SINGLE_FIELDS:
        yield from _single(field, f"data.{name}", card.data.get(name))
    note = card.data["extensions"].get("depth_prompt")
    if isinstance(note, dict):
        yield from _single("note", "data.extensions.depth_prompt.prompt", note.get("prompt"))
    yield from _single("creator_notes", "data.creator_notes", card.data.get("creator_notes"))


def _single(field: Field, where: str, text: object) -> Iterator[WholeText]:
    if isinstance(text, str) and text.strip():
        yield WholeText(field, field, where, None, text)


def _greetings(card: Card) -> Iterator[WholeText]:
    for number, text in enumerate(card.greetings):
        where = f"data.alternate_greetings[{number - 1}]" if number else "data.first_mes"
        if text.strip():
            yield WholeText(f"greeting:{number}", "greeting", where, number, text)
    for number, text in enumerate(card.group_greetings):
        if text.strip():
            where = f"data.group_only_greetings[{number}]"
            yield WholeText(f"group_greeting:{number}", "group_greeting", where, number, text)


def _entries(card: Card) -> Iterator[WholeText]:
    for number, entry in enumerate(card.entries):
        content = entry.get("content")
        yield WholeText(
            id=f"entry:{number}",
            field="entry",
            where=f"data.character_book.entries[{number}].content",
            number=number,
            text=content if isinstance(content, str) else "",
            title=entry_title(entry),
            entry=entry_facts(entry),
        )


def _pieces(whole: WholeText) -> Iterator[Piece]:
    parts = split_text(whole.text, PIECE_LIMIT)
    lore = hidden(whole.text, LORE_STEPS)
    prose = hidden_further(lore, MACHINE_STEPS)
    machine = bool(whole.text.strip()) and not has_words(visible(prose))
    start = 0
    for part, text in enumerate(parts, 1):
        end = start + len(text)
        yield Piece(
            id=whole.id if len(parts) == 1 else f"{whole.id}/{part}",
            field=whole.field,
            where=whole.where,
            number=whole.number,
            title=whole.title,
            text=text,
            covered_lore=lore[start:end],
            covered_prose=prose[start:end],
            part=part,
            parts=len(parts),
            entry=whole.entry,
            machine=machine,
        )
        start = end


def _strings(value: object) -> tuple[str, ...]:
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()
