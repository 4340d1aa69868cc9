"""What of a result stands beside a passage, and cells that no spreadsheet runs."""

from __future__ import annotations

import json

import pytest

from formats.card import pieces_of, read_card
from importer.account import stands_in, still, strings_in, texts_from, texts_of
from tests.support.cards import json_bytes, v3


def test_only_what_stands_in_the_passage_is_shown_of_a_document() -> None:
    card = read_card(json_bytes(v3(description="{{char}} keeps the light.\n\nShe is old."))).card
    piece = pieces_of(card)[0]
    texts = [
        ("Description", "Mira Oakes keeps the light.\nShe is old."),
        ("Personality", "dry, patient"),
        ("Background", "She is old.\nBorn elsewhere."),
    ]
    assert list(texts_from(texts, piece, "Mira Oakes")) == [
        ("Description", "Mira Oakes keeps the light.\nShe is old."),
        ("Background", "She is old."),
    ]


def test_white_space_does_not_keep_a_line_from_being_known() -> None:
    assert stands_in("  keeps   the light ", "Mira keeps the light.")
    assert not stands_in("   ", "Mira keeps the light.")


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@a", "\t=1", "\r=1"])
def test_a_cell_is_never_a_formula(cell: str) -> None:
    assert still(cell) == f"'{cell}"


def test_an_ordinary_cell_stays_as_it_is() -> None:
    assert still("entry:3 = x") == "entry:3 = x"


def test_texts_of_a_document_leave_out_what_names_it() -> None:
    data = json.dumps(
        {"schema": "x", "id": "a", "title": "A", "text": "T", "summary": "S", "other": "?"}
    ).encode()
    assert list(texts_of("lore", data)) == [("Text", "T")]
    assert list(texts_of("lore", b"{broken")) == []
    assert list(texts_of("lore", b"[1]")) == []


def test_every_text_of_a_value_is_found() -> None:
    assert list(strings_in({"a": ["x", {"b": "y"}], "c": " ", "d": 3})) == ["x", "y"]
