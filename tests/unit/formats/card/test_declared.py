import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.card.declared import MOST_DECLARATIONS, MOST_LEFT_OUT, declared_variables, variable_key
from formats.card.model import Card
from tests.support.plain_cards import a_card


def card_with(*texts: str, script: str = "", title: str = "[InitVar] start") -> Card:
    entries = [{"comment": title, "content": text, "enabled": False} for text in texts]
    scripts = [{"name": "schema", "content": script, "enabled": True}]
    return a_card(entries=entries, extensions={"tavern_helper": {"scripts": scripts}} if script else {})


def reasons(card: Card) -> dict[str, str]:
    return {finding.args.get("label", ""): finding.code for finding in declared_variables(card).left_out}


@pytest.mark.parametrize(
    "text",
    [
        '{"白娅": {"依存度": [35, "0 到 100"], "met": true}}',
        "白娅:\n  依存度: [35, 0 到 100]\n  met: true\n",
        '["白娅"]\n"依存度" = [35, "0 到 100"]\nmet = true\n',
        '{"stat_data": {"白娅": {"依存度": [35, "0 到 100"], "met": true}}}',
    ],
)
def test_numbers_and_flags_of_every_form_are_declared(text: str) -> None:
    declared = declared_variables(card_with(text))
    assert declared.declarations == [
        {
            "key": "baiya_yicundu",
            "label": "白娅.依存度",
            "scope": "world",
            "kind": "number",
            "default": 35,
            "description": "0 到 100",
        },
        {"key": "baiya_met", "label": "白娅.met", "scope": "world", "kind": "flag", "default": True},
    ]
    assert declared.entries == (0,)
    assert declared.origins == {"baiya_yicundu": 0, "baiya_met": 0}
    assert declared.left_out == []


def test_what_is_left_out_is_named_with_its_reason() -> None:
    text = """{town: {name: 'Harbour', ways: ['north', 'south', 'east'], lord: null, guests: {}, _seed: 3,
        $meta: {extensible: true, template: {age: 0}}, far: Infinity, huge: 123456789012345678901234567890,
        pair: ['text', 'what it is'], deep: {none: [null, 'nothing yet']}}, mood: 3}"""
    card = card_with(text)
    assert declared_variables(card).declarations == []
    assert reasons(card) == {
        "town.name": "variable-text",
        "town.ways": "variable-list",
        "town.lord": "variable-null",
        "town.guests": "variable-empty-group",
        "town._seed": "variable-private",
        "town.far": "variable-number",
        "town.huge": "variable-number",
        "town.pair": "variable-text",
        "town.deep.none": "variable-null",
        "mood": "variable-built-in",
    }
    assert all("{" not in finding.text for finding in declared_variables(card).left_out)


def test_a_static_schema_gives_bounds_options_and_missing_values() -> None:
    script = """const Schema = z.object({ town: z.object({
        day: z.number().min(1).max(30).describe('Day of the month'), weather: z.enum(['sun', 'rain']),
        tide: z.enum(['low', 'high']), open: z.boolean().default(false), heat: z.number().min(0).max(10),
        gold: z.number().default(5), _hidden: z.number().default(1), lord: z.string().default('Ana') }) })"""
    card = card_with("town: {day: 3, weather: rain, tide: none, heat: 40}", script=script)
    declared = declared_variables(card)
    by_key = {item["key"]: item for item in declared.declarations}
    assert by_key["town_day"] == {
        "key": "town_day",
        "label": "town.day",
        "scope": "world",
        "kind": "number",
        "default": 3,
        "min": 1,
        "max": 30,
        "description": "Day of the month",
    }
    assert by_key["town_weather"]["options"] == ["sun", "rain"]
    assert (by_key["town_weather"]["kind"], by_key["town_weather"]["default"]) == ("choice", "rain")
    assert by_key["town_open"]["default"] is False
    assert by_key["town_gold"]["default"] == 5
    assert "min" not in by_key["town_heat"]
    assert declared.origins["town_gold"] is None
    assert set(by_key) == {"town_day", "town_weather", "town_heat", "town_open", "town_gold"}
    assert reasons(card) == {
        "town.tide": "variable-not-an-option",
        "town.heat": "variable-bounds",
        "town.lord": "variable-text",
    }


def test_rules_that_are_not_understood_are_named() -> None:
    script = """const Schema = z.object({ hp: z.number().min(0).max(limit()).refine(odd), made: build(),
        sun: z.object({ heat: z.coerce.number().transform(v => _.clamp(v, 0, 100)),
        _secret: z.number().refine(odd) }) })"""
    card = card_with("hp: 3\nmade: 4\nsun: {heat: 7}", script=script)
    declared = declared_variables(card)
    assert [(item["key"], item.get("min"), item.get("max")) for item in declared.declarations] == [
        ("hp", 0, None),
        ("made", None, None),
        ("sun_heat", 0, 100),
    ]
    assert [finding.text for finding in declared.left_out] == [
        "The variables have rules in the card's script (made) that cannot be read without running it; "
        "they are not kept.",
        "hp has rules in the card's script (max, refine) that cannot be read without running it; they "
        "are not kept.",
    ]


