"""The models are the one definition of each kind: what they accept comes back unchanged."""

from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formats.stable_json import read_json, write_json
from tests.support.world_strategies import documents
from worlds.rules.documents import KINDS, Character, Document, Part, Relationship, holds_parts, trait
from worlds.rules.reader import parse_document
from worlds.rules.write import document_bytes

WIDGETS = {
    "text",
    "long",
    "lines",
    "number",
    "flag",
    "choice",
    "value",
    "image",
    "part",
    "parts",
    "map",
    "fixed",
}


def known_shape(kind: str) -> st.SearchStrategy[tuple[str, dict[str, Any]]]:
    return documents(kind).map(lambda value: (kind, value))


any_document = st.one_of([known_shape(kind) for kind in KINDS])


@settings(deadline=None)
@given(any_document)
def test_every_document_comes_back_from_its_bytes(found: tuple[str, dict[str, Any]]) -> None:
    kind, value = found
    read = parse_document(kind, value, "here")
    assert read.findings == ()
    assert read.document is not None
    again = parse_document(kind, document_bytes(read.document), "here")
    assert again.document == read.document
    assert again.unread == read.unread


@settings(deadline=None)
@given(any_document)
def test_nothing_of_a_file_is_lost_or_added_by_reading_and_writing(
    found: tuple[str, dict[str, Any]],
) -> None:
    kind, value = found
    read = parse_document(kind, write_json(value).encode(), "here")
    assert read.document is not None
    assert read_json(document_bytes(read.document)) == value


def test_keys_are_written_in_declared_order_with_unknown_ones_last() -> None:
    value = {
        "zeal": 3,
        "personality": "dry",
        "name": "Ida",
        "id": "ida",
        "speech": {"tempo": "slow", "style": "short"},
        "schema": "roleplay-character/v1",
    }
    document = parse_document("character", value, "here").document
    assert document is not None
    assert list(document.to_json()) == ["schema", "id", "name", "personality", "speech", "zeal"]
    assert list(document.to_json()["speech"]) == ["style", "tempo"]
    assert b'"id": "ida",\n  "name"' in document_bytes(document)


def test_non_ascii_is_written_as_itself_with_a_final_newline() -> None:
    data = document_bytes(Character(id="沈青", name="沈青"))
    assert data.decode().endswith('"name": "沈青"\n}\n')


def test_a_file_cannot_use_the_python_name_of_a_field() -> None:
    """`from` is called `source` in Python; a file that says `source` has said nothing of `from`."""
    value = {"schema": "roleplay-relationships/v1", "relationships": [{"source": "a", "to": "b"}]}
    read = parse_document("relationships", value, "relationships.json")
    assert [found.where for found in read.findings] == ["relationships.json: relationships[0].from"]
    assert Relationship(source="a", target="b").to_json() == {"from": "a", "to": "b"}


def _shapes(model: type[Part]) -> set[type[Part]]:
    found = {model}
    for field in model.model_fields.values():
        for part in _parts_in(field.annotation):
            found |= _shapes(part)
    return found


def _parts_in(annotation: Any) -> list[type[Part]]:
    if isinstance(annotation, type) and issubclass(annotation, Part):
        return [annotation]
    return [part for inner in get_args(annotation) for part in _parts_in(inner)]


@pytest.mark.parametrize("kind", KINDS)
def test_every_field_tells_a_page_how_to_show_itself(kind: str) -> None:
    model = KINDS[kind].model
    assert issubclass(model, Document)
    assert model.schema_of() == f"roleplay-{kind}/v1"
    for shape in _shapes(model):
        for name, field in shape.model_fields.items():
            widget = str(trait(field, "widget"))
            assert field.title, f"{shape.__name__}.{name} has no title"
            assert widget in WIDGETS or widget.startswith("ref:"), f"{shape.__name__}.{name}: {widget}"
            if holds_parts(field):
                assert widget in ("part", "parts", "fixed")
            if widget.startswith("ref:") and widget != "ref:@scope":
                assert set(widget[4:].split("|")) <= {*KINDS, "exit", "variable", "command"}
