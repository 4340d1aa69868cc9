"""What each piece is about: by code where there is nothing to read, else judged by its content (SURV-2)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from formats.card import Piece
from formats.text.names import compared
from importer.pipeline.context import ImportContext
from importer.pipeline.survey.decisions import decided
from importer.pipeline.survey.index import index_of
from importer.pipeline.survey.names import with_player_put_in
from importer.pipeline.survey.records import MOST_ROLES, Classification, NamedThing, PieceClass, Role
from importer.pipeline.survey.variable_marks import reaches_variables
from llm.tasks import AnswerModel, Task, TaskFailed, together

MOST_NAMES = 12
LONGEST_NAME = 80


class FoundName(AnswerModel):
    name: str = Field(max_length=LONGEST_NAME, description="The name as the passage writes it.")
    kind: Literal["character", "location", "faction", "item"]
    about: bool = Field(description="true: the passage tells of it. false: it is only mentioned.")


class Classified(AnswerModel):
    about: str = Field(max_length=200, description="What the passage is about, in a few words.")
    roles: list[Role] = Field(min_length=1, max_length=MOST_ROLES, description="The main one first.")
    names: list[FoundName] = Field(max_length=MOST_NAMES, description="Named things; often none.")


CLASSIFY = Task("classify", Classified, 900)

ROLE_BY_CODE: dict[str, Role] = {
    "description": "character",
    "personality": "character",
    "example": "speech",
    "scenario": "scene",
    "greeting": "scene",
    "group_greeting": "scene",
    "system": "instruction",
    "post_history": "instruction",
    "note": "instruction",
    "creator_notes": "irrelevant",
    "entry": "world",
}
"""What a piece is taken for when no usable answer came."""


async def classify(context: ImportContext) -> Classification:
    """One question for each piece that has something to read, all at once.

    Raises:
        DomainError: the model cannot be asked for now.
    """
    index = index_of(context)
    classes = await together(*(_class_of(context, piece, index) for piece in context.pieces.values()))
    return Classification(pieces=classes)


async def _class_of(context: ImportContext, piece: Piece, index: str) -> PieceClass:
    if piece.machine or not context.text_of(piece).strip():
        role: Role = "template" if reaches_variables(piece) else "irrelevant"
        return PieceClass(id=piece.id, roles=[role], by="code", note="nothing-to-read")
    note = ""
    if context.limits.decisions == "decision" and context.deciding is not None:
        judged, note = await decided(context, piece)
        if judged is not None:
            return judged
    try:
        answer = await context.ask(
            CLASSIFY,
            context.passage(piece),
            title=context.title_of(piece),
            about=piece.id,
            card=context.card.name,
            index=index,
        )
    except TaskFailed:
        return PieceClass(id=piece.id, roles=[ROLE_BY_CODE[piece.field]], by="code", note="model-failed")
    names = list(_names(context, piece, answer))
    return PieceClass(id=piece.id, roles=list(dict.fromkeys(answer.roles)), names=names, note=note)


def _names(context: ImportContext, piece: Piece, answer: Classified) -> list[NamedThing]:
    """The names that really stand in the piece, its title or its keys."""
    keys = (*piece.entry.keys, *piece.entry.secondary_keys) if piece.entry else ()
    stands = compared("\n".join((context.text_of(piece), context.title_of(piece), *keys, context.card.name)))
    found: dict[tuple[str, str], NamedThing] = {}
    for one in answer.names:
        name = with_player_put_in(one.name, context.words.player)
        if name and compared(one.name) in stands:
            key = (one.kind, compared(name))
            about = one.about or (key in found and found[key].about)
            found[key] = NamedThing(name=name, kind=one.kind, about=about)
    return list(found.values())
