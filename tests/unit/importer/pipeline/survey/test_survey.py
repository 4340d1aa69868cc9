"""The survey: what each piece is, which names are the same, and what of it becomes an entity."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formats.errors import DomainError
from importer.pipeline.context import ImportContext, Limits
from importer.pipeline.survey.index import INDEX_LIMIT
from importer.pipeline.survey.names import same_by_code
from importer.pipeline.survey.records import ENTITY_KINDS, ROLES
from importer.pipeline.survey.run import survey
from importer.pipeline.survey.sources import Survey, sources_for
from importer.pipeline.survey.variable_marks import reaches_variables
from llm.decide import Decision
from llm.faults import ModelFault
from tests.support.asking import Readers
from tests.support.contexts import NO_MERGE, asked_of, classified, context_of, passage_ids
from tests.support.plain_cards import a_card, full_card

ODRAN = {"keys": ["ferry"], "comment": "Odran", "content": "Odran keeps the ferry at Mill Bend."}
BEND = {"keys": [], "comment": "Mill Bend", "content": "Mill Bend lies below the weir. Odran lives here."}
SALT = {
    "keys": [],
    "comment": "Salt",
    "content": "Salt without the Chandlers' seal costs a hand.",
    "constant": True,
}

ANSWERS = {
    "Odran": classified("character", Odran="character", Mill_Bend="location?"),
    "Mill Bend": classified("location", Mill_Bend="location", Odran="character?"),
    "Salt": classified("world", Chandlers="faction?"),
}


WORLD = {"classify": lambda _: classified("world"), "roster": lambda _: NO_MERGE}


def by_title(answers: dict[str, Any]) -> Any:
    def read(text: str) -> Any:
        title = text.split('title="')[1].split('"')[0]
        return answers.get(title, classified("irrelevant"))

    return read


def surveyed(context: ImportContext) -> Survey:
    return asyncio.run(survey(context))


def found(result: Survey) -> dict[str, tuple[str, list[str]]]:
    return {entity.name: (entity.kind, entity.pieces) for entity in result.roster.entities}


@pytest.mark.req("SURV-1", "SURV-2")
def test_every_piece_that_is_passed_on_is_asked_about_once() -> None:
    context = context_of(full_card(), WORLD, off=("entry:1",))
    result = surveyed(context)
    asked = [piece for text in asked_of(context, "classify") for piece in passage_ids(text)]
    assert [piece.id for piece in result.classification.pieces] == list(context.pieces)
    by_code = [piece.id for piece in result.classification.pieces if piece.by == "code"]
    assert sorted(asked + by_code) == sorted(context.pieces)
    assert "entry:1" not in context.pieces, "off in the card"


@pytest.mark.req("SURV-1")
def test_a_long_entry_is_asked_about_part_by_part() -> None:
    long = " ".join(f"The {n}th stone of the weir is grey." for n in range(900))
    context = context_of(a_card([{"content": long}]), WORLD)
    surveyed(context)
    asked = [piece for text in asked_of(context, "classify") for piece in passage_ids(text)]
    assert asked[:2] == ["entry:0/1", "entry:0/2"]
    assert len(asked) > 2


@pytest.mark.req("SURV-4")
def test_whether_an_entry_is_constant_or_keyed_is_not_told() -> None:
    told = []
    for constant in (True, False):
        card = a_card([{**ODRAN, "constant": constant, "keys": ["ferry"] if constant else ["secret"]}])
        context = context_of(card, {"classify": by_title(ANSWERS), "roster": lambda _: NO_MERGE})
        surveyed(context)
        assert isinstance(context.tasks, Readers)
        told.append([question for _, question in context.tasks.asked])
    assert told[0] == told[1]


@pytest.mark.req("SURV-5")
@pytest.mark.parametrize("count", [3, 700])
def test_each_question_holds_the_index_and_examples(count: int) -> None:
    card = a_card([{**ODRAN, "comment": f"Entry of {n}"} for n in range(count)])
    context = context_of(card, {"classify": by_title({}), "roster": lambda _: NO_MERGE})
    surveyed(context)
    assert isinstance(context.tasks, Readers)
    question = context.tasks.asked[-1][1]
    assert "entry:0" in question.instructions
    assert f"entry:{count - 1}" in question.instructions or count > 250
    assert len(question.instructions) < INDEX_LIMIT + 4000
    assert len({question.instructions for _, question in context.tasks.asked}) == 1
    assert len(question.examples) == 4


@pytest.mark.req("SURV-2", "SURV-3", "RUN-10")
@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_names_become_entities_in_the_order_of_the_card(language: Any) -> None:
    card = a_card([BEND, ODRAN, SALT, {**SALT, "comment": "Seal", "content": "The Chandlers burn seals."}])
    answers = {**ANSWERS, "Seal": classified("world", Chandlers="faction?")}
    context = context_of(
        card, {"classify": by_title(answers), "roster": lambda _: NO_MERGE}, language=language
    )
    result = surveyed(context)
    assert found(result) == {
        "Odran": ("character", ["entry:1"]),
        "Mill Bend": ("location", ["entry:0"]),
        "Chandlers": ("faction", ["entry:2", "entry:3"]),
    }
    assert [entity.id for entity in result.roster.entities] == ["odran", "mill-bend", "chandlers"]
    assert isinstance(context.tasks, Readers)
    assert ("名字" in context.tasks.asked[0][1].instructions) == (language == "zh-hans")


@pytest.mark.req("SURV-8")
def test_a_name_mentioned_once_in_a_piece_about_something_else_is_no_entity() -> None:
    context = context_of(a_card([SALT]), {"classify": by_title(ANSWERS), "roster": lambda _: NO_MERGE})
    assert found(surveyed(context)) == {}


@pytest.mark.req("CAST-5")
def test_a_piece_that_only_tells_how_people_are_made_gives_no_names() -> None:
    lists = {"comment": "Lists", "content": "Choose: Odran, Vey."}
    answers = {"Lists": classified("generator", Odran="character", Vey="character")}
    readers = {"classify": by_title(answers), "roster": lambda _: NO_MERGE}
    assert found(surveyed(context_of(a_card([lists]), readers))) == {}
    answers["Lists"] = classified("generator", "character", Odran="character", Vey="character")
    assert set(found(surveyed(context_of(a_card([lists]), readers)))) == {"Odran", "Vey"}


@pytest.mark.req("SURV-6")
@pytest.mark.parametrize(("language", "name"), [("en", "the player's sister"), ("zh-hans", "玩家's sister")])
def test_a_players_mark_in_a_name_is_the_players_form_of_address(language: Any, name: str) -> None:
    entry = {"comment": "Kin", "content": "{{user}}'s sister lives by the weir."}
    named = {"name": "[PLAYER]'s sister", "kind": "character", "about": True}
    answer = {"about": "", "roles": ["character"], "names": [named]}
    readers = {"classify": lambda _: answer, "roster": lambda _: NO_MERGE}
    assert list(found(surveyed(context_of(a_card([entry]), readers, language=language)))) == [name]


@pytest.mark.req("SURV-2")
def test_a_name_that_does_not_stand_in_the_piece_is_not_believed() -> None:
    readers = {
        "classify": lambda _: classified("character", Nobody="character"),
        "roster": lambda _: NO_MERGE,
    }
    assert found(surveyed(context_of(a_card([ODRAN]), readers))) == {}


@pytest.mark.req("BUILD-7")
def test_only_a_card_that_gives_a_player_has_one() -> None:
    given = {"comment": "You", "content": "[PLAYER] is the miller's heir, called Tam."}
    readers = {
        "classify": lambda text: (
            classified("player", Tam="character") if "heir" in text else ANSWERS["Odran"]
        ),
        "roster": lambda _: NO_MERGE,
    }
    result = surveyed(context_of(a_card([given, ODRAN]), readers))
    assert [entity.name for entity in result.roster.entities if entity.player] == ["Tam"]


def test_the_cards_own_character_is_there_when_its_description_names_nobody() -> None:
    readers = {"classify": lambda _: classified("character"), "roster": lambda _: NO_MERGE}
    result = surveyed(context_of(a_card(description="A baker, up before the sun."), readers))
    assert found(result) == {"Lina": ("character", ["description"])}
    readers["classify"] = lambda _: classified("world")
    assert found(surveyed(context_of(a_card(description="A town of bakers."), readers))) == {}


def several() -> list[dict[str, Any]]:
    return [
        {"comment": "A", "content": "Odran is old."},
        {"comment": "B", "content": "Odran Vale was a soldier."},
        {"comment": "C", "content": "Vey sings."},
    ]


SEVERAL = {
    "A": classified("character", Odran="character"),
    "B": classified("character", Odran_Vale="character"),
    "C": classified("character", Vey="character"),
}


@pytest.mark.req("SURV-3")
def test_the_model_says_which_names_are_one() -> None:
    merged = {"same": [{"numbers": [1, 2], "name": "Odran Vale"}], "nothing": [3]}
    context = context_of(a_card(several()), {"classify": by_title(SEVERAL), "roster": lambda _: merged})
    result = surveyed(context)
    (entity,) = result.roster.entities
    assert (entity.name, entity.aliases, entity.pieces) == ("Odran Vale", ["Odran"], ["entry:0", "entry:1"])
    assert result.roster.merged_by == "model"
    assert [piece.id for piece in sources_for(context, entity)] == ["entry:0", "entry:1"]
    assert result.entity_by_name("ODRAN", "character") == entity


@pytest.mark.req("SURV-3")
@pytest.mark.parametrize(
    "wrong",
    [
        {"same": [{"numbers": [1, 9], "name": "Odran"}], "nothing": []},
        {"same": [{"numbers": [1, 2], "name": "Odran"}], "nothing": [2]},
        {"same": [], "nothing": [1, 2, 3]},
        {"same": "no"},
    ],
)
def test_code_merges_what_contains_each_other_when_no_answer_is_of_use(wrong: Any) -> None:
    context = context_of(a_card(several()), {"classify": by_title(SEVERAL), "roster": lambda _: wrong})
    result = surveyed(context)
    assert [(e.name, e.aliases) for e in result.roster.entities] == [("Odran", ["Odran Vale"]), ("Vey", [])]
    assert (result.roster.merged_by, result.roster.note) == ("code", "task.rejected")
    assert len(asked_of(context, "roster")) == 3


@pytest.mark.req("SURV-3")
@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("Odran", "Odran Vale", True),
        ("Lin", "Linden", False),
        ("阿渡", "摆渡人阿渡", True),
        ("渡", "阿渡", False),
        ("ODRAN", "odran", True),
    ],
)
def test_names_that_contain_each_other(first: str, second: str, same: bool) -> None:
    assert same_by_code(first, second) == same == same_by_code(second, first)


@pytest.mark.req("SURV-2")
def test_a_piece_without_a_usable_answer_is_taken_for_what_its_field_is() -> None:
    def fails(_: str) -> Any:
        return {"roles": []}

    context = context_of(full_card(), {"classify": fails, "roster": lambda _: NO_MERGE})
    result = surveyed(context)
    roles = {piece.id: piece.roles for piece in result.classification.pieces if piece.note == "model-failed"}
    assert roles["description"] == ["character"]
    assert roles["entry:0"] == ["world"]
    assert roles["system"] == ["instruction"]


@pytest.mark.req("SURV-7")
@pytest.mark.parametrize(
    "text", ["stat_data.Lina", "[mvu_update]", "<UpdateVariable>", "use JSON Patch", "json_patch"]
)
def test_pieces_of_the_variable_tools_are_known(text: str) -> None:
    context = context_of(a_card([{"comment": "x", "content": f"Always {text} at the end."}, ODRAN]), {})
    first, second = context.pieces.values()
    assert reaches_variables(first)
    assert not reaches_variables(second)


class Service:
    """A decision service that says these, by the word in the question."""

    def __init__(self, **answers: Decision | Exception | None) -> None:
        self.answers = answers
        self.asked: list[str] = []

    async def decide(self, question: str, text: str) -> Decision | None:
        name = "note" if "reader" in question else "story" if "story" in question else "instruction"
        self.asked.append(name)
        answer = self.answers.get(name)
        if isinstance(answer, Exception):
            raise answer
        return answer


YES, NO, MAYBE = Decision(True, 0.99), Decision(False, 0.99), Decision(True, 0.6)
DECIDE = Limits(decisions="decision", confidence=0.9)


@pytest.mark.req("SURV-9")
@pytest.mark.parametrize(
    ("service", "by", "roles", "note"),
    [
        (Service(instruction=YES, story=NO), "decision", ["instruction"], ""),
        (Service(instruction=NO, note=YES, story=NO), "decision", ["irrelevant"], ""),
        (Service(instruction=YES, story=YES), "model", ["world"], "decision-unsure"),
        (Service(instruction=YES, story=Decision(False, 0.6)), "model", ["world"], "decision-unsure"),
        (Service(instruction=MAYBE, note=NO), "model", ["world"], "decision-unsure"),
        (Service(instruction=YES, story=None), "model", ["world"], "decision-unsure"),
        (Service(instruction=ModelFault("unreachable")), "model", ["world"], "decision-failed"),
    ],
)
def test_only_a_sure_decision_spares_the_model(
    service: Service, by: str, roles: list[str], note: str
) -> None:
    readers = {"classify": lambda _: classified("world"), "roster": lambda _: NO_MERGE}
    context = context_of(a_card([SALT]), readers, deciding=service, limits=DECIDE)
    (piece,) = surveyed(context).classification.pieces
    assert (piece.by, piece.roles, piece.note) == (by, roles, note)
    assert (piece.confidence is not None) == (by == "decision")
    assert len(asked_of(context, "classify")) == (by == "model")


@pytest.mark.req("SURV-9")
def test_without_the_setting_no_service_is_asked() -> None:
    service = Service(instruction=YES, story=NO)
    readers = {"classify": lambda _: classified("world"), "roster": lambda _: NO_MERGE}
    surveyed(context_of(a_card([SALT]), readers, deciding=service))
    assert service.asked == []


def test_a_halt_passes_through() -> None:
    def halts(_: str) -> Any:
        raise ModelFault("key-refused")

    with pytest.raises(DomainError):
        surveyed(context_of(a_card([SALT]), {"classify": halts}))


NAMES = st.sampled_from(["Odran", "Mill Bend", "Salt", "Chandlers", "Lina", "阿渡"])
CLASSES = st.builds(
    lambda roles, names: {"about": "", "roles": roles, "names": names},
    st.lists(st.sampled_from(ROLES), min_size=1, max_size=3),
    st.lists(
        st.fixed_dictionaries({"name": NAMES, "kind": st.sampled_from(ENTITY_KINDS), "about": st.booleans()}),
        max_size=6,
    ),
)


@settings(max_examples=60)
@given(st.lists(CLASSES, min_size=1, max_size=6), st.randoms(use_true_random=False))
def test_whatever_comes_every_piece_is_classified_once_in_any_order(answers: Any, random: Any) -> None:
    text = "Odran, Mill Bend, Salt, Chandlers, Lina, 阿渡."
    card = a_card([{"comment": str(n), "content": f"{n} {text}"} for n in range(len(answers))])
    told = {str(n): answer for n, answer in enumerate(answers)}
    results = []
    for chance in (None, random):
        context = context_of(card, {"classify": by_title(told), "roster": lambda _: NO_MERGE})
        assert isinstance(context.tasks, Readers)
        context.tasks.chance = chance
        results.append(surveyed(context))
    first, second = results
    assert first.roster == second.roster
    assert [piece.id for piece in first.classification.pieces] == [f"entry:{n}" for n in range(len(answers))]
    for kinds in (("character", "faction"), ("location",), ("item",)):
        ids = [entity.id for entity in first.roster.entities if entity.kind in kinds]
        assert len(set(ids)) == len(ids)
    assert all(entity.pieces for entity in first.roster.entities)
