"""Shapes of card JSON and fields of the wrong type: the rows of the JSON and field table."""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from formats.card import Card, CardError, CardRead, read_card
from formats.card.model import TEXT_FIELDS
from tests.support.cards import (
    agnai,
    agnai_book,
    book,
    chinese_card,
    data_v2,
    english_card,
    entry,
    helper_script,
    json_bytes,
    novelai_book,
    pygmalion,
    regex_script,
    risu_book,
    sillytavern_book,
    v1,
    v2,
    v3,
)


def codes(read: CardRead) -> set[str]:
    return {finding.code for finding in read.findings}


def entry_read(**fields: Any) -> CardRead:
    """A card whose book has this one entry."""
    return read_card(json_bytes(v3(character_book=book(entry(**fields)))))


class Row(NamedTuple):
    """A file, what must be told about it (code, place), and a look at the card."""

    file: bytes
    told: dict[str, str]
    check: Callable[[Card], bool]
    filename: str | None = None


def field(name: str, value: Any) -> Callable[[Card], bool]:
    return lambda card: card.data[name] == value


def first_entry(name: str, value: Any) -> Callable[[Card], bool]:
    return lambda card: card.entries[0][name] == value


def row(card: Any, told: dict[str, str], check: Callable[[Card], bool], filename: str | None = None) -> Row:
    return Row(card if isinstance(card, bytes) else json_bytes(card), told, check, filename)


def one_entry(entry_value: Any, told: dict[str, str], check: Callable[[Card], bool]) -> Row:
    place = "data.character_book.entries[0]"
    return row(
        v3(character_book=book(entry_value)), {code: place + where for code, where in told.items()}, check
    )


def minus(value: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: item for name, item in value.items() if name not in names}


NULLS = dict.fromkeys(data_v2(), None) | {"name": "Mira Oakes", "first_mes": "Hi."}
COMMENT_FIRST = b"/* mine */\n// really\n" + json_bytes(v3())
LENIENT = b"""{ // a card written by hand
  'name': 'Mira Oakes', first_mes: "You are late.", description: 'x',
  tags: ["sea",],
}"""
ODD_LIST = ["first", None, 7, {"text": "x"}, "second"]

