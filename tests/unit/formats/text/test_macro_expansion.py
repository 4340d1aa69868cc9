"""The contract's table of macros, row by row, and every "T" row on macros of the notes on presets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.text.macros import EXPANDED_NAMES, MacroBudget, MacroContext, expand, macros_in
from formats.text.macros.context import LONGEST_VARIABLE
from tests.support.timing import assert_linear


def context(**values: object) -> MacroContext:
    given = {"user": "Ana", "char": "Lina", "persona": "A painter.", "last_user_message": "Hello?"} | values
    return MacroContext(**given)  # type: ignore[arg-type]


def text_of(text: str) -> str:
    return expand(text, context()).text


def codes_of(text: str) -> list[str]:
    return [finding.code for finding in expand(text, context()).findings]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a{{// a note }}b", "ab"),
        ("a{{// over\ntwo lines }}b", "ab"),
        ("a{{//}}b", "ab"),
        ("{{// a {{user}} b}}c", "c"),
        ("{{// {{setvar::k::1}} }}[{{getvar::k}}]", "[]"),
        (" {{trim}}a ", "a"),
        ("p\n\n{{trim}}\n\nq", "p\n\n\n\nq"),
        ("p\r\n{{trim}}\r\nq\r\n", "p\r\n\r\nq"),
        ("{{user}} and {{char}}: {{persona}} {{lastUserMessage}}", "Ana and Lina: A painter. Hello?"),
        ("{{USER}}{{ Char }}{{LASTUSERMESSAGE}}", "AnaLinaHello?"),
        ("[{{getvar::k}}]", "[]"),
        ("a{{setvar::k::2}}{{getvar::k}}b", "a2b"),
        ("{{SetVar::k::2}}{{GETVAR::k}}", "2"),
        ("{{setvar::k::1}}{{getvar::k}}{{setvar::k::2}}{{getvar::k}}", "12"),
        ("{{getvar::x}}{{setvar::x::1}}", ""),
        ("{{setvar::a::}}[{{getvar::a}}]", "[]"),
        ("{{setvar::k::one\ntwo}}{{getvar::k}}", "one\ntwo"),
        ("{{setvar :: k :: v }}[{{getvar k}}][{{getvar:k}}]", "[v][v]"),
        ("{{setvar::心情::好}}{{getvar::心情}}", "好"),
        ("{{setvar::k::a::b}}{{getvar::k}}", "a::b"),
        ("{{setvar::k::{{user}}!}}{{getvar::k}}", "Ana!"),
        ("{{setvar::k::{{user}}}}{{getvar::k}}", "Ana"),
        ("{{setvar::{{user}}::1}}{{getvar::Ana}}", "1"),
        ("{{setvar::a::b}}{{setvar::b::c}}{{getvar::{{getvar::a}}}}", "c"),
        ("{{setvar::k::007}}{{getvar::k}}", "007"),
        ("{{setvar::k::1.0}}{{getvar::k}}", "1.0"),
        ("{{addvar::k::3}}{{addvar::k::4}}{{getvar::k}}", "7"),
        ("{{addvar::k::0.1}}{{addvar::k::0.2}}{{getvar::k}}", "0.3"),
        ("{{addvar::k::10}}{{addvar::k::-10}}{{getvar::k}}", "0"),
        ("{{setvar::k::x}}{{addvar::k::y}}{{getvar::k}}", "xy"),
        ("{{addvar::k::y}}{{getvar::k}}", "y"),
        ("{{setvar::k::[]}}{{addvar::k::a}}{{addvar::k::b}}{{getvar::k}}", '["a","b"]'),
        ("{{setvar::k::[a}}{{addvar::k::b}}{{getvar::k}}", "[ab"),
        ("{{roll::2d1+3}}", "5"),
        ("{{roll:1d1}}{{roll 1}}{{roll::1}}{{ROLL : d1 }}", "1111"),
        ("{{roll:3d1-1}}", "2"),
        ("{{setvar::n::1}}{{roll:{{getvar::n}}d1}}", "1"),
        ("{{roll:abc}}", ""),
        ("{{roll:0d6}}", ""),
    ],
)
@pytest.mark.req("PRE-6", "PRE-16")
def test_macros_of_the_table(text: str, value: str) -> None:
    assert text_of(text) == value


@pytest.mark.parametrize(
    ("text", "value", "unknown"),
    [
        ("{{nope::{{user}}}}", "{{nope::Ana}}", {"nope": 1}),
        ("{{nope a::{{nope::{{char}}}}}}", "{{nope a::{{nope::Lina}}}}", {"nope": 2}),
        ("{{random::a::a}}", "{{random::a::a}}", {"random": 1}),
        ("{{random::::a}}{{random:a\\,b}}", "{{random::::a}}{{random:a\\,b}}", {"random": 2}),
        ("{{random::{{random::a::b}}::c}}", "{{random::{{random::a::b}}::c}}", {"random": 2}),
        ("{{pick:a,b}} {{time}}", "{{pick:a,b}} {{time}}", {"pick": 1, "time": 1}),
        ("{{if name}}a{{else}}b{{/if}}", "{{if name}}a{{else}}b{{/if}}", {"if": 1, "else": 1, "/if": 1}),
        (
            "{{description}}{{charPrompt}}",
            "{{description}}{{charPrompt}}",
            {"description": 1, "charprompt": 1},
        ),
        ("{{getglobalvar::x}}", "{{getglobalvar::x}}", {"getglobalvar": 1}),
        ("{{.v}}{{$v = 1}}", "{{.v}}{{$v = 1}}", {".v": 1, "$v": 1}),
        (
            "{{incvar::k}}{{newline}}{{noop}}",
            "{{incvar::k}}{{newline}}{{noop}}",
            {"incvar": 1, "newline": 1, "noop": 1},
        ),
        ("{{setvar k}}x{{/setvar}}", "{{setvar k}}x{{/setvar}}", {"setvar": 1, "/setvar": 1}),
        ("{{char::{{user}}}}", "{{char::Ana}}", {"char": 1}),
        ("{{setvar::k}}{{roll}}", "{{setvar::k}}{{roll}}", {"setvar": 1, "roll": 1}),
        ("{{comment: x}}", "{{comment: x}}", {"comment": 1}),
        ("<user>a</user> <BOT>", "<user>a</user> <BOT>", {}),
        ("{{{{char}}}} {{{user}}}", "{{Lina}} {Ana}", {}),
        ("{{user {{char", "{{user {{char", {}),
        ("{{setvar::k::open", "{{setvar::k::open", {}),
        ("closed}} {{user}}", "closed}} Ana", {}),
    ],
)
@pytest.mark.req("PRE-6")
def test_others_keep_their_spelling_and_are_named(text: str, value: str, unknown: dict[str, int]) -> None:
    expanded = expand(text, context())
    assert (expanded.text, expanded.unknown) == (value, unknown)


@pytest.mark.req("PRE-6")
def test_values_are_put_in_as_they_are() -> None:
    """Neither a person's line nor a stored text can run a macro."""
    said = context(last_user_message="{{setvar::k::1}}", persona="{{user}}")
    text = "{{lastUserMessage}} {{persona}} {{setvar::m::{{lastUserMessage}}}}{{getvar::m}}[{{getvar::k}}]"
    assert expand(text, said).text == "{{setvar::k::1}} {{user}} {{setvar::k::1}}[]"
    assert list(said.variables) == ["m"]


