"""One step turns every known form of lorebook into the V3 character book (D6)."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.lorebook.foreign import FOREIGN_SHAPES
from formats.lorebook.keys import is_pattern, split_keys
from formats.lorebook.repair import repair_book
from tests.support.cards import agnai_book, book, entry, novelai_book, risu_book, sillytavern_book

LAMP: dict[str, Any] = {"content": "It burns whale oil.", "comment": "The lamp"}
REQUIRED: dict[str, type | tuple[type, ...]] = {
    "keys": list,
    "content": str,
    "extensions": dict,
    "enabled": bool,
    "insertion_order": (int, float),
    "use_regex": bool,
}

FOREIGN: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "novelai": (
        novelai_book(),
        LAMP | {"keys": ["lamp"], "enabled": False, "constant": True, "insertion_order": 400},
    ),
    "agnai": (
        agnai_book(),
        LAMP | {"keys": ["lamp"], "enabled": True, "insertion_order": 7, "name": "The lamp"},
    ),
    "risu": (
        risu_book(),
        LAMP
        | {
            "keys": ["lamp", "light"],
            "secondary_keys": ["oil"],
            "insertion_order": 7,
            "constant": True,
            "selective": True,
        },
    ),
    "lorebook_v3": (
        {"spec": "lorebook_v3", "data": book(entry() | LAMP, scan_depth=3)},
        LAMP | {"keys": ["harbour 0", "pier 0"]},
    ),
    "backyard": (
        {"loreItems": [{"key": "lamp, oil", "value": "It burns whale oil.", "order": "a0", "id": "x"}]},
        {"content": "It burns whale oil.", "keys": ["lamp", "oil"], "insertion_order": 100},
    ),
    "chub": (
        sillytavern_book(scan_depth=2, token_budget=300, is_creation=False),
        LAMP | {"id": 2, "enabled": False},
    ),
    "sillytavern-world-info": (
        sillytavern_book(originalData={"entries": []}),
        LAMP
        | {
            "keys": ["lamp"],
            "secondary_keys": ["oil"],
            "enabled": False,
            "insertion_order": 90,
            "position": "after_char",
            "extensions": {
                "selectiveLogic": 3,
                "position": 4,
                "depth": 2,
                "exclude_recursion": True,
                "probability": 50,
            },
        },
    ),
}


@pytest.mark.parametrize("name", [shape.name for shape in FOREIGN_SHAPES])
def test_every_registered_foreign_shape_becomes_a_character_book(name: str) -> None:
    given_book, expected = FOREIGN[name]
    before = copy.deepcopy(given_book)
    repaired = repair_book(given_book, "data.character_book")
    assert repaired.foreign == name
    assert repaired.value is not None
    first = repaired.value["entries"][0]
    assert {field: first.get(field) for field in expected} == expected
    assert all(isinstance(first[field], kind) for field, kind in REQUIRED.items())
    assert given_book == before, "the given value is not ours to change"


def test_the_settings_beside_a_map_of_entries_are_kept() -> None:
    repaired = repair_book(FOREIGN["chub"][0])
    assert repaired.value is not None
    assert (repaired.value["scan_depth"], repaired.value["token_budget"]) == (2, 300)
    assert [item["id"] for item in repaired.value["entries"]] == [2, 10]


def test_the_stale_copy_inside_a_sillytavern_file_is_left_behind() -> None:
    repaired = repair_book(FOREIGN["sillytavern-world-info"][0])
    assert repaired.value is not None
    assert "originalData" not in repaired.value


def test_a_healthy_book_is_given_back_as_it_is() -> None:
    repaired = repair_book(book(entry(0, mood="calm"), entry(1), scan_depth=4))
    assert repaired.value == book(entry(0, mood="calm"), entry(1), scan_depth=4)
    assert repaired.findings == []
    assert repaired.foreign is None


def test_the_mark_of_the_other_program_is_kept_out_of_the_way() -> None:
    value = repair_book(novelai_book()).value
    assert value is not None
    assert "lorebookVersion" not in value
    assert value["extensions"] == {"novelai": {"lorebookVersion": 4}}


def test_repairing_twice_changes_nothing_more() -> None:
    for form, _ in FOREIGN.values():
        once = repair_book(form).value
        again = repair_book(once)
        assert again.value == once
        assert again.findings == []
        assert again.foreign is None


@pytest.mark.parametrize("nothing", [None, [], {}, ""], ids=repr)
def test_nothing_is_no_book_and_no_finding(nothing: Any) -> None:
    assert repair_book(nothing, "data.character_book") == type(repair_book(None))(None)


def test_both_spellings_side_by_side() -> None:
    repaired = repair_book(book(entry(keys=[], key=["lamp"]), entry(keys=["own"], key=["other"])))
    assert repaired.value is not None
    first, second = repaired.value["entries"]
    assert first["keys"] == ["lamp"]
    assert (second["keys"], second["key"]) == (["own"], ["other"])


@pytest.mark.parametrize(
    ("written", "field", "ours"),
    [
        ("insertionOrder", 5, "insertion_order"),
        ("insertorder", 5, "insertion_order"),
        ("secondaryKeys", ["b"], "secondary_keys"),
        ("secondkey", "b", "secondary_keys"),
        ("useRegex", True, "use_regex"),
        ("alwaysActive", True, "constant"),
    ],
)
def test_odd_spellings_seen_in_real_files(written: str, field: Any, ours: str) -> None:
    repaired = repair_book({"entries": [{"keys": ["a"], "content": "x", written: field}]})
    assert repaired.value is not None
    (first,) = repaired.value["entries"]
    assert first[ours] == (["b"] if ours == "secondary_keys" else field)
    assert written not in first


def test_an_explicit_enabled_wins_over_disable() -> None:
    repaired = repair_book({"entries": [{"enabled": True, "disable": True}]})
    assert repaired.value is not None
    assert repaired.value["entries"][0]["enabled"] is True


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("a, b,, c ", ["a", "b", "c"]),
        ("灯塔，雾", ["灯塔", "雾"]),
        ("/a{1,2}/i", ["/a{1,2}/i"]),
        (r"/a\/b,c/, d", [r"/a\/b,c/", "d"]),
        ("/a,b", ["/a", "b"]),
        ("{{random:a,b}}", ["{{random:a,b}}"]),
        (" , ", []),
    ],
)
def test_keys_written_as_one_text(text: str, keys: list[str]) -> None:
    assert split_keys(text) == keys


def test_a_key_is_a_pattern_only_between_slashes() -> None:
    assert [is_pattern(key) for key in ("/a/", "/a/gi", "a.*b", "/usr/bin", "//", "/")] == [
        True,
        True,
        False,
        False,
        False,
        False,
    ]


@given(st.text(alphabet="/,\\a， {}i\n", max_size=60))
def test_splitting_keys_loses_no_letter(text: str) -> None:
    assert "".join("".join(split_keys(text)).split()).count("a") == text.count("a")
