"""Uploads: bytes in, a book and one line for each kind of finding out; or what the file is instead."""

from __future__ import annotations

import copy
import json
import time
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from formats.finding import Finding
from formats.lorebook import (
    BookRead,
    LorebookError,
    export_character_book,
    export_sillytavern,
    grouped,
    parse,
    read_book,
    read_book_value,
)
from formats.lorebook.intake import DEPTH, FILE_BYTES, MOST_ENTRIES, MOST_VALUES
from formats.lorebook.key_limits import KEYS_OF_AN_ENTRY
from formats.lorebook.refusals import OTHER_KINDS, REFUSALS
from tests.support import cards
from tests.support.book_strategies import books
from tests.support.mutations import Mutator

Json = dict[str, Any]
MANY = [f"k{number}" for number in range(KEYS_OF_AN_ENTRY + 7)]
LAMP: Json = {"uid": 7, "key": ["lamp"], "content": "It burns whale oil.", "position": 4}


def given_book(*entries: Any, **fields: Any) -> bytes:
    return json.dumps(
        {"entries": {str(place): entry for place, entry in enumerate(entries)}} | fields
    ).encode()


def told(read: BookRead) -> list[tuple[str, str]]:
    return [(finding.code, finding.where) for finding in read.findings]


def refusal_of(data: bytes) -> LorebookError:
    with pytest.raises(LorebookError) as refusal:
        read_book(data)
    assert refusal.value.message.endswith(".")
    assert refusal.value.hint.endswith(".")
    return refusal.value


def test_a_sound_book_is_what_the_contract_reads() -> None:
    read = read_book(given_book(LAMP, name="Harbour"), "other.json")
    assert read.model == parse(given_book(LAMP, name="Harbour").decode())
    assert (read.findings, read.format_found) == ((), "sillytavern-world-info")


@pytest.mark.parametrize(
    "filename", ["Hafen 港.json", "/tmp/x/Hafen 港.json", "C:\\books\\Hafen 港.json", "Hafen 港"]
)
def test_a_book_without_a_name_takes_that_of_its_file(filename: str) -> None:
    assert read_book(given_book(LAMP, name="  "), filename).model.name == "Hafen 港"
    assert read_book(given_book(LAMP), None).model.name == ""


@pytest.mark.parametrize(
    "broken",
    [
        None,
        3,
        "text",
        [],
        {"key": "lamp, oil", "content": 5},
        {"keys": ["lamp"], "enabled": "yes", "content": "x"},
    ],
)
def test_one_bad_entry_costs_nothing(broken: Any) -> None:
    """tldw 701: the others stay as they are, in their own format and under their own key."""
    read = read_book(given_book(LAMP, broken, LAMP | {"uid": 9}))
    good = [entry for entry in read.model.entries if entry.uid in (7, 9)]
    assert [(entry.position, entry.source.raw) for entry in good] == [
        ("at_depth", LAMP),
        ("at_depth", LAMP | {"uid": 9}),
    ]
    assert [entry.source.key for entry in good] == ["0", "2"]
    assert len(read.model.entries) == (3 if isinstance(broken, dict) else 2)
    assert len({entry.candidate_key for entry in read.model.entries}) == len(read.model.entries)
    assert any(where.startswith('$.entries["1"]') for _, where in told(read))


def test_a_mended_entry_keeps_the_defaults_of_its_own_format() -> None:
    read = read_book(
        given_book({"key": "lamp, oil", "depth": "2", "disable": "true", "selectiveLogic": "NOT_ANY"})
    )
    entry = read.model.entries[0]
    assert entry.keys == ("lamp", "oil")
    assert (entry.enabled, entry.depth, entry.selective_logic) == (False, 2, "not_any")
    assert (entry.uid, entry.selective, entry.position) == ("0", True, "before_character_definition")


