"""Lore before it has an id: ids come in a fixed order once every builder is done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from formats.card import Piece
from formats.finding import fill
from formats.text.cleaning import clean_prose, replace_marks
from importer.pipeline.context import ImportContext
from importer.pipeline.summary import LOOKED_AT, entry_summary
from worlds.rules.documents import Lore
from worlds.rules.documents.lore import LoreType


@dataclass(frozen=True, slots=True)
class LoreDraft:
    """A lore entry and the pieces it is made of; `quotes` are the passages taken, by piece.

    Without anybody in `known_by` it is everyone's, or with `narrators` the game master's and the world
    author's alone (D31).
    """

    title: str
    text: str
    pieces: tuple[str, ...]
    type: LoreType = "custom"
    summary: str = ""
    keywords: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    known_by: tuple[str, ...] = ()
    narrators: bool = False
    quotes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def document(self, lore_id: str) -> Lore:
        return Lore(
            id=lore_id,
            title=self.title,
            type=self.type,
            summary=self.summary,
            text=self.text,
            keywords=list(self.keywords),
            scope="listed" if self.narrators or self.known_by else "everyone",
            known_by=list(self.known_by),
            about=list(self.about),
        )


def part_title(context: ImportContext, title: str, piece: Piece) -> str:
    """The title of a part of a split text says which part it is."""
    if piece.parts == 1:
        return title
    return fill(context.words.part, {"title": title, "part": piece.part, "parts": piece.parts})


def keys_of(context: ImportContext, piece: Piece) -> list[str]:
    """The keys of an entry as keywords, marks replaced, each once."""
    if piece.entry is None:
        return []
    keys = (*piece.entry.keys, *piece.entry.secondary_keys)
    written = (replace_marks(key, context.card.name).strip() for key in keys)
    return list(dict.fromkeys(key for key in written if key))


def as_written(context: ImportContext, piece: Piece) -> LoreDraft:
    """A piece as it stands, for the narrators alone: what nobody could read further is not lost."""
    text, keys = context.text_of(piece), keys_of(context, piece)
    title = (
        replace_marks(piece.title, context.card.name).strip()
        or next(iter(keys), "")
        or _field_name(context, piece)
    )
    told = clean_prose(text[: 2 * LOOKED_AT], context.card.name).text
    return LoreDraft(
        part_title(context, title, piece),
        text,
        (piece.id,),
        summary=entry_summary(told, title, keys),
        keywords=tuple(keys),
        narrators=True,
    )


def joined(title: str, passages: Sequence[tuple[str, str]]) -> LoreDraft:
    """Passages (piece, text) as one entry for the narrators alone."""
    quotes: dict[str, tuple[str, ...]] = {}
    for piece, text in passages:
        quotes[piece] = (*quotes.get(piece, ()), text)
    text = "\n\n".join(text for _, text in passages)
    return LoreDraft(title, text, tuple(quotes), narrators=True, quotes=quotes)


def _field_name(context: ImportContext, piece: Piece) -> str:
    words = context.words
    if piece.field == "entry":
        return fill(words.entry, {"number": (piece.number or 0) + 1})
    return {"scenario": words.scenario, "note": fill(words.note, {"name": context.card.name})}.get(
        piece.field, context.card.name
    )
