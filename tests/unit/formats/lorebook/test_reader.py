"""Reading by the contract: rules beside the recorded answers, and where the lorebook facts say more."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.errors import DomainError
from formats.lorebook import (
    Entry,
    LorebookError,
    detect_format,
    parse,
    parse_character_book,
    parse_sillytavern,
    validate,
)
from tests.support.book_strategies import books, odd
from tests.support.cards import agnai_book, novelai_book, risu_book, sillytavern_book

Json = dict[str, Any]
SOUND: Json = {
    "id": 0,
    "keys": ["pier"],
    "content": "Wet planks.",
    "extensions": {},
    "enabled": True,
    "insertion_order": 5,
}


def card_book(**fields: Any) -> Json:
    return {"entries": [SOUND | fields], "extensions": {}}


def in_card(**fields: Any) -> Entry:
    return parse(card_book(**fields)).entries[0]


def in_map(**fields: Any) -> Entry:
    return parse({"entries": {"0": {"uid": 0, **fields}}}).entries[0]


def codes(value: Any) -> list[tuple[str, str]]:
    return [(told.code, told.path) for told in validate(value).diagnostics]


@pytest.mark.req("WB-3")
@pytest.mark.parametrize(
    ("value", "found"),
    [
        ({"entries": {}}, "sillytavern-world-info"),
        ({"entries": []}, "character-book-v2"),
        ({"entries": None}, None),
        ({}, None),
        ([], None),
        (None, None),
        ("not json", None),
        ('{"entries": []}', "character-book-v2"),
        (b'{"entries": {}}', "sillytavern-world-info"),
        # D16: the marks of other programs go before the shape; the reference has no such formats.
        (novelai_book(), "novelai"),
        (agnai_book(), "agnai"),
        (risu_book(), "risu"),
        ({"spec": "lorebook_v3", "data": {"entries": []}}, "lorebook_v3"),
        ({"loreItems": []}, "backyard"),
        # A hybrid is what its shape says.
        ({"entries": {}, "scan_depth": 4, "is_creation": False}, "sillytavern-world-info"),
    ],
)
def test_formats(value: Any, found: str | None) -> None:
    assert detect_format(value) == found
    assert validate(value).format == found


@pytest.mark.req("WB-3")
@pytest.mark.parametrize(
    ("value", "code", "path"),
    [
        ("{", "invalid-json", "$"),
        ("NaN", "invalid-json", "$"),
        (b"\xff", "invalid-json", "$"),
        ("[" * 100_000, "invalid-json", "$"),
        ("3", "invalid-root", "$"),
        ([], "invalid-root", "$"),
        (None, "invalid-root", "$"),
        ({}, "missing-entries", "$.entries"),
        ({"entries": "x"}, "invalid-entries", "$.entries"),
        ({"entries": [1]}, "invalid-entry", "$.entries[0]"),
        ({"entries": {"a b": None}}, "invalid-entry", '$.entries["a b"]'),
        ({"entries": {"abc": []}}, "invalid-entry", "$.entries.abc"),
    ],
)
def test_errors_have_code_and_path(value: Any, code: str, path: str) -> None:
    errors = [(told.code, told.path) for told in validate(value).diagnostics if told.severity == "error"]
    assert errors == [(code, path)]
    with pytest.raises(LorebookError) as refusal:
        parse(value)
    assert isinstance(refusal.value, DomainError)
    assert (refusal.value.code, refusal.value.where) == (code, path)
    assert all(told.message.endswith(".") for told in refusal.value.diagnostics)


@pytest.mark.req("WB-3")
def test_all_bad_entries_are_named_at_once() -> None:
    assert [path for code, path in codes({"entries": [1, SOUND, None], "extensions": {}})] == [
        "$.entries[0]",
        "$.entries[2]",
    ]


@pytest.mark.req("WB-9")
def test_the_named_forms_take_their_format_only() -> None:
    book = card_book()
    assert parse_character_book(book, "Ana lorebook") == parse(book, "Ana lorebook")
    assert parse_sillytavern(sillytavern_book()).source.format == "sillytavern-world-info"
    for call, value in ((parse_character_book, sillytavern_book()), (parse_sillytavern, book)):
        with pytest.raises(LorebookError) as refusal:
            call(value)
        assert refusal.value.code == "unexpected-format"


def test_a_given_name_goes_first() -> None:
    assert parse(card_book() | {"name": "Own"}, "Given").name == "Given"
    assert parse(card_book() | {"name": 3}, "Given").diagnostics == ()
    assert parse(card_book() | {"name": "Own"}).name == "Own"


@pytest.mark.parametrize(
    ("stated", "position", "told"),
    [
        # Lorebook facts 1.3 and 5.1 (dsh-tavern 59): numbers as text mean their number, with a warning.
        ("4", "at_depth", "coerced-number"),
        (" 7 ", "outlet", "coerced-number"),
        ("0x2", "before_author_note", "coerced-number"),
        (4, "at_depth", None),
        (4.0, "at_depth", None),
        ("at_depth", "at_depth", None),
        ("before_char", "before_character_definition", None),
        (None, "after_character_definition", None),
        ("8", "after_character_definition", "unknown-position"),
        (-1, "after_character_definition", "unknown-position"),
        (True, "after_character_definition", "unknown-position"),
        ("AT_DEPTH", "after_character_definition", "unknown-position"),
    ],
)
def test_positions(stated: Any, position: str, told: str | None) -> None:
    book = card_book(position="before_char", extensions={"position": stated})
    assert parse(book).entries[0].position == position
    assert codes(book) == ([(told, "$.entries[0].position")] if told else [])


@pytest.mark.parametrize("number", range(4))
def test_logic_survives(number: int) -> None:
    words = ("and_any", "not_all", "not_any", "and_all")
    assert in_card(extensions={"selectiveLogic": number}).selective_logic == words[number]
    assert in_card(selectiveLogic=number).selective_logic == words[number], "ST's editor keeps it at the top"
    assert in_map(selectiveLogic=number).selective_logic == words[number]


def test_both_spellings_of_the_recursion_flags_are_read() -> None:
    """ChungusHub 9."""
    for entry in (
        in_card(extensions={"exclude_recursion": True, "prevent_recursion": True}),
        in_card(excludeRecursion=True, preventRecursion=True),
        in_map(excludeRecursion=True, preventRecursion=True),
        in_map(extensions={"exclude_recursion": True, "prevent_recursion": True}),
    ):
        assert (entry.recursion.exclude, entry.recursion.prevent) == (True, True)


@pytest.mark.parametrize(
    ("stated", "level"), [(True, True), (False, False), (None, False), (0, 0), (2, 2), ("3", 3)]
)
def test_delay_until_recursion_is_a_truth_or_a_level(stated: Any, level: Any) -> None:
    for entry in (in_map(delayUntilRecursion=stated), in_card(extensions={"delay_until_recursion": stated})):
        assert entry.recursion.delay_until == level
        assert type(entry.recursion.delay_until) is type(level)


def test_scan_depth_of_entry_and_book() -> None:
    """ElecKoi 3, Marinara 577: what is stated is read, from either container, and nothing overwrites it."""
    assert in_card(extensions={"scan_depth": 5}).scan_depth == 5
    assert in_map(scanDepth=6).scan_depth == 6
    hybrid = {"entries": {"0": {}}, "scan_depth": 7, "token_budget": 0, "recursive_scanning": False}
    settings = parse(hybrid).settings
    assert (settings.scan_depth, settings.token_budget, settings.recursive_scanning) == (7, 0, False)
    assert parse({"entries": {}}).settings.scan_depth is None


def test_case_sensitive_of_a_card_stands_at_the_top_or_under_extensions() -> None:
    assert in_card(case_sensitive=True).case_sensitive is True
    assert in_card(case_sensitive=True, extensions={"case_sensitive": False}).case_sensitive is True
    assert in_card(extensions={"case_sensitive": True}).case_sensitive is True
    assert in_card(case_sensitive=False).case_sensitive is False
    assert in_card(case_sensitive=False, extensions={"case_sensitive": None}).case_sensitive is None


def test_a_sparse_book_of_sillytavern_is_read_without_a_word() -> None:
    """Missing means the default (facts 1.3): a warning a field would give thousands of lines."""
    book = {"entries": {str(uid): {"uid": uid, "key": ["lamp"], "content": "x"} for uid in range(300)}}
    verdict = validate(book)
    assert (verdict.valid, verdict.diagnostics) == (True, ())
    entry = parse(book).entries[7]
    assert (entry.selective, entry.enabled, entry.insertion_order, entry.probability) == (
        True,
        True,
        100,
        100,
    )


def test_two_uids_that_look_alike_are_two() -> None:
    """Hoplight 10: text "0" beside 0; a repeated uid is told, and both entries stay."""
    book = {"entries": [SOUND | {"id": uid} for uid in (0, "0", 0)], "extensions": {}}
    assert codes(book) == [("duplicate-uid", "$.entries[2]")]
    assert len({entry.candidate_key for entry in parse(book).entries}) == 3


def test_map_entries_come_in_the_order_of_javascript() -> None:
    entries = {key: {"content": key} for key in ("b", "10", "2", "007")}
    read = parse({"entries": entries}).entries
    assert [entry.content for entry in read] == ["2", "10", "b", "007"]
    assert [entry.uid for entry in read] == ["2", "10", "b", "007"]


def test_other_programs_books_are_read_by_way_of_the_repair() -> None:
    """Their entries are of neither format: the contract's own rule would read them empty (1.1)."""
    for value, name in ((novelai_book(), "novelai"), (agnai_book(), "agnai"), (risu_book(), "risu")):
        model = parse(value)
        assert model.source.format == name
        assert model.entries[0].content == "It burns whale oil."
        assert model.diagnostics[0].code == "converted-format"
    v3 = {"spec": "lorebook_v3", "data": card_book() | {"name": "Harbour"}}
    assert parse(v3).name == "Harbour"
    assert parse(v3).entries[0].keys == ("pier",)