def test_a_schema_that_cannot_be_read_at_all_is_told() -> None:
    script = "registerMvuSchema(build(z.object({ hp: z.number() })))"
    assert reasons(card_with("hp: 3", script=script)) == {"": "variable-schema"}
    assert reasons(card_with("hp: 3", script="registerMvuSchema(z.object({}))")) == {}
    assert reasons(card_with("hp: 3", script="console.log(z.object)")) == {}


def test_older_pairs_and_marks_in_names_find_their_rule() -> None:
    rules = "sky: z.enum(['sun', 'rain']), hp: z.number().max(9)"
    script = f"const Schema = z.object({{ '<user>': z.object({{ {rules} }}) }})"
    declared = declared_variables(
        card_with("{'{{user}}': {sky: ['rain', 'sun or rain'], hp: [3, 'health']}}", script=script)
    )
    sky, hp = declared.declarations
    assert (sky["label"], sky["default"], sky["description"]) == ("[PLAYER].sky", "rain", "sun or rain")
    assert sky["options"] == ["sun", "rain"]
    assert (hp["max"], hp["description"]) == (9, "health")


def test_a_script_that_is_off_is_not_read() -> None:
    script = {"content": "const Schema = z.object({ a: z.number().default(1) })", "enabled": False}
    assert declared_variables(a_card(extensions={"TavernHelper_scripts": [script]})).declarations == []
    script["enabled"] = True
    assert len(declared_variables(a_card(extensions={"TavernHelper_scripts": [script]})).declarations) == 1


@pytest.mark.parametrize(
    ("path", "key"),
    [
        (("白娅", "依存度"), "baiya_yicundu"),
        (("Day Count!",), "day_count"),
        (("3d", "x"), "v_3d_x"),
        (("Ärger",), "arger"),
        (("!!!",), "value"),
        (("", "a"), "a"),
        (("x" * 100,), "x" * 80),
    ],
)
def test_keys_are_plain_ascii(path: tuple[str, ...], key: str) -> None:
    assert variable_key(path) == key


def test_labels_of_one_key_and_long_keys_stay_apart() -> None:
    long = "x" * 90
    declared = declared_variables(card_with(f'{{"a b": 1, "a_b": 2, "A-B": 3, "{long}1": 4, "{long}2": 5}}'))
    keys = [item["key"] for item in declared.declarations]
    assert keys == ["a_b", "a_b_2", "a_b_3", "x" * 80, "x" * 78 + "_2"]


def test_marks_of_player_and_character_in_names() -> None:
    declared = declared_variables(card_with("{{user}}:\n  hp: 3\n<char>: 4\n<user>2: 5\n"))
    assert [(item["key"], item["label"]) for item in declared.declarations] == [
        ("player_hp", "[PLAYER].hp"),
        ("lina", "Lina"),
        ("player_2", "[PLAYER]2"),
    ]


def test_of_two_entries_the_first_value_stands_and_an_unreadable_one_is_told() -> None:
    declared = declared_variables(card_with("a: 1", "a: 2\nb: 3", "Just words."))
    assert [(item["key"], item["default"]) for item in declared.declarations] == [("a", 1), ("b", 3)]
    assert [(finding.code, finding.where) for finding in declared.left_out] == [
        ("variable-twice", "data.character_book.entries[1].content"),
        ("variable-unreadable", "data.character_book.entries[2].content"),
    ]
    assert declared.entries == (0, 1)


def test_other_entries_are_no_data() -> None:
    assert declared_variables(card_with("a: 1", title="Weather")).declarations == []
    assert declared_variables(a_card()).entries == ()


def test_floods_are_bounded_and_counted() -> None:
    many = "{" + ",".join(f'"k{n}": {n}' for n in range(MOST_DECLARATIONS + 100)) + "}"
    declared = declared_variables(card_with(many))
    assert len(declared.declarations) == MOST_DECLARATIONS
    assert [finding.code for finding in declared.left_out] == ["variable-too-many"]
    texts = "{" + ",".join(f'"k{n}": "x"' for n in range(MOST_LEFT_OUT + 70)) + "}"
    left_out = declared_variables(card_with(texts)).left_out
    assert (left_out[-1].code, left_out[-1].args["count"]) == ("variable-more", 70)
    yaml = "\n".join(f"key{n}: {n}" for n in range(3000))
    assert [finding.code for finding in declared_variables(card_with(*[yaml] * 10)).left_out][
        -1
    ] == "variable-unreadable"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=15,
)


@given(st.dictionaries(st.text(max_size=8), JSON, max_size=6))
def test_whatever_is_declared_has_the_shape_of_a_variable(value: dict[str, Any]) -> None:
    declared = declared_variables(card_with(json.dumps(value)))
    keys = [item["key"] for item in declared.declarations]
    assert len(set(keys)) == len(keys)
    for item in declared.declarations:
        assert re.fullmatch(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*", item["key"])
        assert item["kind"] in ("number", "flag")
        assert isinstance(item["default"], bool) == (item["kind"] == "flag")
