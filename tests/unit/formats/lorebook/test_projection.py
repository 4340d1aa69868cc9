"""Candidates as the loader takes them."""

from __future__ import annotations

from typing import Any

import pytest

from formats.lorebook import parse
from formats.lorebook.model import POSITIONS
from formats.lorebook.policy import compute_candidates
from formats.lorebook.projection import LoaderResult, merge_loader_results, project_for_loader
from tests.support.vectors import difference, vector_cases
from tests.unit.formats.lorebook.test_policy import book, spelled


def _projected(*entries: dict[str, Any], **options: Any) -> LoaderResult:
    model = book(*entries)
    return project_for_loader(model, compute_candidates(model, text="harbour"), **options)


@pytest.mark.req("WB-7")
@pytest.mark.parametrize("case", vector_cases("project"))
def test_the_recorded_projections(case: dict[str, Any]) -> None:
    model = parse(case["input"])
    candidates = compute_candidates(model, **spelled(case["options"]))
    result = project_for_loader(
        model, candidates, resource_id=case["resourceId"], resource_name="Shown"
    ).to_json()
    for diagnostic in result["diagnostics"]:
        assert diagnostic.pop("message")
    assert difference({name: case[name] for name in result}, result) == ""


@pytest.mark.req("WB-7")
@pytest.mark.parametrize("number", range(len(POSITIONS)))
def test_every_position_has_its_place(number: int) -> None:
    places = ("before", "after", "before", "after", "after", "before", "after", None)
    result = _projected({"position": number, "content": "Salt."}, resource_id="b")
    told = [diagnostic.code for diagnostic in result.diagnostics]
    if places[number] is None:
        assert result.lore_entries == ()
        assert told == ["WORLD_BOOK_OUTLET_SKIPPED"]
    else:
        assert [entry.to_json() for entry in result.lore_entries] == [
            {"id": "b:0", "uid": 0, "content": "Salt.", "position": places[number]}
        ]
        assert told == ([] if number < 2 else ["WORLD_BOOK_POSITION_APPROXIMATED"])


@pytest.mark.parametrize("content", ["", "  \n", "\u3000"])
@pytest.mark.parametrize("position", [0, 4, 7])
def test_an_entry_without_text_is_told_once_and_left_out(content: str, position: int) -> None:
    result = _projected({"position": position, "content": content})
    assert result.lore_entries == ()
    assert [diagnostic.code for diagnostic in result.diagnostics] == ["WORLD_BOOK_EMPTY_CONTENT_SKIPPED"]
    assert result.resources[0].matched_entry_count == 1


def test_without_a_resource_the_candidate_key_is_the_id() -> None:
    assert [entry.id for entry in _projected({"content": "Salt."}, {"content": "Fog."}).lore_entries] == [
        "0@0",
        "1@1",
    ]


def test_what_reading_told_comes_first() -> None:
    result = _projected({"content": "Salt.", "position": 4, "order": "abc"})
    assert [diagnostic.code for diagnostic in result.diagnostics] == [
        "invalid-number",
        "WORLD_BOOK_POSITION_APPROXIMATED",
    ]


@pytest.mark.req("WB-7")
def test_merging_chooses_nothing() -> None:
    one = _projected({"content": "Salt.", "order": 1}, resource_id="b", resource_name="One")
    two = _projected({"content": "Fog.", "order": 900}, {"position": 7, "content": "x"}, resource_id="b")
    merged = merge_loader_results([one, two, one]).to_json()
    assert [entry["content"] for entry in merged["loreEntries"]] == ["Salt.", "Fog.", "Salt."]
    assert [resource["name"] for resource in merged["resources"]] == ["One", "", "One"]
    assert [told["entryId"] for told in merged["diagnostics"]] == [1]
    last, first = (_projected({"content": name}, resource_id=name, resource_name=name) for name in "za")
    assert [one["name"] for one in merge_loader_results([last, first]).to_json()["resources"]] == ["z", "a"]
    assert merge_loader_results([]).to_json() == {"loreEntries": [], "resources": [], "diagnostics": []}
