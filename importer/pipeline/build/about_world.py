"""What a world says of itself, and where a story begins (FIN-1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import Field

from formats.card import Piece
from formats.finding import fill
from formats.text.names import compared
from importer.pipeline.build.answers import LINE, SHORT
from importer.pipeline.context import ImportContext
from importer.pipeline.survey.records import Entity
from importer.pipeline.survey.sources import Survey
from llm.tasks import AnswerModel, Rejected, Task, TaskFailed

TELLING = ("scenario", "creator_notes", "description")
LONGEST = 12_000


class WorldAnswer(AnswerModel):
    about: str = Field(max_length=LINE, description="Where the opening takes place, in a few words.")
    starting_location: str = Field(max_length=SHORT, description="A name of the list; empty if it is empty.")
    description: str = Field(max_length=600, description="What this world is, for people choosing one.")
    tags: list[str] = Field(max_length=12)


WORLD = Task("world", WorldAnswer, 700)


@dataclass(frozen=True, slots=True)
class AboutWorld:
    """What was found; all of it may be empty, then the card's own fields stand alone."""

    description: str = ""
    tags: tuple[str, ...] = ()
    start: str | None = None


async def about_world(context: ImportContext, survey: Survey, opening: Sequence[Piece]) -> AboutWorld:
    """Ask about the opening, the scenario and the card's account of itself; one question.

    Raises:
        DomainError: the model cannot be asked for now.
    """
    places = list(survey.of_kind("location"))
    told = [piece for piece in context.pieces.values() if piece.field in TELLING]
    text = context.passages([*opening, *told])[:LONGEST]
    listed = "\n".join(f"- {place.name}" for place in places) or "—"

    def check(answer: WorldAnswer) -> None:
        if places and survey.entity_by_name(answer.starting_location, "location") is None:
            raise Rejected(fill(context.reasons.not_listed, {"found": answer.starting_location}))

    try:
        answer = await context.ask(
            WORLD, text, title=context.choices.name, check=check, card=context.card.name, places=listed
        )
    except TaskFailed:
        return AboutWorld(start=_named_in(context, places, opening))
    found = survey.entity_by_name(answer.starting_location, "location")
    return AboutWorld(answer.description, tuple(filter(None, answer.tags)), found.id if found else None)


def _named_in(context: ImportContext, places: Sequence[Entity], opening: Sequence[Piece]) -> str | None:
    """Without an answer: the place that the opening names first, or the only one there is."""
    text = compared("\n".join(context.text_of(piece) for piece in opening))
    named = {
        text.find(compared(name)): place.id
        for place in places
        for name in (place.name, *place.aliases)
        if compared(name) in text
    }
    if named:
        return named[min(named)]
    return places[0].id if len(places) == 1 else None
