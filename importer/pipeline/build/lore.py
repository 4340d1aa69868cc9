"""Background pieces become lore under their own text; the model says what each is and who knows it."""

from __future__ import annotations

from pydantic import Field

from formats.card import Piece
from importer.pipeline.build.answers import LINE, SHORT, Name
from importer.pipeline.build.entities import fitting
from importer.pipeline.build.lore_draft import LoreDraft, as_written, keys_of, part_title
from importer.pipeline.build.part import Part
from importer.pipeline.context import ImportContext
from importer.pipeline.survey.records import Role
from importer.pipeline.survey.sources import Survey
from llm.tasks import AnswerModel, Task, TaskFailed, together
from worlds.rules.documents.lore import LoreType

BACKGROUND: frozenset[Role] = frozenset({"world", "scene"})
OF_ENTITIES: frozenset[Role] = frozenset({"character", "player", "speech", "location", "faction", "item"})
NOT_LORE = ("greeting", "group_greeting", "creator_notes")
"""Greetings are openings; the creator's notes speak to people."""


class LoreAnswer(AnswerModel):
    about: list[Name] = Field(max_length=12, description="Names of the list that it tells of.")
    title: str = Field(max_length=SHORT, description="A short title.")
    type: LoreType
    summary: str = Field(max_length=LINE, description="What it says, in one sentence.")
    keywords: list[Name] = Field(max_length=10)
    known_by: list[Name] = Field(
        max_length=12, description="Names of those who know it, only if the passage says that others do not."
    )


LORE = Task("lore", LoreAnswer, 700)


async def lore(context: ImportContext, survey: Survey, roster: str) -> Part:
    """Ask about every background piece at once.

    Raises:
        DomainError: the model cannot be asked for now.
    """
    pieces = background(context, survey)
    drafts = await together(*(_draft(context, survey, piece, roster) for piece in pieces))
    return Part(lore=drafts)


def background(context: ImportContext, survey: Survey) -> list[Piece]:
    """Pieces about the world or a scene, and those about people and things that nobody was made of (SURV-8).

    What tells how people are made is kept elsewhere, and never rewritten (CAST-5).
    """
    used = {piece.id for entity in survey.roster.entities for piece in fitting(context, entity)}
    found = []
    for piece in context.pieces.values():
        roles = set(survey.roles_of(piece.id))
        if piece.field in NOT_LORE or "generator" in roles or not context.text_of(piece).strip():
            continue
        if roles & BACKGROUND or (roles & OF_ENTITIES and piece.id not in used):
            found.append(piece)
    return found


async def _draft(context: ImportContext, survey: Survey, piece: Piece, roster: str) -> LoreDraft:
    try:
        answer = await context.ask(
            LORE,
            context.passage(piece),
            title=context.title_of(piece),
            about=piece.id,
            card=context.card.name,
            roster=roster,
        )
    except TaskFailed:
        return as_written(context, piece)
    plain = as_written(context, piece)
    known = [survey.entity_by_name(name, "character", "faction") for name in answer.known_by]
    about = [survey.entity_by_name(name) for name in answer.about]
    return LoreDraft(
        part_title(context, answer.title, piece) if answer.title else plain.title,
        plain.text,
        plain.pieces,
        type=answer.type,
        summary=answer.summary or plain.summary,
        keywords=tuple(dict.fromkeys([*keys_of(context, piece), *filter(None, answer.keywords)])),
        about=tuple(dict.fromkeys(entity.id for entity in about if entity)),
        known_by=tuple(dict.fromkeys(entity.id for entity in known if entity)),
    )