SHAPES = {
    "v2": row(v2(), {"old-format": "spec"}, field("tags", ["sea", "calm"])),
    "v3": row(v3(), {}, field("tags", ["sea", "calm"])),
    "v1-full": row(v1(), {"old-format": "spec"}, field("scenario", v1()["scenario"])),
    "v1-name-and-description": row({"name": "Mira Oakes", "description": "x"}, {}, field("first_mes", "")),
    "v1-missing-fields": row({"name": "Mira Oakes", "first_mes": "Hi."}, {}, field("mes_example", "")),
    "pygmalion": row(
        pygmalion(), {"foreign-format": "spec"}, field("description", "A keeper of lighthouses.")
    ),
    "agnai": row(
        agnai(),
        {"foreign-format": "spec", "book-foreign": "character_book"},
        field("description", "species: human\nmind: dry, patient"),
    ),
    "v2-optional-missing": row(
        {"spec": "chara_card_v2", "data": v1()}, {}, lambda card: card.data["alternate_greetings"] == []
    ),
    "nulls-everywhere": row({"spec": "chara_card_v2", "data": NULLS}, {}, field("tags", [])),
    "v2-fields-at-root": row(minus(data_v2(), "first_mes"), {}, field("creator", "Ines Falk")),
    "data-in-data": row(
        {"spec": "chara_card_v2", "data": {"data": data_v2(), "name": "outer"}},
        {"envelope": "data.data"},
        field("name", "Mira Oakes"),
    ),
    "data-in-data-twice": row(
        {"spec": "chara_card_v2", "data": {"data": {"name": "x", "data": data_v2()}}},
        {"envelope": "data.data.data"},
        field("name", "Mira Oakes"),
    ),
    "data-in-data-bare": row(
        {"data": {"data": {"data": {"name": "Deep", "first_mes": "Hello."}}}},
        {"envelope": "data.data.data"},
        field("name", "Deep"),
    ),
    "data-in-data-with-gaps": row(
        {"spec": "chara_card_v3", "data": {"data": {"data": {"data": v1(name="Deep")}}}},
        {"envelope": "data.data.data.data"},
        field("name", "Deep"),
    ),
    "data-in-data-fields-between": row(
        {"data": {"creator": "Ines", "data": {"tags": ["a"], "kept": 1, "data": v1()}}, "nickname": "Mi"},
        {"envelope": "data.data.data", "root-used": "data.data.tags"},
        lambda card: (
            (card.data["creator"], card.data["tags"], card.data["kept"], card.data["nickname"])
            == ("Ines", ["a"], 1, "Mi")
        ),
    ),
    "envelope-card": row({"card": v2(), "version": 1}, {"envelope": ""}, field("name", "Mira Oakes")),
    "envelope-any-name": row({"export": v1(), "when": 1}, {"envelope": ""}, field("name", "Mira Oakes")),
    "v2-with-version-3": row(
        v2() | {"spec_version": "3.0"}, {"version-unusual": "spec_version"}, field("name", "Mira Oakes")
    ),
    "v3-with-number-3.1": row(
        v3() | {"spec_version": 3.1}, {"version-unusual": "spec_version"}, field("name", "Mira Oakes")
    ),
    "v3-newer-version": row(v3() | {"spec_version": "3.1"}, {}, field("name", "Mira Oakes")),
    "unknown-spec": row(v3() | {"spec": "someday"}, {"spec-mismatch": "spec"}, field("name", "Mira Oakes")),
    "data-without-spec": row({"data": data_v2(nickname="Mi")}, {}, field("nickname", "Mi")),
    "list-of-one": row([v2()], {}, field("name", "Mira Oakes")),
    "root-and-data-disagree": row(
        v2() | {"description": "old", "creatorcomment": "old note"},
        {"root-differs": "description"},
        field("description", data_v2()["description"]),
    ),
    "root-fills-data": row(
        {"spec": "chara_card_v2", "data": minus(data_v2(), "scenario"), "scenario": "At the root."},
        {"root-used": "scenario"},
        field("scenario", "At the root."),
    ),
    "byte-order-mark": row(
        b"\xef\xbb\xbf" + json_bytes(v3()), {"byte-order-mark": "json"}, field("creator", "Ines Falk")
    ),
    "utf-16": row(
        codecs.BOM_UTF16_LE + json.dumps(v3(name="阿岚"), ensure_ascii=False).encode("utf-16-le"),
        {"not-utf8": "json"},
        field("name", "阿岚"),
    ),
    "utf-16-big-no-mark": row(
        json.dumps(v3()).encode("utf-16-be"), {"not-utf8": "json"}, field("tags", ["sea", "calm"])
    ),
    "utf-32": row(
        codecs.BOM_UTF32_BE + json.dumps(v3()).encode("utf-32-be"), {}, field("tags", ["sea", "calm"])
    ),
    "gb18030": row(
        json.dumps(v3(name="潮汐镇"), ensure_ascii=False).encode("gb18030"),
        {"not-utf8": "json"},
        field("name", "潮汐镇"),
    ),
    "json5": row(LENIENT, {"json-lenient": "json"}, field("tags", ["sea"])),
    "json5-comment-first": row(COMMENT_FIRST, {"json-lenient": "json"}, field("creator", "Ines Falk")),
    "raw-line-breaks": row(
        json_bytes(v3(scenario="a#b")).replace(b"a#b", b"a\nb"),
        {"json-lenient": "json"},
        field("scenario", "a\nb"),
    ),
    "repeated-key": row(
        b'{"spec":"chara_card_v2","data":{"name":"A","name":"Mira Oakes","first_mes":"Hi."}}',
        {"key-repeated": "data"},
        field("name", "Mira Oakes"),
    ),
    "nul": row(v3(scenario="a\0b\0"), {"nul-removed": "data.scenario"}, field("scenario", "ab")),
    "lone-surrogate": row(
        json.dumps(v3(tags=["\ud800x"])).encode(),
        {"half-characters": "data.tags[0]"},
        field("tags", ["\ufffdx"]),
    ),
    "not-a-number": row(
        json_bytes(v3(extra_number="@")).replace(b'"@"', b"NaN"),
        {"no-number": "data.extra_number"},
        field("extra_number", "NaN"),
    ),
    "infinite": row(
        json_bytes(v3(extra_number="@")).replace(b'"@"', b"1e999"),
        {"number-too-large": "data.extra_number"},
        field("extra_number", "1e999"),
    ),
    "huge-integer": row(
        json_bytes(v3(extra_number="@")).replace(b'"@"', b"9" * 5000), {}, field("extra_number", "9" * 5000)
    ),
    "largest-integer": row(v3(extra_number=2**63 - 1), {}, field("extra_number", 2**63 - 1)),
    "64-bit-overflow": row(v3(extra_number=2**63), {}, field("extra_number", str(2**63))),
}

