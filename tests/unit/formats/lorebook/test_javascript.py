"""JavaScript's numbers, orders and texts, as far as the contract follows them."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.lorebook import stable_stringify
from formats.lorebook.javascript import in_map_order, is_index, member, number_of, number_text


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("3", 3),
        (" 7 ", 7),
        ("1e3", 1000),
        ("0x10", 16),
        ("0XfF", 255),
        ("0b11", 3),
        ("0o17", 15),
        ("-2", -2),
        ("+3", 3),
        (".5", 0.5),
        ("5.", 5),
        ("-.5e1", -5),
        ("\u3000\ufeff8\n", 8),
        ("1e21", 1e21),
        ("007", 7),
        ("", None),
        ("  ", None),
        ("abc", None),
        ("1_000", None),
        ("1,5", None),
        ("٣", None),
        ("３", None),
        ("-0x10", None),
        ("0x", None),
        ("0b2", None),
        ("1e", None),
        (".", None),
        ("1e400", None),
        ("NaN", None),
        ("Infinity", None),
        ("1 2", None),
        ("- 3", None),
        ("9" * 500, None),
        ("\x1c7", None),
        ("\x857", None),
    ],
)
def test_numbers_from_text(text: str, number: float | None) -> None:
    assert number_of(text) == number


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (1.5, "1.5"),
        (1e21, "1e+21"),
        (1e20, "100000000000000000000"),
        (123456789012345680000, "123456789012345680000"),
        (2**53 + 1, "9007199254740992"),
        (0.000001, "0.000001"),
        (1e-7, "1e-7"),
        (-2.5e-10, "-2.5e-10"),
        (5e-324, "5e-324"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
        (math.inf, "null"),
        (math.nan, "null"),
        (10**400, "null"),
        (12345.678, "12345.678"),
    ],
)
def test_numbers_as_text(number: float, text: str) -> None:
    assert number_text(number) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_comes_back_from_its_text(number: float) -> None:
    assert number_of(number_text(number)) == number


def test_maps_go_by_number_then_as_written() -> None:
    keys = ["b", "10", "007", "2", "4294967295", "4294967294", "a", "0", "-1", "1.5", ""]
    rest = ["b", "007", "4294967295", "a", "-1", "1.5", ""]
    assert in_map_order(keys) == ["0", "2", "10", "4294967294", *rest]
    assert in_map_order(["b", "a"]) == ["b", "a"]
    assert not is_index("٣")


@pytest.mark.parametrize(
    ("key", "path"),
    [
        ("abc", "$.abc"),
        ("$_1", "$.$_1"),
        ("1", '$["1"]'),
        ("a b", '$["a b"]'),
        ('q"', '$["q\\""]'),
        ("港", '$["港"]'),
    ],
)
def test_paths(key: str, path: str) -> None:
    assert member("$", key) == path


def test_keys_are_sorted_by_utf16_units_at_every_level() -> None:
    value = {"b": 1, "\ufb01": 2, "😀": 3, "10": {"z": [], "a": {}}, "9": None}
    assert list(json.loads(stable_stringify(value))) == ["9", "10", "b", "😀", "\ufb01"]
    assert stable_stringify(value["10"]) == '{"a":{},"z":[]}'


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("\ud83d", '"\\ud83d"'),
        ("\ud83d\ude00", '"😀"'),
        ("\u2028", '"\u2028"'),
        ("\x1f\x7f", '"\\u001f\x7f"'),
        ('\b\f\n\r\t"\\/', '"\\b\\f\\n\\r\\t\\"\\\\/"'),
        ([True, None, 1.0], "[true,null,1]"),
        ({}, "{}"),
    ],
)
def test_texts_as_javascript_writes_them(value: object, text: str) -> None:
    assert stable_stringify(value) == text


def test_space_is_a_number_of_blanks_or_a_text() -> None:
    assert stable_stringify([1], 1) == "[\n 1\n]"
    assert stable_stringify([1], "--") == "[\n--1\n]"
    assert stable_stringify([[1]], 99) == f"[\n{' ' * 10}[\n{' ' * 20}1\n{' ' * 10}]\n]"
    assert stable_stringify([1], 0) == stable_stringify([1], "") == "[1]"


json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**53), 2**53), st.text(max_size=5)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=12,
)


@given(json_values)
def test_stable_text_is_json_and_does_not_depend_on_the_order(value: object) -> None:
    assert json.loads(stable_stringify(value, 2)) == value
    turned = json.loads(json.dumps(value), object_pairs_hook=lambda pairs: dict(reversed(pairs)))
    assert stable_stringify(turned) == stable_stringify(value)


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(TypeError, match="set is not JSON"):
        stable_stringify({"a": {1}})
