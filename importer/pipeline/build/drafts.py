"""Answers as documents that refer to one another: names turned into ids, in the order of the roster."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from formats.text.names import compared, element_id
from importer.pipeline.build.answers import (
    CharacterAnswer,
    EntityAnswer,
    FactionAnswer,
    ItemAnswer,
    LocationAnswer,
    Route,
)
from importer.pipeline.survey.records import Entity, EntityKind
from importer.pipeline.survey.sources import Survey
from worlds.rules.documents import (
    Character,
    Document,
    Exit,
    Faction,
    Item,
    Knowledge,
    Location,
    Member,
    Portrait,
    Relationship,
    Relationships,
    Speech,
    Stance,
)

AnswerT = TypeVar("AnswerT", bound=EntityAnswer)
Answered = list[tuple[Entity, EntityAnswer]]


@dataclass(slots=True)
class Drafts:
    """The entities that have an answer, while they are put together.

    `player` is the player's form of address in names. Names that nobody on the roster has are passed over.
    """

    survey: Survey
    answered: Answered
    player: str
    portraits: dict[str, Portrait] = field(default_factory=dict)
    exits: dict[tuple[str, str], str] = field(default_factory=dict)
    carried: dict[str, str] = field(default_factory=dict)
    found_items: list[Item] = field(default_factory=list)

    def documents(self) -> list[Document]:
        """All of them, kind by kind, relations last."""
        locations = self._locations()
        self._carry()
        people = [self._character(*pair) for pair in self._of(CharacterAnswer)]
        factions = [self._faction(*pair) for pair in self._of(FactionAnswer)]
        items = [self._item(*pair) for pair in self._of(ItemAnswer)]
        relations = self._relationships()
        written: list[Document] = [*people, *locations, *factions, *items, *self.found_items]
        return [*written, relations] if relations.relationships else written

    def _of(self, model: type[AnswerT]) -> Iterator[tuple[Entity, AnswerT]]:
        return ((entity, answer) for entity, answer in self.answered if isinstance(answer, model))

    def _id(self, name: str, kind: EntityKind) -> str | None:
        found = self.survey.entity_by_name(name, kind, player=self.player) if name else None
        return found.id if found else None

    def _ids(self, names: Iterable[str], kind: EntityKind) -> list[str]:
        found = (self._id(name, kind) for name in names)
        return list(dict.fromkeys(one for one in found if one))

    # --- places ------------------------------------------------------------------------------------

    def _locations(self) -> list[Location]:
        parents: dict[str, str] = {}
        taken: set[str] = set()
        locations = []
        for entity, answer in self._of(LocationAnswer):
            parent = self._id(answer.parent, "location")
            if parent and not _closes_circle(parents, entity.id, parent):
                parents[entity.id] = parent
            locations.append(
                Location(
                    id=entity.id,
                    name=entity.name,
                    aliases=entity.aliases,
                    kind=answer.kind,
                    summary=answer.summary,
                    description=answer.description,
                    parent=parents.get(entity.id),
                    exits=list(self._exits(entity, answer, taken)),
                    secrets=answer.secrets,
                )
            )
        return locations

    def _exits(self, entity: Entity, answer: LocationAnswer, taken: set[str]) -> Iterator[Exit]:
        """A way there and back stands once, at the place that was read first."""
        for told in answer.exits:
            to = self._id(told.to, "location")
            if not to or to == entity.id or (entity.id, to) in self.exits:
                continue
            exit_id = element_id(f"{entity.id}-{to}", "exit", len(taken) + 1, taken)
            taken.add(exit_id)
            self.exits[entity.id, to] = exit_id
            if not told.one_way:
                self.exits.setdefault((to, entity.id), exit_id)
            yield Exit(
                id=exit_id,
                to=to,
                name=told.name,
                description=told.description,
                one_way=told.one_way,
                hidden=told.hidden,
            )

    # --- things ------------------------------------------------------------------------------------

    def _carry(self) -> None:
        """BUILD-3: what somebody carries is theirs; a name nobody has yet becomes an item of its own."""
        described = {entity.id for entity, _ in self._of(ItemAnswer)}
        taken = {entity.id for entity in self.survey.of_kind("item")}
        known = len(taken)
        for entity, answer in self._of(CharacterAnswer):
            for name in dict.fromkeys(name for name in answer.carries if name):
                on_roster = self.survey.entity_by_name(name, "item", player=self.player)
                key = on_roster.id if on_roster else compared(name)
                if key in self.carried:
                    continue  # the first who carries it has it
                self.carried[key] = entity.id
                if on_roster and on_roster.id in described:
                    continue
                known += 1
                item_id = on_roster.id if on_roster else element_id(name, "item", known, taken)
                taken.add(item_id)
                aliases = on_roster.aliases if on_roster else []
                called = on_roster.name if on_roster else name
                self.found_items.append(Item(id=item_id, name=called, aliases=aliases, held_by=entity.id))

    def _item(self, entity: Entity, answer: ItemAnswer) -> Item:
        holder = self.carried.get(entity.id) or self._id(answer.held_by, "character")
        return Item(
            id=entity.id,
            name=entity.name,
            aliases=entity.aliases,
            summary=answer.summary,
            description=answer.description,
            held_by=holder,
            location=None if holder else self._id(answer.location, "location"),
            portable=answer.portable,
            secrets=answer.secrets,
        )

    # --- people ------------------------------------------------------------------------------------

    def _character(self, entity: Entity, answer: CharacterAnswer) -> Character:
        return Character(
            id=entity.id,
            name=entity.name,
            aliases=entity.aliases,
            playable=entity.player,
            summary=answer.summary,
            description=answer.description,
            appearance=answer.appearance,
            personality=answer.personality,
            background=answer.background,
            goals=[goal for goal in answer.goals if goal],
            speech=Speech(style=answer.speech_style, examples=[one for one in answer.speech_examples if one]),
            starting_location=self._id(answer.starting_location, "location"),
            knowledge=self._knowledge(answer),
            secrets=answer.secrets,
            portrait=self.portraits.get(entity.id),
            tags=list(dict.fromkeys(tag for tag in answer.tags if tag)),
        )

    def _knowledge(self, answer: CharacterAnswer) -> Knowledge:
        """BUILD-4: what was really written, and routes that exist."""
        routes = (self._exit(route) for route in answer.knows_routes)
        return Knowledge(
            locations=self._ids(answer.knows_locations, "location"),
            items=self._ids(answer.knows_items, "item"),
            exits=list(dict.fromkeys(route for route in routes if route)),
        )

    def _exit(self, route: Route) -> str | None:
        start, end = self._id(route.start, "location"), self._id(route.end, "location")
        return self.exits.get((start, end)) if start and end else None

    def _faction(self, entity: Entity, answer: FactionAnswer) -> Faction:
        members = {self._id(told.name, "character"): told.role for told in reversed(answer.members)}
        stances = {self._id(told.name, "faction"): told.stance for told in reversed(answer.relations)}
        return Faction(
            id=entity.id,
            name=entity.name,
            aliases=entity.aliases,
            summary=answer.summary,
            description=answer.description,
            goals=[goal for goal in answer.goals if goal],
            members=[Member(character=id, role=role) for id, role in reversed(members.items()) if id],
            relations=[
                Stance(faction=id, stance=stance)
                for id, stance in reversed(stances.items())
                if id and id != entity.id
            ],
            base=self._id(answer.base, "location"),
            secrets=answer.secrets,
        )

    def _relationships(self) -> Relationships:
        edges: dict[tuple[str, str], Relationship] = {}
        for entity, answer in self._of(CharacterAnswer):
            for told in answer.relations:
                to = self._id(told.to, "character")
                if to and to != entity.id and told.type:
                    edge = Relationship.model_validate(
                        {"from": entity.id, "to": to, "type": told.type, "description": told.description}
                    )
                    edges.setdefault((entity.id, to), edge)
        return Relationships(relationships=list(edges.values()))


def _closes_circle(parents: dict[str, str], child: str, parent: str) -> bool:
    """Whether a place would lie in itself."""
    above: str | None = parent
    while above is not None and above != child:
        above = parents.get(above)
    return above == child