def test_other_spellings_alone_are_understood() -> None:
    entry = read_book(
        given_book({"keys": ["lamp"], "insertion_order": 5, "enabled": False, "id": 3})
    ).model.entries[0]
    assert (entry.keys, entry.insertion_order, entry.enabled, entry.uid) == (("lamp",), 5, False, 3)
    listed = json.dumps({"entries": [{"key": ["lamp"], "order": 5, "content": "x"}]}).encode()
    assert read_book(listed).model.entries[0].keys == ("lamp",)


def test_a_card_entry_that_says_nothing_is_on() -> None:
    """D6: the contract reads a missing `enabled` as off, people mean on."""
    book = {"entries": [{"keys": ["lamp"], "content": "x"}]}
    assert parse(book).entries[0].enabled is False
    read = read_book_value(book, "Lina lorebook")
    assert read.model.entries[0].enabled is True
    assert read.findings == ()
    assert read.model.name == "Lina lorebook"


def test_keys_that_are_no_texts() -> None:
    """Glaze 16."""
    assert read_book_value({"entries": [{"keys": [5], "content": "x"}]}).model.entries[0].keys == ("5",)


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (cards.novelai_book(), "novelai"),
        (cards.agnai_book(), "agnai"),
        (cards.risu_book(), "risu"),
        ({"loreItems": [{"key": "lamp", "value": "It burns whale oil."}]}, "backyard"),
        (
            {
                "spec": "lorebook_v3",
                "data": {"entries": {"0": {"keys": ["lamp"], "content": "It burns whale oil."}}},
            },
            "lorebook_v3",
        ),
        ({"entries": {"0": LAMP}, "scan_depth": 7, "is_creation": False}, "chub"),
        ([{"keys": ["lamp"], "content": "It burns whale oil."}], "character-book-v2"),
    ],
)
def test_forms_of_other_programs(value: Any, found: str) -> None:
    read = read_book(json.dumps(value).encode())
    assert read.format_found == found
    assert [entry.content for entry in read.model.entries] == ["It burns whale oil."]
    assert read.model.entries[0].keys[0] == "lamp"
    assert read.model.settings.scan_depth == (7 if found == "chub" else None)


def test_thousands_of_equal_findings_are_one_line() -> None:
    entries = [{"uid": number, "key": "a, b", "probability": 300, "content": "x"} for number in range(2_000)]
    read = read_book(given_book(*entries))
    assert [(finding.code, finding.args["count"]) for finding in read.findings] == [
        ("entry-keys-split", 2_000),
        ("invalid-number", 2_000),
    ]
    assert read.findings[0].args["first"] == '$.entries["0"].keys'
    assert read.findings[0].hint == "This holds for {count} places; the first is {first}."


def test_grouping_keeps_fields_and_codes_apart() -> None:
    one = Finding("warning", "a", "$.x", "m", args={"field": "x"})
    other = Finding("warning", "a", "$.y", "m", args={"field": "y"})
    assert grouped([one, other]) == [one, other]
    assert [finding.args.get("count") for finding in grouped([one, other, one])] == [2, None]
    assert grouped([]) == []


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty-file"),
        (b" \n", "empty-file"),
        (b"[]", "no-book"),
        (b"{}", "no-book"),
        (b'{"entries": [', "bad-json"),
        (b'{"a": 1}', "not-a-lorebook"),
        (b"\xef\xbb\xbf[3]", "not-a-lorebook"),
        (b'{"entries": 3}', "not-a-lorebook"),
        (b'{"entries":' + b"[" * 5_000, "too-deep"),
        (b'{"entries":[' + b'{"a":' * 80 + b"1" + b"}" * 80 + b"]}", "too-deep"),
        (b" " * (FILE_BYTES + 1), "too-large"),
    ],
)
def test_refusals(data: bytes, code: str) -> None:
    refusal = refusal_of(data)
    assert refusal.code == code
    assert refusal.kind == REFUSALS[code].kind


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (cards.json_bytes(cards.v2()), "card"),
        (cards.json_bytes(cards.v1()), "card"),
        (cards.png_card(cards.v3()), "picture"),
        (cards.charx(cards.v3()), "archive"),
        (b"<!DOCTYPE html><p>", "html"),
        ("灯塔".encode(), "text"),
        (b"3", "text"),
        (b'{"prompts": [{"identifier": "main"}]}', "preset"),
        (b'{"scriptName": "a", "findRegex": "b"}', "regex-script"),
        (b'{"user_name": "Ana", "character_name": "Lina"}\n{"mes": "Hi", "is_user": true}\n', "chat"),
    ],
)
def test_other_files_are_named(data: bytes, kind: str) -> None:
    refusal = refusal_of(data)
    assert (refusal.code, refusal.kind_of_file) == ("other-file", kind)
    assert refusal.message == OTHER_KINDS[kind]


