"""DRAFT-1: what code can decide is mended, each with a note; what needs a decision stays."""

import pytest
from hypothesis import given, settings

from tests.support.world_strategies import tangled_worlds
from tests.support.worlds import files_of, rich_world, small_world
from worlds.rules import LoadedWorld, check_world, load_files
from worlds.rules.documents import (
    Character,
    Document,
    Exit,
    Faction,
    Item,
    Knowledge,
    Location,
    Lore,
    Member,
    Note,
    Relationship,
    Relationships,
    Stance,
    Trigger,
    Triggers,
    VariableDeclaration,
    Variables,
    WhenCommand,
    WhenEvent,
    WorldFile,
)
from worlds.rules.mend import mend
from worlds.rules.references import references_of


def loaded(*documents: Document) -> LoadedWorld:
    return load_files(small_world() | files_of(documents))


def dangling(world: LoadedWorld) -> list[str]:
    return [found.where for found in check_world(world) if found.code == "dangling-reference"]


@pytest.mark.req("DRAFT-1")
@settings(deadline=None)
@given(tangled_worlds())
def test_after_mending_nothing_dangles_and_each_drop_has_its_note(documents: list[Document]) -> None:
    world = load_files(files_of(documents))
    before = dangling(world)
    mended = mend(world)
    after = world.changed(mended.documents)
    assert dangling(after) == []
    assert mend(after).documents == {}
    noted = [note.where for note in mended.notes if note.code == "reference-dropped"]
    assert set(before) <= set(noted)
    assert bool(before) is bool(mended.documents)
    assert all(note.severity == "info" and note.text for note in mended.notes)


@pytest.mark.req("DRAFT-1")
@settings(deadline=None)
@given(tangled_worlds())
def test_mending_takes_nothing_but_references(documents: list[Document]) -> None:
    """Whoever and whatever was there is still there, and what it points to is what it pointed to before."""
    world = load_files(files_of(documents))
    after = world.changed(mend(world).documents)
    assert [*after.by_path()] == [*world.by_path()]
    for path, document in after.by_path().items():
        kept = [reference.id for reference in references_of(document)]
        remaining = iter(reference.id for reference in references_of(world.by_path()[path]))
        assert all(id in remaining for id in kept), f"{path}: {kept} is no part of what was there, in order"


@pytest.mark.req("DRAFT-1")
def test_each_kind_of_reference_that_the_seed_names_is_dropped_with_a_note() -> None:
    world = loaded(
        WorldFile(name="w", opening="o", starting_location="gone"),
        Faction(
            id="guild",
            name="Guild",
            members=[Member(character="gone"), Member(character="ida")],
            relations=[Stance(faction="gone")],
        ),
        Location(id="pier", name="Pier", parent="gone", exits=[Exit(id="e", to="gone")]),
        Character(
            id="bo",
            name="Bo",
            knowledge=Knowledge(locations=["gone", "pier"], exits=["e"], items=["gone"], lore=["gone"]),
        ),
        Relationships(relationships=[Relationship(source="ida", target="gone")]),
    )
    mended = mend(world)
    assert {note.where for note in mended.notes} == {
        "world.json: starting_location",
        "factions/guild.json: members[0].character",
        "factions/guild.json: relations[0].faction",
        "locations/pier.json: parent",
        "locations/pier.json: exits[0].to",
        "characters/bo.json: knowledge.locations[0]",
        "characters/bo.json: knowledge.exits[0]",
        "characters/bo.json: knowledge.items[0]",
        "characters/bo.json: knowledge.lore[0]",
        "relationships.json: relationships[0].to",
    }
    after = world.changed(mended.documents)
    assert after.world is not None
    assert after.world.starting_location is None
    assert after.factions["guild"].members == [Member(character="ida")]
    assert after.locations["pier"].exits == []
    assert after.characters["bo"].knowledge.locations == ["pier"]
    assert after.relationships.relationships == []


def test_what_needs_a_decision_is_left_alone() -> None:
    world = loaded(
        WorldFile(name="w", opening=" "),
        Location(id="a", name="A", parent="b"),
        Location(id="b", name="B", parent="a"),
        Item(id="key", name="Key", held_by="ida", location="a"),
    )
    mended = mend(world)
    assert mended.documents == {}
    assert mended.notes == ()
    assert {found.code for found in check_world(world) if found.severity == "error"} == {
        "opening-missing",
        "starting-location-missing",
        "parent-cycle",
        "item-in-two-places",
    }


def test_a_sound_world_is_not_touched() -> None:
    assert mend(load_files(rich_world())).documents == {}


def test_references_to_a_document_that_cannot_be_read_stay() -> None:
    files = rich_world() | {"characters/老周.json": b"{", "variables.json": b"{"}
    assert mend(load_files(files)).documents == {}


def test_lore_whose_readers_are_gone_is_kept_for_the_game_master() -> None:
    world = loaded(Lore(id="a", title="A", scope="listed", known_by=["gone"]))
    [lore] = mend(world).documents.values()
    assert isinstance(lore, Lore)
    assert (lore.scope, lore.known_by) == ("listed", [])


def test_a_mechanism_with_nothing_left_is_left_out_with_a_note() -> None:
    limited = VariableDeclaration(
        key="rust", kind="flag", default=True, scope="item", applies_to=["gone", "lost"]
    )
    partly = limited.model_copy(update={"key": "salt", "scope": "character", "applies_to": ["ida", "gone"]})
    world = loaded(
        Variables(variables=[limited, partly]),
        Triggers(
            triggers=[
                Trigger(id="lost", when=WhenCommand(command="gone"), effect=Note(note="n")),
                Trigger(id="kept", when=WhenEvent(event="It rained."), effect=Note(note="n")),
            ]
        ),
    )
    mended = mend(world)
    after = world.changed(mended.documents)
    assert [(found.key, found.applies_to) for found in after.variables.variables] == [("salt", ["ida"])]
    assert [trigger.id for trigger in after.triggers.triggers] == ["kept"]
    left_out = [note.text for note in mended.notes if note.code == "mechanism-left-out"]
    assert left_out == [
        "The variable “rust” was left out, because nothing it was limited to exists.",
        "The trigger “lost” was left out, because nothing is left to start it or for it to do.",
    ]


def test_unknown_keys_survive_mending() -> None:
    files = small_world() | {
        "items/key.json": b'{"schema": "roleplay-item/v1", "id": "key", "name": "K", "held_by": "no", "x": 1}'
    }
    [item] = mend(load_files(files)).documents.values()
    assert item.to_json() == {
        "schema": "roleplay-item/v1",
        "id": "key",
        "name": "K",
        "held_by": None,
        "x": 1,
    }
