"""What a description states as data, in whatever notation it does so."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.card.section_facts import facts_of


@pytest.mark.parametrize(
    "description",
    [
        "Age: 25\nSpecies: elf\nOccupation: baker",
        "- **Age:** 25\n- **Species**: elf\n- **Occupation:** baker",
        "[Age: 25]\n[Lina's species= elf]\n[Occupation: baker]",
        "[Age: 25; Species: elf; Occupation: baker; Tags: tea]",
        'Age("25")\nSpecies("elf")\nOccupation("baker")',
        "年龄：25\n种族：elf\n职业：baker",
        "【年龄】25\n【种族】elf\n【职业】baker",
        "Lina:\n  age: 25\n  species: elf\n  job: |-\n    baker\n  hair: red",
        "基本年龄：25\n# 其他\n莉娜的种族：elf\n职业（表面）：“baker”",
    ],
)
def test_the_same_facts_in_every_notation(description: str) -> None:
    assert facts_of(description) == [("occupation", "baker"), ("species", "elf"), ("age", "25")]


@pytest.mark.parametrize(
    ("description", "expected"),
    [
        ("Age: 25\nAge: 30", [("age", "25")]),
        ("Age: ???\nSpecies: unknown\n职业：不详", []),
        ('Job("baker" + "spy")', [("occupation", "baker, spy")]),
        ("Summary: A baker. “Tea?”", [("account", "A baker. “Tea?”")]),
        ("Lina is of great age: 90 or so.", []),
        ("Home: https://a.example; age: 3", [("age", "3")]),
        ("", []),
    ],
)
def test_unknown_values_are_no_facts_and_the_first_of_a_kind_counts(
    description: str, expected: list[tuple[str, str]]
) -> None:
    assert facts_of(description) == expected


@given(st.text(alphabet='Age年龄job: ：=;[]【】()"“”|-*#\n25 '))
def test_the_words_of_a_fact_stand_in_the_description(text: str) -> None:
    facts = facts_of(text)
    assert len({fact.kind for fact in facts}) == len(facts)
    assert all(part in text for fact in facts for part in fact.text.split(", "))
