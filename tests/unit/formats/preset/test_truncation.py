"""Half of a tool call: what had been written of the text comes out of it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.preset import rescue_field
from tests.support.timing import assert_linear

pytestmark = pytest.mark.req("PRE-9")


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ('{"title": "T", "text": "Once upon', "Once upon"),
        ('{"text": "', ""),
        ('{"text": "a\\nb\\t\\"c\\" \\\\d \\/e', 'a\nb\t"c" \\d /e'),
        ('{"text": "潮水\\u6f6e', "潮水潮"),
        ('{"text": "cut in an escape\\', "cut in an escape"),
        ('{"text": "cut in a code \\u6f', "cut in a code "),
        ('{"text": "a backslash and u \\\\u6f', "a backslash and u \\u6f"),
        ('{"text": "smile \\ud83d\\ude00 and \\ud83d', "smile 😀 and "),
        ('{"text": "smile \\ud83d\\ude', "smile "),
        ('{"text": "lone \\ud83d in the middle', "lone \ufffd in the middle"),
        ('{"text": "line one\nline two', "line one\nline two"),
        ('{"text": "done", "notes": ["a", {"x": "y', "done"),
        ('{"args": {"style": "calm", "text": "deep', "deep"),
        ('{"args": {"text": "deep"}, "text": "shallow', "shallow"),
        ('{"note": "he said \\"text\\": \\"no\\"", "text": "yes', "yes"),
        ('{"note": "\\"text\\": \\"no', None),
        ('{"list": ["text", "other"], "te', None),
        ('{"text": {"inner": "x', None),
        ('{"text": 12', None),
        ('{"text"', None),
        ("", None),
        ("not json", None),
    ],
)
def test_the_text_so_far(arguments: str, text: str | None) -> None:
    rescued = rescue_field(arguments, "text", "write_scene")
    assert rescued.text == text
    assert rescued.finding is not None
    assert rescued.finding.args == {"tool": "write_scene", "name": "text", "kept": len(text or "")}


def test_the_line_for_the_log_says_what_was_kept() -> None:
    kept = rescue_field('{"text": "Once', "text", "write_scene").finding
    lost = rescue_field('{"title": "x', "text", "write_scene").finding
    assert kept is not None
    assert lost is not None
    assert (
        kept.text
        == "The call of write_scene was cut off; the 4 characters of text that had been written were kept."
    )
    assert lost.text == "The call of write_scene was cut off before text began; nothing could be kept."


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"text": "whole"}, "whole"),
        ({"args": [{"text": "nested"}]}, "nested"),
        ({"other": 1}, None),
        ({"text": 5}, None),
    ],
)
def test_a_whole_call_is_read_without_a_word(value: object, text: str | None) -> None:
    rescued = rescue_field(json.dumps(value), "text")
    assert (rescued.text, rescued.finding) == (text, None)


@given(st.text(), st.data(), st.booleans())
def test_any_cut_keeps_what_stood_before_it(text: str, data: st.DataObject, ascii_only: bool) -> None:
    whole = json.dumps({"title": "T", "text": text, "after": [1]}, ensure_ascii=ascii_only)
    cut = data.draw(st.integers(0, len(whole)))
    rescued = rescue_field(whole[:cut], "text").text
    start = whole.index('"text": "') + len('"text": "')
    if cut < start:
        assert rescued is None
        return
    assert rescued is not None
    assert text.startswith(rescued)
    assert (
        len(json.dumps(rescued, ensure_ascii=ascii_only)) - 2
        >= min(cut, start + len(json.dumps(text, ensure_ascii=ascii_only)) - 2) - start - 11
    )


@given(st.text(alphabet='{}[]":,\\u0adx text'))
def test_no_text_stops_it(arguments: str) -> None:
    rescue_field(arguments, "text")


@pytest.mark.parametrize("unit", ['"', "\\", '\\"', '{"text":', '"text":"', "[", "\\ud83d", '"a":', "a"])
def test_hostile_repetition_costs_linear_time(unit: str) -> None:
    assert_linear(lambda text: rescue_field('{"text": "' + text, "text"), unit, 160_000)
