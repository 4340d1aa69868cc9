"""Can a story start? Every error and warning of the format, each from one change to a sound world."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.worlds import files_of, rich_world, small_world, write_world
from worlds.rules import can_start, check_world, load_files, playable_state
from worlds.rules.documents import Character, Document, Exit, Faction, Item, Location, Lore, WorldFile
from worlds.rules.prompts import prompt_path


def problems(files: dict[str, bytes]) -> list[tuple[str, str, str]]:
    return [(found.severity, found.code, found.where) for found in check_world(load_files(files))]


def errors(files: dict[str, bytes]) -> list[tuple[str, str]]:
    return [(code, where) for severity, code, where in problems(files) if severity == "error"]


def edited(path: str, **changes: Any) -> dict[str, bytes]:
    """The rich world with some keys of one document replaced."""
    files = rich_world()
    value = json.loads(files[path])
    return files | {path: json.dumps(value | changes, ensure_ascii=False).encode()}


def with_documents(*documents: Document) -> dict[str, bytes]:
    return small_world() | files_of(documents)


@pytest.mark.parametrize("files", [small_world(), rich_world()], ids=["small", "rich"])
def test_a_sound_world_has_no_problem_at_all(files: dict[str, bytes], tmp_path: Path) -> None:
    assert problems(files) == []
    assert check_world(write_world(tmp_path / "w", files)) == []
    assert can_start(check_world(load_files(files)))


@pytest.mark.parametrize(
    ("path", "changes", "key"),
    [
        ("world.json", {"starting_location": "无处"}, "starting_location"),
        ("characters/沈青.json", {"starting_location": "无处"}, "starting_location"),
        ("characters/沈青.json", {"knowledge": {"locations": ["灯塔", "无"]}}, "knowledge.locations[1]"),
        ("characters/沈青.json", {"knowledge": {"items": ["无"]}}, "knowledge.items[0]"),
        ("characters/沈青.json", {"knowledge": {"exits": ["无"]}}, "knowledge.exits[0]"),
        ("characters/沈青.json", {"knowledge": {"lore": ["无"]}}, "knowledge.lore[0]"),
        ("characters/沈青.json", {"knowledge": {"characters": ["商会"]}}, "knowledge.characters[0]"),
        ("locations/灯塔.json", {"parent": "无"}, "parent"),
        ("locations/灯塔.json", {"exits": [{"id": "e", "to": "无"}]}, "exits[0].to"),
        ("factions/商会.json", {"members": [{"character": "无"}]}, "members[0].character"),
        ("factions/商会.json", {"relations": [{"faction": "沈青"}]}, "relations[0].faction"),
        ("factions/商会.json", {"base": "无"}, "base"),
        ("items/铜钥匙.json", {"held_by": "无"}, "held_by"),
        ("items/账本.json", {"location": "无"}, "location"),
        ("lore/沉船.json", {"known_by": ["灯塔"]}, "known_by[0]"),
        ("lore/沉船.json", {"about": ["无"]}, "about[0]"),
        ("plotlines/寻船.json", {"involves": ["沈青", "无"]}, "involves[1]"),
        (
            "relationships.json",
            {"relationships": [{"from": "沈青", "to": "无"}]},
            "relationships[0].to",
        ),
        (
            "variables.json",
            {
                "variables": [
                    {"key": "fog", "kind": "flag", "default": True, "scope": "item", "applies_to": ["沈青"]},
                    {"key": "trust", "kind": "number", "default": 1},
                    {"key": "tide", "kind": "choice", "default": "涨", "options": ["涨", "落"]},
                ]
            },
            "variables[0].applies_to[0]",
        ),
        (
            "triggers.json",
            {"triggers": [{"id": "t", "when": {"command": "无"}, "effect": {"note": "n"}}]},
            "triggers[0].when.command",
        ),
        (
            "triggers.json",
            {
                "triggers": [
                    {"id": "t", "when": {"variable": "no", "op": "==", "value": 1}, "effect": {"note": "n"}}
                ]
            },
            "triggers[0].when.variable",
        ),
        (
            "triggers.json",
            {"triggers": [{"id": "t", "when": {"event": "E."}, "effect": {"reveal": ["无"]}}]},
            "triggers[0].effect.reveal[0]",
        ),
        (
            "triggers.json",
            {"triggers": [{"id": "t", "when": {"event": "E."}, "effect": {"set": {"no": 1}}}]},
            "triggers[0].effect.set.no",
        ),
    ],
)
def test_a_reference_to_nothing_is_an_error_wherever_it_stands(
    path: str, changes: dict[str, Any], key: str
) -> None:
    assert ("dangling-reference", f"{path}: {key}") in errors(edited(path, **changes))


def test_a_reference_to_a_document_that_cannot_be_read_does_not_dangle() -> None:
    files = rich_world()
    for path in ("characters/老周.json", "variables.json", "commands.json", "locations/灯塔.json"):
        files[path] = b"{"
    found = errors(files)
    assert {code for code, _where in found} == {"not-json"}
    assert len(found) == 4


@pytest.mark.parametrize("parents", [{"a": "a"}, {"a": "b", "b": "c", "c": "a", "d": "a"}])
def test_a_circle_of_places_within_places_is_told_once(parents: dict[str, str]) -> None:
    places = [
        Location(id=id, name=id, parent=parent, exits=[Exit(id=f"to-{id}", to="ferry-house")])
        for id, parent in parents.items()
    ]
    assert errors(with_documents(*places)) == [("parent-cycle", "locations/a.json: parent")]


def test_a_chain_of_places_as_long_as_a_world_is_no_trouble() -> None:
    places = [
        Location(id=str(at), name=str(at), parent=str(at + 1) if at < 3000 else None) for at in range(3001)
    ]
    world = WorldFile(name="w", opening="o", starting_location="0")
    assert errors(files_of([world, *places])) == []
    round_about = [*places[:-1], Location(id="3000", name="3000", parent="0")]
    assert [code for code, _where in errors(files_of([world, *round_about]))] == ["parent-cycle"]


def test_a_place_no_way_leads_to_is_an_error() -> None:
    lost = Location(id="cellar", name="Cellar")
    assert errors(with_documents(lost)) == [("location-unreachable", "locations/cellar.json: exits")]


def test_ways_lead_back_unless_they_are_one_way() -> None:
    back = Location(id="cellar", name="Cellar", exits=[Exit(id="up", to="ferry-house", hidden=True)])
    assert errors(with_documents(back)) == []
    one_way = back.model_copy(update={"exits": [Exit(id="up", to="ferry-house", one_way=True)]})
    assert errors(with_documents(one_way)) == [("location-unreachable", "locations/cellar.json: exits")]


def test_ways_are_not_judged_while_a_place_cannot_be_read() -> None:
    files = with_documents(Location(id="cellar", name="Cellar")) | {"locations/stairs.json": b"{"}
    assert errors(files) == [("not-json", "locations/stairs.json")]


def test_who_is_in_a_place_is_in_the_larger_one_but_not_in_its_other_parts() -> None:
    inside = Location(id="ferry-house", name="Ferry house", parent="town")
    town = Location(id="town", name="Town")
    cellar = Location(id="cellar", name="Cellar", parent="town")
    assert errors(with_documents(inside, town)) == []
    assert errors(with_documents(inside, town, cellar)) == [
        ("location-unreachable", "locations/cellar.json: exits")
    ]


@pytest.mark.parametrize("opening", ["", " \n\t　"])
def test_a_missing_opening_is_an_error(opening: str) -> None:
    found = errors(edited("world.json", opening=opening))
    assert found == [("opening-missing", "world.json: opening")]


def test_a_missing_starting_location_is_an_error_while_there_are_places() -> None:
    found = errors(edited("world.json", starting_location=None))
    assert found == [("starting-location-missing", "world.json: starting_location")]
    nowhere = files_of([WorldFile(name="w", opening="o"), Character(id="a", name="A", playable=True)])
    assert problems(nowhere) == []


@pytest.mark.req("CARD-10")
@pytest.mark.parametrize(
    ("paths", "found"),
    [
        (["items/A.json", "items/a.json"], {"id-form", "duplicate-id"}),
        (["items/straße.json", "items/strasse.json"], {"id-form", "duplicate-id"}),
        (["items/con.json"], {"unread-file"}),
        (["items/a b.json"], {"id-form"}),
        (["items/..json", "items/\u202e.json", "items/x\0.json"], {"unread-file"}),
        (["items/e\u0301.json"], {"unread-file"}),
        (["items/钥匙-2.json", "items/مفتاح.json", "items/ключ.json"], set()),
    ],
)
def test_ids_are_of_any_script_and_safe_as_file_names(paths: list[str], found: set[str]) -> None:
    files = small_world()
    for at, path in enumerate(paths):
        item = {"schema": "roleplay-item/v1", "id": path[6:-5], "name": f"Thing {at}"}
        files[path] = json.dumps(item).encode()
    assert {code for _severity, code, _where in problems(files)} == found


def test_two_documents_cannot_claim_one_id() -> None:
    files = with_documents(Character(id="bo", name="Bo"))
    files["characters/bob.json"] = files["characters/bo.json"].replace(b'"Bo"', b'"Bob"')
    assert errors(files) == [
        ("id-mismatch", "characters/bob.json: id"),
        ("duplicate-id", "characters/bob.json: id"),
    ]


def test_people_and_factions_share_their_ids_and_other_kinds_do_not() -> None:
    """`known_by` names either, so it must be plain which is meant."""
    found = errors(with_documents(Faction(id="ida", name="Idas"), Lore(id="ida", title="Ida")))
    assert found == [("duplicate-id", "factions/ida.json: id")]


def test_exit_ids_are_unique_in_the_world() -> None:
    twins = [Exit(id="way", to="ferry-house"), Exit(id="way", to="ferry-house")]
    other = Location(id="pier", name="Pier", exits=twins[:1])
    inside = Location(id="cellar", name="Cellar", exits=twins)
    assert errors(with_documents(inside, other)) == [
        ("duplicate-id", "locations/cellar.json: exits[1].id"),
        ("duplicate-id", "locations/pier.json: exits[0].id"),
    ]


def test_an_item_is_held_or_lies_somewhere_never_both() -> None:
    key = Item(id="key", name="Key", held_by="ida", location="ferry-house")
    assert errors(with_documents(key)) == [("item-in-two-places", "items/key.json: held_by")]


def test_known_by_stands_only_with_listed() -> None:
    files = edited("lore/沉船.json", scope="everyone")
    assert errors(files) == [("known-by-everyone", "lore/沉船.json: known_by")]


def test_invalid_variables_are_errors() -> None:
    files = edited("variables.json", variables=[{"key": "Trust", "kind": "flag", "default": True}])
    assert ("variable-key", "variables.json: variables[0].key") in errors(files)


def test_a_trigger_cannot_set_what_its_variable_cannot_hold() -> None:
    trigger = {"id": "t", "when": {"event": "E."}, "effect": {"set": {"trust": 101, "tide": "涨", "fog": 1}}}
    assert errors(edited("triggers.json", triggers=[trigger])) == [
        ("trigger-value", "triggers.json: triggers[0].effect.set.trust"),
        ("trigger-value", "triggers.json: triggers[0].effect.set.fog"),
    ]


@pytest.mark.parametrize("text", ["Speak as ${name}.", "{{user}} is late.", "an open ${", "{{"])
def test_a_prompt_with_an_unknown_placeholder_is_an_error(text: str) -> None:
    path = prompt_path("zh-hans", "style")
    assert errors(rich_world() | {path: text.encode()}) == [("prompt-placeholder", path)]


def test_a_prompt_that_is_no_text_is_an_error() -> None:
    path = prompt_path("en", "standing")
    assert errors(rich_world() | {path: b"\xff"}) == [("not-text", path)]


@pytest.mark.parametrize(
    ("path", "changes", "key"),
    [
        ("world.json", {"cover": "images/gone.png"}, "cover"),
        ("characters/沈青.json", {"portrait": {"file": "images/gone.png"}}, "portrait.file"),
        ("locations/灯塔.json", {"picture": "images/gone.png"}, "picture"),
    ],
)
def test_a_picture_without_a_file_is_an_error(path: str, changes: dict[str, Any], key: str) -> None:
    assert errors(edited(path, **changes)) == [("image-missing", f"{path}: {key}")]


@pytest.mark.req("CARD-10")
@pytest.mark.parametrize(
    "picture",
    ["../secret.png", "/etc/passwd", "images/../world.json", "images/./a.png", "images\\a", "a.png"],
)
def test_a_picture_path_cannot_leave_the_pictures(picture: str) -> None:
    assert ("image-path", "world.json: cover") in errors(edited("world.json", cover=picture))


@pytest.mark.req("BUILD-7")
def test_nobody_to_play_is_a_warning_and_the_state_says_so() -> None:
    files = edited("characters/沈青.json", playable=False)
    assert problems(files) == [("warning", "no-playable-character", "characters")]
    assert can_start(check_world(load_files(files)))
    assert playable_state(load_files(files)) == "choose-someone"
    assert playable_state(load_files(rich_world())) == "ready"


@pytest.mark.req("BUILD-7")
def test_a_world_without_people_asks_for_a_persona_and_nothing_is_wrong_with_it() -> None:
    files = files_of([WorldFile(name="w", opening="o")])
    assert problems(files) == [("info", "no-playable-character", "characters")]
    assert playable_state(load_files(files)) == "bring-a-persona"


@pytest.mark.req("CHK-11")
def test_unread_fields_are_warnings_that_name_them() -> None:
    files = edited("characters/沈青.json", mood="calm", speech={"style": "s", "tempo": 1})
    assert problems(files) == [
        ("warning", "unread-field", "characters/沈青.json: mood"),
        ("warning", "unread-field", "characters/沈青.json: speech.tempo"),
    ]


def test_two_elements_of_one_name_are_a_warning() -> None:
    documents = [
        Item(id="boat", name=" ida FENN"),
        Lore(id="a", title="Ida Fenn"),
        Lore(id="b", title="IDA FENN"),
    ]
    assert problems(with_documents(*documents)) == [
        ("warning", "same-name", "items/boat.json: name"),
        ("warning", "same-name", "lore/b.json: title"),
    ]


def test_errors_come_first() -> None:
    files = edited("characters/沈青.json", mood="calm") | {"lore/x.json": b"{", "notes.txt": b""}
    assert [severity for severity, _code, _where in problems(files)] == ["error", "warning", "info"]
