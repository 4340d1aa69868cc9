"""A parser never guesses and never drops; what is wrong it names by file, path, found and accepted."""

import pytest

from worlds.rules.json_text import MAX_BYTES, MAX_DEPTH
from worlds.rules.reader import MOST_ERRORS, read_document, unread_by

IDA = {"schema": "roleplay-character/v1", "id": "ida", "name": "Ida"}


def wrong(kind: str, value: object, where: str = "characters/ida.json") -> list[tuple[str, str, str]]:
    read = read_document(kind, value, where)
    assert not read.accepted
    return [(found.code, found.where, found.text) for found in read.findings]


@pytest.mark.parametrize(
    ("field", "value", "key", "sentence"),
    [
        ("name", 7, "name", "“name” in characters/ida.json must be text, but 7 stands there."),
        ("name", " ", "name", "“name” in characters/ida.json must not be empty."),
        ("playable", "yes", "playable", 'must be true or false, but "yes" stands there.'),
        ("playable", 1, "playable", "must be true or false, but 1 stands there."),
        ("goals", "one", "goals", 'must be a list, but "one" stands there.'),
        ("goals", ["one", None], "goals[1]", "must be text, but null stands there."),
        ("speech", [], "speech", "must be an object, but [] stands there."),
        ("speech", {"examples": [{}]}, "speech.examples[0]", "must be text, but {} stands there."),
        ("portrait", {"file": "a", "source": "stolen"}, "portrait.source", "must be one of 'uploaded', "),
        ("portrait", {}, "portrait.file", "“portrait.file” is missing in characters/ida.json."),
    ],
)
def test_a_wrong_value_names_file_key_found_and_accepted(
    field: str, value: object, key: str, sentence: str
) -> None:
    [(_code, where, text)] = wrong("character", IDA | {field: value})
    assert where == f"characters/ida.json: {key}"
    assert sentence in text


def test_no_value_is_turned_into_another_type() -> None:
    item = {"schema": "roleplay-variables/v1", "variables": [{"key": "k", "kind": "number", "min": "1"}]}
    [(code, where, text)] = wrong("variables", item, "variables.json")
    assert (code, where) == ("wrong-type", "variables.json: variables[0].min")
    assert 'must be a number, but "1" stands there' in text
    values: tuple[object, ...] = (True, [1], {})
    for value in values:
        assert wrong("lore", {"schema": "roleplay-lore/v1", "id": "a", "title": "A", "valid_from": value})


def test_a_missing_key_is_named() -> None:
    [(code, where, _text)] = wrong("character", {"schema": "roleplay-character/v1", "id": "ida"})
    assert (code, where) == ("key-missing", "characters/ida.json: name")


@pytest.mark.parametrize(
    ("schema", "code"),
    [({}, "key-missing"), ({"schema": "roleplay-character/v2"}, "schema"), ({"schema": None}, "schema")],
)
def test_a_missing_or_foreign_schema_is_refused(schema: dict[str, object], code: str) -> None:
    value = {"id": "ida", "name": "Ida"} | schema
    assert [found[:2] for found in wrong("character", value)] == [(code, "characters/ida.json: schema")]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "is not JSON: line 1, column 1 cannot be read."),
        (b"\0" * 40, "line 1, column 1"),
        (b'{\n"schema": "roleplay-char', "line 2, column 11"),
        (b'{"a": NaN}', "holds NaN, which is not JSON"),
        (b'{"a": 1, "b": {"c": 1, "c": 2}}', "has the key “c” twice"),
        ('{"name": "Zoë"}'.encode("latin-1"), "not UTF-8 text: byte 12"),
        ('{"name": "Ida"}'.encode("utf-16"), "not UTF-8 text"),
        (b'{"a": ' * 200 + b"1" + b"}" * 200, "nested more than 100 levels deep"),
        (b"[" * 200_000, "nested more than 100 levels deep"),
        (b'{"a": 1e999}', "a number without end"),
        (b'{"a": ' + b"9" * 5000 + b"}", "a number with too many digits"),
        (rb'{"name": "half \ud83d"}', "half of a character"),
        (b" " * (MAX_BYTES + 1), "larger than a document may be (8388608 bytes)"),
    ],
)
def test_bytes_that_are_no_document_are_an_error_and_never_a_crash(data: bytes, reason: str) -> None:
    [(code, where, text)] = wrong("character", data)
    assert (code, where) == ("not-json", "characters/ida.json")
    assert reason in text


