"""What keeps a story from starting can be mended on the spot: each offered fix removes its problem."""

import json
from typing import Any

import pytest

from formats.errors import DomainError
from formats.finding import Finding
from tests.support.worlds import files_of, rich_world, small_world
from worlds.rules import LoadedWorld, check_world, load_files
from worlds.rules.documents import (
    Character,
    Document,
    Exit,
    Faction,
    Item,
    Location,
    Lore,
    Opening,
    WorldFile,
)
from worlds.rules.fixes import Choice, Fix, apply_fix, find_fix, smallest_fixes
from worlds.rules.prompts import prompt_path


def rich(path: str, **changes: Any) -> dict[str, bytes]:
    files = rich_world()
    value = json.loads(files[path]) | changes
    return files | {path: json.dumps(value, ensure_ascii=False).encode()}


def small(*documents: Document) -> dict[str, bytes]:
    return small_world() | files_of(documents)


def written(files: dict[str, bytes], changes: dict[str, bytes | None]) -> dict[str, bytes]:
    both = files | changes
    return {path: data for path, data in both.items() if data is not None}


def errors(loaded: LoadedWorld) -> list[Finding]:
    return [found for found in check_world(loaded) if found.severity == "error"]


WAYS = [Exit(id="way", to="ferry-house"), Exit(id="way", to="ferry-house")]
BROKEN: dict[str, dict[str, bytes]] = {
    "no opening": rich("world.json", opening=""),
    "no start": rich("world.json", starting_location=None),
    "unknown start": rich("world.json", starting_location="无"),
    "unknown start without places": files_of([WorldFile(name="w", opening="o", starting_location="gone")]),
    "unknown holder": rich("items/铜钥匙.json", held_by="无"),
    "unknown member": rich("factions/商会.json", members=[{"character": "无"}]),
    "unknown exit": rich("characters/沈青.json", knowledge={"exits": ["无"]}),
    "unknown lore reader": rich("lore/沉船.json", known_by=["无"]),
    "unknown command": rich(
        "triggers.json", triggers=[{"id": "t", "when": {"command": "无"}, "effect": {"note": "n"}}]
    ),
    "circle": small(
        Location(id="a", name="A", parent="b", exits=[Exit(id="a-f", to="ferry-house")]),
        Location(id="b", name="B", parent="a"),
    ),
    "unreachable": small(Location(id="cellar", name="Cellar")),
    "people and faction": small(Faction(id="ida", name="Ida's own")),
    "case": small(Item(id="Key", name="Key"), Item(id="key", name="Other key")),
    "no id": small(Item(id="a b", name="Key", held_by="ida")),
    "exits": small(Location(id="pier", name="Pier", exits=WAYS)),
    "exits of two": small(
        Location(id="pier", name="Pier", exits=WAYS[:1]), Location(id="quay", name="Quay", exits=WAYS[:1])
    ),
    "commands": rich("commands.json", commands=[{"name": "招人"}, {"name": "招人"}]),
    "command name": rich("commands.json", commands=[{"name": "招人"}, {"name": "two words"}]),
    "file name": small_world() | {"items/key.json": files_of([Item(id="k", name="K")])["items/k.json"]},
    "two places": small(Item(id="key", name="Key", held_by="ida", location="ferry-house")),
    "known by everyone": small(Lore(id="l", title="L", known_by=["ida"])),
    "no cover": rich("world.json", cover="images/gone.png"),
    "cover elsewhere": rich("world.json", cover="../gone.png"),
    "no portrait": rich("characters/沈青.json", portrait={"file": "images/gone.png"}),
    "no picture": rich("locations/灯塔.json", picture="images/gone.png"),
    "placeholder": rich_world() | {prompt_path("en", "style"): b"As ${name}, {{user}}"},
    "variable": rich_world()
    | {
        "variables.json": b'{"schema": "roleplay-variables/v1", "variables": [{"key": "A", "kind": "flag"}]}',
        "triggers.json": b'{"schema": "roleplay-triggers/v1"}',
    },
    "trigger value": rich(
        "triggers.json", triggers=[{"id": "t", "when": {"event": "E."}, "effect": {"set": {"fog": 3}}}]
    ),
    "no world file": {path: data for path, data in small_world().items() if path != "world.json"},
    "spoilt world file": small_world() | {"world.json": b"{"},
    "spoilt document": rich_world() | {"lore/bad.json": b"{"},
    "wrong type": rich_world() | {"lore/bad.json": b'{"schema": "roleplay-lore/v1", "id": 3, "title": "T"}'},
    "wrong schema": rich_world() | {"lore/bad.json": b'{"schema": "x"}'},
}


def answers(fix: Fix) -> list[str]:
    return [choice.value for choice in fix.choices] or ["Once upon a tide."]


@pytest.mark.req("DRAFT-1")
@pytest.mark.parametrize("name", BROKEN)
def test_every_offered_fix_with_every_answer_removes_its_problem(name: str) -> None:
    files = BROKEN[name]
    loaded = load_files(files)
    found = errors(loaded)
    assert found
    for finding in found:
        offered = smallest_fixes(loaded, finding)
        assert offered, f"nothing is offered for {finding.code}"
        for fix in offered:
            assert (fix.input == "choice") is bool(fix.choices)
            for answer in answers(fix):
                after = load_files(written(files, apply_fix(loaded, fix, answer)))
                remaining = {(left.code, left.where, left.text) for left in errors(after)}
                assert (finding.code, finding.where, finding.text) not in remaining, (fix, answer)


