"""The names that the pieces of a card hold, before anybody says which are the same (SURV-6, SURV-8)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from formats.text.names import compared
from importer.pipeline.survey.records import EntityKind, PieceClass

PLAYER_MARK = "[PLAYER]"


@dataclass(slots=True)
class Named:
    """One name of one kind: the pieces that tell of it, and those that only mention it."""

    kind: EntityKind
    name: str
    told: list[str] = field(default_factory=list)
    mentioned: list[str] = field(default_factory=list)
    player: bool = False

    @property
    def counts(self) -> bool:
        """SURV-8: mentioned once, in a piece about something else, is nothing of the world's own."""
        return bool(self.told) or len(self.mentioned) > 1

    @property
    def weight(self) -> int:
        """In how many pieces it stands."""
        return len(self.told) + len(self.mentioned)


def with_player_put_in(name: str, player: str) -> str:
    """SURV-6: a name with the player's mark is the name with the player's form of address in it."""
    return " ".join(name.replace(PLAYER_MARK, player).split())


def names_in(pieces: Iterable[PieceClass]) -> list[Named]:
    """Every name once a kind, in the order of first appearance.

    A piece that only tells how people are made gives no names (CAST-5). A name that stands in a piece about
    the player's character, and is what the piece tells of, is that character.
    """
    found: dict[tuple[EntityKind, str], Named] = {}
    for piece in pieces:
        if set(piece.roles) == {"generator"}:
            continue
        for thing in piece.names:
            named = found.setdefault((thing.kind, compared(thing.name)), Named(thing.kind, thing.name))
            held = named.told if thing.about else named.mentioned
            if piece.id not in held:
                held.append(piece.id)
            if thing.about and thing.kind == "character" and piece.roles[0] == "player":
                named.player = True
    return list(found.values())


def same_by_code(first: str, second: str) -> bool:
    """Whether one name contains the other: whole words, or characters where a script has no spaces."""
    short, long = sorted((compared(first), compared(second)), key=len)
    if len(short) < 2:
        return False
    if short.isascii():
        return f" {short} " in f" {long} "
    return short in long
