"""People, places, groups and things: what is asked, what becomes of the answers, who knows whom."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from importer.pipeline.build.awareness import complete_awareness
from importer.pipeline.build.entities import PASSAGES, entities
from importer.pipeline.build.part import Part
from importer.pipeline.build.routes import connect
from importer.pipeline.context import ImportContext
from importer.pipeline.survey.sources import Survey
from tests.support.asking import Readers
from tests.support.contexts import asked_of, context_of, passage_ids
from tests.support.plain_cards import a_card
from tests.support.surveys import (
    NO_GROUP,
    NO_THING,
    NOBODY,
    NOWHERE,
    entity,
    exit_to,
    first_line,
    survey_of,
)
from worlds.rules.documents import Character, Faction, Item, Location, Lore, Relationships
from worlds.rules.places import reachable
from worlds.rules.reader import read_document

CARD = a_card([{"comment": f"E{n}", "content": f"Passage {n}."} for n in range(8)])
PEOPLE = [entity("character", "Odran", "entry:0"), entity("character", "Vey", "entry:1", "entry:0")]
PLACES = [entity("location", "Bend", "entry:2"), entity("location", "Weir", "entry:3")]
GROUP = entity("faction", "Chandlers", "entry:4")
THING = entity("item", "Weir key", "entry:5")


def setting(people: Any = None, places: Any = None, **other: Any) -> tuple[ImportContext, Survey]:
    readers = {
        "character": first_line({"Odran": NOBODY, "Vey": NOBODY, **(people or {})}),
        "location": first_line({"Bend": NOWHERE, "Weir": NOWHERE, **(places or {})}),
        "faction": lambda _: other.get("group", NO_GROUP),
        "item": lambda _: other.get("thing", NO_THING),
        "routes": lambda _: {"ways": other.get("ways", [])},
    }
    context = context_of(other.get("card", CARD), readers, language=other.get("language", "en"))
    return context, survey_of(context, *PEOPLE, *PLACES, GROUP, THING)


def built(context: ImportContext, survey: Survey, picture: str | None = None) -> Part:
    return asyncio.run(entities(context, survey, picture))


def of(part: Part, path: str, model: type[Any]) -> Any:
    document = part.documents[path]
    assert isinstance(document, model)
    return document


@pytest.mark.req("BUILD-1")
@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_each_entity_gets_one_document_from_its_pieces(language: str) -> None:
    people = {"Odran": {**NOBODY, "summary": "A ferryman.", "speech_examples": ["Pay first."]}}
    context, survey = setting(people, language=language)
    part = built(context, survey)
    assert set(part.documents) == {
        "characters/odran.json", "characters/vey.json", "locations/bend.json", "locations/weir.json",
        "factions/chandlers.json", "items/weir-key.json",
    }  # fmt: skip
    odran = of(part, "characters/odran.json", Character)
    assert (odran.summary, odran.speech.examples, odran.playable) == ("A ferryman.", ["Pay first."], False)
    asked = {text.split("\n")[0]: passage_ids(text) for text in asked_of(context, "character")}
    assert asked == {"Odran": ["entry:0"], "Vey": ["entry:1", "entry:0"]}
    credited = {(credit.piece, credit.made) for credit in part.credits}
    assert ("entry:0", ("characters/odran.json",)) in credited
    assert ("entry:0", ("characters/vey.json",)) in credited
    assert {credit.outcome for credit in part.credits} == {"converted"}


@pytest.mark.req("BUILD-2")
def test_what_the_worlds_reader_refuses_goes_back_with_the_reason() -> None:
    said = iter(["\ud800", "A ferryman."])
    context, survey = setting()
    assert isinstance(context.tasks, Readers)
    answers = {"Vey": NOBODY}
    context.tasks.readers["character"] = lambda text: answers.get(
        text.split("\n")[0], {**NOBODY, "summary": next(said) if text.startswith("Odran") else ""}
    )
    part = built(context, survey)
    assert of(part, "characters/odran.json", Character).summary == "A ferryman."
    assert len(asked_of(context, "character")) == 3


@pytest.mark.req("BUILD-2", "DRAFT-6")
def test_an_entity_without_a_usable_answer_is_left_out_and_its_pieces_are_read() -> None:
    context, survey = setting({"Odran": {"summary": 3}, "Vey": {**NOBODY, "relations": [
        {"to": "Odran", "type": "niece", "description": ""}]}})  # fmt: skip
    part = built(context, survey)
    assert "characters/odran.json" not in part.documents
    (note,) = part.notes
    assert (note.code, note.where, note.args["name"]) == ("entity-failed", "characters/odran.json", "Odran")
    assert [credit.outcome for credit in part.credits if credit.piece == "entry:0"] == ["read", "converted"]


@pytest.mark.req("BUILD-3")
def test_what_is_carried_is_held_and_new_names_become_things() -> None:
    people = {
        "Odran": {**NOBODY, "carries": ["weir KEY", "Lamp"]},
        "Vey": {**NOBODY, "carries": ["Lamp", "Song book", "Weir key"], "knows_items": ["Weir key"]},
    }
    context, survey = setting(people, thing={**NO_THING, "location": "Bend"})
    part = built(context, survey)
    items = {document.id: document for document in part.documents.values() if isinstance(document, Item)}
    assert {id: (item.name, item.held_by, item.location) for id, item in items.items()} == {
        "weir-key": ("Weir key", "odran", None),
        "lamp": ("Lamp", "odran", None),
        "song-book": ("Song book", "vey", None),
    }
    assert of(part, "characters/vey.json", Character).knowledge.items == ["weir-key"]


@pytest.mark.req("BUILD-3")
def test_more_than_twelve_carried_things_go_back() -> None:
    people = {"Odran": {**NOBODY, "carries": [f"thing {n}" for n in range(13)]}}
    context, survey = setting(people)
    assert "characters/odran.json" not in built(context, survey).documents


@pytest.mark.req("BUILD-4")
def test_knowledge_is_what_is_on_the_roster_and_routes_that_exist() -> None:
    people = {
        "Odran": {
            **NOBODY,
            "knows_locations": ["Weir", "Elsewhere", "weir"],
            "knows_items": ["Weir key", "crown"],
            "knows_routes": [{"start": "Bend", "end": "Weir"}, {"start": "Weir", "end": "Bend"},
                             {"start": "Bend", "end": "Moon"}],
            "starting_location": "Bend",
        }
    }  # fmt: skip
    places = {"Bend": {**NOWHERE, "exits": [exit_to("Weir", name="path"), exit_to("Bend"), exit_to("Moon")]},
              "Weir": {**NOWHERE, "exits": [exit_to("Bend")]}}  # fmt: skip
    context, survey = setting(people, places)
    part = built(context, survey)
    odran = of(part, "characters/odran.json", Character)
    assert odran.knowledge.locations == ["weir"]
    assert odran.knowledge.items == ["weir-key"]
    assert odran.knowledge.exits == ["bend-weir"]
    assert odran.starting_location == "bend"
    assert [(exit.id, exit.to) for exit in of(part, "locations/bend.json", Location).exits] == [
        ("bend-weir", "weir")
    ]
    assert of(part, "locations/weir.json", Location).exits == [], "there and back stands once"


def test_places_do_not_lie_in_themselves() -> None:
    places = {"Bend": {**NOWHERE, "parent": "Weir"}, "Weir": {**NOWHERE, "parent": "Bend"}}
    part = built(*setting(places=places))
    assert of(part, "locations/bend.json", Location).parent == "weir"
    assert of(part, "locations/weir.json", Location).parent is None


def test_members_stances_and_bases_are_names_of_the_roster() -> None:
    group = {
        **NO_GROUP,
        "members": [
            {"name": "Vey", "role": "clerk"},
            {"name": "Nobody", "role": "x"},
            {"name": "vey", "role": "b"},
        ],
        "relations": [{"name": "Chandlers", "stance": "itself"}, {"name": "Wardens", "stance": "hate"}],
        "base": "Bend",
    }
    faction = of(built(*setting(group=group)), "factions/chandlers.json", Faction)
    assert [(member.character, member.role) for member in faction.members] == [("vey", "clerk")]
    assert (faction.relations, faction.base) == ([], "bend")


@pytest.mark.req("BUILD-7")
def test_only_the_cards_player_can_be_played() -> None:
    context, _ = setting()
    survey = survey_of(context, PEOPLE[0], entity("character", "Vey", "entry:1", player=True))
    part = built(context, survey)
    assert of(part, "characters/vey.json", Character).playable
    assert not of(part, "characters/odran.json", Character).playable


@pytest.mark.req("BUILD-6")
def test_a_card_without_a_cast_gives_no_people() -> None:
    context, _ = setting()
    assert built(context, survey_of(context)).documents == {}


@pytest.mark.req("FIN-5", "FIN-6")
@pytest.mark.parametrize(
    ("name", "roster", "whose"),
    [("Vey", PEOPLE, "vey"), ("Nobody", PEOPLE, None), ("Nobody", PEOPLE[:1], "odran")],
)
def test_whose_the_cards_picture_is(name: str, roster: Any, whose: str | None) -> None:
    context, _ = setting(card=a_card([{"content": f"Passage {n}."} for n in range(8)], name=name))
    part = built(context, survey_of(context, *roster), "picture.png")
    assert part.pictures == ([f"images/portraits/{whose}.png"] if whose else [])
    if whose:
        portrait = of(part, f"characters/{whose}.json", Character).portrait
        assert (portrait.source, portrait.original_name) == ("uploaded", "picture.png")


def test_long_sources_are_asked_about_as_far_as_they_fit() -> None:
    long = a_card([{"content": "A stone is grey. " * 350} for _ in range(6)])
    context, _ = setting(card=long)
    pieces = list(context.pieces)
    part = built(context, survey_of(context, entity("character", "Odran", *pieces)))
    (text,) = asked_of(context, "character")
    assert sum(context.pieces[piece].size for piece in passage_ids(text)) <= PASSAGES
    assert [credit.piece for credit in part.credits] == passage_ids(text) != pieces


@pytest.mark.req("BUILD-5", "BUILD-8")
def test_awareness_is_completed() -> None:
    told = (("Vey", "uncle"), ("Vey", "again"), ("Odran", "self"), ("Nobody", "x"))
    relations = [{"to": to, "type": type, "description": ""} for to, type in told]
    people = {"Odran": {**NOBODY, "relations": relations}}
    part = built(*setting(people))
    documents = dict(part.documents)
    for id, scope, known in (("open", "everyone", []), ("kept", "listed", []), ("told", "listed", ["vey"])):
        lore = Lore.model_validate(
            {"id": id, "title": id, "scope": scope, "known_by": known, "about": ["odran"]}
        )
        documents[f"lore/{id}.json"] = lore
    changed = complete_awareness(documents)
    edges = of(changed, "relationships.json", Relationships).relationships
    assert [(edge.source, edge.target, edge.type) for edge in edges] == [
        ("odran", "vey", "uncle"),
        ("vey", "odran", "acquaintance"),
    ]
    assert of(changed, "characters/odran.json", Character).knowledge.lore == ["open", "told"]
    assert "characters/vey.json" not in changed.documents


def test_a_smaller_place_is_entered_from_the_larger_and_the_model_knows_the_rest() -> None:
    places = {"Weir": {**NOWHERE, "parent": "Bend"}}
    context, survey = setting(places=places, ways=[{"number": 3, "about": "x", "entered_from": 2}])
    part = built(context, survey)
    documents = {**part.documents, "locations/hut.json": Location(id="hut", name="Hut")}
    changed = asyncio.run(connect(context, documents, "bend"))
    after = {**documents, **changed.documents}
    found = {document.id: document for document in after.values() if isinstance(document, Location)}
    assert reachable(found, "bend") == {"bend", "weir", "hut"}
    assert [exit.to for exit in found["weir"].exits] == ["hut"]
    assert [note.code for note in changed.notes] == ["way-added", "way-added"]
    assert asked_of(context, "routes") == ["1. Bend: \n2. Weir: \n3. Hut (?): "]


def test_without_an_answer_the_place_stays_out_of_reach() -> None:
    context, survey = setting(ways=[{"number": 9, "about": "", "entered_from": 1}])
    changed = asyncio.run(connect(context, built(context, survey).documents, "bend"))
    assert changed.documents == {}
    assert asyncio.run(connect(context, built(context, survey).documents, None)).documents == {}


NAMES = st.sampled_from(
    ["Odran", "Vey", "Bend", "Weir", "Chandlers", "Weir key", "Lamp", "", "[PLAYER]", "雾"]
)
TEXTS = st.text(max_size=20)
ROUTE = st.fixed_dictionaries({"start": NAMES, "end": NAMES})
RELATION = st.fixed_dictionaries({"to": NAMES, "type": TEXTS, "description": TEXTS})
PERSON = st.fixed_dictionaries({
    **{name: st.just(value) for name, value in NOBODY.items()},
    "summary": TEXTS, "starting_location": NAMES, "carries": st.lists(NAMES, max_size=12),
    "knows_routes": st.lists(ROUTE, max_size=3), "knows_items": st.lists(NAMES, max_size=3),
    "relations": st.lists(RELATION, max_size=4),
})  # fmt: skip
PLACE = st.fixed_dictionaries({
    **{name: st.just(value) for name, value in NOWHERE.items()}, "parent": NAMES,
    "exits": st.lists(st.builds(exit_to, NAMES, one_way=st.booleans()), max_size=4),
})  # fmt: skip


@settings(max_examples=60)
@given(PERSON, PERSON, PLACE, PLACE, st.randoms(use_true_random=False))
def test_whatever_names_come_the_documents_are_sound_in_any_order(
    odran: Any, vey: Any, bend: Any, weir: Any, random: Any
) -> None:
    results = []
    for chance in (None, random):
        context, survey = setting({"Odran": odran, "Vey": vey}, {"Bend": bend, "Weir": weir})
        assert isinstance(context.tasks, Readers)
        context.tasks.chance = chance
        results.append(built(context, survey).documents)
    assert results[0] == results[1]
    for path, document in results[0].items():
        kind = document.schema_.removeprefix("roleplay-").partition("/")[0]
        assert read_document(kind, document.to_json(), path).accepted
