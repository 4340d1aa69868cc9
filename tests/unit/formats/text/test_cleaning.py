import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.text.cleaning import (
    PROSE_STEPS,
    clean_lore,
    clean_prose,
    hidden,
    replace_marks,
    visible,
)


@pytest.mark.req("CARD-8")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{user}} meets {{char}}", "[PLAYER] meets Lina"),
        ("{{ User }}, {{CHAR}}, {{bot}}", "[PLAYER], Lina, Lina"),
        ("<USER> meets <BOT> and <CHAR>", "[PLAYER] meets Lina and Lina"),
        ("<user> meets <bot>, <char>", "[PLAYER] meets Lina, Lina"),
        ("｛｛user｝｝", "[PLAYER]"),
        ("{{{user}}}", "{[PLAYER]}"),
        ("<user>Ana</user>", "<user>Ana</user>"),
        ("<user>Ana</user>, <user>", "<user>Ana</user>, [PLAYER]"),
        ("<USER> reads <user>Ana</user>", "[PLAYER] reads <user>Ana</user>"),
        ("{{user_name}} {{username}} {{charm}}", "{{user_name}} {{username}} {{charm}}"),
        ("{{random:{{user}},x}}", "{{random:[PLAYER],x}}"),
    ],
)
def test_marks_become_the_player_and_the_cards_own_name(text: str, expected: str) -> None:
    assert replace_marks(text, "Lina") == expected


def test_a_name_is_put_in_as_it_is() -> None:
    assert replace_marks("{{char}}!", r"\1 \g<0>") == r"\1 \g<0>!"
    assert replace_marks("{{char}}!", "{{user}}'s cat") == "[PLAYER]'s cat!"
    assert clean_prose("<p>{{char}}</p>", "A & <b>B</b>").text == "A & <b>B</b>"


@pytest.mark.req("CARD-7")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The town.\n\n  It lies {{user}}.  ", "The town.\n\n  It lies [PLAYER].  "),
        ("@@depth 4\n@@@role system\n\nThe town.\n@@not one", "The town.\n@@not one"),
        ("a{{// note {{user}} }}b\n{{comment: gone}}\nc", "ab\nc"),
        ("<%_ if (x) { _%>\ncalm\n<%_ } _%>\nend", "calm\nend"),
        ("<b>bold</b> &amp; <style>x</style>", "<b>bold</b> &amp; <style>x</style>"),
        (
            "<UpdateVariable>\n_.set('a', 1);\n</UpdateVariable>",
            "<UpdateVariable>\n_.set('a', 1);\n</UpdateVariable>",
        ),
        ("\n\n\n\nkept\n\n\n\n", "\n\n\n\nkept\n\n\n\n"),
    ],
)
def test_lore_keeps_its_text(text: str, expected: str) -> None:
    assert clean_lore(text, "Lina").text == expected


@pytest.mark.req("PREV-3")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<p>Hello, {{user}}.</p><p>I am <BOT>.</p>", "Hello, [PLAYER].\n\nI am Lina."),
        ("Hello.\n\n<StatusPlaceHolderImpl/>", "Hello."),
        ("Hello.<StatusPlaceHolderImpl></StatusPlaceHolderImpl>", "Hello."),
        (
            "Hello.\n<UpdateVariable>\n<Analysis>x</Analysis>\n_.set('a',1,2);//why\n</UpdateVariable>\nBye.",
            "Hello.\nBye.",
        ),
        ('Hello.\n<JSONPatch>[{"op":"add"}]</JSONPatch>', "Hello."),
        ('Hello.\n```json\n[{"op": "replace", "path": "/a", "value": 1}]\n```\nBye.', "Hello.\nBye."),
        ("Hello.\n_.set('weather', 'rain');//it rains\nBye.", "Hello.\nBye."),
        ("<initvar>\na: 1\n</initvar>\nHello.", "Hello."),
        ("Hello.\n<UpdateVariable>cut off\n\nBye.", "Hello.\n\nBye."),
        ("<style>p {}</style>Hello<script>run()</script>", "Hello"),
        ("He said <script> is a word.\n\nThe story goes on.", "He said \n\nThe story goes on."),
        ("A <style> of her own.\nBut why?\n\nRain.", "A \nBut why?\n\nRain."),
        ("<update>\nParagraph one.\n\nParagraph two.", "Paragraph one.\n\nParagraph two."),
        ("Say <script> now.\n\nStory.\n\n<script>run()</script>", "Say \n\nStory."),
        ("```html\n<div>Hello</div>\n```\n\nBye.", "Hello\n\nBye."),
        ("```\nkept as written\n```", "```\nkept as written\n```"),
        ("One.\n\n\n\n\nTwo.", "One.\n\nTwo."),
        ("<% code with <script> %>Hello", "Hello"),
        ("<user>Ana</user> waits.", "Ana waits."),
    ],
)
def test_prose_keeps_what_people_wrote(text: str, expected: str) -> None:
    assert clean_prose(text, "Lina").text == expected


@pytest.mark.req("PREV-4")
def test_macros_that_stay_are_named() -> None:
    cleaned = clean_prose("{{user}} rolls {{roll:d6}}, {{random::a::b}}. {{// x}}{{roll:d4}}", "Lina")
    assert cleaned.text == "[PLAYER] rolls {{roll:d6}}, {{random::a::b}}. {{roll:d4}}"
    assert cleaned.macros == ("roll", "random")


PARTS = st.sampled_from(
    [
        "words ",
        "{{user}}",
        "<% x",
        "%>",
        "<script>",
        "</script>",
        "{{// ",
        "}}",
        "\n",
        "@@depth 1\n",
        "```\n",
        "<b>",
        "\0",
    ]
)


@given(st.lists(PARTS, max_size=30))
def test_hiding_moves_nothing(parts: list[str]) -> None:
    text = "".join(parts)
    covered = hidden(text, PROSE_STEPS)
    assert len(covered) == len(text)
    plain = text.replace("\0", " ")
    assert all(shown in ("\0", was) for shown, was in zip(covered, plain, strict=True))
    assert "\0" not in visible(covered)


@given(st.text(alphabet=st.characters(exclude_characters="<>{}&@\0`_｛｝\r", exclude_categories=["Cs"])))
def test_text_without_any_sign_of_a_machine_is_left_alone(text: str) -> None:
    assert clean_lore(text, "Lina").text == text


@pytest.mark.req("PREV-3")
@given(
    st.sampled_from(["script", "style", "UpdateVariable", "update", "StatusPlaceHolderImpl", "JSONPatch"]),
    st.lists(st.sampled_from(["<{}>", "</{}>", "words", "<{}/>", " ", "\n"]), max_size=6),
)
def test_a_tag_that_is_never_closed_costs_no_later_line(name: str, parts: list[str]) -> None:
    text = "".join(part.replace("{}", name) for part in parts)
    assert "The story goes on." in clean_prose(f"{text} <{name}>\n\nThe story goes on.", "Lina").text


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
def test_a_cleaned_text_has_one_kind_of_line_end(end: str) -> None:
    text = f"One.{end}{end}{end}{end}Two, {{{{user}}}}."
    assert clean_prose(text, "Lina").text == "One.\n\nTwo, [PLAYER]."
    assert clean_lore(text, "Lina").text == "One.\n\n\n\nTwo, [PLAYER]."
