"""What a world says of itself, and where a story begins (FIN-1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated

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
"""Characters of the passages; what does not fit is not asked about here."""
PLACES = 100
"""Names that are listed, those of the opening first."""


class WorldAnswer(AnswerModel):
    about: str = Field(max_length=LINE, description="Where the opening takes place, in a few words.")
    starting_location: str = Field(max_length=SHORT, description="A name of the list; empty if it is empty.")
    description: str = Field(max_length=600, description="What this world is, for people choosing one.")
    tags: list[Annotated[str, Field(max_length=SHORT // 2)]] = Field(max_length=12)


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
    listed = "\n".join(f"- {place.name}" for place in _listed(context, places, opening))
    text = f"{listed}\n\n{context.passages(_fitting([*opening, *told]))}".strip()

    def check(answer: WorldAnswer) -> None:
        if places and survey.entity_by_name(answer.starting_location, "location") is None:
            raise Rejected(fill(context.reasons.not_listed, {"found": answer.starting_location}))

    try:
        answer = await context.ask(
            WORLD, text, title=context.choices.name, check=check, card=context.card.name
        )
    except TaskFailed:
        return AboutWorld(start=_named_in(context, places, opening))
    found = survey.entity_by_name(answer.starting_location, "location")
    return AboutWorld(answer.description, tuple(filter(None, answer.tags)), found.id if found else None)


def _fitting(pieces: Iterable[Piece]) -> list[Piece]:
    """The first pieces that fit; at least one."""
    fits: list[Piece] = []
    room = LONGEST
    for piece in pieces:
        room -= piece.size
        if room < 0 and fits:
            break
        fits.append(piece)
    return fits


def _listed(context: ImportContext, places: Sequence[Entity], opening: Sequence[Piece]) -> list[Entity]:
    """The places to choose from in the roster's order; of very many, those of the opening come first."""
    if len(places) <= PLACES:
        return list(places)
    named = _named(context, places, opening)
    return sorted(places, key=lambda place: place.id not in named)[:PLACES]


def _named(context: ImportContext, places: Sequence[Entity], opening: Sequence[Piece]) -> list[str]:
    """Ids of the places that the opening names, in its order; where one name begins another, the longer."""
    text = compared("\n".join(context.text_of(piece) for piece in opening))
    names = ((compared(name), place.id) for place in places for name in (place.name, *place.aliases))
    found = sorted((text.find(name), -len(name), place) for name, place in names if name and name in text)
    return [place for _, _, place in found]


def _named_in(context: ImportContext, places: Sequence[Entity], opening: Sequence[Piece]) -> str | None:
    """Without an answer: the place that the opening names first, or the only one there is."""
    named = _named(context, places, opening)
    if named:
        return named[0]
    return places[0].id if len(places) == 1 else None
