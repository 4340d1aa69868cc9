"""Prompts: their paths, and foreign text that must not act in them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from worlds.rules.prompts import (
    PLACEHOLDERS,
    SHIPPED_LANGUAGES,
    inert,
    prompt_files,
    prompt_of,
    prompt_path,
    unknown_placeholders,
)

braced = st.text("${} a", max_size=40)


@pytest.mark.req("STRUCT-4")
@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("${name} and {{user}}", "$ {name} and { {user}}"),
        ("{{{{x}}", "{ { { {x}}"),
        ("$${{x", "$$ { {x"),
        ("${", "$ {"),
        ("a { b } $ c", "a { b } $ c"),
    ],
)
def test_marks_become_inert_by_one_space(text: str, written: str) -> None:
    assert inert(text) == written


@pytest.mark.req("STRUCT-4")
@settings(deadline=None)
@given(braced)
def test_inert_text_fills_nothing_and_stays_as_it_is(text: str) -> None:
    made = inert(text)
    assert unknown_placeholders("style", made) == []
    assert inert(made) == made
    assert made.replace(" ", "") == text.replace(" ", "")


def test_what_looks_like_a_placeholder_is_named_once() -> None:
    text = "${a} {{b}} ${ a } ${a} {{"
    assert unknown_placeholders("style", text) == ["${a}", "{{b}}", "${ a }", "{{"]


def test_placeholders_of_the_task_itself_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("worlds.rules.prompts.PLACEHOLDERS", {"style": frozenset({"scene"})})
    assert unknown_placeholders("style", "In ${scene}, ${weather}.") == ["${weather}"]


def test_paths_and_names_are_each_others_inverse() -> None:
    for language in SHIPPED_LANGUAGES:
        for name in PLACEHOLDERS:
            assert prompt_of(prompt_path(language, name)) == (language, name)
    assert prompt_path("zh-hans", "standing") == "prompts/zh-hans/roleplay/standing.md"


@pytest.mark.parametrize(
    "path",
    [
        "prompts/fr/roleplay/style.md",
        "prompts/en/roleplay/gm.md",
        "prompts/en/style.md",
        "x",
        "prompts/en/roleplay/style.md\n",
    ],
)
def test_other_paths_are_no_prompts(path: str) -> None:
    assert prompt_of(path) is None


def test_an_unknown_prompt_has_no_path() -> None:
    with pytest.raises(ValueError, match="no prompt"):
        prompt_path("en", "../../world")


def test_a_prompt_is_written_in_every_shipped_language() -> None:
    assert prompt_files("style", "Dry wit.\n\n${x}\n\n") == {
        "prompts/en/roleplay/style.md": b"Dry wit.\n\n$ {x}\n",
        "prompts/zh-hans/roleplay/style.md": b"Dry wit.\n\n$ {x}\n",
    }
