"""What became of each piece: exactly one outcome, and what it became (OUT-1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from formats.card import Piece
from importer.pipeline.record import Outcome, PieceRecord, Pieces


class Ledger:
    """The account of a card's pieces while an import works through them.

    A piece is settled once. What nobody settles stays `awaiting`, so that nothing is lost by being forgotten.
    """

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self._records = {
            piece.id: PieceRecord(id=piece.id, title=piece.title, size=piece.size) for piece in pieces
        }

    def settle(
        self, pieces: Iterable[Piece], outcome: Outcome, made: Sequence[str] = (), reason: str = ""
    ) -> None:
        """Give pieces their outcome; `made` are paths of the world's files, `reason` a code for the report.

        Raises:
            ValueError: a piece has its outcome already; that would be two accounts of one thing.
        """
        for piece in pieces:
            record = self._records[piece.id]
            if record.outcome != "awaiting":
                raise ValueError(f"{piece.id} is already {record.outcome}")
            self._records[piece.id] = record.model_copy(
                update={"outcome": outcome, "made": list(made), "reason": reason}
            )

    def settled(self, piece: Piece) -> bool:
        return self._records[piece.id].outcome != "awaiting"

    def account(self) -> Pieces:
        """The records in the order of the card."""
        return Pieces(pieces=list(self._records.values()))
