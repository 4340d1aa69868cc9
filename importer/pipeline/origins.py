"""`origins.json`: which pieces each file of the world came from, with the passages quoted of them (D15)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from importer.pipeline.building import Built
from importer.pipeline.record import Record


class Source(Record):
    """A piece that something was made of; `quotes` where the task gave passages."""

    piece: str
    quotes: list[str] = Field(default_factory=list)


class Origin(Record):
    """One file of the world and its sources in the card's order."""

    path: str
    sources: list[Source]


class Origins(Record):
    """`origins.json`, by path."""

    schema_: Literal["roleplay-origins/v1"] = Field("roleplay-origins/v1", alias="schema")
    origins: list[Origin]

    @classmethod
    def of(cls, built: Built) -> Origins:
        """The account of the pieces seen from what they became."""
        sources: dict[str, list[Source]] = {}
        for piece in built.pieces.pieces:
            for path in piece.made:
                quotes = built.quotes.get(path, {}).get(piece.id, [])
                sources.setdefault(path, []).append(Source(piece=piece.id, quotes=quotes))
        return cls(origins=[Origin(path=path, sources=held) for path, held in sorted(sources.items())])

    def what_made(self, path: str) -> list[Source]:
        """The pieces that a file was made of; none where the import did not make it."""
        return next((origin.sources for origin in self.origins if origin.path == path), [])

    def what_became(self, piece: str) -> list[str]:
        """The files that were made of a piece."""
        return [
            origin.path for origin in self.origins if any(source.piece == piece for source in origin.sources)
        ]
