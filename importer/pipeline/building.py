"""What the steps of arranging a card share: the pieces, the account, the files made so far."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from formats.card import Card, Piece
from formats.finding import Finding, fill
from formats.text.cleaning import Cleaned, clean_prose, replace_marks
from formats.text.names import element_id
from importer.pipeline.outcomes import Ledger
from importer.pipeline.record import Pieces, unreadable_record
from importer.pipeline.summary import LOOKED_AT, entry_summary
from importer.pipeline.words import Words
from worlds.rules.documents import Document, Lore
from worlds.rules.write import document_bytes, document_path

BUILT_SCHEMA = "roleplay-structure/v1"
Quotes = dict[str, dict[str, list[str]]]
"""Path → piece → passages of it, letter for letter."""


@dataclass(frozen=True, slots=True)
class Built:
    """A world on paper.

    `files`: path → bytes of documents and prompts. `pictures`: paths at which the card's own picture shall
    lie (cover and portrait, FIN-5, FIN-6); none where the card has no picture. `quotes`: passages from which
    a file was made, where they are known.
    """

    files: dict[str, bytes]
    pieces: Pieces
    notes: list[Finding]
    pictures: list[str]
    quotes: Quotes = field(default_factory=dict)

    def to_record(self) -> dict[str, Any]:
        """The form of `.import/structure.json`, from which an interrupted import goes on."""
        return {
            "schema": BUILT_SCHEMA,
            "files": {path: data.decode("utf-8") for path, data in self.files.items()},
            "pieces": self.pieces.model_dump(mode="json"),
            "notes": [note.to_json() for note in self.notes],
            "pictures": self.pictures,
            "quotes": self.quotes,
        }

    @classmethod
    def from_record(cls, value: Any) -> Built:
        """Read back what `to_record` gave.

        Raises:
            DomainError: `invalid` where another program changed it; the step before makes it anew.
        """
        try:
            if value["schema"] != BUILT_SCHEMA:
                raise ValueError(value["schema"])
            return cls(
                {path: text.encode("utf-8") for path, text in value["files"].items()},
                Pieces.model_validate(value["pieces"]),
                [Finding.from_json(note) for note in value["notes"]],
                list(value["pictures"]),
                {path: dict(pieces) for path, pieces in value["quotes"].items()},
            )
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise unreadable_record("structure.json") from error


@dataclass(slots=True)
class Building:
    """A card while it is arranged.

    `picture`: name of the card's picture in the import folder (`picture.png`), None without one. `pieces`
    are those passed on, `all_pieces` those of the whole card.
    """

    card: Card
    words: Words
    picture: str | None
    all_pieces: list[Piece]
    pieces: list[Piece]
    ledger: Ledger
    files: dict[str, bytes] = field(default_factory=dict)
    notes: list[Finding] = field(default_factory=list)
    macros: dict[str, None] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)
    pictures: list[str] = field(default_factory=list)
    lore_count: int = 0

    @classmethod
    def of_card(
        cls,
        card: Card,
        words: Words,
        picture: str | None,
        all_pieces: Sequence[Piece],
        passed_on: Sequence[Piece],
    ) -> Building:
        return cls(card, words, picture, list(all_pieces), list(passed_on), Ledger(all_pieces))

    def of(self, *fields: str) -> list[Piece]:
        """The pieces of these fields that are passed on and not accounted for yet."""
        return [piece for piece in self.pieces if piece.field in fields and not self.ledger.settled(piece)]

    def prose(self, text: str) -> str:
        """A whole field or greeting as prose (D9)."""
        return self._text_of(clean_prose(text, self.card.name))

    def title(self, text: str) -> str:
        """A title or key of the card, its player and character marks replaced (CARD-8)."""
        return replace_marks(text, self.card.name).strip()

    def lore_text(self, piece: Piece) -> str:
        """A piece as lore: its own text but for what D33 takes out."""
        return self._text_of(piece.as_lore(self.card.name))

    def put(self, kind: str, document: Document, document_id: str = "") -> str:
        """Add a document; gives its path."""
        path = document_path(kind, document_id)
        self.files[path] = document_bytes(document)
        return path

    def picture_at(self, stem: str) -> str | None:
        """Let the card's picture lie at this path (given without ending); None where the card has none."""
        if self.picture is None:
            return None
        path = f"{stem}.{self.picture.rpartition('.')[2]}"
        self.pictures.append(path)
        return path

    def lore(
        self,
        piece: Piece,
        title: str,
        text: str,
        *,
        keywords: list[str],
        scope: Literal["everyone", "listed"],
    ) -> None:
        """Carry a piece over as a lore entry; `listed` with nobody listed is the game master alone (D31)."""
        self.lore_count += 1
        document_id = element_id(title, "lore", self.lore_count, self.taken)
        self.taken.add(document_id)
        document = Lore(
            id=document_id,
            title=title,
            type="custom",
            summary=entry_summary(self._told(text), title, keywords),
            text=text,
            keywords=keywords,
            scope=scope,
            known_by=[],
        )
        self.ledger.settle([piece], "carried", [self.put("lore", document, document_id)])

    def part_title(self, title: str, piece: Piece) -> str:
        """The title of a part of a split text says which part it is."""
        if piece.parts == 1:
            return title
        return fill(self.words.part, {"title": title, "part": piece.part, "parts": piece.parts})

    def _told(self, text: str) -> str:
        """The beginning of a text of lore as prose, for its summary."""
        return clean_prose(text[: 2 * LOOKED_AT], self.card.name).text

    def _text_of(self, cleaned: Cleaned) -> str:
        self.macros.update(dict.fromkeys(cleaned.macros))
        return cleaned.text


def whole_text(parts: Iterable[Piece]) -> str:
    """The original text that the parts of one field or greeting were split from."""
    return "".join(piece.text for piece in parts)