@pytest.mark.req("WB-1", "WB-4")
@given(books())
def test_any_book_is_read_the_same_twice_and_left_as_it_was(book: Json) -> None:
    before = copy.deepcopy(book)
    verdict, model = validate(book), parse(book)
    assert book == before
    assert verdict.valid
    assert verdict.diagnostics == model.diagnostics
    assert parse(copy.deepcopy(book)) == model
    assert json.loads(json.dumps(model.to_json())) == copy.deepcopy(model.to_json())
    assert len(model.entries) == len(book["entries"]), "nothing is dropped"
    assert all(told.path.startswith("$") and told.text for told in model.diagnostics)


@pytest.mark.req("WB-4")
@given(st.one_of(odd, st.dictionaries(st.sampled_from(["entries", "data", "spec", "type", "kind"]), odd)))
def test_validate_and_detect_never_raise(value: Any) -> None:
    assert validate(value).format == detect_format(value)


number_fields = {
    "depth": ("depth", 4, True),
    "probability": ("probability", 100, False),
    "group_weight": ("weight", 100, False),
    "sticky": ("sticky", None, True),
    "scan_depth": ("scan_depth", None, True),
}


@given(
    st.sampled_from(sorted(number_fields)), st.one_of(st.integers(-5, 200), st.floats(-5, 200)), st.booleans()
)
def test_a_number_counts_within_its_range_whether_it_is_text_or_not(
    field: str, number: float, as_text: bool
) -> None:
    name, default, whole = number_fields[field]
    book = card_book(extensions={field: json.dumps(number) if as_text else number})
    entry = parse(book).entries[0]
    places = (entry, entry.group, entry.effects)
    read = next(getattr(place, name) for place in places if hasattr(place, name))
    sensible = (
        number >= 0 and (not whole or number == int(number)) and (field != "probability" or number <= 100)
    )
    assert read == (number if sensible else default)
    expected = ("coerced-number" if as_text else None) if sensible else "invalid-number"
    assert codes(book) == ([(expected, f"$.entries[0].extensions.{field}")] if expected else [])
