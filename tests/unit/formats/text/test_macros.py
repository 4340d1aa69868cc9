import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.text.macros import find_macros, macro_names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("{{user}} and {{ Char }}", {"user": 1, "char": 1}),
        ("{{random:{{user}},b}}", {"random": 1, "user": 1}),
        ("{{random::a::b}} {{roll 1d6}} {{setvar::x::1}}", {"random": 1, "roll": 1, "setvar": 1}),
        ("{{// a note}}{{//b}}", {"//": 2}),
        ("{{comment: x}}{{hidden_key:y}}", {"comment": 1, "hidden_key": 1}),
        ("{{{user}}}", {"user": 1}),
        ("{{角色}}", {"角色": 1}),
        ("{{#if a}}x{{/if}}", {"#if": 1, "/if": 1}),
        ("{{user", {}),
        ("user}}", {}),
        ("{{}} {{ = }}", {}),
        ("{{open {{user}}", {"user": 1}),
        ("{{a\nlong\nnote}}", {"a": 1}),
    ],
)
@pytest.mark.req("PREV-4")
def test_names_of_macros(text: str, names: dict[str, int]) -> None:
    assert macro_names(text) == names


def test_a_macro_inside_another_knows_its_depth_and_span() -> None:
    text = "x{{pick:{{char}},b}}y"
    outer, inner = find_macros(text)
    assert (text[outer.start : outer.end], outer.depth) == ("{{pick:{{char}},b}}", 0)
    assert (text[inner.start : inner.end], inner.depth) == ("{{char}}", 1)


@given(st.text(alphabet="{}ab: /", max_size=200))
def test_spans_always_hold_whole_pairs(text: str) -> None:
    for macro in find_macros(text):
        assert text[macro.start : macro.start + 2] == "{{"
        assert text[macro.end - 2 : macro.end] == "}}"


def test_a_hundred_thousand_open_braces_are_no_burden() -> None:
    assert len(find_macros("{{a" * 100_000 + "}}" * 100_000)) == 100_000