@pytest.mark.parametrize("nothing", [None, [], {}, ""])
def test_no_book_is_told_apart_from_a_broken_one(nothing: Any) -> None:
    """character-tools 36: `character_book: null` means that the card has none."""
    with pytest.raises(LorebookError) as refusal:
        read_book_value(nothing)
    assert refusal.value.code == "no-book"


def test_limits_of_number() -> None:
    entry = {"content": "x", "key": ["a"]}
    assert len(read_book(given_book(*[entry] * MOST_ENTRIES)).model.entries) == MOST_ENTRIES
    assert refusal_of(given_book(*[entry] * (MOST_ENTRIES + 1))).code == "too-many-entries"
    assert refusal_of(given_book({"x": [0] * MOST_VALUES})).code == "too-many-values"
    foreign = {"type": "risu", "data": [entry] * (MOST_ENTRIES + 1)}
    assert refusal_of(json.dumps(foreign).encode()).code == "too-many-entries"


def test_the_first_thousand_keys_of_an_entry_are_taken_and_the_others_counted() -> None:
    many = [f"k{number}" for number in range(KEYS_OF_AN_ENTRY + 7)]
    listed = read_book(given_book({"content": "x", "key": many}))
    written = read_book(given_book({"content": "x", "key": ",".join(many)}))
    for read in (listed, written):
        assert read.model.entries[0].keys == tuple(many[:KEYS_OF_AN_ENTRY])
        told = next(finding for finding in read.findings if finding.code == "entry-keys-left-out")
        assert told.args == {"limit": KEYS_OF_AN_ENTRY, "over": 7}
        assert told.where == '$.entries["0"]'
    few = read_book(given_book({"content": "x", "key": many[:KEYS_OF_AN_ENTRY]}))
    assert few.findings == ()


@pytest.mark.parametrize(
    ("value", "where"),
    [
        ({"entries": {"3": {"content": "x", "key": MANY}}}, '$.entries["3"]'),
        ({"entries": {"fog": {"content": "x", "key": MANY}}}, "$.entries.fog"),
        ({"entries": [{"content": "x", "keys": ["a"]}, {"content": "x", "keys": MANY}]}, "$.entries[1]"),
        ({"type": "risu", "data": [{"content": "x", "key": ",".join(MANY)}]}, "$.entries[0]"),
    ],
)
def test_left_out_keys_are_told_at_the_entry_as_every_finding_is(value: Json, where: str) -> None:
    told = [finding for finding in read_book_value(value).findings if finding.code == "entry-keys-left-out"]
    assert [finding.where for finding in told] == [where]


def test_a_book_of_too_many_keys_is_refused() -> None:
    full = {"content": "x", "key": [f"k{number}" for number in range(KEYS_OF_AN_ENTRY)]}
    assert read_book(given_book(*[full] * 60)).model.entries
    assert refusal_of(given_book(*[full] * 61)).code == "too-many-keys"


