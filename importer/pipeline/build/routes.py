"""Ways into places that nothing leads to: a story could never go there (`check_world`)."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from formats.finding import Finding, fill
from formats.messages import gettext_noop
from formats.text.names import element_id
from importer.pipeline.build.answers import SHORT
from importer.pipeline.build.part import Part
from importer.pipeline.context import ImportContext
from llm.tasks import AnswerModel, Rejected, Task, TaskFailed
from worlds.rules.documents import Document, Exit, Location
from worlds.rules.places import reachable

MOST_PLACES = 60
ADDED = gettext_noop(
    "The card does not say how to get to “{name}”; a plain way from “{from_name}” was added."
)
ADDED_HINT = gettext_noop("Look at the place and change the way if it should be another.")


class WayIn(AnswerModel):
    number: int = Field(description="Number of a place that nothing leads to.")
    about: str = Field(max_length=SHORT * 2, description="Why it is entered from there, in a few words.")
    entered_from: int = Field(description="Number of the place it is entered from.")


class WaysIn(AnswerModel):
    ways: list[WayIn] = Field(max_length=MOST_PLACES)


ROUTES = Task("routes", WaysIn, 2_000)


async def connect(context: ImportContext, documents: Mapping[str, Document], start: str | None) -> Part:
    """Add what is missing so that every place can be reached from where a story starts.

    A smaller place is entered from the larger one it is part of; about the others the model is asked. What
    nobody knows stays, and the world is a draft then.

    Raises:
        DomainError: the model cannot be asked for now.
    """
    part = Part()
    places = {document.id: document for document in documents.values() if isinstance(document, Location)}
    if start not in places:
        return part
    for place in list(places.values()):
        if place.parent in places and place.id not in reachable(places, start):
            _add(part, places, place.parent or "", place.id)
    lost = [place for place in places if place not in reachable(places, start)]
    if lost:
        for to, source in await _asked(context, places, lost):
            if to not in reachable(places, start):
                _add(part, places, source, to)
    return part


async def _asked(
    context: ImportContext, places: Mapping[str, Location], lost: list[str]
) -> list[tuple[str, str]]:
    """(place, the place it is entered from) as the model says; nothing where no answer is of use."""
    ordered = [*(place for place in places if place not in lost), *lost][-MOST_PLACES:]
    known = len(ordered) - len(lost[-MOST_PLACES:])

    def check(answer: WaysIn) -> None:
        for way in answer.ways:
            for number in (way.number, way.entered_from):
                if not 1 <= number <= len(ordered):
                    raise Rejected(fill(context.reasons.number, {"number": number, "last": len(ordered)}))

    lines = [
        f"{number}. {places[place].name}{' (?)' if number > known else ''}: {places[place].summary}"
        for number, place in enumerate(ordered, 1)
    ]
    try:
        answer = await context.ask(ROUTES, "\n".join(lines), title=context.card.name, check=check)
    except TaskFailed:
        return []
    return [(ordered[way.number - 1], ordered[way.entered_from - 1]) for way in answer.ways]


def _add(part: Part, places: dict[str, Location], source: str, to: str) -> None:
    """A plain way there and back."""
    if source == to:
        return
    taken = {exit.id for place in places.values() for exit in place.exits}
    exit_id = element_id(f"{source}-{to}", "exit", len(taken) + 1, taken)
    place = places[source]
    places[source] = place.model_copy(update={"exits": [*place.exits, Exit(id=exit_id, to=to)]})
    path = part.put(places[source])
    args = {"name": places[to].name[:120], "from_name": place.name[:120]}
    part.notes.append(Finding("info", "way-added", f"{path}: exits", ADDED, ADDED_HINT, args))