def test_a_double_colon_that_a_macro_gives_parts_no_arguments() -> None:
    given = context(user="a::b")
    assert expand("{{setvar::k::{{user}}}}{{getvar::k}}|{{getvar::{{user}}}}", given).text == "a::b|"


def test_variables_are_the_callers() -> None:
    given = context(variables={"k": "1"})
    expand("{{addvar::k::2}}", given)
    assert given.variables == {"k": "3"}


@pytest.mark.req("PRE-6")
def test_a_variable_put_into_itself_ends_in_a_finding() -> None:
    given = context()
    line = "{{setvar::a::{{getvar::a}}{{getvar::a}}}}"
    expanded = expand("{{setvar::a::x}}" + line * 40, given)
    assert {finding.code for finding in expanded.findings} == {"macro.variable-too-long", "macro.too-much"}
    assert expanded.text.startswith("{{setvar::a::x}}")
    assert len(given.variables["a"]) <= LONGEST_VARIABLE


def test_a_text_that_would_make_too_much_is_left_as_written() -> None:
    text = "{{user}}" * 10
    expanded = expand(text, context(budget=MacroBudget(20)), "prompts.main")
    assert expanded.text == text
    assert [(one.code, one.where) for one in expanded.findings] == [("macro.too-much", "prompts.main")]


