"""Tracked values group by group, and what is kept of the card's instructions."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from importer.pipeline.build.part import Part
from importer.pipeline.build.style import GROUP as STYLE_GROUP
from importer.pipeline.build.style import LONGEST, MOST, style
from importer.pipeline.build.variables import GROUP, MOST_ROUNDS, variables, variables_task
from importer.pipeline.building import Built
from importer.pipeline.context import ImportContext, Limits
from importer.pipeline.finish import make_ready
from importer.pipeline.record import Pieces
from tests.support.contexts import asked_of, context_of
from tests.support.kept import Model, said, tasks_of
from tests.support.plain_cards import a_card
from tests.support.surveys import entity, survey_of
from worlds.rules.documents import Character, VariableDeclaration, Variables
from worlds.rules.variables import variable_problems
from worlds.rules.write import document_bytes

PANEL = "Trust: 0-100. Weather: rain, fog, clear. The bell has rung: yes or no."


def value(key: str, **fields: Any) -> dict[str, Any]:
    return {
        "about": "a", "key": key, "label": key.title(), "scope": "world", "applies_to": [], "kind": "number",
        "default": "5", "min": 0, "max": 10, "bands": [], "options": [], "update_rule": "", **fields,
    }  # fmt: skip


def setting(answer: Any, *contents: str, most: Any = 25, **roles: Any) -> tuple[ImportContext, Any]:
    card = a_card([{"content": content} for content in contents or (PANEL,)])
    limits = Limits(variables_per_request=most)
    context = context_of(card, {"variables": answer}, limits=limits)
    people = [entity("character", "Odran", "entry:0"), entity("location", "Bend", "entry:0")]
    return context, survey_of(context, *people, **(roles or {"entry_0": "template"}))


def read(context: ImportContext, survey: Any, stated: Any = ()) -> Part:
    return asyncio.run(variables(context, survey, list(stated), []))


def declared(part: Part) -> dict[str, VariableDeclaration]:
    document = part.documents.get("variables.json")
    return {one.key: one for one in document.variables} if isinstance(document, Variables) else {}


@pytest.mark.req("VAR-1", "VAR-5")
def test_numbers_flags_and_choices_are_declared() -> None:
    answer = {"variables": [
        value("trust", bands=[{"up_to": 5, "label": "cold"}, {"up_to": 10, "label": "warm"}], default="3"),
        value("bell", kind="flag", default="是"),
        value("weather", kind="choice", options=["rain", "fog"], default=""),
        value("odrans_mood", scope="character", applies_to=["Odran"], default="x"),
    ]}  # fmt: skip
    part = read(*setting(lambda _: answer))
    found = declared(part)
    assert (found["trust"].default, [band.label for band in found["trust"].bands]) == (3, ["cold", "warm"])
    assert (found["bell"].default, found["weather"].default) == (True, "rain")
    assert (found["odrans_mood"].applies_to, found["odrans_mood"].default) == (["odran"], 0)
    assert [(credit.outcome, credit.made) for credit in part.credits] == [("converted", ("variables.json",))]


@pytest.mark.req("VAR-3", "VAR-5")
def test_what_cannot_be_used_is_left_out_with_its_reason_and_spoils_nothing() -> None:
    bands = [{"up_to": 9, "label": "a"}, {"up_to": 3, "label": "b"}]
    answer = {"variables": [
        value("one", kind="choice", options=["only"]), value("falling", bands=bands), value("Not A Key"),
        value("mood"), value("", default=""), value("good"),
    ]}  # fmt: skip
    part = read(*setting(lambda _: answer))
    assert list(declared(part)) == ["good"]
    assert [note.code for note in part.notes] == ["value-left-out"] * 5
    assert all(note.args["reason"] for note in part.notes)


@pytest.mark.req("VAR-2")
def test_a_full_answer_is_followed_by_another_that_names_what_is_there() -> None:
    keys = [f"v{n}" for n in range(7)]

    def answer(text: str) -> Any:
        told = text.partition("Declared already: ")[2].replace(",", " ").split()
        return {"variables": [value(key) for key in keys if key not in told][:3]}

    context, survey = setting(answer, most=3)
    assert list(declared(read(context, survey))) == keys
    assert len(asked_of(context, "variables")) == 3


@pytest.mark.req("VAR-2")
def test_at_most_so_many_are_taken_of_one_answer_and_the_rest_is_asked_for() -> None:
    def answer(text: str) -> Any:
        told = text.partition("Declared already: ")[2].replace(",", " ").split()
        return {"variables": [value(f"v{n}") for n in range(5) if f"v{n}" not in told]}

    context, survey = setting(answer, most=3)
    assert list(declared(read(context, survey))) == ["v0", "v1", "v2", "v3", "v4"]
    assert [text.partition("already: ")[2] for text in asked_of(context, "variables")] == ["", "v0, v1, v2"]


@pytest.mark.req("VAR-3")
def test_an_answer_that_keeps_to_no_schema_is_read_as_far_as_it_goes() -> None:
    answer = {"variables": [
        {"key": "luck", "kind": "number", "default": 7, "about": "x" * 900, "label": "y" * 300},
        {"key": "rung", "kind": "flag", "default": True},
        {"key": "diary", "kind": "text", "default": "Dear diary"},
        value("trust", scope="player"),
        value("hope"),
    ]}  # fmt: skip
    part = read(*setting(lambda _: answer))
    assert {key: one.default for key, one in declared(part).items()} == {"luck": 7, "rung": True, "hope": 5}
    assert [note.args["name"] for note in part.notes] == ["diary", "Trust"]


@pytest.mark.req("VAR-5")
@pytest.mark.parametrize(
    ("told", "low", "high", "default"),
    [("", -100, 100, 0), ("", 20, 80, 20), ("", -9, -3, -3), ("40/100", 0, 100, 40), ("1,200", 0, None, 1200),
     ("2.5", None, None, 2.5), ("none", None, None, 0)],
)  # fmt: skip
def test_a_number_begins_where_it_is_told_else_at_what_is_nearest_to_nothing(
    told: str, low: Any, high: Any, default: float
) -> None:
    part = read(*setting(lambda _: {"variables": [value("v", default=told, min=low, max=high)]}))
    assert declared(part)["v"].default == default


@pytest.mark.req("VAR-5")
def test_names_become_ids_and_what_only_one_without_a_document_has_is_the_worlds() -> None:
    names = {
        "both": ["Odran", "Bend"], "own": ["{{char}}"], "players": ["{{user}}"], "mixed": ["Odran", "Brill"],
        "none": ["Brill", "Vey"],
    }  # fmt: skip
    told = [
        value(key, scope="character", applies_to=named, label="Of {{user}}") for key, named in names.items()
    ]
    context, survey = setting(lambda _: {"variables": told})
    part = read(context, survey)
    found = {key: (one.scope, one.applies_to) for key, one in declared(part).items()}
    assert found["mixed"] == ("character", ["odran", "Brill"])
    assert (found["players"], found["own"]) == (("world", []), ("world", []))
    assert declared(part)["players"].label == "Of [PLAYER]"
    lina = entity("character", "Lina", "entry:0")
    part.documents["characters/odran.json"] = Character(id="odran", name="Odran")
    files = {path: document_bytes(document) for path, document in part.documents.items()}
    ready = make_ready(Built(files, Pieces(pieces=[]), [], []), [])
    assert ready.loaded.variables is not None
    kept = {one.key: (one.scope, one.applies_to) for one in ready.loaded.variables.variables}
    assert kept["both"] == kept["mixed"] == ("character", ["odran"])
    assert "none" not in kept
    assert {note.code for note in ready.notes} == {"reference-dropped", "mechanism-left-out"}
    with_her = survey_of(context, lina, entry_0="template")
    assert declared(read(context, with_her))["own"].applies_to == ["lina"]


WORDS = st.text(max_size=9) | st.sampled_from(
    ["number", "flag", "choice", "world", "character", "Odran", "mood"]
)
NUMBERS = st.none() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
ANY_VALUE = st.fixed_dictionaries(
    {"key": WORDS, "kind": WORDS},
    optional={
        "scope": WORDS, "label": WORDS, "about": WORDS, "applies_to": st.lists(WORDS, max_size=3),
        "default": WORDS | st.booleans() | st.integers(), "min": NUMBERS, "max": NUMBERS,
        "bands": st.lists(st.fixed_dictionaries({"up_to": st.floats(-9, 9), "label": WORDS}), max_size=3),
        "options": st.lists(WORDS, max_size=3),
    },
)  # fmt: skip


@pytest.mark.req("VAR-3", "VAR-5")
@settings(max_examples=60, deadline=None)
@given(st.lists(ANY_VALUE, max_size=6))
def test_every_declaration_is_a_value_of_the_world_or_left_out_with_a_reason(told: list[Any]) -> None:
    part = read(*setting(lambda _: {"variables": told}))
    assert "values-not-read" not in [note.code for note in part.notes]
    assert variable_problems(list(declared(part).values())) == []
    assert all(note.args["reason"] for note in part.notes)
    keys = {one["key"].strip() for one in told}
    assert len(declared(part)) + len(part.notes) == len(keys)


@pytest.mark.req("VAR-2")
def test_a_model_that_says_the_same_again_ends() -> None:
    context, survey = setting(lambda _: {"variables": [value(f"v{n}") for n in range(3)]}, most=3)
    assert len(declared(read(context, survey))) == 3
    assert len(asked_of(context, "variables")) == 2
    count = iter(range(10_000))
    context, survey = setting(lambda _: {"variables": [value(f"n{next(count)}") for _ in range(3)]}, most=3)
    read(context, survey)
    assert len(asked_of(context, "variables")) == MOST_ROUNDS


@pytest.mark.req("VAR-2")
def test_the_first_declaration_of_a_key_stands_the_cards_own_first_of_all() -> None:
    stated = VariableDeclaration(key="trust", kind="number", default=1, scope="world", label="Own")
    other = PANEL + " again" * 1000

    def answer(text: str) -> Any:
        return {"variables": [value("trust", label="Model"), value("luck", label=str(len(text) > 500))]}

    context, survey = setting(answer, PANEL, other, entry_0="template", entry_1="template")
    found = declared(read(context, survey, [stated]))
    assert (found["trust"].label, found["luck"].label) == ("Own", "False")


@pytest.mark.req("VAR-1", "SURV-7")
def test_groups_hold_at_most_6000_characters_and_whatever_names_the_tools_is_in_one() -> None:
    texts = [f"{n} " + "x" * 2500 for n in range(5)] + ["The stat_data rules."]
    context, survey = setting(
        lambda _: {"variables": []}, *texts, **{f"entry_{n}": "template" for n in range(5)}
    )
    part = read(context, survey)
    asked = asked_of(context, "variables")
    assert len(asked) == 3
    assert all(len(text) <= GROUP for text in asked)
    assert "stat_data" in asked[-1]
    assert {credit.outcome for credit in part.credits} == {"omitted"}


@pytest.mark.req("VAR-4")
async def test_a_cut_answer_is_closed_and_the_rest_asked_for() -> None:
    first = json.dumps({"variables": [value("a"), value("b")]})[:-2] + ', {"about": "c", "key": "c'
    model = Model([said(first, finish="length"), {"variables": [value("c")]}])
    context, survey = setting(None)
    part = await variables(replace(context, tasks=tasks_of(model)), survey, [], [])
    assert list(declared(part)) == ["a", "b", "c"]
    assert model.asked[1].messages[-1]["content"].endswith("Declared already: a, b")


@pytest.mark.req("VAR-5")
def test_a_failure_is_told_and_stops_nothing() -> None:
    part = read(*setting(lambda _: "nonsense"))
    assert ([note.code for note in part.notes], part.documents) == (["values-not-read"], {})


@pytest.mark.req("RUN-13")
def test_the_budget_grows_with_what_may_be_declared() -> None:
    assert variables_task(25).budget > variables_task(5).budget


def styled(answer: Any, **data: Any) -> tuple[ImportContext, Part]:
    context = context_of(a_card([{"content": "Write short."}], **data), {"style": answer})
    return context, asyncio.run(style(context, survey_of(context, entry_0="instruction")))


@pytest.mark.req("STYLE-1")
def test_style_and_manner_are_kept_in_every_shipped_language() -> None:
    told = {
        "style": "Slow, close.",
        "character_style": "They stay in role.",
        "left_out": ["a panel"],
    }
    context, part = styled(
        lambda _: told, system_prompt="Be slow.", post_history_instructions="Stay in role."
    )
    assert {path: data.decode() for path, data in part.prompts.items()} == {
        f"prompts/{language}/roleplay/{name}.md": f"{text}\n"
        for language in ("en", "zh-hans")
        for name, text in (("style", "Slow, close."), ("character-style", "They stay in role."))
    }
    assert {credit.piece for credit in part.credits} == {"system", "post_history", "entry:0"}
    assert {credit.outcome for credit in part.credits} == {"guidance"}
    assert part.notes[0].args["told"] == "a panel"
    assert len(asked_of(context, "style")) == 1


@pytest.mark.req("STYLE-2")
@pytest.mark.parametrize("style_text", ["Write like ${author}.", "Use {{char}}.", "x" * 5000])
def test_placeholders_and_too_long_texts_are_refused_and_told(style_text: str) -> None:
    context, part = styled(lambda _: {"style": style_text, "character_style": "", "left_out": []})
    assert part.prompts == {}
    assert [note.code for note in part.notes] == ["style-not-read"]
    assert [(credit.outcome, credit.reason) for credit in part.credits] == [("omitted", "style-failed")]
    assert len(asked_of(context, "style")) == 3


@pytest.mark.req("STYLE-2")
def test_instructions_of_which_nothing_is_kept_are_left_out() -> None:
    _, part = styled(lambda _: {"style": "", "character_style": "", "left_out": ["a panel"]})
    assert [(credit.outcome, credit.reason) for credit in part.credits] == [
        ("omitted", "instruction-left-out")
    ]


def test_long_instructions_are_read_in_groups_and_joined_in_order() -> None:
    context = context_of(
        a_card([{"content": f"{n} " + "y " * 2900} for n in range(5)]),
        {"style": lambda text: {"style": text.split("\n")[1][:1], "character_style": "", "left_out": []}},
    )
    roles: dict[str, Any] = {f"entry_{n}": "instruction" for n in range(5)}
    part = asyncio.run(style(context, survey_of(context, **roles)))
    assert part.prompts["prompts/en/roleplay/style.md"].decode().split() == ["0", "2", "4"]


@pytest.mark.req("STYLE-2")
def test_what_makes_a_style_too_long_is_left_out_and_named() -> None:
    many = MOST // LONGEST + 1
    data = [{"comment": f"Order {n}", "content": "y " * 2500} for n in range(many * STYLE_GROUP // 5000)]
    answer = {"style": "x" * LONGEST, "character_style": "Calm.", "left_out": []}
    context = context_of(a_card(data), {"style": lambda _: answer})
    roles: dict[str, Any] = {f"entry_{n}": "instruction" for n in range(len(data))}
    part = asyncio.run(style(context, survey_of(context, **roles)))
    assert len(part.prompts["prompts/en/roleplay/style.md"]) <= MOST + 10
    assert part.prompts["prompts/en/roleplay/character-style.md"].decode().count("Calm.") >= many
    (note,) = part.notes
    assert note.args["told"].startswith("Order ")
    assert {credit.outcome for credit in part.credits} == {"guidance"}
