"""Which order counts, what its places mean, and the holes around the history."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.preset import PresetPackage, read_preset
from formats.preset.model import OUR_HOLES
from tests.support.preset_files import Json, marker, place, preset, prompt, usual

SANDWICH = ["worldBookBefore", "chatHistory", "worldBookAfter", "currentTurn"]


def line(package: PresetPackage) -> list[str]:
    return [item.prompt_id for item in package.prompt_order]


def codes(report: Any) -> dict[str, Any]:
    return {finding.code: finding for finding in report.findings}


def with_orders(*orders: Json, prompts: list[Json]) -> Json:
    return {"squash_system_messages": False, "prompts": prompts, "prompt_order": list(orders)}


def order(id: Any, *places: str | Json) -> Json:
    return {"character_id": id, "order": [place(one) if isinstance(one, str) else one for one in places]}


FOUR = [prompt(name, f"Text {name}.") for name in ("a", "b", "c", "d")]


@pytest.mark.req("PRE-2")
@pytest.mark.parametrize("id", [100001, "100001"])
def test_the_general_order_comes_first_row_2(id: Any) -> None:
    file = with_orders(order(100000, "a", "b", "c"), order(id, "d"), order(7, "a", "b"), prompts=FOUR)
    package, report = read_preset(file)
    assert line(package) == ["d", *SANDWICH, "postTurn"]
    assert (report.order_character_id, report.other_orders) == (100001, (100000, 7))
    assert "order-not-general" not in codes(report)


@pytest.mark.req("PRE-2")
def test_without_it_the_order_with_most_enabled_content() -> None:
    off = [place("a", False), place("b", False), place("c", False), place("d", False)]
    file = with_orders(order(1, *off), order(2, "a", "b"), order(3, "c"), prompts=FOUR)
    package, report = read_preset(file)
    assert line(package)[:2] == ["a", "b"]
    assert report.order_character_id == 2
    assert codes(report)["order-not-general"].args["names"] == "2"


@pytest.mark.req("PRE-2")
def test_what_prompts_hold_counts_not_how_many_there_are() -> None:
    prompts = [*FOUR, prompt("e", ""), prompt("f", "", enabled=True), prompt("g", "x", enabled=False)]
    file = with_orders(order(1, "e", "f", "g"), order(2, "a"), prompts=prompts)
    assert read_preset(file)[1].order_character_id == 2


@pytest.mark.req("PRE-2")
def test_an_empty_general_order_counts_for_nothing() -> None:
    file = with_orders(order(100001), order(100000, "b", "a"), prompts=FOUR)
    assert line(read_preset(file)[0])[:2] == ["b", "a"]


@pytest.mark.req("PRE-2")
def test_the_order_is_the_authority() -> None:
    package, _ = read_preset(preset(FOUR, ["d", "b", "a"]))
    assert [one.id for one in package.enabled_prompts() if not one.is_hole] == ["d", "b", "a"]


@pytest.mark.req("PRE-2")
@pytest.mark.parametrize(("in_order", "itself", "sent"), [(1, 1, 1), (1, 0, 0), (0, 1, 0), (0, 0, 0)])
def test_both_switches_must_be_on(in_order: int, itself: int, sent: int) -> None:
    package, _ = read_preset(preset([prompt("a", "x", enabled=bool(itself))], [place("a", bool(in_order))]))
    assert ("a" in [one.id for one in package.enabled_prompts()]) is bool(sent)


@pytest.mark.req("PRE-2")
def test_dangling_references_warn_and_stop_nothing_row_3() -> None:
    package, report = read_preset(preset(FOUR, ["a", "ghost", "b", "ghost"]))
    assert line(package)[:2] == ["a", "b"]
    assert report.missing_identifiers == ("ghost",)
    assert codes(report)["order-dangling"].severity == "warning"
    assert {item.prompt_id for item in package.prompt_order} <= package.by_id.keys()


@pytest.mark.req("PRE-2")
def test_prompts_outside_the_order_stay_and_are_not_sent_row_4() -> None:
    package, report = read_preset(preset(FOUR, ["a"]))
    assert {"b", "c", "d"} <= package.by_id.keys()
    assert report.unreferenced == ("b", "c", "d")
    assert [one.id for one in package.enabled_prompts() if not one.is_hole] == ["a"]


@pytest.mark.req("PRE-2")
def test_missing_core_places_warn_row_5() -> None:
    report = read_preset(preset([*FOUR, marker("chatHistory")], ["a", "chatHistory"]))[1]
    assert report.missing_core == ("main", "jailbreak")
    assert codes(report)["core-missing"].args["names"] == "main, jailbreak"
    assert read_preset(usual())[1].missing_core == ()


def test_a_prompt_named_twice_has_its_first_place() -> None:
    package, report = read_preset(preset(FOUR, ["b", place("a", False), "b", "a"]))
    assert [(item.prompt_id, item.enabled) for item in package.prompt_order][:2] == [
        ("b", True),
        ("a", False),
    ]
    assert codes(report)["order-repeated"].args["names"] == "b, a"


def test_a_preset_without_order_is_read_and_says_so() -> None:
    """WorldInfo-Recommender #1: such a preset crashed."""
    main, jailbreak = prompt("main", "Main."), prompt("jailbreak", "Break.")
    file = {"squash_system_messages": False, "prompts": [jailbreak, prompt("own", "Own."), main]}
    package, report = read_preset(file)
    assert line(package) == ["main", "personaDescription", *SANDWICH, "jailbreak", "postTurn"]
    assert not report.has_order
    assert report.order_character_id is None
    assert "order-missing" in codes(report)
    line_of_own = report.line("own")
    assert line_of_own is not None
    assert line_of_own.code == "not-in-order"


