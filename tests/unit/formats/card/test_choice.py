from dataclasses import replace
from typing import Any

import pytest

from formats.card.choice import Choices, check_choices, chosen, default_choices, greeting_ids
from formats.errors import DomainError
from tests.support.plain_cards import a_card, full_card


@pytest.mark.req("PREV-1")
def test_entries_that_are_off_start_off_and_the_first_greeting_is_the_opening() -> None:
    choices = default_choices(full_card(), language="zh-hans")
    assert choices == Choices("Lina", ("entry:1",), "greeting:0", "zh-hans", "structure")
    assert default_choices(a_card(alternate_greetings=["", "Hi."])).opening == "greeting:2"
    assert default_choices(a_card()).opening is None
    assert default_choices(a_card(name=" A\n\u202eB ")).name == "AB"


@pytest.mark.req("PREV-2")
def test_entries_that_are_off_are_not_passed_on() -> None:
    card = full_card()
    choices = replace(default_choices(card), off=("entry:0", "entry:2"))
    ids = [piece.id for piece in chosen(card, choices)]
    assert "entry:1" in ids
    assert not {"entry:0", "entry:2"} & set(ids)
    assert {"greeting:0", "greeting:2", "group_greeting:0", "description"} <= set(ids)


@pytest.mark.req("PREV-2")
def test_an_entry_that_is_off_goes_with_all_its_parts() -> None:
    card = a_card(entries=[{"content": "Line of text.\n" * 1000}, {"content": "on"}], first_mes="Hi.")
    ids = [piece.id for piece in chosen(card, Choices("W", ("entry:0",), "greeting:0"))]
    assert ids == ["greeting:0", "entry:1"]


@pytest.mark.req("PREV-1")
@pytest.mark.parametrize(
    ("changes", "code", "where"),
    [
        ({"name": "  "}, "name-missing", "name"),
        ({"name": "x" * 201}, "name-too-long", "name"),
        ({"name": "a\nb"}, "name-unprintable", "name"),
        ({"name": "a\u202eb"}, "name-unprintable", "name"),
        ({"off": ("entry:3",)}, "unknown-entry", "off"),
        ({"off": ("entry:0/1",)}, "unknown-entry", "off"),
        ({"off": ("description",)}, "unknown-entry", "off"),
        ({"opening": "greeting:1"}, "unknown-opening", "opening"),
        ({"opening": "group_greeting:0"}, "unknown-opening", "opening"),
        ({"opening": "greeting:9"}, "unknown-opening", "opening"),
        ({"language": "fr"}, "unknown-language", "language"),
        ({"way": "magic"}, "unknown-way", "way"),
    ],
)
def test_choices_that_do_not_fit_are_refused_with_a_sentence(
    changes: dict[str, Any], code: str, where: str
) -> None:
    card = full_card()
    with pytest.raises(DomainError) as refused:
        check_choices(card, replace(default_choices(card), **changes))
    assert (refused.value.code, refused.value.where) == (code, where)
    assert "{" not in str(refused.value)


def test_a_card_without_book_and_greetings_says_so() -> None:
    card = a_card()
    for changes, code in (({"off": ("entry:0",)}, "no-entries"), ({"opening": "greeting:0"}, "no-greetings")):
        with pytest.raises(DomainError) as refused:
            check_choices(card, replace(default_choices(card), **changes))
        assert refused.value.code == code
        assert "{" not in str(refused.value)


def test_choices_are_put_in_order() -> None:
    card = full_card()
    given = Choices(" My town ", ("entry:2", "entry:0", "entry:2"), None)
    assert check_choices(card, given) == Choices("My town", ("entry:0", "entry:2"), "greeting:0")
    assert greeting_ids(card) == ["greeting:0", "greeting:2"]


def test_stored_choices_come_back() -> None:
    choices = Choices("城", ("entry:1",), None, "zh-hans", "model")
    assert Choices.from_json(choices.to_json()) == choices
    assert Choices.from_json({"name": "a"}) == Choices("a")


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        {},
        {"name": 3},
        {"name": "a", "off": "entry:1"},
        {"name": "a", "off": [1]},
        {"name": "a", "opening": 1},
    ],
)
def test_stored_choices_of_another_form_are_refused(value: object) -> None:
    with pytest.raises(DomainError) as refused:
        Choices.from_json(value)
    assert refused.value.code == "choices-unreadable"


def test_an_entry_that_states_variables_starts_on_although_it_is_off_in_the_card() -> None:
    entries = [
        {"comment": "[InitVar] start", "content": '{"tide": 3}', "enabled": False, "keys": []},
        {"comment": "[InitVar] texts", "content": '{"mood": "grey"}', "enabled": False, "keys": []},
        {"comment": "[InitVar] broken", "content": '{"tide": [}', "enabled": False, "keys": []},
        {"comment": "Cut", "content": '{"tide": 3}', "enabled": False, "keys": []},
    ]
    card = a_card(character_book={"entries": entries})
    assert default_choices(card).off == ("entry:1", "entry:2", "entry:3")