@pytest.mark.parametrize("dice", ["999999999d6", "1d999999999", "1d6+99999999999", "1001d1"])
@pytest.mark.req("PRE-6")
def test_too_many_dice_are_left_as_written_and_named(dice: str) -> None:
    text = f"a {{{{roll:{dice}}}}} b"
    assert (text_of(text), codes_of(text)) == (text, ["macro.too-many-dice"])


def test_what_is_no_dice_is_named() -> None:
    [finding] = expand("{{roll:abc}}", context()).findings
    assert finding.text == "{{roll:abc}} names no dice that can be thrown; nothing takes its place."


def test_same_seed_same_text() -> None:
    text = "{{roll:3d6+2}} {{roll 20}} {{roll::1000}}"
    assert expand(text, MacroContext()).text == expand(text, MacroContext()).text


def test_what_is_nested_too_deeply_is_left_and_named() -> None:
    deep = "{{user::" * 70 + "{{user}}" + "}}" * 70
    expanded = expand(deep, context())
    assert expanded.text == deep.replace("{{user}}", "Ana")
    assert [finding.code for finding in expanded.findings] == ["macro.too-deep"]
    assert text_of("{{getvar::" * 60 + "k" + "}}" * 60) == ""


NESTS = ["{{user::", "{{nope::", "{{setvar::a::", "{{roll:", "{{// ", "{{", "{{getvar::a}}", "{{user}}", "}}"]


@pytest.mark.parametrize("unit", NESTS)
def test_hostile_repetition_costs_linear_time(unit: str) -> None:
    def work(text: str) -> None:
        closed = text + "}}" * text.count("{{")
        expand(closed, context())
        macros_in(closed)

    assert_linear(work, unit, 80_000)


@given(st.text(alphabet="{}:/ ausr", max_size=200))
def test_a_text_without_macros_stays_as_it_is(text: str) -> None:
    expanded = expand(text, MacroContext(user="user"))
    assert bool(macros_in(text)) or expanded.text == text


@given(
    st.lists(
        st.sampled_from(["{{user}}", "{{nope::", "}}", "{{setvar::a::", "x", "::", "{{// ", "{{getvar::a}}"]),
        max_size=60,
    )
)
def test_expanded_names_are_those_of_the_uses(parts: list[str]) -> None:
    """The scanner for reports and the expansion read the same macros and the same arguments."""
    text = "".join(parts)
    left = [use.name for use in macros_in(text) if not use.is_expanded]
    assert expand(text, context()).unknown == {name: left.count(name) for name in left}


def test_uses_tell_where_and_with_what() -> None:
    text = "{{setvar::a::{{user}}::c}} {{roll 1d6}} {{// {{x}} }} {{ nope : {{a::b}} }}"
    uses = macros_in(text)
    assert [(use.name, use.args, use.depth) for use in uses] == [
        ("setvar", ("a", "{{user}}", "c"), 0),
        ("user", (), 1),
        ("roll", ("1d6",), 0),
        ("//", ("{{x}}",), 0),
        ("nope", ("{{a::b}}",), 0),
        ("a", ("b",), 1),
    ]
    assert [use.written for use in uses[1:3]] == ["{{user}}", "{{roll 1d6}}"]
    assert {use.name for use in uses if use.is_expanded} == {"setvar", "user", "roll", "//"} <= EXPANDED_NAMES