def test_a_draft_can_be_mended_to_the_end_by_first_fixes_alone() -> None:
    files = small(
        Location(id="a", name="A", parent="b"),
        Location(id="b", name="B", parent="a"),
        Item(id="key", name="Key", held_by="gone", location="ferry-house"),
    )
    files["world.json"] = b'{"schema": "roleplay-world/v1", "name": "W"}'
    for _turn in range(20):
        loaded = load_files(files)
        found = errors(loaded)
        if not found:
            return
        fix = smallest_fixes(loaded, found[0])[0]
        files = written(files, apply_fix(loaded, fix, answers(fix)[0]))
    pytest.fail(f"still: {found}")


def fix_for(files: dict[str, bytes], code: str) -> tuple[LoadedWorld, Fix]:
    loaded = load_files(files)
    [fix] = [fix for found in errors(loaded) for fix in smallest_fixes(loaded, found) if fix.code == code]
    return loaded, fix


def test_an_opening_is_written_or_taken_from_the_others() -> None:
    files = rich("world.json", opening="")
    loaded, fix = fix_for(files, "write-opening")
    after = load_files(written(files, apply_fix(loaded, fix, "  雾散了。\n")))
    assert after.world is not None
    assert after.world.opening == "雾散了。"
    loaded, fix = fix_for(files, "use-other-opening")
    assert fix.choices == (Choice("0", "雨夜"),)
    after = load_files(written(files, apply_fix(loaded, fix, "0")))
    assert after.world is not None
    assert after.world.opening == "雨把灯火打碎在水面上。"
    assert after.world.alternate_openings == []


def test_without_another_opening_only_writing_is_offered() -> None:
    files = rich("world.json", opening="", alternate_openings=[Opening(text=" ").to_json()])
    [finding] = errors(load_files(files))
    assert [fix.code for fix in smallest_fixes(load_files(files), finding)] == ["write-opening"]


def test_a_renamed_document_is_followed_by_what_can_only_mean_it() -> None:
    files = small(
        Character(id="ida two", name="Ida Two"),
        Faction(id="guild", name="Guild", members=[{"character": "ida two"}]),  # type: ignore[list-item]
        Item(id="key", name="Key", held_by="ida two"),
    )
    loaded, fix = fix_for(files, "rename-document")
    after = load_files(written(files, apply_fix(loaded, fix, "characters/ida two.json")))
    assert set(after.characters) == {"ida", "ida-two"}
    assert after.characters["ida-two"].id == "ida-two"
    assert after.factions["guild"].members[0].character == "ida-two"
    assert after.items["key"].held_by == "ida-two"


def test_a_shared_id_stays_with_the_one_that_is_not_renamed() -> None:
    files = small(
        Faction(id="ida", name="Ida's own", relations=[]),
        Faction(id="other", name="Other", relations=[{"faction": "ida"}]),  # type: ignore[list-item]
        Lore(id="l", title="L", scope="listed", known_by=["ida"]),
    )
    loaded, fix = fix_for(files, "rename-document")
    assert [choice.value for choice in fix.choices] == ["characters/ida.json", "factions/ida.json"]
    after = load_files(written(files, apply_fix(loaded, fix, "factions/ida.json")))
    assert errors(after) == []
    assert set(after.factions) == {"ida-s-own", "other"} or set(after.factions) == {"idas-own", "other"}
    assert after.factions["other"].relations[0].faction in after.factions
    assert after.lore["l"].known_by == ["ida"]


def test_a_new_way_has_an_id_of_its_own_and_leads_there() -> None:
    files = small(
        Location(id="cellar", name="Cellar"),
        Location(id="yard", name="Yard", exits=[Exit(id="ferry-house-cellar", to="ferry-house")]),
    )
    loaded, fix = fix_for(files, "add-way")
    assert [choice.value for choice in fix.choices] == ["ferry-house", "yard"]
    after = load_files(written(files, apply_fix(loaded, fix, "ferry-house")))
    [way] = after.locations["ferry-house"].exits
    assert (way.id, way.to) == ("ferry-house-cellar-2", "cellar")


@pytest.mark.parametrize("answer", ["", "nowhere", "../a"])
def test_an_answer_that_is_no_choice_is_refused(answer: str) -> None:
    loaded, fix = fix_for(rich("world.json", starting_location=None), "pick-starting-location")
    with pytest.raises(DomainError) as refused:
        apply_fix(loaded, fix, answer)
    assert refused.value.kind == "invalid"


def test_an_empty_opening_is_refused() -> None:
    loaded, fix = fix_for(
        small() | {"world.json": b'{"schema": "roleplay-world/v1", "name": "W"}'}, "write-opening"
    )
    with pytest.raises(DomainError):
        apply_fix(loaded, fix, " \n")


def test_a_fix_is_found_again_by_its_code_and_place_while_the_problem_stands() -> None:
    loaded, fix = fix_for(rich("world.json", opening=""), "write-opening")
    assert find_fix(loaded, fix.code, fix.where) == fix
    assert find_fix(loaded, "set-aside", fix.where) is None
    assert find_fix(load_files(rich_world()), fix.code, fix.where) is None


def test_fixing_keeps_unknown_keys() -> None:
    files = rich("world.json", opening="", theme="dark")
    loaded, fix = fix_for(files, "write-opening")
    data = apply_fix(loaded, fix, "o")["world.json"]
    assert data is not None
    assert json.loads(data)["theme"] == "dark"
