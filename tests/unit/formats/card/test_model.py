"""`Card`: shortcuts, and strict reading of what we wrote ourselves."""

from __future__ import annotations

from typing import Any

import pytest

from formats.card import Card, CardError, read_card
from tests.support.cards import book, chinese_card, english_card, json_bytes, v2, v3


def test_shortcuts() -> None:
    card = read_card(json_bytes(english_card())).card
    assert card.name == "Mira Oakes"
    assert card.nickname == ""
    assert len(card.greetings) == 3
    assert card.greetings[0] == card.data["first_mes"]
    assert card.group_greetings == []
    assert card.book is not None
    assert [entry["comment"] for entry in card.entries] == ["The lamp", "The bell", "The town", "Cut"]


def test_a_card_without_a_book_has_no_entries() -> None:
    card = read_card(json_bytes(v3())).card
    assert card.book is None
    assert card.entries == []


WHOLE = [english_card(), chinese_card(), v3(nickname="Mi", source=["x"], creation_date=5)]


@pytest.mark.parametrize("card", WHOLE)
def test_a_card_survives_writing_and_reading(card: dict[str, Any]) -> None:
    first = read_card(json_bytes(card | {"maker": {"v": 1}})).card
    assert Card.from_v3(first.to_v3()) == first
    assert first.to_v3()["maker"] == {"v": 1}


BROKEN: dict[str, tuple[Any, str]] = {
    "no-object": ([], ""),
    "v2": (v2(), "spec"),
    "no-data": ({"spec": "chara_card_v3"}, "data"),
    "name": (v3(name=None), "data.name"),
    "tags": (v3(tags="x"), "data.tags"),
    "greeting": (v3(alternate_greetings=["a", 1]), "data.alternate_greetings[1]"),
    "date": (v3(creation_date="x"), "data.creation_date"),
    "extensions": (v3(extensions=[]), "data.extensions"),
    "assets": (v3(assets={}), "data.assets"),
    "book": (v3(character_book=[]), "data.character_book"),
    "entries": (v3(character_book={}), "data.character_book.entries"),
    "entry": (v3(character_book=book("x")), "data.character_book.entries[0]"),
}


@pytest.mark.parametrize("name", sorted(BROKEN))
def test_our_own_file_is_read_strictly(name: str) -> None:
    value, where = BROKEN[name]
    with pytest.raises(CardError) as caught:
        Card.from_v3(value)
    assert (caught.value.code, caught.value.where) == ("bad-stored-card", where)