FIELDS = {
    "alternate-greetings-text": row(
        v3(alternate_greetings="Fog, and a bell."),
        {"list-was-text": "data.alternate_greetings"},
        field("alternate_greetings", ["Fog, and a bell."]),
    ),
    "tags-text": row(
        v3(tags="sea, calm；雾、夜，钟"),
        {"list-was-text": "data.tags"},
        field("tags", ["sea", "calm", "雾", "夜", "钟"]),
    ),
    "tags-numbers": row(
        v3(tags=[2024, "sea", None]), {"list-item-dropped": "data.tags[2]"}, field("tags", ["2024", "sea"])
    ),
    "version-number": row(
        v3(character_version=1.2),
        {"field-converted": "data.character_version"},
        field("character_version", "1.2"),
    ),
    "wrong-types": row(
        v3(description=["one", "two"], scenario={"a": 1}, creator=7),
        {"field-dropped": "data.scenario", "field-converted": "data.description"},
        lambda card: (
            (card.data["description"], card.data["scenario"], card.data["creator"]) == ("one\ntwo", "", "7")
        ),
    ),
    "mixed-greetings": row(
        v3(alternate_greetings=ODD_LIST),
        {"list-item-dropped": "data.alternate_greetings[1]"},
        lambda card: card.greetings == [v1()["first_mes"], "first", "second"],
    ),
    "null-greeting": row(v3(first_mes=None), {}, lambda card: card.greetings[0] == ""),
    "extensions-text": row(v3(extensions="x"), {"field-dropped": "data.extensions"}, field("extensions", {})),
    "dates": row(
        v3(creation_date="1700000000", modification_date=1_700_000_000_000),
        {"date-converted": "data.modification_date"},
        lambda card: (
            (card.data["creation_date"], card.data["modification_date"]) == (1_700_000_000, 1_700_000_000)
        ),
    ),
    "translations": row(
        v3(creator_notes_multilingual={"en": "x", "zh": 7}),
        {"field-dropped": "data.creator_notes_multilingual.zh"},
        field("creator_notes_multilingual", {"en": "x"}),
    ),
    "assets-odd": row(
        v3(assets=[{"uri": "https://pictures.example/a"}, "x"]),
        {"list-item-dropped": "data.assets[1]"},
        field("assets", [{"uri": "https://pictures.example/a", "type": "", "name": "", "ext": ""}]),
    ),
    "source-text": row(
        v3(source="https://cards.example/1"), {}, field("source", ["https://cards.example/1"])
    ),
    "name-with-path-marks": row(v3(name="A/B: C?"), {}, field("name", "A/B: C?"), "x.json"),
    "name-two-hundred": row(v3(name="龙" * 200), {}, field("name", "龙" * 200)),
    "name-missing-from-file": row(
        v3(name=""), {"name-from-file": "data.name"}, field("name", "Mira 2"), "C:\\cards\\Mira 2.card.png"
    ),
    "name-missing-from-book": row(
        v3(name=None, character_book=book(name="Tidewater's Lorebook")),
        {"name-from-book": "data.name"},
        field("name", "Tidewater"),
    ),
    "name-missing-from-dialogue": row(
        v3(name=" ", mes_example="{{user}}: Hm\nOrla: Yes.\nOrla: No.\nYou: x"),
        {"name-from-dialogue": "data.name"},
        field("name", "Orla"),
    ),
    "name-unknown": row(v3(name=5 * [None]), {"name-unknown": "data.name"}, field("name", "Unnamed")),
    "sillytavern-extension-keys": row(
        v3(extensions={"talkativeness": "0.5", "world": "../../etc", "depth_prompt": {"depth": ""}}),
        {},
        field("extensions", {"talkativeness": "0.5", "world": "../../etc", "depth_prompt": {"depth": ""}}),
    ),
}

