"""Notes of one kind become one note."""

from __future__ import annotations

from formats.card.declared import REASONS
from formats.finding import FIELD, Finding
from importer.pipeline.left_out import LONGEST_LIST, TOGETHER, together


def note(code: str, label: str) -> Finding:
    return Finding("info", f"variable-{code}", "entry", REASONS[code], args={"label": label})


def test_notes_of_a_kind_become_one_with_their_number_and_names() -> None:
    told = together([note("text", "a"), note("list", "b"), note("text", "c")])
    assert [(found.code, found.args) for found in told] == [
        ("variable-text", {"count": 2, "labels": "a, c"}),
        ("variable-list", {"label": "b"}),
    ]
    assert told[0].text.startswith("2 values")
    assert told[0].text.endswith("a, c.")


def test_a_note_of_another_kind_stays_as_it_is() -> None:
    unreadable = [note("unreadable", "a"), note("unreadable", "b")]
    assert together(unreadable) == unreadable


def test_a_long_list_of_names_is_cut() -> None:
    [told] = together([note("null", f"name {number}") for number in range(200)])
    assert told.args["count"] == 200
    assert len(told.args["labels"]) <= LONGEST_LIST
    assert told.args["labels"].endswith("…")


def test_every_template_is_of_a_known_reason_and_names_both_fields() -> None:
    assert {code.removeprefix("variable-") for code in TOGETHER} <= set(REASONS)
    for template in TOGETHER.values():
        assert set(FIELD.findall(template)) == {"count", "labels"}
