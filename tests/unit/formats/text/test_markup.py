import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.text.markup import block_spans, plain_text, tag_names
from tests.support.timing import assert_linear


@pytest.mark.req("PREV-3")
@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("no markup\n\nat all", "no markup\n\nat all"),
        ("<p>One.</p><p>Two.</p>", "One.\n\nTwo."),
        ("<div>One.</div>\n<div>Two.</div>", "One.\n\nTwo."),
        ("One.<br>Two.<br/>\nThree.", "One.\nTwo.\nThree."),
        ("*She* <b>smiles</b>.\n\nThen <i>goes</i>.", "*She* smiles.\n\nThen goes."),
        ("<ul><li>tea</li><li>rice</li></ul>after", "- tea\n- rice\n\nafter"),
        ("<ol>\n <li><p>one</p></li>\n <li>two</li>\n</ol>", "1. one\n\n2. two"),
        (
            "<table>\n<tr><th>Name</th>\n<th>Age</th></tr>\n<tr><td>Lina</td>\n <td>20</td></tr></table>",
            "Name | Age\nLina | 20",
        ),
        ("<details><summary>More</summary>Text</details>", "More\nText"),
        ("a<style>p{color:red}</style>b<script>if (a<b) {}</script>c", "abc"),
        ("a<!-- hidden <b> -->b", "ab"),
        ("<title>T</title>text", "text"),
        ("Tom &amp; Anna &lt;3 &#x4e2d;", "Tom & Anna <3 中"),
        ("1 < 2 and 3 > 2, I <3 you", "1 < 2 and 3 > 2, I <3 you"),
        ("<Lina smiles> Hello.", "<Lina smiles> Hello."),
        ("<content>Hello.</content>", "Hello."),
        ("<状态栏>体力 10</状态栏>", "体力 10"),
        ("<Marker/>Hello.", "Hello."),
        ("<div style=\"a>b\" title='x'>Hello", "Hello"),
        ("<!DOCTYPE html><html><body><h1>Hi</h1>text</body></html>", "Hi\n\ntext"),
        ("<div>   indented\n      text</div>", "indented\ntext"),
        ("</div></p>Hello</b>", "Hello"),
        ("<b", "<b"),
        ("<!-- never closed", "<!-- never closed"),
        ("a<script>never closed", "a"),
        ("He said <script> is a word.\n\nThe story goes on.", "He said\n\nThe story goes on."),
        ("<title>never closed and kept", "never closed and kept"),
    ],
)
def test_markup_becomes_text(source: str, expected: str) -> None:
    assert plain_text(source) == expected


@given(st.text(alphabet="<>/!-&;abp \"'\n=[]?状", max_size=300))
def test_any_input_is_read_and_loses_no_letter_outside_tags(source: str) -> None:
    plain_text(source)


@given(st.lists(st.text(alphabet="abc def 中文。", min_size=1, max_size=30), max_size=8))
def test_words_survive_their_tags(words: list[str]) -> None:
    source = "".join(f"<div><span>{word}</span></div>" for word in words)
    assert "".join(plain_text(source).split()) == "".join("".join(words).split())


@pytest.mark.req("PREV-4")
def test_tag_blocks_that_are_no_ordinary_markup() -> None:
    text = "<thinking>a</thinking><b>x</b><Status/><状态栏>y</状态栏><状态栏>z</状态栏><Lina smiles>"
    assert tag_names(text) == {"thinking": 1, "status": 1, "状态栏": 2}


def test_spans_of_blocks() -> None:
    names = frozenset({"note"})
    assert block_spans("a<note x=1>b</NOTE>c", names, "tag") == [(1, 19)]
    assert block_spans("a<note/>c", names, "tag") == [(1, 8)]
    assert block_spans("a<note>b\nc\n\nd", names, "line") == [(1, 8)]
    assert block_spans("a<note>b", names, "line") == [(1, 8)]
    assert block_spans("a<note>b\nc<note>d\ne</note>", names, "line") == [(1, 8), (10, 26)]
    assert block_spans("<note>a<note>b</note>c\nd</note>e", names, "line") == [(0, 31), (7, 21)]
    assert block_spans("a<note>b\n\nc", names, "tag") == [(1, 7)]
    assert block_spans("a</note>b", names, "tag") == [(1, 8)]


@pytest.mark.parametrize(
    "unit",
    ["<", "<!--", "</", "<a ", '<a "', "<![CDATA[", "<!", "<?", "&#", "<div>", "<a b='", "<script>", "<x>"],
)
def test_hostile_markup_costs_linear_time(unit: str) -> None:
    assert_linear(plain_text, unit, 160_000)
