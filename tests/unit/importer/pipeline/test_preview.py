"""What a card holds, told before anything is made."""

from __future__ import annotations

import json
from typing import Any

import pytest

from importer.pipeline.preview import CardPreview, grouped, preview_of
from importer.pipeline.record import Reading, read_record, record_bytes
from tests.support.cards import book, chinese_card, english_card, entry, v3
from tests.support.imports import read

READING = Reading(
    verdict="card", container="json", spec="chara_card_v3", urls=["https://a.example/b.png"], picture=None
)


def preview(card: dict[str, Any]) -> CardPreview:
    return preview_of(read(card), READING)


@pytest.mark.req("CARD-4", "PREV-1")
def test_fields_greetings_and_entries_are_shown_with_their_sizes() -> None:
    found = preview(english_card())
    assert found.fields["description"] == len(english_card()["data"]["description"])
    assert set(found.fields) == {
        "description",
        "personality",
        "scenario",
        "example",
        "system",
        "note",
        "creator_notes",
    }
    assert [greeting.id for greeting in found.greetings] == ["greeting:0", "greeting:1", "greeting:2"]
    assert "{{char}}" not in found.greetings[1].text
    assert [(one.id, one.title, one.constant) for one in found.entries][:3] == [
        ("entry:0", "The lamp", False),
        ("entry:1", "The bell", False),
        ("entry:2", "The town", True),
    ]
    assert found.pieces == 7 + 3 + 4


@pytest.mark.req("PREV-4")
def test_what_the_maker_relied_on_is_named_with_what_becomes_of_it() -> None:
    found = {one.code: (one.count, one.becomes) for one in preview(chinese_card()).mechanisms}
    assert found["regex-scripts"] == (2, "not-run")
    assert found["helper-scripts"] == (1, "not-run")
    assert found["variables"] == (3, "variables")
    assert found["ejs"][1] == "text-kept"
    assert found["pictures"] == (1, "fetched")
    assert "macros" not in found


@pytest.mark.parametrize(
    ("fields", "facts"),
    [
        ({}, []),
        ({"enabled": False}, ["off-in-card"]),
        ({"content": " "}, ["empty"]),
        ({"content": "<% x() %>"}, ["script-only"]),
        ({"comment": "[InitVar]", "content": '{"a": 1}', "enabled": False}, ["off-in-card", "variable-data"]),
        ({"comment": "[InitVar]", "content": '{"tide": [}'}, []),
        ({"content": "word. " * 2000}, ["split"]),
    ],
)
def test_code_knows_these_facts_of_an_entry(fields: dict[str, Any], facts: list[str]) -> None:
    [one] = preview(v3(character_book=book(entry(0, **fields)))).entries
    assert one.facts == facts
    assert one.parts == 1 + ("split" in facts)
    assert one.size == len(str(fields.get("content", entry(0)["content"])))


def test_findings_of_one_kind_are_one_with_their_number_and_first_places() -> None:
    finding = {"severity": "warning", "code": "x", "message": "m", "where": ""}
    found = grouped({**finding, "where": str(number)} for number in range(12))
    assert [(one.count, one.places) for one in found] == [(12, [str(number) for number in range(10)])]
    assert len(grouped([finding, {**finding, "message": "n"}])) == 2


@pytest.mark.req("PREV-4")
def test_the_file_is_snake_case_and_http_is_camel_case() -> None:
    found = preview(english_card())
    stored = record_bytes(found.model_dump(mode="json", by_alias=False))
    assert "group_greetings" in json.loads(stored)
    assert read_record(CardPreview, stored, "preview.json") == found
    assert "groupGreetings" in found.model_dump(mode="json", by_alias=True)