@pytest.mark.parametrize("value", [None, [], {}, "x", 3, [[]], [None], [{"character_id": 100001}]])
def test_orders_that_are_none(value: Any) -> None:
    assert not read_preset({**usual(), "prompt_order": value})[1].has_order


def test_a_bare_list_and_one_order_alone_are_orders() -> None:
    bare = {**usual(), "prompt_order": [place("main"), "jailbreak"]}
    alone = {**usual(), "prompt_order": order(100001, "main", "jailbreak")}
    assert line(read_preset(bare)[0]) == line(read_preset(alone)[0])
    assert read_preset(bare)[1].has_order


def test_odd_places_are_told() -> None:
    file = preset(FOUR, [{"identifier": "a"}, place("b", "off"), place("c", 0)])
    file["prompt_order"][0]["order"] += [None, {"enabled": True}, 4]
    package, report = read_preset(file)
    switches = {item.prompt_id: item.enabled for item in package.prompt_order}
    assert (switches["a"], switches["b"], switches["c"]) == (True, False, False)
    assert codes(report)["order-unusable"].args["count"] == 2
    assert codes(report)["order-switch-missing"].args["names"] == "a, 4"


# holes


@pytest.mark.req("PRE-3")
def test_the_holes_stand_exactly_around_the_history_row_12() -> None:
    package, report = read_preset(usual(prompt("before", "b"), after=[prompt("after", "a")]))
    assert line(package) == ["main", "before", *SANDWICH, "after", "jailbreak", "postTurn"]
    assert [package.by_id[id].was_added for id in line(package)] == [id in OUR_HOLES for id in line(package)]
    assert package.by_id["currentTurn"].role == "user"
    assert all(package.by_id[id].marker and package.by_id[id].enabled for id in OUR_HOLES)
    assert report.prompt_count == 5


@pytest.mark.req("PRE-3")
def test_a_missing_history_is_added_after_everything_row_9() -> None:
    package, report = read_preset(preset(FOUR))
    assert line(package) == ["a", "b", "c", "d", *SANDWICH, "postTurn"]
    assert "SillyTavern would send no history" in codes(report)["history-added"].hint


@pytest.mark.req("PRE-3")
def test_a_history_prompt_outside_the_order_is_the_one_that_is_placed() -> None:
    package, _ = read_preset(preset([*FOUR, marker("chatHistory", name="Talk")], ["a"]))
    assert line(package) == ["a", *SANDWICH, "postTurn"]
    assert package.by_id["chatHistory"].name == "Talk"


@pytest.mark.req("PRE-3")
@pytest.mark.parametrize("with_prompts", [True, False])
def test_a_native_order_gets_no_second_set(with_prompts: bool) -> None:
    native = ["postTurn", "a", "currentTurn", "worldBookAfter", "chatHistory", "b", "worldBookBefore"]
    holes = [marker(name) for name in native if name not in ("a", "b")] if with_prompts else []
    package, report = read_preset(preset([*FOUR, *holes], native))
    assert line(package) == native
    assert package.source == "native"
    assert report.missing_identifiers == ()
    assert "holes-completed" not in codes(report)


@pytest.mark.req("PRE-3")
@given(st.lists(st.sampled_from(["a", "b", "chatHistory", *OUR_HOLES]), unique=True, min_size=1))
def test_every_order_ends_with_every_hole_once(names: list[str]) -> None:
    package, report = read_preset(preset(FOUR, names))
    placed = line(package)
    assert [name for name in placed if name in names] == names
    assert len(placed) == len(set(placed)) == len(names) + 5 - len({*OUR_HOLES, "chatHistory"} & set(names))
    partly = bool(set(OUR_HOLES) & set(names)) and not {*OUR_HOLES, "chatHistory"} <= set(names)
    assert ("holes-completed" in codes(report)) == partly
    if "currentTurn" not in names:
        assert placed.index("currentTurn") > placed.index("chatHistory")


def test_a_history_that_is_off_is_told() -> None:
    file = usual()
    file["prompt_order"][0]["order"][1]["enabled"] = False
    package, report = read_preset(file)
    assert "history-off" in codes(report)
    assert line(package) == ["main", *SANDWICH, "jailbreak", "postTurn"]


def test_what_stands_after_the_history_stays_there() -> None:
    """Marinara #2676: post-history text moved to the front; LLM_party #241: taken for depth 0."""
    package, report = read_preset(usual(after=[prompt("late", "Late.", injection_depth=4)]))
    assert line(package).index("late") > line(package).index("currentTurn")
    told = report.line("late")
    assert told is not None
    assert told.code == "in-line"
