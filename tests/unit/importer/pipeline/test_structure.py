"""A card arranged by code alone: what becomes of each part of it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from formats.card import pieces_of
from importer.pipeline.building import Built
from importer.pipeline.record import OUTCOMES
from importer.pipeline.structure import DESCRIPTION_LIMIT, shortened
from importer.pipeline.summary import entry_summary
from tests.support.cards import book, chinese_card, english_card, entry, v2, v3
from tests.support.imports import built, documents, read
from worlds.rules.check import check_world
from worlds.rules.load import load_files


def outcomes(world: Built) -> dict[str, str]:
    return {piece.id: piece.outcome for piece in world.pieces.pieces}


def reasons(world: Built) -> dict[str, str]:
    return {piece.id: piece.reason for piece in world.pieces.pieces if piece.reason}


def only(found: dict[str, Any]) -> Any:
    assert len(found) == 1, list(found)
    return next(iter(found.values()))


def lore(world: Built) -> dict[str, Any]:
    return {value["title"]: value for value in documents(world, "lore/").values()}


@pytest.mark.req("STRUCT-2", "CARD-8")
def test_the_cards_own_character_comes_from_description_personality_and_examples() -> None:
    world = built(
        v3(
            description="{{char}} keeps the lighthouse, {{user}}.\n\n## Appearance\nGrey coat.\n\n"
            "## Background\nBorn at sea.",
            personality="dry",
            mes_example="<START>\n{{user}}: Far?\n{{char}}: Up.\n<start>\n{{char}}: Mind the step.",
            nickname="Mi",
        )
    )
    mira = only(documents(world, "characters/"))
    assert (mira["id"], mira["name"], mira["aliases"]) == ("mira-oakes", "Mira Oakes", ["Mi"])
    assert mira["description"] == "Mira Oakes keeps the lighthouse, [PLAYER]."
    assert (mira["appearance"], mira["background"]) == ("Grey coat.", "Born at sea.")
    assert (mira["personality"], mira["summary"]) == ("dry", "Mira Oakes keeps the lighthouse, [PLAYER].")
    assert mira["speech"]["examples"] == ["[PLAYER]: Far?\nMira Oakes: Up.", "Mira Oakes: Mind the step."]
    assert mira["playable"] is False
    assert {outcomes(world)[id] for id in ("description", "personality", "example")} == {"converted"}


@pytest.mark.req("STRUCT-2")
def test_a_card_that_describes_nobody_gives_a_world_without_characters() -> None:
    world = built(chinese_card())
    assert documents(world, "characters/") == {}
    assert "awaiting" not in outcomes(world).values()
    (note,) = (note for note in world.notes if note.code == "nobody-described")
    assert note.severity == "info"
    assert "are lore" in note.message
    assert "Open such an entry" in note.hint


@pytest.mark.req("STRUCT-2")
def test_without_a_lorebook_the_note_speaks_of_none() -> None:
    world = built(v3(description="", personality="", mes_example="", scenario="", creator_notes=""))
    (note,) = (note for note in world.notes if note.code == "nobody-described")
    assert "lorebook" not in note.message
    assert "Add a person" in note.hint
    assert not any(note.code == "nobody-described" for note in built(english_card()).notes)


@pytest.mark.req("STRUCT-2")
def test_an_interview_in_the_description_is_how_the_character_speaks() -> None:
    told = '[Mira: grey coat]\r\n<START>\r\n{{user}}: "Who?"\r\n{{char}}: "The keeper."\r\n[Genre: sea]'
    mira = only(documents(built(v3(description=told, mes_example="")), "characters/"))
    assert mira["speech"]["examples"] == ['[PLAYER]: "Who?"\nMira Oakes: "The keeper."']
    assert mira["description"] == "[Mira: grey coat]\n\n[Genre: sea]"
    assert "START" not in json.dumps(mira)


@pytest.mark.req("STRUCT-3", "CARD-7")
def test_each_entry_becomes_lore_for_the_game_master_alone_word_for_word() -> None:
    text = "<b>Bold</b> {{user}}!\n<% if (x) { %>Rain.<% } %>\n{{roll:d6}}"
    world = built(v3(character_book=book(entry(0, keys=["a", "a"], secondary_keys=["b"], content=text))))
    found = lore(world)["Harbour 0"]
    assert found["text"] == "<b>Bold</b> [PLAYER]!\nRain.\n{{roll:d6}}"
    assert (found["scope"], found["known_by"], found["type"]) == ("listed", [], "custom")
    assert found["keywords"] == ["a", "b"]
    assert outcomes(world)["entry:0"] == "carried"
    assert world.pieces.pieces[-1].made == ["lore/harbour-0.json"]


def test_an_entry_without_a_title_is_called_by_its_key_else_by_its_number() -> None:
    entries = book(entry(0, comment="", keys=["lamp"]), entry(1, comment=" ", keys=[]))
    assert {"lamp", "Entry 2"} <= set(lore(built(v3(character_book=entries))))
    assert "条目 2" in lore(built(v3(character_book=entries), language="zh-hans"))


@pytest.mark.req("CARD-8")
def test_titles_and_keys_hold_no_marks_of_other_programs() -> None:
    found = lore(
        built(v3(character_book=book(entry(0, comment="{{char}} likes {{user}}", keys=["{{char}}"]))))
    )
    assert found["Mira Oakes likes [PLAYER]"]["keywords"] == ["Mira Oakes"]


@pytest.mark.req("SURV-1")
def test_a_long_entry_becomes_numbered_parts_that_hold_all_of_it() -> None:
    text = "\n\n".join(f"Paragraph {number}. " + "word " * 150 for number in range(20))
    world = built(v3(character_book=book(entry(0, content=text))))
    parts = [value for title, value in lore(world).items() if title.startswith("Harbour 0 (")]
    assert [part["title"] for part in parts] == [
        f"Harbour 0 ({n} of {len(parts)})" for n in range(1, len(parts) + 1)
    ]
    assert len(parts) > 1
    assert "".join(part["text"] for part in parts) == text


@pytest.mark.req("STRUCT-4")
def test_instructions_become_the_narration_style_and_act_in_no_prompt() -> None:
    note = {"depth_prompt": {"prompt": "Never sorry, {{char}}.", "depth": 4, "role": "system"}}
    world = built(
        v3(system_prompt="{{original}} Be ${mood}.", post_history_instructions="Short.", extensions=note)
    )
    style = world.files["prompts/en/roleplay/style.md"].decode()
    assert style == (
        "{ {original}} Be $ {mood}.\n\nShort.\n\n## About Mira Oakes\n\nNever sorry, Mira Oakes.\n"
    )
    assert world.files["prompts/zh-hans/roleplay/style.md"].decode() == style
    assert {outcomes(world)[id] for id in ("system", "post_history", "note")} == {"guidance"}
    assert not [
        finding for finding in check_world(load_files(world.files, {})) if "placeholder" in finding.code
    ]


def test_a_card_without_instructions_has_no_style() -> None:
    assert not [path for path in built(v3()).files if path.startswith("prompts/")]


@pytest.mark.req("STRUCT-5")
def test_the_worlds_own_fields_come_from_the_card() -> None:
    world = documents(built(v3(tags=["sea", " ", "sea", "calm "], creator=" Ines "), name="Fog"))[
        "world.json"
    ]
    assert world["name"] == "Fog"
    assert (world["author"], world["tags"]) == ("Ines", ["sea", "calm"])
    assert world["description"] == "Best with long answers."
    assert world["source"] == {"kind": "card", "name": "Mira Oakes", "version": "1.0", "sha256": "0" * 64}
    assert world["language"] == "en"


def test_without_notes_the_scenario_tells_what_the_world_is_about() -> None:
    world = built(v3(creator_notes="", scenario="A storm, {{user}}.\n\nMore."))
    assert documents(world)["world.json"]["description"] == "A storm, [PLAYER]."
    scenario = lore(world)["Scenario"]
    assert (scenario["scope"], scenario["text"]) == ("everyone", "A storm, [PLAYER].\n\nMore.")
    assert outcomes(world)["scenario"] == "carried"


@pytest.mark.parametrize(("end", "expected"), [(". ", "."), ("。", "。")])
def test_a_long_account_is_cut_where_a_sentence_ends(end: str, expected: str) -> None:
    text = "a" * 400 + end + "b" * 400
    assert shortened(text, DESCRIPTION_LIMIT) == "a" * 400 + expected
    assert shortened("c" * 900, DESCRIPTION_LIMIT) == "c" * (DESCRIPTION_LIMIT - 1) + "…"


@pytest.mark.req("PREV-2", "PREV-3")
def test_the_chosen_greeting_opens_and_the_others_are_alternates_all_cleaned() -> None:
    card = v3(
        first_mes="<p>One, {{user}}.</p>",
        alternate_greetings=["Two. <StatusPlaceHolderImpl/>", "", "<script>x()</script>"],
        group_only_greetings=["All of you."],
    )
    world = built(card, opening="greeting:1")
    file = documents(world)["world.json"]
    assert file["opening"] == "Two."
    assert file["alternate_openings"] == [
        {"label": "First message", "text": "One, [PLAYER]."},
        {"label": "Opening for a group 1", "text": "All of you."},
    ]
    assert outcomes(world)["greeting:0"] == outcomes(world)["greeting:1"] == "carried"
    assert reasons(world)["greeting:3"] == "no-text"


def test_a_script_only_opening_leaves_the_place_of_the_opening_to_a_person() -> None:
    world = built(v3(first_mes="<script>x()</script>", alternate_greetings=["Two."]))
    file = documents(world)["world.json"]
    assert file["opening"] == ""
    assert [opening["text"] for opening in file["alternate_openings"]] == ["Two."]


@pytest.mark.req("PREV-2", "OUT-1")
def test_what_is_off_is_accounted_for_and_nowhere_in_the_world() -> None:
    world = built(english_card())
    assert outcomes(world)["entry:3"] == "omitted"
    assert reasons(world)["entry:3"] == "off"
    assert b"switched off" not in b"".join(world.files.values())
    assert b"switched off" in b"".join(built(english_card(), off=()).files.values())


@pytest.mark.req("OUT-1")
def test_empty_and_script_only_entries_are_left_out_with_their_reason() -> None:
    entries = book(entry(0, content=" "), entry(1, content="<% setvar('a', 1) %>"), entry(2))
    world = built(v3(character_book=entries))
    assert reasons(world) == {"entry:0": "no-text", "entry:1": "script-only"}
    assert outcomes(world)["entry:2"] == "carried"


def test_data_entries_become_variables_although_they_are_off_in_the_card() -> None:
    world = built(chinese_card())
    declared = documents(world)["variables.json"]["variables"]
    assert [(value["label"], value["kind"]) for value in declared] == [
        ("潮位", "number"),
        ("灯塔.灯油", "number"),
        ("灯塔.点亮", "flag"),
    ]
    assert outcomes(world)["entry:0"] == "converted"
    assert world.pieces.pieces[-4].made == ["variables.json"]
    assert [note.code for note in world.notes if note.code.startswith("variable")] == ["variable-text"]


def test_of_a_data_entry_that_is_off_nothing_is_used_and_nothing_said() -> None:
    world = built(chinese_card(), off=("entry:0",))
    assert "variables.json" not in world.files
    assert reasons(world)["entry:0"] == "off"
    assert not [note for note in world.notes if note.code.startswith("variable")]


def test_one_of_two_data_entries_may_be_off() -> None:
    entries = book(
        entry(0, comment="[InitVar] a", content='{"tide": 3}'),
        entry(1, comment="[InitVar] b", content='{"oil": 4}'),
    )
    world = built(v3(character_book=entries), off=("entry:0",))
    assert [value["key"] for value in documents(world)["variables.json"]["variables"]] == ["oil"]


def test_data_that_cannot_be_read_stays_as_lore_with_a_note() -> None:
    world = built(v3(character_book=book(entry(0, comment="[InitVar]", content='{"tide": [}'))))
    assert lore(world)["[InitVar]"]["text"] == '{"tide": [}'
    assert [note.code for note in world.notes] == ["variable-unreadable"]


@pytest.mark.req("CARD-10")
@pytest.mark.parametrize(
    ("name", "id"),
    [("阿岚", "阿岚"), ("مِيرا", "مِيرا"), ("../Mira", "mira"), ("🌊", "character-1")],
)
def test_names_of_any_script_become_safe_ids(name: str, id: str) -> None:
    files = built(v3(name=name), name="W").files
    assert f"characters/{id}.json" in files
    assert all(".." not in path and not path.startswith("/") for path in files)


@pytest.mark.req("FIN-5", "FIN-6")
def test_the_cards_picture_is_cover_and_portrait() -> None:
    world = built(v3(), picture="picture.webp")
    assert sorted(world.pictures) == ["images/cover.webp", "images/portraits/mira-oakes.webp"]
    assert documents(world)["world.json"]["cover"] == "images/cover.webp"
    assert only(documents(world, "characters/"))["portrait"] == {
        "file": "images/portraits/mira-oakes.webp",
        "source": "uploaded",
        "original_name": "picture.webp",
    }


def test_macros_that_nothing_knows_stay_and_are_named() -> None:
    world = built(v3(scenario="{{roll:d6}} and {{weather}}", first_mes="{{weather}}!"))
    note = next(note for note in world.notes if note.code == "macros-kept")
    assert note.args == {"count": 2, "names": "weather, roll"}


def test_a_world_on_paper_is_read_back_as_it_was_stored() -> None:
    world = built(english_card(), picture="picture.png")
    stored = json.loads(json.dumps(world.to_record()))
    assert Built.from_record(stored) == world


TEXT = st.text(st.sampled_from("aB1. \n<>{}[]%:：*#-_雨。“$@`/()"), max_size=60)
ENTRY = st.fixed_dictionaries(
    {
        "comment": st.one_of(TEXT, st.just("[InitVar]")),
        "content": st.one_of(TEXT, st.just('{"a": 1, "b": {"c": true}}'), st.just("word " * 3000)),
        "enabled": st.booleans(),
        "keys": st.lists(TEXT, max_size=2),
    }
)


@pytest.mark.req("OUT-1")
@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
@given(
    texts=st.fixed_dictionaries(
        dict.fromkeys(
            (
                "description",
                "personality",
                "scenario",
                "first_mes",
                "mes_example",
                "system_prompt",
                "creator_notes",
            ),
            TEXT,
        )
    ),
    name=TEXT,
    greetings=st.lists(TEXT, max_size=2),
    entries=st.lists(ENTRY, max_size=4),
)
def test_every_piece_of_any_card_has_exactly_one_outcome(
    texts: dict[str, str], name: str, greetings: list[str], entries: list[dict[str, Any]]
) -> None:
    card = v2(
        **texts,
        name=name,
        alternate_greetings=greetings,
        character_book=book(*(entry(n, **fields) for n, fields in enumerate(entries))),
    )
    world = built(card, name="World")
    totals = world.pieces.totals()
    assert [piece.id for piece in world.pieces.pieces] == [piece.id for piece in pieces_of(read(card))]
    assert set(totals) == set(OUTCOMES)
    assert sum(totals.values()) == len(world.pieces.pieces)
    assert totals["awaiting"] == 0
    for piece in world.pieces.pieces:
        assert set(piece.made) <= set(world.files)
        assert bool(piece.made) == (piece.outcome in ("carried", "converted", "guidance"))
    problems = {
        finding.code for finding in check_world(load_files(world.files, {})) if finding.severity == "error"
    }
    assert problems <= {"opening-missing"}, problems


def test_the_summary_of_a_character_is_never_a_line_of_dialogue() -> None:
    card = v3(
        description="{{user}}: Who?\n{{char}}: Me.", personality="", mes_example="", creator_notes="A keeper."
    )
    assert only(documents(built(card), "characters/"))["summary"] == "A keeper."
    assert entry_summary("[PLAYER]: Who?\nMira: Me.", "Who") == ""


@pytest.mark.req("STRUCT-2")
def test_sections_between_tags_reach_their_fields_although_tags_are_no_text() -> None:
    world = built(
        v3(
            name="莉娜",
            personality="",
            description="她住在山里。\n<外貌>银色短发</外貌>\n<性格>\n安静\n</性格>",
        )
    )
    (person,) = documents(world, "characters/").values()
    assert (person["appearance"], person["personality"]) == ("银色短发", "安静")
    assert person["description"] == "她住在山里。"
