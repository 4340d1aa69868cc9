"""What one builder gives: documents, prompts, and the account of the pieces it used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from formats.card import Piece
from formats.finding import Finding
from importer.pipeline.build.lore_draft import LoreDraft
from importer.pipeline.record import Outcome
from worlds.rules.documents import Document, kind_of
from worlds.rules.paths import document_path


@dataclass(frozen=True, slots=True)
class Credit:
    """What a builder says of one piece: its outcome, the paths made of it, and why where nothing was.

    `quotes`: passages of the piece, letter for letter, from which a path was made, where the task gives them.
    Several builders may credit a piece; the strongest outcome counts (`OUTCOME_ORDER`).
    """

    piece: str
    outcome: Outcome
    made: tuple[str, ...] = ()
    reason: str = ""
    quotes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


OUTCOME_ORDER: tuple[Outcome, ...] = ("converted", "guidance", "carried", "read", "omitted", "awaiting")


@dataclass(slots=True)
class Part:
    """The work of one builder. `documents` and `prompts` by path; a path belongs to one builder alone.

    `prompts` hold text that was made inert already (`prompt_files`). `pictures`: paths at which the card's
    own picture shall lie. `lore` has no ids yet.
    """

    documents: dict[str, Document] = field(default_factory=dict)
    prompts: dict[str, bytes] = field(default_factory=dict)
    credits: list[Credit] = field(default_factory=list)
    notes: list[Finding] = field(default_factory=list)
    pictures: list[str] = field(default_factory=list)
    lore: list[LoreDraft] = field(default_factory=list)

    def put(self, document: Document) -> str:
        """Add a document; gives its path."""
        path = document_path(kind_of(document).name, str(getattr(document, "id", "")))
        self.documents[path] = document
        return path

    def credit(
        self,
        pieces: Iterable[Piece],
        outcome: Outcome,
        made: Sequence[str] = (),
        reason: str = "",
        quotes: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        """Say the same of several pieces."""
        kept = {path: tuple(passages) for path, passages in (quotes or {}).items()}
        self.credits += [Credit(piece.id, outcome, tuple(made), reason, kept) for piece in pieces]
