"""Which names are the same thing, and what the world holds (SURV-3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import Field

from formats.finding import fill
from formats.text.names import compared, element_id
from importer.pipeline.context import ImportContext
from importer.pipeline.survey.names import Named, names_in, same_by_code
from importer.pipeline.survey.records import (
    ENTITY_KINDS,
    Classification,
    Entity,
    NamedThing,
    PieceClass,
    Roster,
)
from llm.tasks import AnswerModel, Rejected, Task, TaskFailed, together

MOST_AT_ONCE = 120
"""Names in one question; more are asked kind by kind."""
MOST_TITLES = 3
OWN_FIELDS = ("description", "personality", "example", "note")


class SameThing(AnswerModel):
    numbers: list[int] = Field(min_length=2, max_length=20, description="Numbers of names of one thing.")
    name: str = Field(max_length=80, description="The name to keep: one of theirs.")


class Merged(AnswerModel):
    same: list[SameThing] = Field(max_length=40, description="Only names that belong together; often none.")
    nothing: list[int] = Field(max_length=40, description="Numbers that name no such thing; often none.")


ROSTER = Task("roster", Merged, 1_500)


@dataclass(slots=True)
class _Group:
    """Names that are one thing; `name` is the one to keep."""

    name: str
    members: list[Named]


async def merged_roster(context: ImportContext, classification: Classification) -> Roster:
    """The roster of a card; by code where no usable answer comes, which the roster says.

    Raises:
        DomainError: the model cannot be asked for now.
    """
    names = [named for named in names_in(_with_own_character(context, classification)) if named.counts]
    try:
        groups = [group for part in await _asked(context, names) for group in part]
    except TaskFailed as failure:
        return Roster(entities=_entities(context, by_containment(names)), merged_by="code", note=failure.code)
    return Roster(entities=_entities(context, groups), merged_by="model")


async def _asked(context: ImportContext, names: Sequence[Named]) -> list[list[_Group]]:
    if len(names) < 2:
        return [_alone(names)]
    if len(names) <= MOST_AT_ONCE:
        return [await _merge(context, names)]
    parts = []
    for kind in ENTITY_KINDS:
        of_kind = [named for named in names if named.kind == kind]
        parts += [of_kind[at : at + MOST_AT_ONCE] for at in range(0, len(of_kind), MOST_AT_ONCE)]
    return await together(*(_merge(context, part) for part in parts))


async def _merge(context: ImportContext, names: Sequence[Named]) -> list[_Group]:
    """Ask which of these names are one thing."""

    def check(answer: Merged) -> None:
        used = [number for group in answer.same for number in group.numbers] + answer.nothing
        if wrong := [number for number in used if not 1 <= number <= len(names)]:
            raise Rejected(fill(context.reasons.number, {"number": wrong[0], "last": len(names)}))
        if len(set(used)) != len(used):
            raise Rejected(context.reasons.number_twice)
        if len(answer.nothing) == len(names):
            raise Rejected(context.reasons.all_dropped)

    lines = "\n".join(_line(context, number, named) for number, named in enumerate(names, 1))
    answer = await context.ask(ROSTER, lines, title=context.card.name, check=check, card=context.card.name)
    by_number = dict(enumerate(names, 1))
    groups = []
    for same in answer.same:
        members = [by_number.pop(number) for number in sorted(same.numbers)]
        kept = [member.name for member in members if compared(member.name) == compared(same.name)]
        groups.append(_Group(kept[0] if kept else _weightiest(members), members))
    for number in answer.nothing:
        del by_number[number]
    return groups + _alone(list(by_number.values()))


def _line(context: ImportContext, number: int, named: Named) -> str:
    titles = [context.title_of(context.pieces[piece]) for piece in (named.told + named.mentioned)]
    told = " | ".join(title[:40] for title in titles[:MOST_TITLES])
    return f"{number}. {named.kind}: {named.name} — {told}"


def _alone(names: Sequence[Named]) -> list[_Group]:
    return [_Group(named.name, [named]) for named in names]


def _weightiest(members: Sequence[Named]) -> str:
    return max(members, key=lambda member: member.weight).name  # the first of those with equal weight


def by_containment(names: Sequence[Named]) -> list[_Group]:
    """The fallback: names of one kind of which one contains the other are one thing."""
    groups: list[_Group] = []
    for named in names:
        fitting = [
            group
            for group in groups
            if group.members[0].kind == named.kind
            and any(same_by_code(named.name, member.name) for member in group.members)
        ]
        merged = _Group("", [member for group in fitting for member in group.members] + [named])
        groups = [group for group in groups if group not in fitting] + [merged]
    for group in groups:
        group.name = _weightiest(group.members)
    return groups


def _entities(context: ImportContext, groups: Sequence[_Group]) -> list[Entity]:
    """Entities kind by kind in the order of the card, with ids that depend on nothing else."""
    place = {piece: at for at, piece in enumerate(context.pieces)}

    def first(group: _Group) -> int:
        return min(place[piece] for member in group.members for piece in member.told + member.mentioned)

    entities: list[Entity] = []
    taken: dict[str, set[str]] = {kind: set() for kind in ENTITY_KINDS}
    taken["faction"] = taken["character"]  # `known_by` names either, so they share their ids
    for kind in ENTITY_KINDS:
        of_kind = sorted((group for group in groups if _kind_of(group) == kind), key=first)
        for number, group in enumerate(of_kind, 1):
            entity_id = element_id(group.name, kind, number, taken[kind])
            taken[kind].add(entity_id)
            told = {piece for member in group.members for piece in member.told}
            pieces = told or {piece for member in group.members for piece in member.mentioned}
            names = dict.fromkeys(member.name for member in group.members)
            if kind == "character" and context.card.name.strip() in names and context.card.nickname.strip():
                names[context.card.nickname.strip()] = None  # what a V3 card calls its character (D9)
            entities.append(
                Entity(
                    id=entity_id,
                    kind=kind,
                    name=group.name,
                    aliases=[name for name in names if name != group.name],
                    pieces=sorted(pieces, key=place.__getitem__),
                    player=any(member.player for member in group.members),
                )
            )
    return entities


def _kind_of(group: _Group) -> str:
    """The kind of the member whose name is kept."""
    return next((member.kind for member in group.members if member.name == group.name), group.members[0].kind)


def _with_own_character(context: ImportContext, classification: Classification) -> list[PieceClass]:
    """A piece of the card's own character that names nobody tells of the one the card is named after."""
    name = context.card.name.strip()
    told = []
    for piece in classification.pieces:
        own = context.pieces[piece.id].field in OWN_FIELDS and {"character", "speech"} & set(piece.roles)
        names_somebody = any(thing.about and thing.kind == "character" for thing in piece.names)
        if name and own and not names_somebody:
            thing = NamedThing(name=name, kind="character", about=True)
            piece = piece.model_copy(update={"names": [thing, *piece.names]})
        told.append(piece)
    return told
