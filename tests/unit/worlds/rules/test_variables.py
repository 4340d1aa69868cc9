"""`variable_problems` is the one rule set for tracked values."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from worlds.rules.documents import Band, VariableDeclaration
from worlds.rules.variables import value_suits, variable_problems


def declared(**fields: Any) -> VariableDeclaration:
    return VariableDeclaration.model_validate({"key": "trust", "kind": "number", "default": 1} | fields)


def bands(*ends: float) -> list[Band]:
    return [Band(up_to=end, label=f"to {end}") for end in ends]


def problems(*declarations: VariableDeclaration) -> list[tuple[str, str]]:
    found = variable_problems(declarations)
    assert all(problem.severity == "error" for problem in found)
    return [(problem.code, problem.where) for problem in found]


@pytest.mark.req("VAR-5")
@pytest.mark.parametrize(
    "sound",
    [
        declared(),
        declared(default=-2.5),
        declared(min=0, max=10, step=0.5, bands=bands(3, 10)),
        declared(default=0, min=0, max=10),
        declared(default=10, min=0, max=10, bands=bands(10)),
        declared(bands=bands(3, 7)),
        declared(bands=bands(3, 12), max=10),
        declared(kind="flag", default=False),
        declared(kind="choice", default="落", options=["涨", "落"]),
        declared(scope="character", applies_to=["a", "b"]),
        declared(key="a1_b2"),
    ],
    ids=lambda declaration: str(declaration.to_json()),
)
def test_a_sound_declaration_has_no_problem(sound: VariableDeclaration) -> None:
    assert problems(sound) == []


@pytest.mark.req("VAR-5")
@pytest.mark.parametrize(
    ("fields", "code", "field"),
    [
        ({"key": "Trust"}, "variable-key", "key"),
        ({"key": "信任"}, "variable-key", "key"),
        ({"key": "ｔrust"}, "variable-key", "key"),
        ({"key": "trust level"}, "variable-key", "key"),
        ({"key": "_trust"}, "variable-key", "key"),
        ({"key": "trust__x"}, "variable-key", "key"),
        ({"key": "1st"}, "variable-key", "key"),
        ({"key": "trust\n"}, "variable-key", "key"),
        ({"key": "a" * 81}, "variable-key", "key"),
        ({"key": "mood"}, "variable-built-in", "key"),
        ({"default": None}, "variable-default", "default"),
        ({"default": "1"}, "variable-default", "default"),
        ({"default": True}, "variable-default", "default"),
        ({"default": 11, "max": 10}, "variable-default", "default"),
        ({"default": -1, "min": 0}, "variable-default", "default"),
        ({"min": 5, "max": 5}, "variable-bounds", "max"),
        ({"min": 6, "max": 5}, "variable-bounds", "max"),
        ({"step": 0}, "variable-step", "step"),
        ({"bands": bands(3, 3)}, "variable-bands", "bands"),
        ({"bands": bands(7, 3)}, "variable-bands", "bands"),
        ({"bands": bands(3, 9), "max": 10}, "variable-bands", "bands"),
        ({"bands": bands(-1, 9), "min": 0}, "variable-bands", "bands"),
        ({"kind": "flag", "default": 1}, "variable-default", "default"),
        ({"kind": "flag", "default": None}, "variable-default", "default"),
        ({"kind": "choice", "options": [], "default": "a"}, "variable-options", "options"),
        ({"kind": "choice", "options": ["a"], "default": "a"}, "variable-options", "options"),
        ({"kind": "choice", "options": ["a", " a"], "default": "a"}, "variable-options", "options"),
        ({"kind": "choice", "options": ["a", "b", ""], "default": "a"}, "variable-options", "options"),
        ({"kind": "choice", "options": ["a", "b"], "default": "c"}, "variable-default", "default"),
        ({"kind": "choice", "options": ["a", "b"], "default": None}, "variable-default", "default"),
        ({"applies_to": ["ida"]}, "variable-scope", "applies_to"),
        ({"scope": "item", "applies_to": ["key", "key"]}, "variable-scope", "applies_to"),
    ],
)
def test_an_unusable_declaration_is_named_with_its_place(
    fields: dict[str, Any], code: str, field: str
) -> None:
    assert problems(declared(key="sound"), declared(**fields)) == [
        (code, f"variables.json: variables[1].{field}")
    ]


@pytest.mark.req("VAR-5")
def test_a_key_is_declared_once() -> None:
    assert problems(declared(), declared(), declared(key="other"), declared()) == [
        ("variable-twice", "variables.json: variables[1].key"),
        ("variable-twice", "variables.json: variables[3].key"),
    ]


def test_fields_without_effect_are_warnings() -> None:
    idle = declared(kind="flag", default=True, min=0, options=["a"])
    found = variable_problems([idle], "draft")
    assert [(problem.severity, problem.where) for problem in found] == [
        ("warning", "draft: variables[0].min"),
        ("warning", "draft: variables[0].options"),
    ]


@pytest.mark.parametrize(
    ("fields", "good", "bad"),
    [
        ({"min": 0, "max": 10}, [0, 10, 2.5], [-1, 11, True, "5", None]),
        ({}, [10**30, -1], ["", False]),
        ({"kind": "flag"}, [True, False], [0, 1, "true"]),
        ({"kind": "choice", "options": ["a", "b"]}, ["a"], ["c", 1, True]),
    ],
)
def test_what_a_variable_may_hold(fields: dict[str, Any], good: list[object], bad: list[object]) -> None:
    declaration = declared(**fields)
    assert [value_suits(declaration, value) for value in good] == [True] * len(good)
    assert [value_suits(declaration, value) for value in bad] == [False] * len(bad)


numbers = st.integers(-5, 5)


@settings(deadline=None)
@given(numbers, st.none() | numbers, st.none() | numbers, st.lists(numbers, max_size=4))
def test_accepted_numbers_keep_every_promise(
    default: int, low: int | None, high: int | None, ends: list[int]
) -> None:
    declaration = declared(default=default, min=low, max=high, bands=bands(*ends))
    promises = [
        low is None or high is None or low < high,
        low is None or low <= default,
        high is None or default <= high,
        ends == sorted(set(ends)),
        not ends or high is None or ends[-1] >= high,
        not ends or low is None or ends[0] >= low,
    ]
    assert (problems(declaration) == []) is all(promises)