ENTRIES = {
    "numbers-as-text": one_entry(
        entry(insertion_order="100", priority=" 7 "),
        {"entry-field-converted": ".insertion_order"},
        first_entry("insertion_order", 100),
    ),
    "number-empty-text": one_entry(entry(insertion_order=""), {}, first_entry("insertion_order", 100)),
    "sillytavern-names": one_entry(
        {"key": ["a"], "keysecondary": ["b"], "disable": True, "order": 5, "content": "x", "uid": 3},
        {"entry-spelling": ""},
        lambda card: (
            card.entries[0]
            == {
                "keys": ["a"],
                "secondary_keys": ["b"],
                "enabled": False,
                "insertion_order": 5,
                "content": "x",
                "id": 3,
                "use_regex": False,
                "extensions": {},
            }
        ),
    ),
    "no-keys": one_entry(minus(entry(), "keys"), {}, first_entry("keys", [])),
    "keys-text": one_entry(
        entry(keys="lamp, 灯塔，/a{1,2}/i"),
        {"entry-keys-split": ".keys"},
        first_entry("keys", ["lamp", "灯塔", "/a{1,2}/i"]),
    ),
    "comma-key": one_entry(
        entry(keys=["lamp, light"], secondary_keys=None),
        {"entry-keys-split": ".keys"},
        first_entry("keys", ["lamp", "light"]),
    ),
    "comma-key-beside-pattern": one_entry(
        entry(keys=["lamp, light", "/a,b/"]), {}, first_entry("keys", ["lamp, light", "/a,b/"])
    ),
    "chinese-comma-in-listed-key": one_entry(
        entry(keys=["平息吧，风"]), {}, first_entry("keys", ["平息吧，风"])
    ),
    "outer-blanks-of-a-key-stay": one_entry(entry(keys=[" lamp "]), {}, first_entry("keys", [" lamp "])),
    "keys-odd-items": one_entry(
        entry(keys=["a", None, 7, {}]), {"entry-key-dropped": ".keys[3]"}, first_entry("keys", ["a", "7"])
    ),
    "secondary-null": one_entry(entry(secondary_keys=None), {}, first_entry("secondary_keys", [])),
    "enabled-missing": one_entry(minus(entry(), "enabled"), {}, first_entry("enabled", True)),
    "enabled-null": one_entry(entry(enabled=None), {}, first_entry("enabled", True)),
    "enabled-text": one_entry(
        entry(enabled="false"), {"entry-field-converted": ".enabled"}, first_entry("enabled", False)
    ),
    "constant-number": one_entry(
        entry(constant=1), {"entry-field-converted": ".constant"}, first_entry("constant", True)
    ),
    "position-number": one_entry(
        minus(entry(position=4), "extensions"),
        {},
        lambda card: card.entries[0]["extensions"]["position"] == 4,
    ),
    "position-numeric-text": one_entry(
        entry(extensions={"position": "4"}),
        {"entry-position": ".extensions.position"},
        lambda card: card.entries[0]["extensions"]["position"] == 4,
    ),
    "position-word": one_entry(
        entry(extensions={"position": "after_char"}),
        {"entry-position": ".extensions.position"},
        lambda card: card.entries[0]["extensions"]["position"] == 1,
    ),
    "position-unknown": one_entry(
        entry(position="under the bed"),
        {"entry-position-unknown": ".position"},
        lambda card: "position" not in card.entries[0],
    ),
    "position-null": one_entry(entry(position=None), {}, lambda card: "position" not in card.entries[0]),
    "id-text": one_entry(entry(id="lamp"), {}, first_entry("id", "lamp")),
    "id-odd": one_entry(entry(id={}), {"entry-id-repeated": ".id"}, first_entry("id", 0)),
    "content-number": one_entry(
        entry(content=7), {"entry-field-converted": ".content"}, first_entry("content", "7")
    ),
    "content-object": one_entry(
        entry(content={}), {"entry-field-dropped": ".content"}, first_entry("content", "")
    ),
    "typo-extentions": one_entry(
        minus(entry(extentions={"depth": "2"}), "extensions"),
        {"entry-spelling": ""},
        lambda card: card.entries[0]["extensions"] == {"depth": 2},
    ),
    "extension-null-stays": one_entry(
        entry(extensions={"scan_depth": None, "sticky": ""}),
        {},
        first_entry("extensions", {"scan_depth": None}),
    ),
    "role-word": one_entry(
        entry(extensions={"role": "assistant", "selectiveLogic": "AND_ALL"}),
        {},
        first_entry("extensions", {"role": 2, "selectiveLogic": 3}),
    ),
    "unknown-fields-stay": one_entry(entry(mood={"x": [""]}), {}, first_entry("mood", {"x": [""]})),
}

