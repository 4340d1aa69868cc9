"""Surveys written by hand, for tests of what is built from them."""

from __future__ import annotations

from typing import Any

from importer.pipeline.context import ImportContext
from importer.pipeline.survey.records import Classification, Entity, PieceClass, Role, Roster
from importer.pipeline.survey.sources import Survey

NOBODY: dict[str, Any] = {
    "summary": "", "description": "", "appearance": "", "personality": "", "background": "", "goals": [],
    "speech_style": "", "speech_examples": [], "secrets": "", "tags": [], "starting_location": "",
    "carries": [], "knows_locations": [], "knows_items": [], "knows_routes": [], "relations": [],
}  # fmt: skip
NOWHERE: dict[str, Any] = {
    "kind": "", "summary": "", "description": "", "parent": "", "exits": [], "secrets": ""
}  # fmt: skip
NO_GROUP: dict[str, Any] = {
    "summary": "", "description": "", "goals": [], "members": [], "relations": [], "base": "", "secrets": ""
}  # fmt: skip
NO_THING: dict[str, Any] = {
    "summary": "", "description": "", "held_by": "", "location": "", "portable": True, "secrets": ""
}  # fmt: skip


def exit_to(to: str, **fields: Any) -> dict[str, Any]:
    """An exit as an answer gives it."""
    return {"to": to, "name": "", "description": "", "one_way": False, "hidden": False, **fields}


def entity(kind: Any, name: str, *pieces: str, **fields: Any) -> Entity:
    """An entity whose id is its name in small letters."""
    return Entity(id=name.lower().replace(" ", "-"), kind=kind, name=name, pieces=list(pieces), **fields)


def survey_of(context: ImportContext, *entities: Entity, **roles: Role | tuple[Role, ...]) -> Survey:
    """A survey with these entities; roles by piece (`entry_0` for `entry:0`), `world` for all others."""
    named = {
        name.replace("_", ":", 1) if name.startswith("entry") else name: role for name, role in roles.items()
    }
    classes = []
    for piece in context.pieces:
        role = named.get(piece, named.get(context.pieces[piece].whole, "world"))
        classes.append(PieceClass(id=piece, roles=[role] if isinstance(role, str) else list(role)))
    return Survey(Classification(pieces=classes), Roster(entities=list(entities), merged_by="model"))


def first_line(answers: dict[str, Any]) -> Any:
    """A reader that answers by the first name in the question's first line."""
    return lambda text: answers[text.split("\n")[0].split(" / ")[0]]
