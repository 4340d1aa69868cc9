"""The one line that says who somebody is or what an entry is about: chosen from the card, never made up."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from importer.pipeline.summary import LIMIT, bounded, entry_summary, names_of, person_summary
from tests.support.cards import v3
from tests.support.imports import built, documents


def summary_of(name: str, description: str, personality: str = "", notes: str = "") -> str:
    card = v3(
        name=name, description=description, personality=personality, mes_example="", creator_notes=notes
    )
    (person,) = documents(built(card), "characters/").values()
    return str(person["summary"])


@pytest.mark.req("STRUCT-2")
@pytest.mark.parametrize(
    ("description", "expected"),
    [
        # instructions, and what is said to the player
        (
            "You are Mira, a keeper. Write long replies. {{char}} will never leave.\n\nMira keeps the light.",
            "Mira keeps the light.",
        ),
        (
            "Please stay in character. From now on, you speak slowly. She tends the light.",
            "She tends the light.",
        ),
        ("{{user}} is a sailor. Mira keeps the light.", "Mira keeps the light."),
        # speech
        ("Hey hey! I'm a keeper! Ask us anything.\n\nMira keeps the light.", "Mira keeps the light."),
        ('"Stop!" she cried.\n*She waves.*\nShe keeps the light.', "She keeps the light."),
        ('{{user}}: Who are you?\n{{char}}: "The keeper."\n\nMira keeps the light.', "Mira keeps the light."),
        # headings, tables, code, labels, panels, tags
        ("# Mira\n\n## About\nMira keeps the light.", "Mira keeps the light."),
        (
            "```yaml\nmood: calm\n```\nHP: 3 | MP: 4 | Mood: calm\nMira keeps the light.",
            "Mira keeps the light.",
        ),
        ("<Mira>\nMira keeps the light.\n</Mira>", "Mira keeps the light."),
        ("[Genre: sea; Tags: fog, light; Scenario: You came. Mira found you.]\nA keeper.", "A keeper."),
        (
            "[Mira's manner: dry, likes(tea,rain)\nMira's goal is rest.]\nShe keeps the light.",
            "She keeps the light.",
        ),
        ("Mira Oakes\nGrey coat: yes\nMira keeps the light.", "Mira keeps the light."),
        # the subject is preferred, but not to an account that opens the text
        ("Rain falls on Port Vale. Mira keeps the light.", "Mira keeps the light."),
        ("A keeper who never left. Mira's hair is red.", "A keeper who never left."),
        ("**Mira** *loves* the [sea](https://a.example) and `tea`.", "Mira loves the sea and tea."),
        ("[Mira keeps the light. She is old.]", "Mira keeps the light."),
        ("(second card) Mira keeps the light.", "Mira keeps the light."),
        ("Mira Oakes, 25, keeper of the light", "Mira Oakes, 25, keeper of the light"),
        # data alone
        ("Name: Mira\nAge: 25\nSpecies: human\nOccupation: keeper", "keeper, human, 25"),
        ("**Age:** 25\n**Role:** Keeper of the light", "Keeper of the light, 25"),
        (
            '[Character("Mira")\nAge("25")\nJob("keeper" + "smith")\nSpecies("human")]',
            "keeper, smith, human, 25",
        ),
        ("[Age: 25; Occupation: keeper; Likes: tea]", "keeper, 25"),
        ("Age: 25\nDescription: Mira keeps the light.", "Mira keeps the light."),
        ("Age: unknown\nOccupation: keeper", "keeper"),
        ("Personality: dry, patient, blunt, kind, tired, old\nHair: red", "dry, patient, blunt, kind, tired"),
        ("Age: 25\nHair: red", ""),
        ("# Mira\n- Keeper of the light\n- Hates noise", "Keeper of the light"),
        # nothing of the kind
        ("Hello! I am Mira. We will be friends!", ""),
        ("You are Mira. Never break the scene.", ""),
        ("Who is Mira?", ""),
    ],
)
def test_of_a_person_in_english(description: str, expected: str) -> None:
    assert summary_of("Mira", description) == expected


@pytest.mark.req("STRUCT-2")
@pytest.mark.parametrize(
    ("description", "expected"),
    [
        ("你是莉娜，请用第一人称回复。\n\n莉娜是山里的药师。", "莉娜是山里的药师。"),
        ("{{char}}必须保持冷淡。{{char}}守着一座空城。", "莉娜守着一座空城。"),
        ("禁止替{{user}}说话。她住在山里。", "她住在山里。"),
        ("「你来啦！」\n我叫莉娜，住在山里。\n她是山里的药师。", "她是山里的药师。"),
        ("莉娜有着自我否定的习惯。", "莉娜有着自我否定的习惯。"),
        ("# 简介\n【姓名】莉娜\n一名住在山里的药师。", "一名住在山里的药师。"),
        ("姓名：莉娜\n年龄：19岁\n种族：精灵\n职业：药师", "药师，精灵，19岁"),
        ("莉娜:\n  身份: 山里的药师\n  年龄: 19\n  习性:\n    - 早睡\n    - 采药", "山里的药师，19"),
        ("<character>\nname: 莉娜\nidentity: 山里的药师\n</character>", "山里的药师"),
        ("简介：莉娜是山里的药师。\n年龄：19", "莉娜是山里的药师。"),
        ("性格：安静、固执、怕生\n头发：银色", "安静，固执，怕生"),
        ("你好！我是莉娜。", ""),
    ],
)
def test_of_a_person_in_chinese(description: str, expected: str) -> None:
    assert summary_of("莉娜", description) == expected


@pytest.mark.req("STRUCT-2")
def test_other_fields_are_asked_where_the_description_only_speaks() -> None:
    spoken = "Hey! I'm a keeper! Ask me."
    assert summary_of("Mira", spoken, "Dry, patient and blunt.", "A keeper.") == "Dry, patient and blunt."
    assert summary_of("Mira", spoken, "dry, patient", "(first card) A keeper of lights.") == (
        "A keeper of lights."
    )
    assert summary_of("Mira", spoken, "dry, patient") == "dry, patient"
    assert summary_of("Mira", spoken, "", "Thanks for reading! Follow me at https://a.example") == ""


@pytest.mark.req("STRUCT-3")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# The lamp\nIt burns oil. It is old.", "It burns oil."),
        ("- It burns oil.\n- More.", "It burns oil."),
        ("立即事件:\n  说明: 潮水退了。", "潮水退了。"),
        ("灯塔：港口北边的高塔，终年不灭。", "港口北边的高塔，终年不灭。"),
        ("The lamp: a tower north of the port.", "a tower north of the port."),
        ("The lamp belongs to the town you came from.", "The lamp belongs to the town you came from."),
        ("<b>The lamp</b> burns oil.<style>b{}</style>", "The lamp burns oil."),
        ('[PLAYER]: "What is it?"\nMira: "A lamp."', ""),
        ("rule: the reply must hold a panel\nformat: |-\n  <panel>\n  - mood", ""),
    ],
)
def test_of_an_entry(text: str, expected: str) -> None:
    entry = {"keys": ["灯塔"], "content": text, "comment": "The lamp", "enabled": True, "extensions": {}}
    world = built(v3(character_book={"entries": [entry | {"insertion_order": 1}]}))
    found = [value["summary"] for value in documents(world, "lore/").values() if value["title"] == "The lamp"]
    assert found == [expected]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Mira keeps the light, " + "and sings " * 30, "Mira keeps the light, " + "and sings " * 13 + "and"),
        ("Mira keeps the light of the old sunken town of Port Vale, and sings" + " so" * 60, None),
        ("莉" * 100 + "，" + "娜" * 100, "莉" * 100 + "…"),
        ("a" * 500, "a" * (LIMIT - 1) + "…"),
    ],
)
def test_a_long_sentence_is_cut_behind_a_clause_or_a_word(sentence: str, expected: str | None) -> None:
    cut = bounded(sentence)
    wanted = (
        expected.rstrip("…").rstrip()
        if expected
        else "Mira keeps the light of the old sunken town of Port Vale"
    )
    assert len(cut) <= LIMIT
    assert cut == wanted + "…"


def test_a_name_stands_in_its_parts_too() -> None:
    assert names_of("Mira Oakes") == ("Mira Oakes", "Mira", "Oakes")
    assert names_of("艾莉·温特") == ("艾莉·温特", "艾莉", "温特")
    assert names_of(" J. Oz ") == ("J. Oz",)
    assert names_of("  ") == ()


WORDS = ["Mira", "莉娜", " keeps", "住在", " the light", "you", "I", "我", "age: ", "年龄：", "job", "职业"]
MARKED = ["**", "- ", "```", "<b>", "[PLAYER]", "![a](b)", "http://a.example", "x" * 90, "\n\n"]
PARTS = st.sampled_from([*WORDS, *MARKED]) | st.sampled_from('.。\n:：[]()*#`|“”"{}<>, ，!25\u0301')


@pytest.mark.req("STRUCT-2")
@given(st.lists(st.lists(PARTS, max_size=30).map("".join), min_size=5, max_size=5))
def test_whatever_the_card_says_it_is_one_short_line_of_the_cards_own_words(texts: list[str]) -> None:
    rest, manner, told, notes, traits = texts
    for said in (
        person_summary("Mira", rest, manner, told, notes, traits),
        person_summary("莉娜", rest, manner, told, notes, traits),
        entry_summary(told, "Mira", ["age"]),
    ):
        assert len(said) <= LIMIT
        assert said == said.strip()
        assert not re.search(r"[\n{}<>|`]|\*\*|^#|^\[(?!PLAYER\])", said)
        unmarked = re.sub(r"\*|`|!\[a\]\(b\)", "", "\n".join([*texts]))
        assert all(word in unmarked for word in re.findall(r"\w+", said))
