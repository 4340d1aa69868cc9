"""Many findings in few lines: counted once, with their places, what matters most first."""

from __future__ import annotations

from formats.finding import Finding
from portal.told import GROUPS, PLACES, told_groups


def odd(where: str, **args: object) -> Finding:
    return Finding("warning", "odd", where, "The field {field} is odd.", args={"field": "order", **args})


def test_the_same_sentence_is_told_once_with_its_places() -> None:
    [group] = told_groups(odd(f"$.entries[{n}]") for n in range(500))
    assert (group.count, len(group.places)) == (500, PLACES)
    assert group.places[0] == "$.entries[0]"


def test_other_words_are_another_line_and_errors_come_first() -> None:
    other = Finding("warning", "odd", "", "The field {field} is odd.", args={"field": "depth"})
    error = Finding("error", "bad", "x", "It is bad.")
    groups = told_groups([odd("a"), other, error])
    assert [group.finding.text for group in groups] == [
        "It is bad.",
        "The field order is odd.",
        "The field depth is odd.",
    ]
    assert groups[2].places == []


def test_one_that_stands_for_many_says_so_in_its_own_words() -> None:
    [group] = told_groups([odd("$", count=120)])
    assert (group.count, group.places) == (1, [])


def test_a_place_with_a_page_leads_there() -> None:
    [group] = told_groups([odd("$.a"), odd("$.b")], {"$.b": "/there/"})
    assert group.linked == [("$.a", ""), ("$.b", "/there/")]
    [group] = told_groups([odd("$.b", count=9)], {"$.b": "/there/"})
    assert group.linked == [("$.b", "/there/")]


def test_a_list_without_end_is_cut() -> None:
    many = [Finding("info", f"c{n}", "", f"Sentence {n}.") for n in range(GROUPS + 20)]
    assert len(told_groups(many)) == GROUPS
