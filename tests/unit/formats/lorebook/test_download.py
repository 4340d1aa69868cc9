"""Downloads: each field once, the same book again, and a report of what its readers lose."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.lorebook import (
    book_table,
    compute_candidates,
    download_character_book,
    download_sillytavern,
    parse,
    read_book_value,
    validate,
)
from formats.lorebook.download import CARD_TWINS, SILLYTAVERN_TWINS
from tests.support.book_strategies import books, words
from tests.unit.formats.lorebook.test_writer import meanings

FORMATS = [download_sillytavern, download_character_book]


def losses(found: Any) -> set[tuple[str, str]]:
    return {(finding.code, finding.args["field"]) for finding in found.findings}


@pytest.mark.req("WB-5")
@given(books(), st.sampled_from(FORMATS), st.sampled_from(FORMATS))
def test_the_same_book_comes_back_from_either_format(book: Any, first: Any, second: Any) -> None:
    model = parse(book)
    written = first(model)
    for again in (parse(written.value), parse(second(parse(written.value)).value)):
        assert meanings(again) == meanings(model), "also in their order"
        assert (again.name, again.description) == (model.name, model.description)
        assert replace(again.settings, extensions={}) == replace(model.settings, extensions={})
    assert first(parse(written.value)).value == written.value
    assert all(finding.text.endswith(".") for finding in written.findings)


@given(books())
def test_no_field_stands_there_twice(book: Any) -> None:
    model = parse(book)
    for entry in download_sillytavern(model).value["entries"].values():
        assert not entry.keys() & CARD_TWINS
    for entry in download_character_book(model).value["entries"]:
        assert not entry.keys() & SILLYTAVERN_TWINS
        assert isinstance(entry["use_regex"], bool)
        assert isinstance(entry.get("case_sensitive", True), bool)


def test_the_reference_leaves_twins_and_the_download_does_not() -> None:
    entry = {
        "id": 3,
        "keys": ["pier"],
        "content": "x",
        "extensions": {"depth": 2, "vendor": 1},
        "enabled": True,
    }
    written = download_sillytavern(parse({"entries": [entry], "extensions": {}})).value["entries"]["3"]
    assert (written["key"], written["depth"], written["disable"]) == (["pier"], 2, False)
    assert written["extensions"] == {"vendor": 1}
    assert "keys" not in written


@pytest.mark.req("WB-5")
@pytest.mark.parametrize(("ids", "keys", "told"), [
    ([2, 5, 9], ["2", "5", "9"], set()),
    ([7, "abc", "aab"], ["7", "abc", "aab"], set()),
    ([5, 2], ["0", "1"], {("key-differs", "uid")}),
    ([5, 2, 2, "abc"], ["0", "1", "2", "3"], {("key-differs", "uid")}),
    (["abc", 4], ["0", "1"], {("key-differs", "uid")}),
    ([3, "3"], ["0", "1"], {("key-differs", "uid")}),
])  # fmt: skip
def test_a_list_keeps_its_order_and_its_numbers(ids: list[Any], keys: list[str], told: set[Any]) -> None:
    listed = [
        {"id": id_, "keys": ["fog"], "content": f"{place}: fog.", "enabled": True}
        for place, id_ in enumerate(ids)
    ]
    model = parse({"entries": listed, "extensions": {}})
    written = download_sillytavern(model)
    assert list(written.value["entries"]) == keys
    assert [entry["uid"] for entry in written.value["entries"].values()] == ids
    assert losses(written) == told
    again = parse(written.value)
    for book in (model, again):
        accepted = compute_candidates(book, text="fog").accepted
        assert [one.entry.content for one in accepted] == [entry["content"] for entry in listed]
    assert losses(download_sillytavern(again)) == told, "and it is told of the book that the library keeps"


@pytest.mark.parametrize(("entries", "told"), [
    ([(2, 1), (5, 1)], {}),
    ([(5, 1), (2, 2)], {}),
    ([(5, 1), (2, 1)], {"equal-order-changes": 1}),
    ([("b", 1), ("a", 1), (0, 2)], {}),
    ([(5, 1), (7, 2), (2, 1), (3, 2), (9, 1)], {"equal-order-changes": 2}),
    ([(1, 1), (1, 1), (1, 2)], {"number-repeated": 2}),
])  # fmt: skip
def test_what_sillytavern_makes_of_a_cards_list_is_told(entries: list[Any], told: dict[str, int]) -> None:
    listed = [{"id": id_, "keys": [], "insertion_order": order, "content": ""} for id_, order in entries]
    found = download_character_book(parse({"entries": listed, "extensions": {}})).findings
    codes = ("equal-order-changes", "number-repeated")
    assert {one.code: one.args["count"] for one in found if one.code in codes} == told


def test_what_sillytavern_loses_of_a_card() -> None:
    """Each row of the loss list of facts 1.2."""
    book = {
        "description": "Fog.",
        "scan_depth": 3,
        "token_budget": 90,
        "recursive_scanning": True,
        "extensions": {"a": 1},
        "entries": [
            {
                "keys": [],
                "content": "",
                "name": "Pier",
                "priority": 3,
                "x_own": 1,
                "case_sensitive": True,
                "enabled": True,
                "insertion_order": 1,
                "character_filter": {"names": ["ada"]},
                "extensions": {"vendor": 1},
            }
        ],
    }
    dropped = {
        field for code, field in losses(download_character_book(parse(book))) if code == "sillytavern-drops"
    }
    assert dropped == {
        "description",
        "scan_depth",
        "token_budget",
        "recursive_scanning",
        "extensions",
        "name",
        "priority",
        "x_own",
        "character_filter",
    }
    ignored = losses(download_sillytavern(parse(book)))
    assert ignored == {
        ("sillytavern-ignores", field)
        for field in ("description", "scan_depth", "token_budget", "recursive_scanning", "priority")
    }


def test_what_a_reader_of_the_bare_specification_does_not_understand() -> None:
    entry = {
        "key": ["/lamp/i", "oil"],
        "keysecondary": ["x"],
        "selectiveLogic": 2,
        "position": 4,
        "role": 1,
        "sticky": 3,
        "probability": 40,
        "group": "weather",
        "preventRecursion": True,
        "triggers": ["swipe"],
        "matchScenario": True,
        "content": "@@depth 4\n@@activate\nx",
    }
    found = losses(download_character_book(parse({"entries": {"0": entry}})))
    assert found == {
        ("only-under-extensions", name)
        for name in (
            "selectiveLogic",
            "probability",
            "group",
            "recursion",
            "effects",
            "match_sources",
            "triggers",
            "role",
        )
    } | {
        ("position-approximated", "at_depth"),
        ("pattern-key", "keys"),
        ("pattern-keys-mixed", "keys"),
        ("decorator-without-effect", "@@depth"),
    }
    plain = {"key": ["lamp"], "content": "x", "sticky": 0}
    assert download_character_book(parse({"entries": {"0": plain}})).findings == ()


@pytest.mark.parametrize(
    ("keys", "flag"), [(["/a/"], True), (["/a/", "b"], False), (["b"], False), ([], False)]
)
def test_use_regex_says_what_the_keys_are(keys: list[str], flag: bool) -> None:
    written = download_character_book(parse({"entries": {"0": {"key": keys}}})).value["entries"][0]
    assert written["use_regex"] is flag


def test_losses_are_counted() -> None:
    book = {"entries": {str(number): {"position": 4} for number in range(700)}}
    (finding,) = download_character_book(parse(book)).findings
    assert finding.args["count"] == 700


def rows(**entry: Any) -> list[list[str]]:
    table = book_table(parse({"entries": {"0": entry}}))
    assert table.startswith("\ufeff")
    return list(csv.reader(io.StringIO(table.removeprefix("\ufeff"), newline="")))


def test_the_table() -> None:
    assert rows(
        comment="Pier",
        key=["pier", "码头"],
        keysecondary=["fog"],
        selectiveLogic=3,
        order=-5,
        position=4,
        depth=2,
        constant=True,
        content='Wet, "old"\nplanks',
    ) == [
        ["Title", "Keys", "Secondary keys", "Logic", "On", "Constant", "Order", "Position", "Depth", "Text"],
        ["Pier", "pier, 码头", "fog", "and_all", "1", "1", "-5", "at_depth", "2", 'Wet, "old"\nplanks'],
    ]


@pytest.mark.parametrize(
    "start", ["=", "+", "-", "@", "\t=", "\r=", "\n=", " =", "＝", "　@", "\ufeff=", "|", "%"]
)
def test_no_cell_is_a_formula(start: str) -> None:
    row = rows(comment=f"{start}cmd()", key=[f"{start}A1"], content=f"{start}HYPERLINK()")[1]
    for cell in (row[0], row[1], row[-1]):
        assert cell.startswith("'")


@given(words, words)
def test_any_text_comes_back_from_the_table(title: str, content: str) -> None:
    row = rows(comment=title, content=content)[1]
    assert row[0].removeprefix("'") == title.removeprefix("'")
    assert row[-1].removeprefix("'") == content.removeprefix("'")


def test_fields_of_a_book_that_nobody_reads_are_named() -> None:
    novel = {
        "lorebookVersion": 4,
        "entries": [{"text": "Fog.", "keys": ["fog"]}],
        "settings": {"orderByKeyLocations": True},
        "categories": [{"name": "Places"}],
    }
    model = read_book_value(novel).model
    told = {("sillytavern-drops", name) for name in ("settings", "categories")}
    assert told <= losses(download_character_book(model))
    assert {("sillytavern-ignores", name) for _, name in told} <= losses(download_sillytavern(model))
    copied = parse({"entries": {}, "originalData": {"entries": []}})
    assert losses(download_character_book(copied)) == {("copy-left-out", "originalData")}
    assert losses(download_sillytavern(copied)) == set()


def test_a_mark_without_entries_is_no_book() -> None:
    for entries in (None, 3, "fog"):
        assert not validate({"lorebookVersion": 1, "entries": entries}).valid
