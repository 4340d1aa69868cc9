"""What the survey found: what each piece is about, and who and what the world holds (SURV-2, SURV-3)."""

from __future__ import annotations

from typing import Literal, get_args

from pydantic import Field

from importer.pipeline.record import Record

Role = Literal[
    "character",
    "player",
    "speech",
    "location",
    "faction",
    "item",
    "world",
    "scene",
    "instruction",
    "generator",
    "template",
    "irrelevant",
]
ROLES: tuple[Role, ...] = get_args(Role)
EntityKind = Literal["character", "location", "faction", "item"]
ENTITY_KINDS: tuple[EntityKind, ...] = get_args(EntityKind)
MOST_ROLES = 3


class NamedThing(Record):
    """A name in a piece. `about`: the piece describes it; otherwise it is only mentioned there (SURV-8)."""

    name: str
    kind: EntityKind
    about: bool = True


class PieceClass(Record):
    """What one piece is. `by` says who decided: a model, the decision service, or code where neither could.

    `note` is a code for the report ("" where all went well).
    """

    id: str
    roles: list[Role] = Field(min_length=1, max_length=MOST_ROLES)
    names: list[NamedThing] = Field(default_factory=list)
    by: Literal["model", "decision", "code"] = "model"
    confidence: float | None = None
    note: str = ""


class Classification(Record):
    """`classification.json`: every piece that is passed on, in the card's order."""

    schema_: Literal["roleplay-classification/v1"] = Field("roleplay-classification/v1", alias="schema")
    pieces: list[PieceClass]


class Entity(Record):
    """A thing of the world that gets a document of its own.

    `id` is made from its name in the order of the roster, so it never depends on which answer came first.
    `pieces` are those it is built from, in the card's order. `player`: the character that the card gives to
    the player.
    """

    id: str
    kind: EntityKind
    name: str
    aliases: list[str] = Field(default_factory=list)
    pieces: list[str] = Field(default_factory=list)
    player: bool = False


class Roster(Record):
    """`roster.json`: characters, locations, factions, items, each kind in the order of first appearance.

    `merged_by`: the model, or code when its answer was of no use (SURV-3); then `note` says why.
    """

    schema_: Literal["roleplay-roster/v1"] = Field("roleplay-roster/v1", alias="schema")
    entities: list[Entity]
    merged_by: Literal["model", "code"]
    note: str = ""
