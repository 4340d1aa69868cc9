import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.card.variable_text import LONGEST, LONGEST_YAML, UnreadableDataError, read_variable_text

EXPECTED = {"town": {"rain": True, "day": 3, "mood": [0.5, "calm to wild"]}, "name": "Lina"}


@pytest.mark.parametrize(
    "text",
    [
        '{"town": {"rain": true, "day": 3, "mood": [0.5, "calm to wild"]}, "name": "Lina"}',
        "{town: {rain: true, day: 3, mood: [.5, 'calm to wild'],}, // note\n name: 'Lina',}",
        'name = "Lina"\n[town]\nrain = true\nday = 3\nmood = [0.5, "calm to wild"]\n',
        "# note\ntown:\n  rain: true\n  day: 3\n  mood: [0.5, calm to wild]\nname: Lina\n",
        "town:\n  rain: True\n  day: +3\n  mood:\n    - .5\n    - 'calm to wild'\nname: \"Lina\"",
        "```yaml\ntown: {rain: true, day: 3, mood: [0.5, calm to wild]}\nname: Lina\n```",
        "<initvar>\ntown: {rain: true, day: 3, mood: [0.5, calm to wild]}\nname: Lina\n</initvar>",
        "@@depth 0\n<%_ x _%>\ntown: {rain: true, day: 3, mood: [0.5, calm to wild]}\nname: Lina",
    ],
)
def test_three_forms_give_the_same_values(text: str) -> None:
    assert read_variable_text(text) == EXPECTED


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: 12:30", "12:30"),
        ("a: 2024-04-08", "2024-04-08"),
        ("  a: 4\n", 4),
        ("a: yes", "yes"),
        ("a: '1'", "1"),
        ("a:", None),
        ("a: ~", None),
        ("a: NULL", None),
        ("a: 1e3", 1000.0),
        ("a: !!python/object:os.system x", "x"),
        ("a: |\n  two\n  lines\n", "two\nlines"),
        ("a: 1\na: 2", 1),
    ],
)
def test_scalars_of_yaml(text: str, value: object) -> None:
    assert read_variable_text(text) == {"a": value}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Just a sentence.",
        "- a\n- b",
        "[1, 2]",
        "{}",
        "a: &x [1]\nb: *x",
        "a: &x 1",
        "a: 1\n---\nb: 2",
        "{" * 5000,
        '{"a":' * 100 + "1" + "}" * 100,
        "a: " + "[" * 2000 + "]" * 2000,
        "- " * 3000,
        "a = " + "[" * 5000,
        "{a: b: c}",
        "a: 'x",
        "\x01: 1",
        "? [a]\n: 1",
        "a: 1\n" * (LONGEST_YAML // 5 + 1),
        " " * (LONGEST + 1),
    ],
)
def test_what_is_refused(text: str) -> None:
    with pytest.raises(UnreadableDataError):
        read_variable_text(text)


@given(st.text(alphabet="{}[]:,-&*!|>'\"#%@`\n ab1.=~?\t<", max_size=120))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(UnreadableDataError):
        assert read_variable_text(text)
