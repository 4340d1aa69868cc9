"""One document for each entity, from the pieces that concern it (BUILD-1 to BUILD-4, BUILD-6, BUILD-7)."""

from __future__ import annotations

from typing import Any

from formats.card import Piece
from formats.finding import Finding, fill
from formats.messages import gettext_noop
from importer.pipeline.build.answers import CHARACTER, FACTION, ITEM, LOCATION, EntityAnswer
from importer.pipeline.build.drafts import Answered, Drafts
from importer.pipeline.build.part import Part
from importer.pipeline.context import ImportContext
from importer.pipeline.survey.records import Entity, EntityKind
from importer.pipeline.survey.sources import Survey, sources_for
from llm.tasks import Rejected, Task, TaskFailed, together
from worlds.rules.documents import Portrait
from worlds.rules.paths import document_path
from worlds.rules.reader import read_document

TASKS: dict[EntityKind, Task[Any]] = {
    "character": CHARACTER,
    "location": LOCATION,
    "faction": FACTION,
    "item": ITEM,
}
PASSAGES = 24_000
"""Characters of the passages in one question; what does not fit becomes lore as it stands."""
ROSTER = 4_000
FAILED = gettext_noop("“{name}” was left out: {reason}")
FAILED_HINT = gettext_noop("What the card says of it can be read in the import's result.")


async def entities(context: ImportContext, survey: Survey, picture: str | None) -> Part:
    """Ask for every entity at once, and put together what came.

    `picture`: name of the card's picture, for the character of the card's name or the only one (FIN-5).

    Raises:
        DomainError: the model cannot be asked for now.
    """
    part = Part()
    roster = roster_lines(survey)
    used = {entity.id: fitting(context, entity) for entity in survey.roster.entities}
    outcomes = await together(
        *(_answer(context, survey, entity, roster) for entity in survey.roster.entities)
    )
    answered: Answered = []
    for entity, outcome in zip(survey.roster.entities, outcomes, strict=True):
        if isinstance(outcome, TaskFailed):
            part.notes.append(_failed(entity, outcome))
            part.credit(used[entity.id], "read")
        else:
            answered.append((entity, outcome))
            path = document_path(entity.kind, entity.id)
            part.credit(used[entity.id], "converted", [path])
    drafts = Drafts(survey, answered, context.words.player)
    if picture and (pictured := _pictured(context, answered)):
        file = f"images/portraits/{pictured.id}.{picture.rpartition('.')[2]}"
        drafts.portraits[pictured.id] = Portrait(file=file, source="uploaded", original_name=picture)
        part.pictures.append(file)
    for document in drafts.documents():
        part.put(document)
    return part


async def _answer(
    context: ImportContext, survey: Survey, entity: Entity, roster: str
) -> EntityAnswer | TaskFailed:
    def check(answer: EntityAnswer) -> None:
        """BUILD-2: what the world's own reader does not take goes back with its reason."""
        document = Drafts(survey, [(entity, answer)], context.words.player).documents()[0]
        where = document_path(entity.kind, entity.id)
        read = read_document(entity.kind, document.to_json(), where)
        for finding in read.findings:
            if finding.severity == "error":
                told = {"where": finding.where, "message": finding.text}
                raise Rejected(fill(context.reasons.document, told))

    called = " / ".join([entity.name, *entity.aliases])
    passages = context.passages(fitting(context, entity))
    try:
        answer: EntityAnswer = await context.ask(
            TASKS[entity.kind],
            f"{called}\n\n{passages}",
            title=entity.name,
            about=document_path(entity.kind, entity.id),
            check=check,
            card=context.card.name,
            roster=roster,
        )
    except TaskFailed as failure:
        return failure
    return answer


def fitting(context: ImportContext, entity: Entity) -> list[Piece]:
    """The entity's passages that go into one question; the first always."""
    fits: list[Piece] = []
    room = PASSAGES
    for piece in sources_for(context, entity):
        room -= piece.size
        if room < 0 and fits:
            break
        fits.append(piece)
    return fits


def roster_lines(survey: Survey) -> str:
    """Every name by its kind, for answers to refer to; bounded."""
    lines = []
    for kind in TASKS:
        names = ", ".join(entity.name for entity in survey.of_kind(kind))
        lines.append(f"{kind}: {names[: ROSTER // len(TASKS)] or '—'}")
    return "\n".join(lines)


def _pictured(context: ImportContext, answered: Answered) -> Entity | None:
    """FIN-5: whose the card's picture is."""
    people = [entity for entity, _ in answered if entity.kind == "character"]
    own = [entity for entity in people if context.card.name.strip() in (entity.name, *entity.aliases)]
    return own[0] if own else people[0] if len(people) == 1 else None


def _failed(entity: Entity, failure: TaskFailed) -> Finding:
    args = {"name": entity.name[:120], "reason": fill(failure.message, failure.values)}
    where = document_path(entity.kind, entity.id)
    return Finding("warning", "entity-failed", where, FAILED, FAILED_HINT, args)
