from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.card.diff import FieldChange, diff_cards
from formats.card.model import Card
from tests.support.plain_cards import a_card, full_card
from tests.support.timing import cpu_seconds


def entry(title: str, content: str, keys: list[str] | None = None, **facts: Any) -> dict[str, Any]:
    return {"comment": title, "content": content, "keys": keys or [], **facts}


def shown(old: Card, new: Card) -> list[tuple[str | None, str | None, str, str]]:
    return [
        (pair.old.id if pair.old else None, pair.new.id if pair.new else None, pair.matched_by, pair.state)
        for pair in diff_cards(old, new).pairs
    ]


@pytest.mark.req("UPD-4")
def test_fields_are_paired_by_their_id() -> None:
    old = a_card(description="Tall. Kind.", personality="Calm.", first_mes="Hi.")
    new = a_card(description="Tall. Stern.", scenario="Rain.", first_mes="Hi.")
    assert shown(old, new) == [
        ("description", "description", "id", "changed"),
        (None, "scenario", "", "added"),
        ("greeting:0", "greeting:0", "id", "same"),
        ("personality", None, "", "removed"),
    ]
    diff = diff_cards(old, new)
    assert diff.counts == {"added": 1, "changed": 1, "removed": 1, "same": 1}
    assert [(change.kind, change.text) for change in diff.pairs[0].diff().changes] == [
        ("same", "Tall. "),
        ("removed", "Kind."),
        ("added", "Stern."),
    ]
    assert [change.kind for change in diff.pairs[1].diff().changes] == ["added"]


@pytest.mark.req("UPD-4")
def test_entries_are_paired_by_title_and_keys_then_text_then_number_and_words() -> None:
    old = a_card(
        entries=[
            entry("Guard", "The guard walks.", ["guard"]),
            entry("", "The harbour is cold."),
            entry("Inn", "An inn of red stone by the river", ["inn"]),
            entry("Old", "gone entirely", ["x"]),
            entry("Rare", "One two three four", ["y"]),
        ]
    )
    new = a_card(
        entries=[
            entry("New", "Something else", ["z"]),
            entry("Guard", "The guard runs.", ["guard"]),
            entry("Tavern", "An inn of blue stone by the lake", ["tavern"]),
            entry("Port", "The harbour is cold.", ["port"]),
            entry("Other", "Five six seven eight", ["w"]),
        ]
    )
    assert shown(old, new) == [
        (None, "entry:0", "", "added"),
        ("entry:0", "entry:1", "title", "changed"),
        ("entry:2", "entry:2", "words", "changed"),
        ("entry:1", "entry:3", "text", "changed"),
        (None, "entry:4", "", "added"),
        ("entry:3", None, "", "removed"),
        ("entry:4", None, "", "removed"),
    ]
    assert diff_cards(old, new).new_ids == {
        "entry:0": "entry:1",
        "entry:1": "entry:3",
        "entry:2": "entry:2",
        "entry:3": None,
        "entry:4": None,
    }


@pytest.mark.req("UPD-4")
def test_of_entries_with_one_title_those_with_the_same_text_belong_together() -> None:
    old = a_card(entries=[entry("Day", "Monday."), entry("Day", "Tuesday."), entry("Day", "Sunday.")])
    new = a_card(entries=[entry("Day", "Sunday."), entry("Day", "Monday!"), entry("Day", "Tuesday.")])
    assert shown(old, new) == [
        ("entry:2", "entry:0", "title", "same"),
        ("entry:0", "entry:1", "title", "changed"),
        ("entry:1", "entry:2", "title", "same"),
    ]


@pytest.mark.req("UPD-4")
def test_changed_facts_of_an_entry_are_named() -> None:
    old = a_card(entries=[entry("A", "text", ["a"], constant=True)])
    new = a_card(entries=[entry("B", "text", ["b"], enabled=False)])
    (pair,) = diff_cards(old, new).pairs
    assert pair.state == "changed"
    assert pair.facts == ("title", "keys", "constant", "enabled")
    assert pair.title == "B"


@pytest.mark.req("UPD-4")
def test_fields_of_the_card_that_are_no_pieces() -> None:
    diff = diff_cards(a_card(tags=["sea"]), a_card(tags=["sea", "calm"], creator="Ana"))
    assert diff.fields == (FieldChange("creator", "", "Ana"), FieldChange("tags", ["sea"], ["sea", "calm"]))


def test_a_card_is_the_same_as_itself() -> None:
    assert {pair.state for pair in diff_cards(full_card(), full_card()).pairs} == {"same"}


TITLES = st.sampled_from(["", "A", "B"])
TEXTS = st.sampled_from(["", "one two", "one three", "four"])
ENTRIES = st.lists(st.builds(entry, TITLES, TEXTS), max_size=8)


@given(ENTRIES, ENTRIES)
def test_every_text_is_in_exactly_one_pair(old: list[dict[str, Any]], new: list[dict[str, Any]]) -> None:
    pairs = diff_cards(a_card(entries=old), a_card(entries=new)).pairs
    assert sorted(pair.old.id for pair in pairs if pair.old) == sorted(f"entry:{n}" for n in range(len(old)))
    assert [pair.new.id for pair in pairs if pair.new] == [f"entry:{n}" for n in range(len(new))]


@pytest.mark.parametrize("title", ["", "Same", "Entry {0}"])
def test_two_cards_of_a_thousand_entries_take_no_time(title: str) -> None:
    def card(word: str) -> Card:
        return a_card(
            entries=[entry(title.format(n), f"Entry {n} tells of {word} {n % 7}. " * 30) for n in range(1000)]
        )

    old, new = card("rain"), card("snow")
    assert len(diff_cards(old, new).pairs) == 1000
    assert cpu_seconds(lambda: diff_cards(old, new)) < 5


@pytest.mark.req("UPD-4")
def test_an_empty_entry_is_the_same_entry_in_both_cards() -> None:
    card = a_card(first_mes="Hi.", character_book={"entries": [entry("", ""), entry("", "Rain.")]})
    assert diff_cards(card, card).counts == {"added": 0, "changed": 0, "removed": 0, "same": 3}
