"""Forms made from the models: nothing untouched is lost, rows come and go, errors find their field."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from django.http import QueryDict
from django.template.loader import render_to_string
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from formats.stable_json import canonical_json
from tests.support.form_filling import untouched
from tests.support.world_strategies import documents
from worlds.document_form import DocumentForm
from worlds.leaves import MANY
from worlds.rules.documents import (
    KINDS,
    Character,
    Location,
    Lore,
    Part,
    Plotline,
    Trigger,
    VariableDeclaration,
)
from worlds.rules.reader import read_document


class Known:
    """References of an invented world."""

    def __init__(self, count: int = 3) -> None:
        self.count = count

    def options(self, kinds: str) -> Sequence[tuple[str, str]]:
        return [(f"{kind}-{i}", f"The {kind} {i}") for kind in kinds.split("|") for i in range(self.count)]

    def pictures(self) -> Sequence[tuple[str, str]]:
        return [("images/cover.png", "cover.png")]


def form_of(model: type[Part], stored: dict[str, Any], known: Known | None = None) -> DocumentForm:
    return DocumentForm(model, stored, known or Known())


def sent_back(model: type[Part], stored: dict[str, Any], data: QueryDict, known: Known | None = None) -> Any:
    form = DocumentForm(model, stored, known or Known(), data=data)
    assert form.is_valid(), form.errors
    return form.value()


ENTRIES = {"triggers": Trigger, "variables": VariableDeclaration}
FORMS = [
    "character",
    "location",
    "faction",
    "item",
    "lore",
    "plotline",
    "relationships",
    "variables",
    "triggers",
]


@pytest.mark.parametrize("kind", [*FORMS, "commands", "world"])
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_saving_an_untouched_form_changes_nothing(kind: str, data: st.DataObject) -> None:
    stored = data.draw(documents(kind))
    text = canonical_json(stored)
    # A browser cannot hold these in a field; nobody who edits such a file does it in a form.
    assume("\\u0000" not in text and "\\r" not in text and '"":' not in text)
    model = KINDS[kind].model
    for known in (Known(), Known(MANY + 1)):
        value = sent_back(model, stored, untouched(form_of(model, stored, known)), known)
        assert canonical_json(value) == text


def test_every_kind_of_field_is_drawn() -> None:
    for kind in FORMS:
        html = render_to_string("worlds/parts/document.html", {"form": form_of(KINDS[kind].model, {})})
        assert "<input" in html or "<button" in html


def test_what_is_typed_is_stored_and_unknown_keys_stay() -> None:
    stored = {"schema": "roleplay-character/v1", "id": "lina", "name": "Lina", "mood": {"now": 3}}
    data = untouched(form_of(Character, stored))
    data["summary"], data["goals"], data["playable"] = "A ferrywoman.", "Pay the debt\r\n\r\nLeave", "on"
    assert sent_back(Character, stored, data) == stored | {
        "playable": True,
        "summary": "A ferrywoman.",
        "goals": ["Pay the debt", "Leave"],
    }


def test_rows_are_added_and_removed_without_scripts() -> None:
    stored = {
        "id": "quay",
        "name": "Quay",
        "exits": [{"id": "a", "to": "location-0", "wet": True}, {"id": "b", "to": "x"}],
    }
    data = untouched(form_of(Location, stored))
    more = DocumentForm(Location, stored, Known(), data=data, more="exits")
    assert not more.errors
    data = untouched(more)
    data["exits.2.to"], data["exits.2.name"], data["exits.1.remove"] = "location-1", "Steps", "on"
    assert sent_back(Location, stored, data)["exits"] == [
        {"id": "a", "to": "location-0", "wet": True},
        {"to": "location-1", "name": "Steps"},
    ]


def test_an_added_row_that_stays_blank_is_not_stored() -> None:
    more = DocumentForm(Plotline, {"id": "p", "title": "P"}, Known(), data=QueryDict(), more="stages")
    data = untouched(more)
    data["title"] = "P"
    assert "stages" not in sent_back(Plotline, {"id": "p", "title": "P"}, data)


def test_a_dangling_id_is_shown_and_kept() -> None:
    form = form_of(
        Character, {"id": "l", "name": "L", "starting_location": "gone", "knowledge": {"items": ["lost"]}}
    )
    html = render_to_string("worlds/parts/document.html", {"form": form})
    assert "gone (is not there)" in html
    assert "lost (is not there)" in html


@pytest.mark.parametrize(
    ("typed", "stored"),
    [("12", 12), ("0.5", 0.5), ("true", True), ("dusk", "dusk"), ('"12"', "12"), ("", None)],
)
def test_a_first_value_is_read_as_what_it_looks_like(typed: str, stored: Any) -> None:
    before = {"key": "tide", "kind": "number"}
    data = untouched(form_of(VariableDeclaration, before))
    data["default"] = typed
    value = sent_back(VariableDeclaration, before, data).get("default")
    assert (value, type(value)) == (stored, type(stored))


def test_a_word_where_a_number_belongs_is_told_at_its_field() -> None:
    before = {"key": "tide", "kind": "number"}
    data = untouched(form_of(VariableDeclaration, before))
    data["min"] = "low"
    form = DocumentForm(VariableDeclaration, before, Known(), data=data)
    assert list(form.errors) == ["min"]


def test_a_trigger_changes_its_shape() -> None:
    before = {"id": "t", "when": {"command": "ferry", "odd": 1}, "effect": {"note": "The tide turns."}}
    data = untouched(form_of(Trigger, before))
    data["when.shape"], data["when.variable.variable"], data["when.variable.op"] = (
        "variable",
        "variable-1",
        ">=",
    )
    data["when.variable.value"] = "3"
    data["effect.shape"], data["effect.dispatch.need"] = "dispatch", "a dock worker"
    assert sent_back(Trigger, before, data) == {
        "id": "t",
        "when": {"variable": "variable-1", "op": ">=", "value": 3},
        "effect": {"dispatch": "author", "need": "a dock worker"},
    }


def test_what_the_reader_refuses_stands_at_its_field() -> None:
    stored = {
        "schema": "roleplay-location/v1",
        "id": "quay",
        "name": "Quay",
        "exits": [{"id": "a", "to": "x"}],
    }
    data = untouched(form_of(Location, stored))
    data["exits.0.to"], data["name"] = "", " "
    form = DocumentForm(Location, stored, Known(), data=data)
    assert form.is_valid()
    read = read_document(
        "location", {**form.value(), "schema": "roleplay-location/v1"}, "locations/quay.json"
    )
    assert not form.accept(read.findings, root="locations/quay.json: ")
    assert set(form.errors) == {"name", "exits.0.to"}


def test_texts_of_several_lines_get_an_area_each() -> None:
    stored = {"id": "l", "name": "L", "speech": {"examples": ["One.\nTwo.", "Three."]}}
    form = form_of(Character, stored)
    assert form["speech.examples.0.text"].value() == "One.\nTwo."
    data = untouched(form)
    data["speech.examples.1.remove"] = "on"
    assert sent_back(Character, stored, data)["speech"]["examples"] == ["One.\nTwo."]


def test_among_very_many_a_title_stands_for_its_id() -> None:
    stored = {"id": "l", "title": "L", "schema": "roleplay-lore/v1"}
    known = Known(MANY)
    form = form_of(Lore, stored, known)
    data = untouched(form)
    data["about"] = "The location 7\r\nitem-3"
    assert sent_back(Lore, stored, data, known)["about"] == ["location-7", "item-3"]
