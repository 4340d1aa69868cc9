"""Back to SillyTavern's file: untouched where nothing was edited, written over where something was."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.preset import PresetError, PresetPackage, PresetPrompt, read_preset, sillytavern_of
from formats.preset.model import OUR_HOLES, Injection, MessagePolicy, OrderItem, ToolPolicy
from tests.support import preset_files as presets
from tests.support.preset_files import Json, marker, place, preset, prompt, usual


def read(raw: Any) -> PresetPackage:
    return read_preset(raw)[0]


def edited(package: PresetPackage, id: str, **fields: Any) -> PresetPackage:
    prompts = tuple(replace(one, **fields) if one.id == id else one for one in package.prompts)
    return replace(package, prompts=prompts)


def as_meant(package: PresetPackage) -> tuple[Any, ...]:
    """What a package means, without where in which file it stood."""
    prompts = {one.id: replace(one, raw_index=None) for one in package.prompts}
    order = [(item.prompt_id, item.enabled) for item in package.prompt_order]
    return prompts, order, package.generation, package.message_policy, package.tool_policy


@pytest.mark.req("PRE-3", "PRE-14")
@given(presets.presets())
def test_reading_exporting_and_reading_again_is_equal(file: Json) -> None:
    try:
        package = read(copy.deepcopy(file))
    except PresetError:
        return
    before = copy.deepcopy(package.raw)
    written = sillytavern_of(package)
    assert package.raw == before
    assert as_meant(read(json.loads(json.dumps(written)))) == as_meant(package)
    assert sillytavern_of(read(written)) == written


@given(presets.presets())
def test_an_export_differs_from_the_file_in_nothing_it_need_not(file: Json) -> None:
    file.pop("main_prompt", None)
    try:
        package = read(file)
    except PresetError:
        return
    written = sillytavern_of(package)
    bare = package.order_character_id is None and read_preset(file)[1].has_order
    unlike = {"prompt_order"} if bare else set()
    assert {k: v for k, v in written.items() if k not in unlike} == {
        k: v for k, v in (package.raw or {}).items() if k not in unlike
    }


@pytest.mark.req("PRE-3")
def test_our_holes_are_taken_out_again() -> None:
    file = usual(prompt("a", "x"), after=[prompt("b", "y")], mystery={"deep": [1]})
    assert sillytavern_of(read(file)) == file
    changed = edited(read(file), "a", content="new")
    order = tuple(reversed(changed.prompt_order))
    changed = replace(changed, prompt_order=tuple(replace(one, index=n) for n, one in enumerate(order)))
    written = json.dumps(sillytavern_of(changed))
    assert not any(f'"{hole}"' in written for hole in OUR_HOLES)
    assert [one["identifier"] for one in sillytavern_of(changed)["prompt_order"][0]["order"]] == [
        "jailbreak",
        "b",
        "chatHistory",
        "a",
        "main",
    ]


def test_edits_are_written_over_the_raw_objects_alone() -> None:
    file = usual(prompt("a", "x", tooltip="kept", injection_position=1, injection_depth=2, enabled="true"))
    package = edited(
        read(file),
        "a",
        content="new",
        role="user",
        injection=Injection(1, 3, 50),
        triggers=("swipe",),
        enabled=False,
    )
    item = sillytavern_of(package)["prompts"][1]
    assert item == {
        **file["prompts"][1],
        "content": "new",
        "role": "user",
        "injection_depth": 3,
        "injection_order": 50,
        "injection_trigger": ["swipe"],
        "enabled": False,
    }
    assert list(item)[:3] == list(file["prompts"][1])[:3]
    assert as_meant(read(sillytavern_of(package))) == as_meant(package)


def test_settings_are_written_where_they_changed() -> None:
    package = read(usual(temperature="0.5", top_p=0.9, temp_openai=1, top_k=0))
    changed = replace(
        package,
        generation=replace(package.generation, temperature=0.7, top_p=None, seed=4),
        message_policy=MessagePolicy("semi"),
        tool_policy=ToolPolicy("app"),
    )
    written = sillytavern_of(changed)
    assert (written["temperature"], written["seed"], written["top_k"]) == (0.7, 4, 0)
    assert "top_p" not in written
    assert written["squash_system_messages"] == "semi"
    assert as_meant(read(written)) == as_meant(changed)
    for policy, value in ((MessagePolicy("none"), False), (MessagePolicy("merge"), True)):
        levelled = replace(package, message_policy=policy)
        assert sillytavern_of(levelled)["squash_system_messages"] is value
    assert "squash_system_messages" not in sillytavern_of(replace(package, message_policy=None))


def test_switches_keep_what_else_a_place_says() -> None:
    file = preset([prompt("a", "x"), prompt("b", "y")], [place("a", colour="red"), "b"])
    file["prompt_order"].insert(0, {"character_id": 100000, "order": [place("b")]})
    package = read(file)
    first = replace(package.prompt_order[0], enabled=False)
    changed = replace(package, prompt_order=(first, *package.prompt_order[1:]))
    orders = sillytavern_of(changed)["prompt_order"]
    assert orders[0] == file["prompt_order"][0]
    assert orders[1]["order"][0] == {"identifier": "a", "enabled": False, "colour": "red"}
    assert as_meant(read(sillytavern_of(changed))) == as_meant(changed)


def test_new_and_deleted_prompts() -> None:
    package = read(usual(prompt("a", "x"), prompt("b", "y")))
    new = PresetPrompt("own", "Own", "Mine.", source_identifier="own", system_prompt=False)
    kept = tuple(one for one in package.prompts if one.id != "a")
    order = [OrderItem("own", True, 0)] + [one for one in package.prompt_order if one.prompt_id != "a"]
    changed = replace(package, prompts=(*kept, new), prompt_order=tuple(order))
    written = sillytavern_of(changed)
    assert [one["identifier"] for one in written["prompts"]] == [
        "main",
        "b",
        "chatHistory",
        "jailbreak",
        "own",
    ]
    again = read(written)
    assert "a" not in again.by_id
    assert again.enabled_prompts()[0].content == "Mine."


def test_a_new_prompt_is_not_sent_for_a_name_that_meant_nothing() -> None:
    package = read(preset([prompt("a", "x")], ["ghost", "a"]))
    new = PresetPrompt("ghost", "Ghost", "Boo.", source_identifier="ghost", system_prompt=False)
    again = read(sillytavern_of(replace(package, prompts=(*package.prompts, new))))
    assert again.by_id["ghost"].content == "Boo."
    assert [one.content for one in again.enabled_prompts() if not one.is_hole] == ["x"]


def test_a_copy_and_a_twin_that_is_chosen_are_written_under_their_own_names() -> None:
    package = read(preset([prompt("main", "one"), prompt("main", "two"), prompt("a", "x")], ["main", "a"]))
    copy_of_a = replace(package.by_id["a"], id="a-copy", content="y")
    order = [OrderItem(id, True, n) for n, id in enumerate(["main#2", "a-copy", "a", "chatHistory"])]
    changed = replace(package, prompts=(*package.prompts, copy_of_a), prompt_order=tuple(order))
    again = read(sillytavern_of(changed))
    assert [one.content for one in again.enabled_prompts() if not one.is_hole] == ["two", "y", "x"]
    assert again.by_id["main"].content == "one"


def test_an_added_history_that_was_moved_is_written() -> None:
    package = read(preset([prompt("a", "x"), prompt("b", "y")]))
    order = [one.prompt_id for one in package.prompt_order]
    order.remove("chatHistory")
    moved = tuple(OrderItem(id, True, n) for n, id in enumerate(["chatHistory", *order]))
    written = sillytavern_of(replace(package, prompt_order=moved))
    assert [one["identifier"] for one in written["prompt_order"][0]["order"]] == ["chatHistory", "a", "b"]
    assert [item.prompt_id for item in read(written).prompt_order][1] == "chatHistory"


@pytest.mark.parametrize("file", [{"prompts": [], "prompt_order": []}, usual(prompt_order={})])
def test_what_is_exported_is_known_as_a_preset(file: Json) -> None:
    assert as_meant(read(sillytavern_of(read(file)))) == as_meant(read(file))
    native: Json = {"prompts": [], "promptOrder": []}
    assert read(sillytavern_of(read(native))).enabled_prompts()[0].is_hole


def test_one_order_alone_is_exported_as_sillytavern_reads_it() -> None:
    file = usual()
    written = sillytavern_of(read({**file, "prompt_order": file["prompt_order"][0]}))
    assert written == file


def test_a_manager_export_becomes_a_preset() -> None:
    file = {
        "version": 1,
        "type": "full",
        "data": {"prompts": [prompt("a", "x")], "prompt_order": [place("a")]},
    }
    written = sillytavern_of(read(file))
    assert written == {
        "prompts": [prompt("a", "x")],
        "prompt_order": [{"character_id": 100001, "order": [place("a")]}],
    }


def test_old_texts_become_prompts() -> None:
    written = sillytavern_of(read({"main_prompt": "Main.", "jailbreak_prompt": "Break.", "temperature": 0.4}))
    assert "main_prompt" not in written
    assert [(one["identifier"], one["content"]) for one in written["prompts"]] == [
        ("main", "Main."),
        ("jailbreak", "Break."),
    ]
    assert [one.content for one in read(written).enabled_prompts() if not one.is_hole] == ["Main.", "Break."]


def test_a_native_order_keeps_its_own_holes() -> None:
    native = ["worldBookBefore", "a", "chatHistory", "worldBookAfter", "currentTurn", "postTurn"]
    file = preset([prompt("a", "x")], native)
    package = read(file)
    assert sillytavern_of(package) == file
    off = tuple(replace(one, enabled=one.prompt_id != "postTurn") for one in package.prompt_order)
    written = sillytavern_of(replace(package, prompt_order=off))
    assert [one["identifier"] for one in written["prompt_order"][0]["order"]] == native


# our own form


@pytest.mark.req("PRE-3", "PRE-14")
@given(presets.presets())
def test_our_own_form_is_read_back_as_it_was(file: Json) -> None:
    try:
        package = read(file)
    except PresetError:
        return
    assert read(json.loads(json.dumps(package.to_json()))) == package


def test_a_native_preset_by_hand() -> None:
    file = {
        "name": "By hand",
        "prompts": [
            {"id": "a", "name": "A", "content": "x", "role": "user", "mood": "calm"},
            {"id": "b", "content": "y"},
        ],
        "promptOrder": [
            {"promptId": "b", "enabled": True, "orderIndex": 2},
            {"promptId": "a", "enabled": True, "orderIndex": 1},
            {"promptId": "ghost", "enabled": True, "orderIndex": 3},
            {},
        ],
        "generation": {"topP": 0.5, "seed": "x"},
        "messagePolicy": {"squash": "semi"},
        "mystery": 1,
    }
    package, report = read_preset(file)
    assert (package.source, package.name, report.shape) == ("native", "By hand", "native")
    assert [item.prompt_id for item in package.prompt_order][:3] == ["a", "b", "worldBookBefore"]
    assert package.generation.given() == {"top_p": 0.5}
    assert package.squash == "semi"
    assert report.missing_identifiers == ("ghost",)
    assert {one.path for one in package.unsupported} == {"mystery"}
    assert {"parameter-unusable", "order-unusable", "core-missing"} <= {one.code for one in report.findings}
    assert package.raw == file
    assert read(package.to_json()) == package
    written = sillytavern_of(package)
    assert [one["identifier"] for one in written["prompts"]] == ["a", "b"]
    assert [one.content for one in read(written).enabled_prompts() if not one.is_hole] == ["x", "y"]


def test_a_native_prompt_cannot_take_the_name_of_a_hole() -> None:
    file = {
        "prompts": [{"id": "currentTurn", "content": "not the turn"}, {"id": "a", "content": "x"}],
        "promptOrder": [{"promptId": "currentTurn", "enabled": True}, {"promptId": "a", "enabled": True}],
    }
    package = read(file)
    assert package.by_id["currentTurn"].is_hole
    assert not package.by_id["currentTurn'"].is_hole


@given(st.dictionaries(st.sampled_from(list(read(usual()).to_json())), presets.JSON_VALUES))
def test_nothing_in_our_own_form_is_believed(odd: Json) -> None:
    file = {**read(usual(prompt("a", "x"), marker("scenario"))).to_json(), **odd}
    try:
        package, report = read_preset(file)
    except PresetError:
        return
    json.dumps([package.to_json(), report.to_json(), sillytavern_of(package)])
