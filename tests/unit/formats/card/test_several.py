"""A JSON list of cards gives each card as a file of its own."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.card import CardError, cards_in, read_card
from tests.support.cards import charx, json_bytes, packed, png_card, v1, v2, v3

CARDS = [v2(name="Ada"), v1(name="阿岚"), v3(name="Mi")]


def names(cards: list[bytes]) -> list[str]:
    return [read_card(card).card.name for card in cards]


@pytest.mark.req("CARD-11")
@pytest.mark.parametrize(
    "data",
    [
        json_bytes(CARDS),
        json.dumps([*CARDS[:1], {"kind": "no card"}, None, *CARDS[1:]], indent=2).encode(),
        b"\xef\xbb\xbf \n" + json_bytes(CARDS),
        json.dumps(CARDS, ensure_ascii=False).encode("utf-16"),
        packed(CARDS),
        json_bytes(CARDS)[:-1] + b", // the end\n]",
    ],
    ids=["plain", "among others", "byte order mark", "utf-16", "base64", "json5"],
)
def test_every_card_of_a_list_is_given_in_order(data: bytes) -> None:
    with pytest.raises(CardError) as caught:
        read_card(data)
    assert (caught.value.code, caught.value.count) == ("several-cards", 3)
    assert names(cards_in(data, "cards.json")) == ["Ada", "阿岚", "Mi"]
    assert names(cards_in(memoryview(data))) == ["Ada", "阿岚", "Mi"]


def test_a_card_stays_as_it_was_written() -> None:
    first = b'{ "name":"Ada",\n "first_mes" : "\\u00e9", "n": 123456789012345678901234567890, "n": 1.50 }'
    assert cards_in(b"[" + first + b" , " + json_bytes(v1()) + b"]") == [first, json_bytes(v1())]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"[1, 2]",
        b"{}",
        json_bytes(v3()),
        png_card(v3()),
        charx(v3()),
        b"[" * 9_000,
        b"[{",
        b"text",
        b"[" + json_bytes(v1()),
        b'[{"name"}]',
    ],
)
def test_another_file_gives_no_cards(data: bytes) -> None:
    assert cards_in(data) == []


VALUES = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=5) | st.sampled_from(CARDS),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(VALUES, st.sampled_from(["", ",", "//x\n", "]"]))
def test_there_are_as_many_as_reading_counts(value: Any, end: str) -> None:
    data = (json.dumps(value) + end).encode()
    cards = cards_in(data)
    try:
        read_card(data)
        counted = len(cards) if len(cards) <= 1 else -1
    except CardError as error:
        counted = error.count if error.code == "several-cards" else min(len(cards), 1)
    assert len(cards) == counted
    assert all(read_card(card) for card in cards)


@given(st.binary(max_size=200))
def test_any_bytes_give_a_list(data: bytes) -> None:
    assert all(card in data for card in cards_in(data))