BOOKS = {
    "entries-map-in-numeric-order": row(
        v3(character_book={"entries": {"10": entry(10), "9": entry(9), "x": entry(11)}}),
        {"book-foreign": "data.character_book"},
        lambda card: [item["id"] for item in card.entries] == [9, 10, 11],
    ),
    "duplicate-ids": row(
        v3(character_book=book(entry(4), entry(4), entry(0))),
        {"entry-id-repeated": "data.character_book.entries[1].id"},
        lambda card: [item["id"] for item in card.entries] == [4, 5, 0],
    ),
    "null-entry": row(
        v3(character_book=book(None, entry(1), "text")),
        {
            "entry-empty": "data.character_book.entries[0]",
            "entry-unreadable": "data.character_book.entries[2]",
        },
        lambda card: len(card.entries) == 1,
    ),
    "book-null": row(
        v3(character_book=None), {}, lambda card: card.book is None and "character_book" not in card.data
    ),
    "book-empty-list": row(v3(character_book=[]), {}, lambda card: card.book is None),
    "book-list-of-entries": row(v3(character_book=[entry(3)]), {}, lambda card: card.entries[0]["id"] == 3),
    "book-text": row(
        v3(character_book="lore"), {"book-unreadable": "data.character_book"}, lambda card: card.book is None
    ),
    "entries-number": row(
        v3(character_book={"entries": 5}),
        {"entries-unreadable": "data.character_book.entries"},
        lambda card: card.entries == [],
    ),
    "book-settings": row(
        v3(
            character_book=book(
                scan_depth="3", tokenBudget=500, recursive_scanning="yes", name=None, extensions=[]
            )
        ),
        {"book-field-converted": "data.character_book.scan_depth"},
        lambda card: (
            card.book is not None
            and (card.book["scan_depth"], card.book["token_budget"], card.book["recursive_scanning"])
            == (3, 500, True)
            and card.book["extensions"] == {}
            and "name" not in card.book
        ),
    ),
}

ROWS = SHAPES | FIELDS | ENTRIES | BOOKS


@pytest.mark.req("CARD-2")
@pytest.mark.parametrize("row", [pytest.param(row, id=name) for name, row in ROWS.items()])
def test_every_shape_and_field_is_read(row: Row) -> None:
    read = read_card(row.file, filename=row.filename)
    told = {(finding.code, finding.where) for finding in read.findings}
    assert set(row.told.items()) <= told
    assert row.check(read.card)
    assert Card.from_v3(read.card.to_v3()) == read.card


def test_the_rows_between_them_leave_no_name_twice() -> None:
    assert len(ROWS) == len(SHAPES) + len(FIELDS) + len(ENTRIES) + len(BOOKS)


@pytest.mark.parametrize("name", ["use-regex-true", "use-regex-missing"])
def test_the_regex_flag_is_kept_and_never_believed(name: str) -> None:
    plain = (
        entry(keys=["a.b, c"], use_regex=True) if name == "use-regex-true" else minus(entry(), "use_regex")
    )
    read = read_card(json_bytes(v3(character_book=book(plain))))
    assert read.card.entries[0]["use_regex"] is (name == "use-regex-true")
    if name == "use-regex-true":
        assert read.card.entries[0]["keys"] == ["a.b", "c"]


def test_every_v3_field_is_there_with_its_type() -> None:
    data = read_card(json_bytes({"name": "Mira Oakes", "first_mes": "Hi."})).card.data
    assert all(isinstance(data[name], str) for name in TEXT_FIELDS)
    lists = ("tags", "alternate_greetings", "group_only_greetings", "source", "assets")
    assert all(isinstance(data[name], list) for name in lists)
    assert isinstance(data["extensions"], dict)
    assert isinstance(data["creation_date"], int)


def test_unknown_fields_survive() -> None:
    card = v3(mood="calm", extensions={"maker": {"deep": [""]}}) | {"create_date": "2024", "maker": {"v": 1}}
    written = read_card(json_bytes(card)).card.to_v3()
    assert written["maker"] == {"v": 1}
    assert written["create_date"] == "2024"
    assert written["data"]["mood"] == "calm"
    assert written["data"]["extensions"] == {"maker": {"deep": [""]}}


