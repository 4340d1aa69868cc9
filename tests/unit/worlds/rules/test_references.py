"""References are read off the models."""

from tests.support.worlds import rich_world
from worlds.rules import load_files
from worlds.rules.documents import Band, Faction, Item, Member, VariableDeclaration
from worlds.rules.references import Reference, references_of, rewritten

RICH = load_files(rich_world())


def test_every_reference_of_a_document_has_its_key_and_kinds() -> None:
    assert references_of(RICH.characters["沈青"]) == [
        Reference("starting_location", ("location",), "旧码头"),
        Reference("knowledge.locations[0]", ("location",), "灯塔"),
        Reference("knowledge.items[0]", ("item",), "铜钥匙"),
        Reference("knowledge.exits[0]", ("exit",), "码头-灯塔"),
        Reference("knowledge.lore[0]", ("lore",), "沉船"),
        Reference("knowledge.characters[0]", ("character",), "老周"),
    ]
    assert references_of(RICH.triggers) == [
        Reference("triggers[0].when.command", ("command",), "招人"),
        Reference("triggers[1].effect.set.fog", ("variable",), "fog"),
        Reference("triggers[1].effect.set.tide", ("variable",), "tide"),
        Reference("triggers[2].when.variable", ("variable",), "trust"),
        Reference("triggers[2].effect.reveal[0]", ("lore",), "沉船"),
    ]
    assert [reference.key for reference in references_of(RICH.relationships)] == [
        "relationships[0].from",
        "relationships[0].to",
    ]


def test_what_a_variable_applies_to_depends_on_its_scope() -> None:
    declared = VariableDeclaration(key="k", kind="flag", scope="item", applies_to=["key"])
    assert references_of(declared) == [Reference("applies_to[0]", ("item",), "key")]
    assert references_of(declared.model_copy(update={"scope": "world"})) == []


def test_nothing_changes_where_every_answer_is_the_same() -> None:
    for document in RICH.by_path().values():
        assert rewritten(document, lambda reference: reference.id) is document


def test_references_can_be_pointed_elsewhere() -> None:
    guild = Faction(id="g", name="G", members=[Member(character="a", role="head"), Member(character="b")])
    moved = rewritten(guild, lambda reference: {"a": "z"}.get(reference.id, reference.id))
    assert moved is not None
    assert moved.members == [Member(character="z", role="head"), Member(character="b")]
    trigger = RICH.triggers.triggers[1]
    renamed = rewritten(trigger, lambda reference: f"{reference.id}_2")
    assert renamed is not None
    assert renamed.effect.to_json() == {"set": {"fog_2": False, "tide_2": "落"}}


def test_empty_ids_are_no_references() -> None:
    assert references_of(Item(id="i", name="I", held_by="", location=None)) == []
    assert references_of(Band(up_to=1, label="b")) == []
