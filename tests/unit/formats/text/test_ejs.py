import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.text.ejs import ejs_spans, ejs_tag_count


def without(text: str) -> str:
    kept, position = "", 0
    for start, end in ejs_spans(text):
        kept += text[position : max(start, position)]
        position = max(position, end)
    return kept + text[position:]


@pytest.mark.req("CARD-7")
@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("<% if (a > 1) { %>calm<% } else { %>angry<% } %>", "calmangry"),
        ("<%_ if (a) { _%>calm<%_ } -%>", "calm"),
        ("a <%= getvar('x') %> b <%- y %> c <%# note %>d", "a  b  c d"),
        ("<% for (const x of [1,\n2]) { %>\ntext\n<% } %>", "\ntext\n"),
        ("<% a <% b %> c %>text", "text"),
        ("<% if (x) {\ntext", "\ntext"),
        ("<% if (x) { <% } %>text", "text"),
        ("100%> text", "100%> text"),
        ("<%% literal %%>", "<%% literal %%>"),
        ("<%", ""),
        ("no code", "no code"),
    ],
)
def test_code_goes_and_branch_text_stays(text: str, left: str) -> None:
    assert without(text) == left


def test_tags_are_counted() -> None:
    assert ejs_tag_count("<% a %><%= b %><%% c") == 2


@given(st.text(alphabet="<%>-_=# \nab", max_size=200))
def test_every_span_begins_with_a_tag(text: str) -> None:
    for start, end in ejs_spans(text):
        assert text.startswith("<%", start)
        assert start < end <= len(text)


@given(st.lists(st.sampled_from(["calm ", "<% if (a) { %>", "<% } %>", "<%= x %>", "wind\n"])))
def test_well_formed_text_loses_exactly_its_tags(parts: list[str]) -> None:
    assert without("".join(parts)) == "".join(part for part in parts if not part.startswith("<%"))