def test_what_a_card_does_not_say_is_not_written() -> None:
    assert read_card(json_bytes(v3())).card.to_v3() == v3()


def test_every_other_programs_book_inside_a_card_is_turned() -> None:
    for form, foreign in ((novelai_book(), "novelai"), (agnai_book(), "agnai"), (risu_book(), "risu")):
        read = read_card(json_bytes(v3(character_book=form)))
        assert read.card.entries[0]["content"] == "It burns whale oil."
        (told,) = [finding for finding in read.findings if finding.code == "book-foreign"]
        assert told.args == {"format": foreign}


KINDS = {
    "lorebook-v2": book(),
    "lorebook-sillytavern": sillytavern_book(),
    "lorebook-v3": {"spec": "lorebook_v3", "data": book()},
    "lorebook-novelai": novelai_book(),
    "lorebook-agnai": agnai_book(),
    "lorebook-risu": risu_book(),
    "preset-chat": {"temperature": 1, "prompts": [{"identifier": "main"}], "prompt_order": []},
    "preset-instruct": {"name": "Plain", "input_sequence": "###", "system_prompt": "Write."},
    "preset-context": {"name": "Plain", "story_string": "{{char}}"},
    "preset-text": {"temp": 1, "rep_pen": 1.1, "top_p": 0.9},
    "chat-list": [{"name": "Mira", "is_user": False, "mes": "Hi."}],
    "chat-messages": {"messages": [{"role": "user", "content": "Hi."}]},
    "regex-script": regex_script(),
    "quick-replies": {"version": 2, "name": "x", "qrList": []},
    "theme": {"name": "x", "blur_strength": 3, "main_text_color": "red"},
    "persona": {"personas": {}, "persona_descriptions": {}},
}
FILES = {
    "chat-lines": b'{"user_name":"You","character_name":"Mira"}\n{"name":"Mira","mes":"Hi."}\n',
    "html-page": b"\n<!DOCTYPE html><html><body>Not found</body></html>",
    "html-comment": b"<!-- x --><html>",
    "text-plain": "雨落在石板路上。".encode(),
    "text-word": b"tomorrow",
    "binary-pdf": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj",
    "binary-zeros": b"\x01\x02\x03\x00\x00\x00\x00\x05" * 30,
}


@pytest.mark.parametrize("name", sorted(KINDS.keys() | FILES.keys()))
def test_other_kinds_of_file_are_named(name: str) -> None:
    kind = name if name in ("regex-script", "quick-replies") else name.split("-")[0]
    with pytest.raises(CardError) as caught:
        read_card(FILES.get(name) or json_bytes(KINDS[name]))
    assert (caught.value.code, caught.value.kind) == ("other-file", kind)
    assert caught.value.kind_of_file == kind
    assert str(caught.value) == caught.value.message != ""


REFUSED = {
    "empty-file": b"",
    "bad-json": b'{"name": "x", "first_mes": }',
    "not-a-card": b'{"name": "tool", "description": "a program", "version": "1"}',
    "empty-card": b'{"spec": "chara_card_v3", "data": {"name": "", "first_mes": null}}',
    "several-cards": json_bytes([v2(), v2()]),
    "too-deep": b'{"name":"x","first_mes":"y","z":' + b"[" * 250 + b"]" * 250 + b"}",
}


@pytest.mark.parametrize("code", sorted(REFUSED))
def test_what_cannot_be_read_is_refused_with_its_reason(code: str) -> None:
    with pytest.raises(CardError) as caught:
        read_card(REFUSED[code])
    assert caught.value.code == code
    assert caught.value.hint


@pytest.mark.parametrize(
    "card",
    [
        {"spec": "chara_card_v3", "data": {"name": "  ", "tags": [""]}},
        {"spec": "chara_card_v2", "data": {"data": {"data": {"name": ""}}}},
        {"spec": "chara_card_v2", "data": {"data": {"data": {"data": {"data": v1()}}}}},
        {"char_name": "", "char_persona": ""},
        v3(**dict.fromkeys(data_v2()), character_book={"entries": [], "scan_depth": None}),
    ],
)
def test_an_empty_card_never_passes(card: Any) -> None:
    with pytest.raises(CardError) as caught:
        read_card(json_bytes(card))
    assert caught.value.code == "empty-card"


