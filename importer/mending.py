"""A problem of a draft as its page shows it: the sentence, the passage of the card, the fixes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from formats.card import pieces_of
from formats.errors import DomainError
from formats.finding import Finding
from importer.account import label_of
from importer.pipeline.record import ImportRecord
from importer.queries import Problem
from worlds.models import World
from worlds.overview import address_of
from worlds.queries import folder_of
from worlds.rules.fixes import Fix
from worlds.rules.paths import place

PASSAGES = 3
Passage = tuple[str, str]
"""The name of a piece, and its text."""


@dataclass(frozen=True, slots=True)
class Mending:
    """One problem. `address`: where it can be edited by hand ("" for nowhere); `passages` of the card."""

    finding: Finding
    address: str
    fixes: tuple[Fix, ...]
    passages: list[Passage]


def mendings_of(world: World, problems: Iterable[Problem]) -> list[Mending]:
    """The problems with the passages of the card that the same file was made of."""
    listed = list(problems)
    passages = passages_by_path(world) if listed else {}
    return [
        Mending(
            problem.finding,
            address_of(world, problem.finding.where),
            problem.fixes,
            passages.get(place(problem.finding.where)[0], [])[:PASSAGES],
        )
        for problem in listed
    ]


def passages_by_path(world: World) -> dict[str, list[Passage]]:
    """Path of a file → the pieces it was made of; nothing where no import made the world, or its record is
    gone.
    """
    record = ImportRecord(folder_of(world))
    found: dict[str, list[Passage]] = {}
    try:
        pieces = {piece.id: piece for piece in pieces_of(record.card())}
        account = record.pieces().pieces
    except (DomainError, ValueError):
        return found
    for entry in account:
        piece = pieces.get(entry.id)
        for path in entry.made if piece else ():
            assert piece is not None
            found.setdefault(path, []).append((label_of(piece), piece.text))
    return found
