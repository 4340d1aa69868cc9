"""The parts put together: one outcome for every piece, the same bytes in any order, files that know their
pieces."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formats.card import Card
from importer.pipeline.build.about_world import LONGEST, PLACES, AboutWorld, about_world
from importer.pipeline.build.run import accounted, build
from importer.pipeline.building import Built
from importer.pipeline.context import ImportContext
from importer.pipeline.finish import make_ready
from importer.pipeline.origins import Origins
from importer.pipeline.survey.records import ROLES, Classification, Roster
from importer.pipeline.survey.run import survey
from importer.pipeline.survey.sources import Survey
from tests.support.asking import Readers
from tests.support.contexts import NO_MERGE, asked_of, classified, context_of, passage_ids
from tests.support.plain_cards import a_card, full_card
from tests.support.surveys import NO_GROUP, NO_THING, NOBODY, NOWHERE, entity, survey_of
from worlds.rules.check import can_start, check_world

PLAIN: dict[str, Any] = {
    "roster": lambda _: NO_MERGE,
    "character": lambda _: NOBODY,
    "location": lambda _: NOWHERE,
    "faction": lambda _: NO_GROUP,
    "item": lambda _: NO_THING,
    "lore": lambda _: {
        "about": [], "title": "T", "type": "law", "summary": "S", "keywords": [], "known_by": []
    },
    "generator": lambda _: {"casting": [], "rules": []},
    "casting": lambda _: {"mechanisms": []},
    "variables": lambda _: {"variables": []},
    "style": lambda _: {"style": "", "character_style": "", "left_out": []},
    "world": lambda _: {"about": "", "starting_location": "Bend", "description": "D", "tags": ["fog", "Fog"]},
    "routes": lambda _: {"ways": []},
}  # fmt: skip
PLACED = a_card(
    [{"comment": "Bend", "content": "Bend is a hamlet."}, {"comment": "Off", "content": "Never."}],
    first_mes="Fog over Bend.",
    alternate_greetings=["Rain over Bend."],
    description="{{char}} keeps the ferry.",
    creator_notes="Rate it!",
    tags=["river"],
)


def by_title(answers: dict[str, Any]) -> Any:
    return lambda text: answers.get(text.split('title="')[1].split('"')[0], classified("irrelevant"))


def built(card: Card, classes: Any, *, language: Any = "en", off: Any = (), **readers: Any) -> Built:
    answers = {**PLAIN, "classify": classes, **readers}
    context = context_of(card, answers, language=language, off=off, opening="greeting:0")
    return asyncio.run(whole(context))


async def whole(context: ImportContext) -> Built:
    found = await survey(context)
    return await build(
        context, found, picture="picture.png", sha256="0" * 64, started_at="2026-01-01T00:00:00Z"
    )


def outcomes(world: Built) -> dict[str, tuple[str, str]]:
    return {piece.id: (piece.outcome, piece.reason) for piece in world.pieces.pieces}


CLASSES = {
    "Bend": classified("location", Bend="location"),
    "description": classified("character"),
    "greeting:0": classified("scene", Bend="location?"),
}


@pytest.mark.req("FIN-1", "OUT-1", "BUILD-1")
@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_a_whole_world_is_written_and_a_story_can_start(language: Any) -> None:
    world = built(PLACED, by_title(CLASSES), language=language, off=("entry:1",))
    ready = make_ready(world, world.pictures)
    assert can_start(check_world(ready.loaded))
    assert ready.stage == "done"
    found = ready.loaded.world
    assert found is not None
    assert (found.starting_location, found.description, found.tags) == ("bend", "D", ["river", "fog", "Fog"])
    assert (found.opening, len(found.alternate_openings)) == ("Fog over Bend.", 1)
    assert world.pictures == ["images/cover.png", "images/portraits/lina.png"]
    assert outcomes(world) == {
        "description": ("converted", ""),
        "creator_notes": ("read", ""),
        "greeting:0": ("carried", ""),
        "greeting:1": ("carried", ""),
        "entry:0": ("converted", ""),
        "entry:1": ("omitted", "off"),
    }


@pytest.mark.req("OUT-1", "DRAFT-6")
def test_what_no_builder_used_is_lore_of_the_narrators_and_never_lost() -> None:
    card = a_card([{"comment": "Speech", "content": "Slow words."}], first_mes="Hi.", mes_example="A line.")
    world = built(card, lambda _: classified("speech"), lore=lambda _: {})
    assert outcomes(world)["entry:0"] == ("carried", "")
    assert b'"known_by": []' in world.files["lore/speech.json"]


@pytest.mark.req("OUT-1")
@pytest.mark.parametrize(
    ("role", "outcome", "reason"),
    [("irrelevant", "omitted", "note"), ("template", "omitted", "format"),
     ("instruction", "omitted", "instruction-left-out")],
)  # fmt: skip
def test_of_some_roles_nothing_need_become(role: str, outcome: str, reason: str) -> None:
    world = built(
        a_card([{"content": "Something long enough."}], first_mes="Hi."), lambda _: classified(role)
    )
    assert outcomes(world)["entry:0"] == (outcome, reason)


@pytest.mark.req("FIN-1")
def test_without_an_answer_about_the_world_the_cards_own_fields_stand() -> None:
    world = built(PLACED, by_title(CLASSES), off=("entry:1",), world=lambda _: {})
    found = make_ready(world, world.pictures).loaded.world
    assert found is not None
    assert (found.description, found.tags, found.starting_location) == ("Rate it!", ["river"], "bend")


@pytest.mark.req("FIN-1")
def test_a_starting_place_that_is_not_on_the_list_goes_back() -> None:
    said = iter(["Moon", "Bend"])
    answer = PLAIN["world"]("")
    world = built(
        PLACED,
        by_title(CLASSES),
        off=("entry:1",),
        world=lambda _: {**answer, "starting_location": next(said)},
    )
    found = make_ready(world, world.pictures).loaded.world
    assert found is not None
    assert found.starting_location == "bend"


@pytest.mark.req("FIN-1")
def test_the_places_to_choose_from_stand_before_the_passages_those_of_the_opening_first() -> None:
    context = context_of(PLACED, {"world": lambda _: {}}, opening="greeting:0")
    names = [f"Field {n}" for n in range(PLACES)]
    survey = survey_of(context, *(entity("location", name, "entry:0") for name in [*names, "Be", "Bend"]))
    opening = [context.pieces["greeting:0"]]
    found = asyncio.run(about_world(context, survey, opening))
    assert found == AboutWorld(start="bend"), "the longer of two names that begin alike"
    asked = asked_of(context, "world")[0]
    listed = [line for line in asked.splitlines() if line.startswith("- ")]
    assert (len(listed), listed[:3]) == (PLACES, ["- Be", "- Bend", "- Field 0"])
    assert asked.index("- Bend") < asked.index("<passage")
    assert passage_ids(asked) == ["greeting:0", "description", "creator_notes"]


@pytest.mark.req("FIN-1")
def test_only_whole_passages_are_asked_about() -> None:
    card = a_card([], first_mes="Fog. " * 600, description="Ferry. " * 3000)
    context = context_of(card, {"world": PLAIN["world"]}, opening="greeting:0")
    asyncio.run(about_world(context, survey_of(context), [context.pieces["greeting:0"]]))
    (asked,) = asked_of(context, "world")
    assert asked.count("<passage ") == asked.count("</passage>") > 1
    assert len(asked) < LONGEST + 500


@pytest.mark.req("OUT-1", "DRAFT-6")
def test_a_piece_of_which_the_survey_says_nothing_is_not_lost() -> None:
    context = context_of(a_card([{"comment": "Odd", "content": "Nobody read this."}]), PLAIN)
    silent = Survey(Classification(pieces=[]), Roster(entities=[], merged_by="code"))
    world = asyncio.run(
        build(context, silent, picture=None, sha256="0" * 64, started_at="2026-01-01T00:00:00Z")
    )
    assert outcomes(world)["entry:0"] == ("carried", "")
    assert b"Nobody read this." in world.files["lore/odd.json"]


@pytest.mark.req("DRAFT-2", "DRAFT-6")
def test_a_place_that_could_not_be_written_makes_a_draft_and_no_loss() -> None:
    both = {**CLASSES, "Off": classified("location", Never="location", Bend="location?")}
    world = built(PLACED, by_title(both), location=lambda text: NOWHERE if text.startswith("Never") else {})
    ready = make_ready(world, world.pictures)
    assert ready.stage == "repair"
    assert outcomes(world)["entry:0"] == ("read", "")


@pytest.mark.req("OUT-1")
def test_the_strongest_outcome_counts_and_everything_made_is_named() -> None:
    world = built(
        a_card([{"comment": "Bend", "content": "Bend lies low. " * 10}], first_mes="Hi."),
        lambda _: classified("world", "location", Bend="location"),
        generator=lambda _: {"casting": [], "rules": [{"begins": "Bend lies low.", "ends": ""}]},
    )
    (piece,) = [piece for piece in world.pieces.pieces if piece.id == "entry:0"]
    assert piece.outcome == "converted"
    assert piece.made == ["locations/bend.json", "lore/t.json", "lore/rules-and-mechanics.json"]
    origins = Origins.of(world)
    (source,) = origins.what_made("lore/rules-and-mechanics.json")
    assert (source.piece, source.quotes) == ("entry:0", ["Bend lies low."])
    assert origins.what_became("entry:0") == sorted(piece.made)
    assert origins.what_made("lore/none.json") == []


@pytest.mark.req("OUT-1")
def test_nothing_said_of_a_piece_is_awaiting() -> None:
    pieces = context_of(full_card(), {}).all_pieces
    ledger, quotes = accounted(pieces, [])
    assert {piece.outcome for piece in ledger.account().pieces} == {"awaiting"}
    assert quotes == {}


ANSWERS = st.lists(
    st.builds(
        lambda roles, name, about: {
            "about": "", "roles": roles, "names": [{"name": name, "kind": "location", "about": about}]
        },
        st.lists(st.sampled_from(ROLES), min_size=1, max_size=3), st.sampled_from(["A", "E"]), st.booleans(),
    ),
    min_size=14, max_size=14,
)  # fmt: skip
BROKEN = st.sets(st.sampled_from([name for name in PLAIN if name != "roster"]))


@pytest.mark.req("OUT-1", "DRAFT-6")
@settings(max_examples=40, deadline=None)
@given(ANSWERS, BROKEN, st.randoms(use_true_random=False))
def test_whatever_comes_the_totals_add_up_and_the_bytes_are_the_same(
    answers: Any, broken: Any, random: Any
) -> None:
    worlds = []
    for chance in (None, random):
        told = iter(answers)
        kept: dict[str, Any] = {}

        def classes(text: str, told: Any = told, kept: dict[str, Any] = kept) -> Any:
            title = text.split("\n")[0]
            return kept.get(title) or kept.setdefault(title, answers[sum(map(ord, title)) % len(answers)])

        readers = {**PLAIN, "classify": classes} | {name: (lambda _: {}) for name in broken}
        context = context_of(full_card(), readers)
        assert isinstance(context.tasks, Readers)
        context.tasks.chance = chance
        worlds.append(asyncio.run(whole(context)))
    first, second = worlds
    assert first.to_record() == second.to_record()
    assert Built.from_record(first.to_record()) == first
    totals = first.pieces.totals()
    assert sum(totals.values()) == len(first.pieces.pieces)
    assert totals["awaiting"] == 0
    for piece in first.pieces.pieces:
        assert set(piece.made) <= set(first.files), "everything that is named is there"