@pytest.mark.parametrize("text", ["null", "true", "-1.5e3", '"a card"', " NaN\n", "Infinity", '\ufeff"中"'])
def test_a_bare_value_is_sound_json_but_no_card(text: str) -> None:
    with pytest.raises(CardError) as caught:
        read_card(text.encode())
    assert caught.value.code == "not-a-card"
    assert "damaged" not in str(caught.value)


def test_not_a_number_has_a_sentence_of_its_own() -> None:
    for written in (b"NaN", b"-NaN"):
        read = read_card(json_bytes(v3(extra_number="@")).replace(b'"@"', written))
        told = next(finding for finding in read.findings if finding.code == "no-number")
        assert "not a number" in told.message
        assert "large" not in told.message
        assert str(told.args["value"]).casefold().endswith("nan")


def test_broken_json_says_where() -> None:
    with pytest.raises(CardError) as caught:
        read_card(b'{\n  "name": "Mira Oakes",\n  "first_mes": @\n}')
    assert caught.value.values == {"line": 3, "column": 17}


def test_several_cards_are_counted() -> None:
    with pytest.raises(CardError) as caught:
        read_card(json_bytes([v2(), v1(), v3()]))
    assert caught.value.count == 3


@pytest.mark.req("CARD-5")
def test_every_string_is_looked_at_for_picture_addresses() -> None:
    card = v3(
        first_mes="![](https://p.example/1.png) and ![](https://p.example/1.png)",
        extensions={
            "regex_scripts": [regex_script()],
            "tavern_helper": {
                "scripts": [helper_script(content='const u = "https:\\/\\/p.example\\/2.webp"')]
            },
            "deep": {"https://p.example/key.gif": [["https://p.example/noending"]]},
        },
        character_book=book(entry(content="<img src='https://p.example/3.jpg'>")),
    ) | {"avatar": "https://p.example/root.png"}
    assert read_card(json_bytes(card)).urls == [
        "https://p.example/1.png",
        "https://pictures.example/status.webp",
        "https://p.example/2.webp",
        "https://p.example/key.gif",
        "https://p.example/noending",
        "https://p.example/3.jpg",
        "https://p.example/root.png",
    ]


FOLDER = {"type": "folder", "name": "x", "scripts": [helper_script(), helper_script()]}
SCRIPTS = {
    "object": ({"tavern_helper": {"scripts": [helper_script(), helper_script()]}}, 2),
    "pairs": ({"tavern_helper": [["scripts", [helper_script()]], ["variables", {}]]}, 1),
    "older-list": ({"TavernHelper_scripts": [{"type": "script", "value": helper_script()}]}, 1),
    "both-count-once": (
        {"tavern_helper": {"scripts": [helper_script()]}, "TavernHelper_scripts": [helper_script()]},
        1,
    ),
    "folder": ({"tavern_helper": {"scripts": [FOLDER, helper_script()]}}, 3),
    "odd": ({"tavern_helper": [["scripts"], 5, [1, 2]], "TavernHelper_scripts": "x"}, 0),
}


@pytest.mark.req("CARD-6")
@pytest.mark.parametrize("name", sorted(SCRIPTS))
def test_helper_scripts_are_counted_in_every_form(name: str) -> None:
    extensions, count = SCRIPTS[name]
    read = read_card(json_bytes(v3(extensions=extensions)))
    assert read.ignored.helper_scripts == count
    assert read.card.data["extensions"] == extensions


@pytest.mark.req("CARD-6")
def test_regex_scripts_are_counted() -> None:
    read = read_card(json_bytes(chinese_card()))
    assert (read.ignored.regex_scripts, read.ignored.helper_scripts) == (2, 1)


@pytest.mark.req("CARD-12")
def test_the_invented_cards_are_healthy() -> None:
    for card in (english_card(), chinese_card()):
        read = read_card(json_bytes(card))
        assert read.findings == []
        assert read.card.to_v3() == card


def test_many_equal_findings_become_a_few_lines() -> None:
    read = read_card(json_bytes(v3(character_book=book(*(entry(n, enabled="no") for n in range(3000))))))
    same = [finding for finding in read.findings if finding.code == "entry-field-converted"]
    assert len(same) == 6
    assert same[-1].args == {"count": 2995, "first": "data.character_book.entries[0].enabled"}
    assert "2995" in same[-1].text
