"""The survey as builders read it: roles, entities, and the passages an entity is built from (D15)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from formats.card import Piece
from formats.text.names import compared
from importer.pipeline.context import ImportContext
from importer.pipeline.survey.names import with_player_put_in
from importer.pipeline.survey.records import Classification, Entity, EntityKind, PieceClass, Role, Roster


@dataclass(frozen=True, slots=True)
class Survey:
    """Classification and roster of one card."""

    classification: Classification
    roster: Roster
    _classes: dict[str, PieceClass] = field(init=False, default_factory=dict)
    _named: dict[tuple[str, str], Entity] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._classes.update({piece.id: piece for piece in self.classification.pieces})
        for entity in self.roster.entities:
            for name in (entity.name, *entity.aliases):
                self._named.setdefault((entity.kind, compared(name)), entity)

    def roles_of(self, piece_id: str) -> tuple[Role, ...]:
        """What a piece is, the main role first; nothing for one that was not passed on."""
        found = self._classes.get(piece_id)
        return tuple(found.roles) if found else ()

    def pieces_of_role(self, context: ImportContext, *roles: Role) -> list[Piece]:
        """The pieces that have one of these roles, in the card's order."""
        return [piece for piece in context.pieces.values() if set(roles) & set(self.roles_of(piece.id))]

    def of_kind(self, *kinds: EntityKind) -> Iterator[Entity]:
        """The entities of these kinds in the roster's order."""
        return (entity for entity in self.roster.entities if entity.kind in kinds)

    def entity_by_name(self, name: str, *kinds: EntityKind, player: str = "") -> Entity | None:
        """The entity that is called so, whatever the case; of every kind where none is given.

        `player` is put in for the player's mark (SURV-6).
        """
        wanted = compared(with_player_put_in(name, player) if player else name.strip())
        for kind in kinds or ("character", "location", "faction", "item"):
            if found := self._named.get((kind, wanted)):
                return found
        return None


def sources_for(context: ImportContext, entity: Entity) -> list[Piece]:
    """The passages an entity is built from, in the card's order: the build and `card_origin` ask here."""
    return [context.pieces[piece] for piece in entity.pieces if piece in context.pieces]