def test_a_value_made_in_code_is_held_to_the_same_rules() -> None:
    circle: list[object] = []
    circle.append(circle)
    deep: object = 1
    for _ in range(MAX_DEPTH + 1):
        deep = [deep]
    for extra in (circle, deep, float("inf"), {1, 2}, "\ud83d"):
        assert wrong("character", IDA | {"extra": extra})[0][0] == "not-json"


@pytest.mark.parametrize("value", [b"[]", b'"text"', b"null", 3])
def test_something_else_than_an_object_is_named(value: object) -> None:
    [(code, _where, text)] = wrong("character", value)
    assert code == "wrong-type"
    assert "must hold an object" in text


def test_a_byte_order_mark_is_passed_over() -> None:
    data = b'\xef\xbb\xbf{"schema": "roleplay-character/v1", "id": "ida", "name": "Ida"}'
    assert read_document("character", data, "characters/ida.json").accepted


def test_a_flood_of_mistakes_is_counted_not_listed() -> None:
    findings = read_document("character", IDA | {"goals": [1] * 500}, "here").findings
    assert len(findings) == MOST_ERRORS + 1
    assert findings[-1].args["count"] == 500 - MOST_ERRORS


def test_a_trigger_is_read_by_the_key_that_marks_its_shape() -> None:
    def trigger(when: object, effect: object) -> dict[str, object]:
        entry = {"id": "t", "when": when, "effect": effect}
        return {"schema": "roleplay-triggers/v1", "triggers": [entry]}

    good = trigger({"event": "Somebody fell."}, {"reveal": ["a"]})
    assert read_document("triggers", good, "triggers.json").accepted
    [(_code, where, text)] = wrong("triggers", trigger({"moon": 1}, {"note": "n"}), "triggers.json")
    assert where == "triggers.json: triggers[0].when"
    assert "one of the keys command, event, variable" in text
    [(_code, where, _text)] = wrong(
        "triggers", trigger({"variable": "v", "op": "==", "value": 1}, {"set": {"v": None}}), "triggers.json"
    )
    assert where == "triggers.json: triggers[0].effect.set.v"
    [(_code, where, _text)] = wrong("triggers", trigger({"event": "E."}, {"dispatch": "author"}), "t.json")
    assert where == "t.json: triggers[0].effect.need"


@pytest.mark.req("CHK-11")
def test_keys_that_no_parser_reads_are_listed_wherever_they_stand() -> None:
    value = IDA | {"mood": "sour", "speech": {"tone": 1}, "portrait": {"file": "images/a.png", "size": 2}}
    assert unread_by("character", value) == ["mood", "speech.tone", "portrait.size"]
    trigger = {"id": "t", "when": {"event": "E.", "sure": 1}, "effect": {"note": "n"}, "why": ""}
    triggers = {"schema": "roleplay-triggers/v1", "triggers": [trigger], "version": 2}
    assert unread_by("triggers", triggers) == ["version", "triggers[0].why", "triggers[0].when.sure"]
    assert unread_by("character", IDA) == []


@pytest.mark.req("CHK-11")
def test_an_unread_key_is_kept_and_reported_with_its_file() -> None:
    read = read_document("character", IDA | {"mood": "sour"}, "characters/ida.json")
    assert read.accepted
    assert [(unread.where, unread.key) for unread in read.unread] == [("characters/ida.json", "mood")]
    assert read.document is not None
    assert read.document.to_json()["mood"] == "sour"


def test_the_origin_of_a_world_may_say_more_than_its_kind() -> None:
    value = {"schema": "roleplay-world/v1", "name": "W", "source": {"kind": "card", "sha256": "0", "any": 1}}
    assert unread_by("world", value) == []


def test_rules_of_the_kind_belong_to_reading() -> None:
    item = {"schema": "roleplay-item/v1", "id": "key", "name": "Key", "held_by": "a", "location": "b"}
    read = read_document("item", item, "items/key.json")
    assert read.document is not None
    assert [found.code for found in read.findings] == ["item-in-two-places"]
    assert not read.accepted