def test_the_largest_book_is_read_in_time() -> None:
    """20 MB and 10,000 full entries: half a second on a quiet machine, several times that on a busy one."""
    entry = export_sillytavern(
        parse({"entries": {"0": {"key": ["港口", "灯塔"], "content": "港口的灯。" * 60}}})
    )
    book = {"entries": {str(place): entry["entries"]["0"] | {"uid": place} for place in range(MOST_ENTRIES)}}
    data = json.dumps(book, ensure_ascii=False).encode()
    assert 0.8 * FILE_BYTES < len(data) < FILE_BYTES
    begin = time.process_time()
    read = read_book(data)
    assert time.process_time() - begin < 4
    assert (len(read.model.entries), read.findings) == (MOST_ENTRIES, ())


def test_the_limit_of_values_lets_the_fullest_book_pass() -> None:
    assert MOST_VALUES >= MOST_ENTRIES * 60
    nested: Any = "x"
    for _ in range(DEPTH - 5):
        nested = [nested]
    assert read_book(given_book({"content": "x", "x_deep": nested})).model.entries


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b'{"entries": {"0": {"content": "x",},}, /* odd */ }', "json-lenient"),
        ("\ufeff" + '{"entries": {}}', "byte-order-mark"),
        ('{"entries": {"0": {"content": "灯塔"}}}'.encode("utf-16"), "not-utf8"),
        ('{"entries": {"0": {"content": "灯塔"}}}'.encode("gb18030"), "not-utf8"),
        (b'{"entries": {"0": {"content": "a\\u0000b\\ud83d"}}}', "text-cleaned"),
        (b'{"entries": {"0": {"content": "x", "x": 1e999}}}', "number-unusable"),
        (b"{entries: {'0': {content: 'x', x: Infinity}}}", "number-unusable"),
        (b'{"entries": {"0": {"content": "x"}, "0": {"content": "y"}}}', "key-repeated"),
    ],
)
def test_odd_files_are_read_and_told(data: Any, code: str) -> None:
    read = read_book(data.encode() if isinstance(data, str) else data)
    assert code in [finding.code for finding in read.findings]
    json.dumps(read.model.to_json(), allow_nan=False, ensure_ascii=False).encode()
    assert all("\0" not in entry.content for entry in read.model.entries)


@pytest.mark.req("WB-1")
@given(books())
def test_any_value_is_read_alike_and_left_as_it_was(book: Json) -> None:
    before = copy.deepcopy(book)
    read = read_book_value(book)
    assert book == before
    assert read == read_book_value(copy.deepcopy(book))
    assert len(read.model.entries) == len(book["entries"])
    for finding in read.findings:
        assert Finding.from_json(json.loads(json.dumps(finding.to_json()))) == Finding(
            finding.severity, finding.code, finding.where, finding.message, finding.hint, finding.args
        )


@pytest.mark.req("WB-5")
@given(books())
@example({"entries": {"": {"key": "a", "content": "x"}}})
@example({"entries": {"": {"key": ["a"], "content": "x"}, "0": {"key": "a", "content": "x"}}})
def test_what_was_read_comes_back_from_both_exports_under_its_uid(book: Json) -> None:
    """Also from under an empty key of the map."""
    model = read_book_value(book).model
    uids = [entry.uid for entry in model.entries]
    assert "" not in uids
    for form in (export_sillytavern, export_character_book):
        again = read_book_value(form(model)).model if uids else model
        assert sorted(map(repr, (entry.uid for entry in again.entries))) == sorted(map(repr, uids))


@given(st.integers(0, 100_000))
def test_damaged_files_are_read_or_refused(seed: int) -> None:
    files = [
        given_book(LAMP, LAMP),
        *(cards.json_bytes(book) for book in (cards.novelai_book(), cards.risu_book())),
    ]
    mutator = Mutator(seed, files)
    try:
        read = read_book(mutator.changed_bytes(files[seed % len(files)]))
    except LorebookError as error:
        refusal = error
    else:
        json.dumps(read.model.to_json(), allow_nan=False)
        return
    assert refusal.message.endswith(".")
