"""Background as lore, rules as prompts, and the making of people as commands and triggers."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.card import Card
from importer.pipeline.build.casting import casting, generators
from importer.pipeline.build.lore import lore
from importer.pipeline.build.passages import STANDING_LIMIT, find_passage, passages
from importer.pipeline.context import ImportContext
from tests.support.contexts import asked_of, context_of, passage_ids
from tests.support.plain_cards import a_card
from tests.support.surveys import entity, survey_of
from worlds.rules.documents import Commands, Triggers

SALT = "Salt without the Chandlers' seal costs a hand. {{user}} has heard of it."
ABOUT_SALT: dict[str, Any] = {
    "about": ["Chandlers", "Nobody"], "title": "The salt law", "type": "law", "summary": "Salt is sealed.",
    "keywords": ["salt", "seal"], "known_by": [],
}  # fmt: skip
NO_PASSAGES: dict[str, Any] = {"casting": [], "rules": []}
CHANDLERS = entity("faction", "Chandlers", "entry:1")
DOOR = "To force a door, roll 1d20;\n  14 or more opens it. Nobody opens the “iron” door by force."
STRANGERS = (
    "When a stranger is needed, choose a trade (tinker, deserter, pilgrim). With /road one comes along."
)


def salty(**fields: Any) -> Card:
    return a_card(
        [{"comment": "Salt", "keys": ["salt"], "content": SALT, **fields}, {"content": "Chandlers."}]
    )


def passage(begins: str, ends: str = "") -> dict[str, str]:
    return {"begins": begins, "ends": ends}


@pytest.mark.req("BUILD-1", "SURV-4")
def test_background_is_lore_under_its_own_text() -> None:
    context = context_of(salty(), {"lore": lambda _: ABOUT_SALT})
    part = asyncio.run(lore(context, survey_of(context, CHANDLERS, entry_1="faction"), "roster"))
    (draft,) = part.lore
    document = draft.document("salt")
    assert document.text == SALT.replace("{{user}}", "[PLAYER]")
    assert (document.title, document.type, document.summary) == ("The salt law", "law", "Salt is sealed.")
    assert (document.scope, document.known_by, document.about) == ("everyone", [], ["chandlers"])
    assert document.keywords == ["salt", "seal"]
    assert asked_of(context, "lore") != []


@pytest.mark.req("BUILD-5")
def test_who_knows_it_is_who_the_passage_says() -> None:
    context = context_of(salty(), {"lore": lambda _: {**ABOUT_SALT, "known_by": ["CHANDLERS", "Nobody"]}})
    part = asyncio.run(lore(context, survey_of(context, CHANDLERS, entry_1="faction"), "roster"))
    document = part.lore[0].document("salt")
    assert (document.scope, document.known_by) == ("listed", ["chandlers"])


@pytest.mark.req("DRAFT-6")
@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_without_a_usable_answer_a_piece_is_lore_for_the_narrators_alone(language: Any) -> None:
    context = context_of(salty(), {"lore": lambda _: {"type": "gossip"}}, language=language)
    part = asyncio.run(lore(context, survey_of(context, CHANDLERS, entry_1="faction"), "roster"))
    document = part.lore[0].document("salt")
    assert (document.title, document.scope, document.known_by) == ("Salt", "listed", [])
    assert document.text.startswith("Salt without")


@pytest.mark.req("SURV-8")
def test_pieces_about_people_and_things_nobody_was_made_of_are_lore_too() -> None:
    context = context_of(salty(), {"lore": lambda _: ABOUT_SALT})
    asyncio.run(lore(context, survey_of(context, entry_0="item", entry_1="generator"), "roster"))
    assert [passage_ids(text) for text in asked_of(context, "lore")] == [["entry:0"]]


@pytest.mark.req("RULE-4")
@pytest.mark.parametrize(
    ("begins", "ends", "found"),
    [
        ("To force a door,", "14 or more opens it.", DOOR[:50]),
        ("roll 1d20; 14 or more", "", "roll 1d20;\n  14 or more"),
        ('the "iron" door', "", "the “iron” door"),
        ("To force a gate,", "", None),
        ("14 or more", "To force", None),
        ("14 or", "14 or more opens", "14 or more opens"),
        ("", "", None),
    ],
)
def test_a_passage_stands_in_its_piece_or_is_refused(begins: str, ends: str, found: str | None) -> None:
    assert find_passage(DOOR, begins, ends) == found


@pytest.mark.req("RULE-4")
def test_of_two_beginnings_the_nearer_to_the_end_counts() -> None:
    text = "Roll well. The moon is old. Roll twice and keep the lower."
    assert find_passage(text, "Roll", "the lower.") == "Roll twice and keep the lower."


@pytest.mark.req("RULE-4")
def test_one_paraphrase_does_not_cost_the_copied_ones() -> None:
    rules = [passage("To force a door,", "14 or more opens it."), passage("Doors are hard.")]
    rules.append(passage("Nobody opens", "by force."))
    _, (part, _) = of_passages(a_card([{"content": DOOR}]), lambda _: {"casting": [], "rules": rules})
    assert part.lore[0].quotes == {"entry:0": (DOOR[:50], DOOR[51:])}


@given(st.text(max_size=60), st.text(max_size=20), st.text(max_size=20))
def test_whatever_is_pointed_at_what_is_found_stands_there(text: str, begins: str, ends: str) -> None:
    found = find_passage(text, begins, ends)
    assert found is None or found in text


def of_passages(card: Card, answer: Any, *, language: Any = "en", **roles: Any) -> tuple[ImportContext, Any]:
    context = context_of(card, {"generator": answer}, language=language)
    return context, asyncio.run(passages(context, survey_of(context, **roles)))


@pytest.mark.req("RULE-1", "RULE-4")
def test_a_paraphrase_goes_back_and_is_left_out_in_the_end() -> None:
    answer = {"casting": [], "rules": [passage("To force any door roll a die.")]}
    context, (part, found) = of_passages(a_card([{"content": DOOR}]), lambda _: answer)
    assert len(asked_of(context, "generator")) == 3
    assert "letter for letter" in asked_of(context, "generator")[0] or found == []
    assert (part.lore, part.prompts) == ([], {})
    assert [note.code for note in part.notes] == ["rules-not-read"]


@pytest.mark.req("RULE-1")
def test_only_substantial_pieces_are_asked_and_each_once() -> None:
    card = a_card(
        [{"content": DOOR}, {"content": "Short."}], first_mes=DOOR, mes_example=DOOR, description=DOOR
    )
    context, _ = of_passages(card, lambda _: NO_PASSAGES)
    assert [passage_ids(text) for text in asked_of(context, "generator")] == [["description"], ["entry:0"]]


@pytest.mark.req("RULE-2", "CAST-6")
@pytest.mark.parametrize(("language", "title"), [("en", "How people are made"), ("zh-hans", "人物如何生成")])
def test_guidance_on_making_people_is_lore_of_the_narrators(language: Any, title: str) -> None:
    answer = {"casting": [passage("When a stranger", "pilgrim).")], "rules": []}
    card = a_card([{"content": STRANGERS}])
    _, (part, found) = of_passages(card, lambda _: answer, language=language)
    (draft,) = part.lore
    assert (draft.title, draft.narrators, draft.known_by) == (title, True, ())
    assert draft.text == STRANGERS.partition(" With")[0]
    assert draft.quotes == {"entry:0": (draft.text,)}
    assert found == [("entry:0", draft.text)]


@pytest.mark.req("CAST-5", "RULE-2")
def test_what_is_kept_whole_as_a_generator_is_not_kept_again() -> None:
    answer = {"casting": [passage("When a stranger", "pilgrim).")], "rules": []}
    card = a_card([{"content": STRANGERS}])
    context, (part, found) = of_passages(card, lambda _: answer, entry_0=("generator", "world"))
    assert (part.lore, found) == ([], [])
    (draft,) = generators(context, survey_of(context, entry_0="generator")).lore
    document = draft.document("strangers")
    assert (document.text, document.type, document.scope, document.known_by) == (
        STRANGERS,
        "custom",
        "listed",
        [],
    )


@pytest.mark.req("RULE-3")
def test_rules_the_card_always_sends_stand_in_the_prompt_the_others_in_lore() -> None:
    marked = DOOR + " ${x} {{roll:1d6}}"
    card = a_card([{"content": marked, "constant": True}, {"content": DOOR}])
    answer = {"casting": [], "rules": [passage("To force a door,", "14 or more opens it.")]}
    whole = {"casting": [], "rules": [passage("To force a door,", "{{roll:1d6}}")]}
    _, (part, _) = of_passages(card, lambda text: whole if "roll:1d6" in text else answer)
    assert set(part.prompts) == {f"prompts/{code}/roleplay/standing.md" for code in ("en", "zh-hans")}
    told = part.prompts["prompts/en/roleplay/standing.md"].decode()
    assert "$ {x} { {roll:1d6}}" in told
    (draft,) = part.lore
    assert (draft.title, draft.narrators, draft.text) == ("Rules and mechanics", True, DOOR[:50])
    (credit,) = part.credits
    assert (credit.piece, credit.outcome) == ("entry:0", "guidance")
    assert credit.quotes["prompts/en/roleplay/standing.md"] == (marked,)


@pytest.mark.req("RULE-3")
def test_what_does_not_fit_the_prompt_moves_to_lore_whole() -> None:
    long = " ".join(f"Rule {n}: roll twice and keep the lower." for n in range(140))
    card = a_card([{"content": f"{chr(65 + n)} {long}", "constant": True} for n in range(3)])

    def all_of_it(text: str) -> Any:
        inside = text.split("\n", 1)[1].rsplit("\n", 1)[0]
        return {"casting": [], "rules": [passage(inside[:40], inside[-40:])]}

    _, (part, _) = of_passages(card, all_of_it)
    told = part.prompts["prompts/en/roleplay/standing.md"].decode()
    assert len(told) <= STANDING_LIMIT + 1
    (draft,) = part.lore
    assert len(told) + len(draft.text) > 3 * len(long)
    assert draft.quotes.keys() == {"entry:2"}


def mechanism(**fields: Any) -> dict[str, Any]:
    return {
        "about": "a",
        "command": "",
        "event": "",
        "need": "A stranger.",
        "draw": [],
        "once": False,
        **fields,
    }


def cast(*mechanisms: Any, text: str = STRANGERS) -> Any:
    context = context_of(a_card([{"content": text}]), {"casting": lambda _: {"mechanisms": list(mechanisms)}})
    return asyncio.run(casting(context, survey_of(context, entry_0="generator"), []))


@pytest.mark.req("CAST-1", "CAST-2", "CAST-3")
def test_a_slash_word_of_the_card_becomes_a_command_with_its_trigger() -> None:
    part = cast(mechanism(command="/Road", draw=["tinker", "king", "pilgrim"]))
    (command,) = part.documents["commands.json"].commands
    assert (command.name, command.marker) == ("road", "/road")
    (trigger,) = part.documents["triggers.json"].triggers
    told = (
        trigger.to_json() if hasattr(trigger, "to_json") else trigger.model_dump(mode="json", by_alias=True)
    )
    assert told["when"] == {"command": "road"}
    assert told["effect"] == {"dispatch": "author", "need": "A stranger.", "draw": ["tinker", "pilgrim"]}


@pytest.mark.req("CAST-2")
@pytest.mark.parametrize(
    ("text", "told", "word"),
    [
        ("输入/招募来招募一个人。", "/招募", "招募"),
        ("用/Recruit招募。", "recruit", "Recruit"),
        ("See https://x.example/road now.", "/road", ""),
        ("Type /roads.", "/road", ""),
        ("Type /road.", "/road now", ""),
    ],
)
def test_slash_words_in_any_script(text: str, told: str, word: str) -> None:
    part = cast(mechanism(command=told, event="It rained."), text=text)
    commands = part.documents.get("commands.json")
    assert [command.name for command in (commands.commands if commands else [])] == ([word] if word else [])


@pytest.mark.req("CAST-2", "CAST-4")
def test_what_nothing_starts_is_left_out_with_a_note_and_so_is_its_command() -> None:
    part = cast(mechanism(command="/tavern"), mechanism())
    assert part.documents == {}
    assert [note.code for note in part.notes] == ["nothing-starts", "nothing-starts"]


@pytest.mark.req("CAST-3")
def test_an_event_starts_what_has_no_command() -> None:
    part = cast(mechanism(event="Night has fallen."), mechanism(event="Night has fallen.", once=True))
    assert isinstance(part.documents["triggers.json"], Triggers)
    first, second = part.documents["triggers.json"].triggers
    assert (first.id, second.id, second.once) == ("night-has-fallen", "night-has-fallen-2", True)
    assert "commands.json" not in part.documents


def test_one_command_serves_several_triggers() -> None:
    part = cast(mechanism(command="/road"), mechanism(command="road", need="A rumour."))
    assert isinstance(part.documents["commands.json"], Commands)
    assert len(part.documents["commands.json"].commands) == 1
    assert len(part.documents["triggers.json"].triggers) == 2


def test_without_a_usable_answer_the_guidance_stays_lore_and_a_note_says_so() -> None:
    context = context_of(a_card([{"content": STRANGERS}]), {"casting": lambda _: {}})
    part = asyncio.run(casting(context, survey_of(context, entry_0="generator"), []))
    assert (part.documents, [note.code for note in part.notes]) == ({}, ["casting-failed"])
